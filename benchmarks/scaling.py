"""How vectors scale: ``python -m benchmarks.scaling`` (``--quick`` for ``amigo`` with four alone).

For each edition, its numbers of players and both protocols: decisions a second of one thread
(second of CPU time) by games in the vector, observation and mask written, sampler included; how
many times as fast two threads are (by the clock); bytes a game, computed and, for the largest
vector, as the process grew. Short runs: expect them to differ by some per cent.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from pathlib import Path

from bohnanza_env.engine.editions import EDITIONS, edition_players
from bohnanza_env.engine.rules import Rules
from bohnanza_env.vector import GameVector

from .facts import game_bytes
from .measuring import calibrate, unpinned
from .options import common_parser, pin_as_asked
from .ours import random_vector
from .report import DOCUMENT, heading, say, significant, table, update_section

__all__ = ["main", "parser", "resident_bytes"]

SECTION = "benchmarks.scaling"
SIZES = (1, 16, 256, 4096, 100_000)
THREADED = (256, 4096, 100_000)


def resident_bytes() -> int | None:
    """Memory that this process holds now; ``None`` where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _rates(rules: Rules, games: int, threads: int, seconds: float, runs: int) -> tuple[float, ...]:
    """Decisions per second of CPU time and per second by the clock, bytes grown a game."""
    gc.collect()
    before = resident_bytes()
    vector = GameVector(rules, games, threads=threads)
    play = random_vector(vector)
    play(0.0001)
    by_cpu, by_clock = 0.0, 0.0
    for _ in range(runs):
        wall, cpu = time.perf_counter(), time.process_time()
        decisions = play(seconds)
        by_cpu = max(by_cpu, decisions / (time.process_time() - cpu))
        by_clock = max(by_clock, decisions / (time.perf_counter() - wall))
    after = resident_bytes()
    vector.close()
    grown = (after - before) / games if before is not None and after is not None else float("nan")
    return by_cpu, by_clock, grown


def row(rules: Rules, sizes: tuple[int, ...], seconds: float, runs: int) -> list[str]:
    """Figures of one edition, number of players and protocol."""
    cells, gains, grown = [f"{rules.edition} {rules.players} {rules.protocol}"], [], "-"
    for games in sizes:
        rate, clock, growth = _rates(rules, games, 1, seconds, runs)
        cells.append(significant(rate))
        if games == max(sizes):
            grown = significant(growth / 1024)
        if games in THREADED:
            with unpinned():
                clock_two = _rates(rules, games, 2, seconds * 2, runs)[1]
                clock_one = _rates(rules, games, 1, seconds, runs)[1]
            gains.append(significant(clock_two / max(clock_one, clock)))
    return [*cells, *gains, significant(game_bytes(rules)[0] / 1024), grown]


def parser() -> argparse.ArgumentParser:
    found = common_parser("How vectors scale with games, threads, editions.", 0.1, 1, rules=False)
    found.add_argument("--quick", action="store_true", help="amigo with four players alone")
    found.add_argument("--edition", choices=sorted(EDITIONS), help="this edition alone")
    return found


def _all_rules(given: argparse.Namespace) -> list[Rules]:
    if given.quick:
        tables = [(given.edition or "amigo", 4)]
        if given.edition:
            tables = [(given.edition, edition_players(given.edition)[-1])]
    else:
        editions = [given.edition] if given.edition else list(EDITIONS)
        tables = [(edition, n) for edition in editions for n in edition_players(edition)]
    return [Rules.of(*at, protocol=p) for at in tables for p in ("staged", "compact")]


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    options = parser()
    given = options.parse_args(arguments)
    pinned = pin_as_asked(options, given)
    calibration = calibrate(memory=True)
    opening = heading(given, pinned, calibration)
    rows: list[list[str]] = []
    try:
        for number, rules in enumerate(wanted := _all_rules(given), 1):
            say(f"{number} of {len(wanted)}: {rules.edition} {rules.players} {rules.protocol}")
            rows.append(row(rules, SIZES, given.seconds, given.runs))
    except KeyboardInterrupt:
        say("interrupted: the table ends here")
    games = [f"{n:,}" for n in SIZES]
    head = ["rules \\ games", *games, *(f"2 threads, {n:,}" for n in THREADED)]
    text = f"{opening}\n\n{table([*head, 'KB a game', f'grown, {SIZES[-1]:,}'], rows)}"
    print(text)
    if given.update:
        update_section(DOCUMENT, SECTION, text)


if __name__ == "__main__":
    main()
