"""Decisions a second of vectors: ``python benchmarks/vector.py``.

``amigo`` with four players, uniform legal play by the masks, sampled by ``random_actions``; the
best of several runs, compilation not counted. Figures of another or of a busy machine cannot be
compared: compare within one run.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.seat_vector import SeatVectorEnv
from bohnanza_env.vector import GameVector
from bohnanza_env.vector.kernels import sample_kernel


def every_seat(games: int, threads: int, observations: bool, seconds: float) -> float:
    """Decisions a second of a ``GameVector``."""
    vector = GameVector(Rules.of("amigo", 4), games, threads=threads, observations=observations)
    vector.reset()
    generator, steps, start = new_generator(1), 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        vector.step(vector.random_actions(generator))
        steps += 1
    vector.close()
    return steps * games / spent


def one_seat(games: int, threads: int, opponents: str, seconds: float) -> float:
    """Decisions of the learners a second of a ``SeatVectorEnv``."""
    vector = SeatVectorEnv(games, threads=threads, opponents=opponents, copy=False)
    vector.reset(seed=0)
    generator, steps, start = new_generator(1), 0, time.perf_counter()
    actions = np.zeros(games, np.int64)
    while (spent := time.perf_counter() - start) < seconds:
        sample_kernel(vector.legal_action_mask, generator, actions)
        vector.step(actions)
        steps += 1
    vector.close()
    return steps * games / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each run")
    parser.add_argument("--runs", type=int, default=3)
    wanted = parser.parse_args()
    columns = {
        "observation and mask": lambda n, t: every_seat(n, t, True, wanted.seconds),
        "mask only": lambda n, t: every_seat(n, t, False, wanted.seconds),
        "one seat, greedy": lambda n, t: one_seat(n, t, "greedy", wanted.seconds),
        "one seat, trader": lambda n, t: one_seat(n, t, "trader", wanted.seconds),
    }
    for measure in columns.values():  # compile
        measure(1, 1)
    print("| games | threads | " + " | ".join(columns) + " |")
    print("|---:|---:|" + "---:|" * len(columns))
    for games in (1, 16, 256, 4096):
        for threads in (1, 2)[: 1 if games == 1 else 2]:
            best = [max(m(games, threads) for _ in range(wanted.runs)) for m in columns.values()]
            print(f"| {games:,} | {threads} | " + " | ".join(f"{b:,.0f}" for b in best) + " |")


if __name__ == "__main__":
    main()
