"""Hundreds of games in one process for Stable-Baselines3 and MaskablePPO (docs/vector.md).

Needs ``stable_baselines3``, which nothing else in the package imports.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from .seat_vector import SeatVectorEnv

__all__ = ["BohnanzaVecEnv"]

_METHODS = ("action_masks",)


class BohnanzaVecEnv(VecEnv):
    """A :class:`SeatVectorEnv` as an SB3 ``VecEnv``; ``MaskablePPO`` finds its masks.

    Args:
        num_envs: how many games.
        arguments: of ``SeatVectorEnv``; episodes always begin anew in the same step.

    The infos of a step that ends an episode have ``terminal_observation``,
    ``TimeLimit.truncated``, ``coins``, ``winners`` and ``seat`` as ``BohnanzaEnv`` gives them;
    all others are empty. Masks come from ``env_method("action_masks")``.
    """

    def __init__(self, num_envs: int, **arguments: Any) -> None:
        if "autoreset" in arguments:
            raise TypeError("autoreset: always SAME_STEP here")
        self.env = SeatVectorEnv(num_envs, autoreset=AutoresetMode.SAME_STEP, **arguments)
        single = self.env.single_observation_space, self.env.single_action_space
        super().__init__(num_envs, *single)
        self._waiting: np.ndarray | None = None

    def reset(self) -> np.ndarray:
        seeds = self._seeds if any(seed is not None for seed in self._seeds) else None
        if any(self._options):
            raise ValueError("options: none are known here")
        self._reset_seeds()
        return self.env.reset(seed=seeds)[0]

    def step_async(self, actions: np.ndarray) -> None:
        self._waiting = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        if self._waiting is None:
            raise RuntimeError("step_async() comes before step_wait()")
        actions, self._waiting = self._waiting, None
        observation, rewards, terminated, truncated, info = self.env.step(actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        done = terminated | truncated
        for i in np.flatnonzero(done):
            end = info["final_info"]
            infos[i] = {
                "terminal_observation": info["final_obs"][i].copy(),
                "TimeLimit.truncated": bool(truncated[i]),
                "coins": end["coins"][i],
                "winners": np.flatnonzero(end["winners"][i]).tolist(),
                "seat": int(end["seat"][i]),
            }
        return observation, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        self.env.close()

    def action_masks(self) -> np.ndarray:
        """Bool array (N, actions): what each learner may do."""
        return self.env.action_masks()

    # What SB3 asks of single environments -------------------------------------------------

    def _indices(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def has_attr(self, attr_name: str) -> bool:
        return attr_name in _METHODS or hasattr(self.env, attr_name)

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        return [getattr(self.env, attr_name)] * len(self._indices(indices))

    def set_attr(
        self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None
    ) -> None:
        raise AttributeError(f"{attr_name}: the games share all settings; make a new vector")

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        if method_name not in _METHODS:
            raise AttributeError(f"{method_name}: not known; known: {', '.join(_METHODS)}")
        masks = self.action_masks()
        return [masks[i] for i in self._indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: Any, indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        return [False] * len(self._indices(indices))
