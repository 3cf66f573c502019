"""What is not a rate on one core: threads, starting, memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from tempfile import TemporaryDirectory

import numpy as np

from bohnanza_env.engine.rules import Rules
from bohnanza_env.vector import GameVector

from .measuring import unpinned
from .report import ROOT, say

__all__ = ["Fact", "Start", "compilation", "facts", "game_bytes", "starting", "threads_gain"]

_IMPORT = "import bohnanza_env.bohnanza_v0"
_FIRST_STEP = """
from bohnanza_env import bohnanza_v0
env = bohnanza_v0.env()
env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
env.last()
"""
# The calibration's empty calls follow in the same process (``measuring.Calibration.call``).
_TIMED = """
import itertools, time
wall, cpu = time.perf_counter(), time.process_time()
{program}
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
def nothing(): pass
def calls():
    begun = time.process_time()
    for _ in itertools.repeat(None, 50000): nothing()
    return (time.process_time() - begun) / 50000
print(wall, cpu, min(calls() for _ in range(5)))
"""
_COMPILATION = """
import time
from bohnanza_env.cli.warmup import warm_up
cpu = time.process_time()
for name, _ in warm_up(cores=1):
    print(time.process_time() - cpu, name, flush=True)
    cpu = time.process_time()
"""


@dataclass(frozen=True)
class Fact:
    """A figure: ``value`` in ``unit``, and what it should be (``most`` or ``least``)."""

    name: str
    value: float
    unit: str
    most: float | None = None
    least: float | None = None
    note: str = ""

    @property
    def target(self) -> str:
        if self.most is not None:
            return f"≤ {self.most:g} {self.unit}"
        return f"≥ {self.least:g} {self.unit}" if self.least is not None else ""

    @property
    def verdict(self) -> str:
        if self.most is None and self.least is None:
            return ""
        met = (self.most is None or self.value <= self.most) and (
            self.least is None or self.value >= self.least
        )
        return "met" if met else "not met"


def game_bytes(rules: Rules) -> tuple[float, float]:
    """Bytes a game of a vector: all of its arrays, and those that a step writes for agents."""
    vector = GameVector(rules, 64)
    arrays = [value for value in vars(vector).values() if isinstance(value, np.ndarray)]
    seen = vector.observation.nbytes + vector.legal_action_mask.nbytes
    return sum(a.nbytes for a in arrays if len(a) == 64) / 64, seen / 64


def threads_gain(rules: Rules, seconds: float, runs: int, games: int = 4096) -> float:
    """How many times as fast two threads step ``games`` games as one; by the wall.

    They take turns at every step, so that what else the machine does meets both; the ratio of the
    median times of a step.
    """
    with unpinned():
        vectors = [GameVector(rules, games, threads=threads) for threads in (1, 2)]
        times: list[list[float]] = [[], []]
        for vector in vectors:
            vector.reset()
            vector.step(vector.random_actions(0))
        while sum(times[0]) < seconds * runs:
            for of_one, vector in zip(times, vectors, strict=True):
                actions = vector.random_actions(len(of_one))
                begun = time.perf_counter()
                vector.step(actions)
                of_one.append(time.perf_counter() - begun)
        for vector in vectors:
            vector.close()
    one, two = map(statistics.median, times)
    return one / two


def _child(program: str, environment: dict[str, str] | None = None) -> str:
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "BOHNANZA_QUIET": "1", **(environment or {})},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


@dataclass(frozen=True)
class Start:
    """Seconds by the clock and of CPU time, and of one empty call; the least of several."""

    wall: float
    cpu: float
    call: float


def starting(runs: int) -> dict[str, Start]:
    """Importing (``import``), and all until after the ``first step``, in new processes.

    Everything is compiled already.
    """
    found = {}
    for name, program in {"import": _IMPORT, "first step": _FIRST_STEP}.items():
        _child(program)
        lines = [_child(_TIMED.format(program=program)) for _ in range(runs)]
        found[name] = Start(*np.array([line.split() for line in lines], float).min(axis=0).tolist())
    return found


def compilation(folder: str) -> dict[str, float]:
    """CPU seconds of compiling each part for the first time, into an empty ``folder``."""
    lines = _child(_COMPILATION, {"BOHNANZA_CACHE_DIR": folder}).splitlines()
    return {name: float(spent) for spent, name in (line.split(" ", 1) for line in lines)}


def first_warm_up() -> tuple[float, float]:
    """``bohnanza warmup`` with nothing compiled before: seconds by the clock, and of CPU time."""
    program = "from bohnanza_env.cli.warmup import warm_up\nfor _ in warm_up(): pass"
    with TemporaryDirectory() as folder, unpinned():
        begun, before = time.perf_counter(), os.times()
        _child(program, {"BOHNANZA_CACHE_DIR": folder})
        wall, after = time.perf_counter() - begun, os.times()
    spent = after.children_user - before.children_user
    spent += after.children_system - before.children_system
    return wall, spent


def facts(rules: Rules, seconds: float, runs: int) -> list[Fact]:
    """Targets hold for ``amigo`` with four players."""
    say("compiling everything (a minute)")
    wall, cpu = first_warm_up()
    say("starting, memory, threads")
    whole, seen = game_bytes(rules)
    starts = starting(runs)
    gain = threads_gain(rules, seconds, runs)
    return [
        Fact("two threads over 4,096 games: as fast as one", gain, "times", least=1.7),
        Fact(
            "import, compiled before",
            starts["import"].cpu,
            "s of CPU",
            most=1.0,
            note=f"{starts['import'].wall:.2f} s by the clock",
        ),
        Fact(
            "until after the first step of env()",
            starts["first step"].cpu,
            "s of CPU",
            note=f"{starts['first step'].wall:.2f} s by the clock",
        ),
        Fact(
            "compiling everything for the first time",
            wall,
            "s by the clock",
            most=40.0,
            note=f"{cpu:.0f} s of CPU time, two processes where there are two cores",
        ),
        Fact(
            "memory of a game in a vector",
            whole / 1024,
            "KB",
            most=8.0,
            note=f"{seen:,.0f} bytes of it are observation and mask",
        ),
    ]
