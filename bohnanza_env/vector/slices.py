"""What vectors share: slices for threads, and checks of their arguments."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from .kernels import DISABLED, NEXT_STEP, SAME_STEP

__all__ = [
    "MODES",
    "Slices",
    "autoreset_mode",
    "whole_actions",
]

MODES = {
    AutoresetMode.SAME_STEP: SAME_STEP,
    AutoresetMode.NEXT_STEP: NEXT_STEP,
    AutoresetMode.DISABLED: DISABLED,
}
Result = TypeVar("Result")


class Slices:
    """The games 0 to ``games`` - 1 in as many runs as there are threads.

    The first run is done in the calling thread, others in a pool that is made when first needed.
    """

    def __init__(self, games: int, threads: int) -> None:
        threads = min(threads, games)
        edges = [games * k // threads for k in range(threads + 1)]
        self.bounds = list(pairwise(edges))
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # whose threads these are: a forked process has none

    def __len__(self) -> int:
        return len(self.bounds)

    def run(self, work: Callable[[int, int, int], Result]) -> list[Result]:
        """``work(number of the slice, first game, last game)`` for each slice."""
        if len(self.bounds) == 1:
            return [work(0, *self.bounds[0])]
        if self._pool is None or self._process != os.getpid():
            self._process = os.getpid()
            self._pool = ThreadPoolExecutor(len(self.bounds) - 1, "bohnanza-vector")
        others = list(enumerate(self.bounds))[1:]
        tasks = [self._pool.submit(work, k, *bound) for k, bound in others]
        try:
            first = work(0, *self.bounds[0])
        finally:
            wait(tasks)  # whatever happens here, no thread writes on behind the caller's back
        return [first, *(task.result() for task in tasks)]

    def close(self) -> None:
        """End the threads; they come back when they are needed."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None


def autoreset_mode(mode: Any) -> AutoresetMode:
    """The mode, from itself or its value."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(f"AutoresetMode.{known.name}" for known in MODES)
        raise ValueError(f"autoreset: expected one of {names}; got {mode!r}") from None


def whole_actions(actions: Any, out: npt.NDArray[np.int64]) -> None:
    """Write one whole number for each game into ``out``."""
    given = np.asarray(actions)
    if given.dtype.kind not in "iu":
        raise TypeError(f"actions: expected whole numbers, got an array of {given.dtype}")
    if given.shape != out.shape:
        raise ValueError(f"actions: expected shape {out.shape}, got {given.shape}")
    out[:] = given
