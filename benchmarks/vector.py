"""One learner a game among compiled bots, in vectors: ``python -m benchmarks.vector``.

``SeatVectorEnv`` with uniform legal play of the learner, sampler included; only the learner's
decisions count, not those of the bots. For vectors of which every seat is played see ``scaling``.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np

from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.seat_vector import SeatVectorEnv
from bohnanza_env.vector.kernels import sample_kernel

from .measuring import LOOP, Measurement, Play, calibrate, measure_all, while_seconds
from .options import common_parser, pin_as_asked, rules_of
from .report import DOCUMENT, heading, say, significant, table, update_section

__all__ = ["main", "parser"]

SECTION = "benchmarks.vector"
OPPONENTS = ("random", "greedy", "trader")
SIZES = (1, 16, 256, 4096)


def one_seat(rules: Rules, games: int, opponents: str) -> Play:
    """The learners of a ``SeatVectorEnv``."""
    vector = SeatVectorEnv(games, rules=rules, opponents=opponents, copy=False)
    vector.reset(seed=0)
    generator, actions = new_generator(1), np.zeros(games, np.int64)

    def play(seconds: float) -> int:
        steps = 0
        for _ in while_seconds(seconds):
            sample_kernel(vector.legal_action_mask, generator, actions)
            vector.step(actions)
            steps += 1
        return steps * games

    return play


def parser() -> argparse.ArgumentParser:
    return common_parser("One learner a game among bots, in vectors.", 0.2, 3)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    options = parser()
    given = options.parse_args(arguments)
    rules, pinned = rules_of(options, given), pin_as_asked(options, given)
    opening = heading(given, pinned, calibrate(memory=True))
    cells = [(games, bots) for games in SIZES for bots in OPPONENTS]
    wanted = [
        Measurement(f"{games} {bots}", partial(one_seat, rules, games, bots), LOOP)
        for games, bots in cells
    ]
    measured = dict(zip(cells, measure_all(wanted, given.seconds, given.runs, say), strict=True))
    rows = []
    for games in SIZES:
        of_size = [measured[games, bots] for bots in OPPONENTS]
        rows.append([f"{games:,}", *(r.absent or significant(r.rate) for r in of_size)])
    title = f"`{given.edition}`, {given.players} players, `{given.protocol}`"
    text = "\n\n".join(
        [
            opening,
            f"Decisions of the learner per second of CPU time, {title}:",
            table(["games", *(f"among {bots}" for bots in OPPONENTS)], rows),
        ]
    )
    print(text)
    if given.update:
        update_section(DOCUMENT, SECTION, text)


if __name__ == "__main__":
    main()
