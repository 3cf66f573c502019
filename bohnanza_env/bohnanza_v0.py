"""The PettingZoo face of the game: ``env``, ``raw_env`` and ``parallel_env``.

All take the arguments of :class:`~bohnanza_env.aec.BohnanzaAECEnv`.
"""

from __future__ import annotations

import copy
from typing import Any

from gymnasium.error import ResetNeeded
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from .aec import BohnanzaAECEnv
from .engine.errors import IllegalActionError

__all__ = ["BohnanzaParallelEnv", "env", "parallel_env", "raw_env"]

raw_env = BohnanzaAECEnv
Dicts = tuple[dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]


class BohnanzaParallelEnv(turn_based_aec_to_parallel_wrapper):
    """Bohnanza as a parallel environment: every agent is observed at each step.

    A step is still one decision. Actions of agents other than the decider are ignored; they may
    be left out. The decider is the agent whose mask is not all zeros, and, after the first step,
    ``infos[agent]["active_agent"]`` of any agent. Rewards are those of the step.
    """

    def step(self, actions: dict[str, int]) -> Dicts:
        """Do the decider's action.

        Raises:
            IllegalActionError: none for the decider, or not a legal one; nothing has changed.
            ResetNeeded: no game has begun, or it is over.
        """
        if not getattr(self, "agents", None):
            raise ResetNeeded("step: no game is under way; call reset()")
        env = self.aec_env
        decider = env.agent_selection
        if decider not in actions:
            raise IllegalActionError(f"no action for {decider}, who decides")
        # PettingZoo's wrapper writes into these: those of the last step belong to the caller.
        env.infos = {agent: {} for agent in env.agents} | {decider: {**env.infos[decider]}}
        return super().step(actions)

    def __copy__(self) -> BohnanzaParallelEnv:
        """The same as a deep copy: two environments cannot share one game."""
        return copy.deepcopy(self)


def env(*args: Any, **kwargs: Any) -> BohnanzaAECEnv:
    """The environment for general use.

    It is the same as ``raw_env``, which checks legality and order itself: an illegal action raises
    an error and changes nothing, where PettingZoo's wrappers would end the game for everybody.
    """
    return raw_env(*args, **kwargs)


def parallel_env(*args: Any, **kwargs: Any) -> BohnanzaParallelEnv:
    """The same game as a parallel environment."""
    return BohnanzaParallelEnv(raw_env(*args, **kwargs))
