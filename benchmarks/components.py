"""Where the time of a vector goes: ``python -m benchmarks.components``.

256 games play traders' games again, from openings to ends (``trader_play``), so no position comes
twice in a pass and nothing can be foreseen from the last pass. At every step the parts are timed
one by one, with the calls that anybody can make; what a call costs beside its games is found with
a vector of one game and taken off. Below that stands what memory alone would allow.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.vector import GameVector

from .measuring import calibrate
from .options import common_parser, pin_as_asked, rules_of
from .report import DOCUMENT, heading, say, significant, table, update_section
from .trader_play import TraderPlay

__all__ = ["main", "parser"]

SECTION = "benchmarks.components"
Times = dict[str, int]


def _timed(times: Times, name: str, work: Callable[[], object]) -> None:
    begun = time.process_time_ns()
    work()
    times[name] += time.process_time_ns() - begun


def _one_pass(played: TraderPlay, observations: bool) -> Times:
    """Nanoseconds of CPU time for each part, in all steps of a pass."""
    vector = played.vector(observations)
    played.rewind(vector)
    nobody, generator = np.zeros(vector.num_games, bool), new_generator(1)
    seats, times = np.zeros(vector.num_games, np.int64), Counter[str]()
    for actions in played.actions:
        _timed(times, "step", partial(vector.step, actions))
        _timed(times, "look", lambda: vector.reset(where=nobody))
        _timed(times, "sample", lambda: vector.random_actions(generator))
        if observations:
            np.maximum(vector.current_player, 0, out=seats)
            _timed(times, "observe", lambda: vector.observe(seats))
    return times


def _per_game(many: Times, one: Times, games: int, steps: int) -> dict[str, float]:
    """Nanoseconds a decision without what a call costs, and ``call``: that of a step."""
    found = {name: (many[name] - one[name]) / ((games - 1) * steps) for name in many}
    found["call"] = one["step"] / steps - found["step"]
    return found


def component_times(rules: Rules, runs: int) -> dict[str, float]:
    """Nanoseconds a decision of each part; the least of the runs."""
    played = TraderPlay(rules)
    alone = played.first(1)
    steps, games = played.actions.shape
    best: dict[tuple[bool, str], float] = {}
    for number in range(runs):
        say(f"pass {number + 1} of {runs}")
        for observations in (False, True):
            many, one = _one_pass(played, observations), _one_pass(alone, observations)
            for name, spent in _per_game(many, one, games, steps).items():
                key = (observations, name)
                best[key] = min(spent, best.get(key, spent))
    mask = best[False, "look"]
    return {
        "step alone (check, action, reward)": best[False, "step"] - mask,
        "mask": mask,
        "observation": best[True, "look"] - mask,
        "sampler": best[False, "sample"],
        "all of it: step, mask, observation, sampler": best[True, "step"] + best[True, "sample"],
        "beside that, a call of a step from Python": best[True, "call"],
        "GameVector.observe (any seat, a new array)": best[True, "observe"],
    }


def copy_speed(size: int, runs: int = 5) -> float:
    """GB/s that ``numpy.copyto`` writes, arrays of ``size`` bytes; the best of the runs."""
    source, target = np.ones(size, np.int8), np.zeros(size, np.int8)
    times, repeats = [], max(1, (1 << 24) // size)
    for _ in range(runs):
        begun = time.process_time()
        for _ in range(repeats):
            np.copyto(target, source)
        times.append((time.process_time() - begun) / repeats)
    return size / min(times) / 1e9


def written(vector: GameVector) -> int:
    """Bytes that a step writes for agents, of one game."""
    names = "observation legal_action_mask current_player rewards terminated truncated".split()
    return sum(getattr(vector, name).nbytes for name in names) // vector.num_games


def limits(rules: Rules) -> list[tuple[str, str]]:
    """What memory alone would allow, for vectors that fit into the cache and for large ones."""
    size = written(GameVector(rules, 1))
    mask = size - written(GameVector(rules, 1, observations=False))
    rows = [("bytes written a decision", f"{size:,} ({mask:,} of them observation)")]
    for games in (256, 100_000):
        speed = copy_speed(size * games)
        rows.append(
            (
                f"copying as much, arrays of {games:,} games",
                f"{size / speed:,.0f} ns ({speed:.1f} GB/s)",
            )
        )
    return rows


def _rows(times: dict[str, float], loop: float) -> Iterable[list[str]]:
    for name, spent in times.items():
        yield [name, significant(spent), significant(spent / loop)]


def parser() -> argparse.ArgumentParser:
    return common_parser("Where the time of a vector of 256 games goes.", seconds=None)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    options = parser()
    given = options.parse_args(arguments)
    rules, pinned = rules_of(options, given), pin_as_asked(options, given)
    calibration = calibrate(memory=True)
    times = component_times(rules, given.runs)
    loop = min(calibrate().loop for _ in range(10))
    title = f"`{given.edition}`, {given.players} players, `{given.protocol}`"
    parts = [
        heading(given, pinned, calibration),
        f"256 games, {title}, positions of traders' games; the least of all passes:",
        table(["part", "ns a decision", "× loop"], list(_rows(times, loop))),
        "The limit that memory sets:",
        table(["what", "figure"], limits(rules)),
    ]
    text = "\n\n".join(parts)
    print(text)
    if given.update:
        update_section(DOCUMENT, SECTION, text)


if __name__ == "__main__":
    main()
