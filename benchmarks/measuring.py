"""Measuring on a machine that others use, too: one core, CPU time, and a measure of its speed.

Every run of a measurement stands between two runs of the *calibration*: three small loops that
never change. Where the machine slows down for a while, both do, so the cost of a decision *as a
multiple of the calibration* stays about the same. Figures are given raw and as such multiples.
"""

from __future__ import annotations

import itertools
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numba
import numpy as np

__all__ = [
    "ABSENT",
    "CALL",
    "LOOP",
    "Calibration",
    "Measured",
    "Measurement",
    "Run",
    "calibrate",
    "measure_all",
    "pin",
    "prepare_all",
    "run_all",
    "unpinned",
    "while_seconds",
]

ABSENT = "absent"  # a measurement that needs something that is not installed
CALL, LOOP = "call", "loop"  # what a cost is a multiple of, see ``Calibration``

# From the seconds to measure for, to the decisions made.
Play = Callable[[float], int]


@dataclass(frozen=True)
class Calibration:
    """Costs of three loops that never change.

    Attributes:
        call: nanoseconds of CPU time for calling an empty Python function from a loop.
        loop: nanoseconds of CPU time for one step of a compiled loop: a random number, an entry of
            a small table, a branch that cannot be foreseen.
        memory: GB a second that ``numpy.copyto`` writes to memory (64 MB, reading as much).
    """

    call: float
    loop: float
    memory: float

    def unit(self, name: str) -> float:
        """``call`` or ``loop``, in nanoseconds."""
        return self.call if name == CALL else self.loop


def _nothing() -> None:
    pass


@numba.njit(nogil=True)
def _compiled_loop(table: Any, steps: Any) -> Any:
    word, total = np.uint32(2463534242), np.int64(0)
    for _ in range(steps):
        word ^= np.uint32(word << np.uint32(13))
        word ^= word >> np.uint32(17)
        word ^= np.uint32(word << np.uint32(5))
        at = word & np.uint32(2047)
        if word & np.uint32(1 << 20):
            total += table[at]
        else:
            table[at] = total & 255
    return total


_CALLS, _STEPS = 200_000, 2_000_000
_TABLE = np.arange(2048, dtype=np.int64)
_COPY: list[np.ndarray] = []


def _copy_arrays() -> list[np.ndarray]:
    if not _COPY:
        _COPY.extend(np.ones(8 << 20, np.int64) for _ in range(2))
    return _COPY


def calibrate(memory: bool = False) -> Calibration:
    """Run the calibration: about 20 milliseconds of CPU time, and as many more with ``memory``."""
    _compiled_loop(_TABLE, 1)
    start = time.process_time()
    for _ in itertools.repeat(None, _CALLS):
        _nothing()
    middle = time.process_time()
    _compiled_loop(_TABLE, _STEPS)
    end = time.process_time()
    bandwidth = 0.0
    if memory:
        target, source = _copy_arrays()
        begun = time.process_time()
        np.copyto(target, source)
        bandwidth = target.nbytes / (time.process_time() - begun) / 1e9
    return Calibration((middle - start) / _CALLS * 1e9, (end - middle) / _STEPS * 1e9, bandwidth)


def while_seconds(seconds: float) -> Iterator[None]:
    """Yield until the process has used so much CPU time."""
    end = time.process_time() + seconds
    while time.process_time() < end:
        yield


# The cores that this process was given; pinning to one of them is undone to all of these.
_CORES = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set()


def pin(core: int | None = None) -> str:
    """Keep this process on one core, where the system can; returns what was done, in words.

    Raises:
        ValueError: no such core, or not for this process.
    """
    if not hasattr(os, "sched_setaffinity"):
        return "not pinned (this system cannot)"
    chosen = max(_CORES) if core is None else core
    if chosen not in _CORES:
        raise ValueError(f"core {core}: expected one of {', '.join(map(str, sorted(_CORES)))}")
    os.sched_setaffinity(0, {chosen})
    return f"pinned to core {chosen}"


class unpinned:  # noqa: N801 - used as a `with` statement's keyword
    """Within it, this thread and those that it starts may use all their cores again."""

    def __enter__(self) -> None:
        if hasattr(os, "sched_setaffinity"):
            self._before = os.sched_getaffinity(0)
            os.sched_setaffinity(0, _CORES)

    def __exit__(self, *_: object) -> None:
        if hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(0, self._before)


@dataclass(frozen=True)
class Measurement:
    """Something that makes decisions and can be timed.

    Attributes:
        name: what it is, as tables say it.
        prepare: makes everything, compiles it, and returns what plays for so many seconds.
        unit: what its cost is a multiple of: ``CALL`` where Python does most, else ``LOOP``.
        target: decisions a second to reach, if one is set.
        install: the command that installs what it needs, if that is no part of the project.
    """

    name: str
    prepare: Callable[[], Play]
    unit: str = CALL
    target: float | None = None
    install: str = ""


@dataclass(frozen=True)
class Run:
    """One run: decisions, seconds on the wall and of the CPU, and the calibration around it."""

    decisions: int
    wall: float
    cpu: float
    calibration: Calibration

    @property
    def cost(self) -> float:
        """Nanoseconds of CPU time a decision."""
        return self.cpu / self.decisions * 1e9


@dataclass
class Measured:
    """All runs of a measurement, or in a word and a sentence why there is none."""

    measurement: Measurement
    runs: list[Run] = field(default_factory=list)
    absent: str = ""
    reason: str = ""
    play: Play | None = None

    @property
    def rate(self) -> float:
        """Decisions per second of CPU time; the median of the runs."""
        return statistics.median(1e9 / run.cost for run in self.runs)

    @property
    def wall_rate(self) -> float:
        """Decisions per second on the wall; the median of the runs."""
        return statistics.median(run.decisions / run.wall for run in self.runs)

    @property
    def cost(self) -> float:
        """Nanoseconds of CPU time a decision; the median of the runs."""
        return statistics.median(run.cost for run in self.runs)

    @property
    def multiple(self) -> float:
        """Cost of a decision in units of the calibration around each run; the median."""
        unit = self.measurement.unit
        return statistics.median(run.cost / run.calibration.unit(unit) for run in self.runs)

    @property
    def best_multiple(self) -> float:
        """The least cost of all runs in units of the fastest calibration of all runs."""
        unit = self.measurement.unit
        fastest = min(run.calibration.unit(unit) for run in self.runs)
        return min(run.cost for run in self.runs) / fastest


def _run_once(play: Play, seconds: float, before: Calibration) -> tuple[Run, Calibration]:
    wall, cpu = time.perf_counter(), time.process_time()
    decisions = play(seconds)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    after = calibrate()
    around = Calibration((before.call + after.call) / 2, (before.loop + after.loop) / 2, 0.0)
    return Run(decisions, wall, cpu, around), after


def prepare_all(
    measurements: Sequence[Measurement], say: Callable[[str], None] = lambda text: None
) -> list[Measured]:
    """Make and compile everything; what cannot be made is marked so."""
    results = [Measured(measurement) for measurement in measurements]
    for result in results:
        say(f"preparing: {result.measurement.name}")
        try:
            play = result.measurement.prepare()
            play(0.01)
        except ImportError as problem:
            result.absent, result.reason = ABSENT, str(problem)
        except Exception as problem:  # noqa: BLE001 - one that fails must not hide the others
            result.absent = "failed"
            result.reason = f"{type(problem).__name__}: {problem}"
        else:
            result.play = play
    return results


def run_all(
    results: Sequence[Measured],
    seconds: float,
    runs: int,
    say: Callable[[str], None] = lambda text: None,
) -> None:
    """Run all that are prepared in turn, again and again; the runs are added to what they have.

    Args:
        results: from :func:`prepare_all`.
        seconds: CPU time of one run.
        runs: runs of each.
        say: is told what goes on.
    """
    for number in range(runs):
        say(f"run {number + 1} of {runs}")
        calibration = calibrate()
        for result in results:
            if result.play:
                run, calibration = _run_once(result.play, seconds, calibration)
                result.runs.append(run)


def measure_all(
    measurements: Sequence[Measurement],
    seconds: float,
    runs: int,
    say: Callable[[str], None] = lambda text: None,
) -> list[Measured]:
    """Both of the above. Interrupted by Ctrl-C it returns what it has."""
    results = prepare_all(measurements, say)
    try:
        run_all(results, seconds, runs, say)
    except KeyboardInterrupt:
        say("interrupted: figures are of the runs so far")
    for result in results:
        if not result.runs and not result.absent:
            result.absent, result.reason = "not measured", "interrupted before its first run"
    return results
