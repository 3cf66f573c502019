"""The PettingZoo face of the game: ``env``, ``raw_env`` and ``parallel_env``.

All take the arguments of :class:`~bohnanza_env.aec.BohnanzaAECEnv`.
"""

from __future__ import annotations

from typing import Any

from pettingzoo import ParallelEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from .aec import BohnanzaAECEnv

__all__ = ["env", "parallel_env", "raw_env"]

raw_env = BohnanzaAECEnv


def env(*args: Any, **kwargs: Any) -> BohnanzaAECEnv:
    """The environment for general use.

    It is the same as ``raw_env``, which checks legality and order itself: an illegal action raises
    an error and changes nothing, where PettingZoo's wrappers would end the game for everybody.
    """
    return raw_env(*args, **kwargs)


def parallel_env(*args: Any, **kwargs: Any) -> ParallelEnv:
    """The same game as a parallel environment: every agent is observed at each step.

    A step is still one decision. Pass an action for each agent; only that of the decider (the one
    whose mask is not all zeros, ``infos[agent]["active_agent"]`` after the first step) is used.
    """
    return turn_based_aec_to_parallel(raw_env(*args, **kwargs))
