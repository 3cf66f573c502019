"""Decisions a second of the project's own interfaces: ``python benchmarks/run.py``.

One process, one thread, ``amigo`` with four players, legal random play by the mask (uniform, drawn
with NumPy or inside the compiled loop); the median of several runs. Compilation is not counted.
Figures of another machine, or of a busy one, cannot be compared: compare within one run.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable

import numpy as np

from bohnanza_env import bohnanza_v0
from bohnanza_env.bots import play_games
from bohnanza_env.engine.game import SILENT_LOG, Game
from bohnanza_env.engine.kernels import play_randomly_kernel
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.observed_game import ObservedGame
from bohnanza_env.single_agent import BohnanzaEnv


class Sampler:
    """Uniform legal actions from masks, drawn in blocks, so that sampling costs little."""

    def __init__(self) -> None:
        self.numbers = np.random.default_rng(0).random(1 << 16)
        self.at = 0

    def __call__(self, mask: np.ndarray) -> int:
        self.at = (self.at + 1) & 0xFFFF
        legal = mask.nonzero()[0]
        return int(legal[int(self.numbers[self.at] * len(legal))])


def compiled_loop(rules: Rules, seconds: float) -> tuple[int, float]:
    """Step and mask in one compiled loop."""
    game = Game(rules, 0)
    generator = new_generator(1)
    arguments = (rules_array(rules).view(np.uint8), game.state.view(np.uint8))
    rest = (SILENT_LOG.view(np.uint8), game.mask, generator)
    decisions, seed, start = 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        seed += 1
        game.state.view(np.uint8)[:] = Game(rules, seed).state.view(np.uint8)
        decisions += play_randomly_kernel(*arguments, *rest, 1 << 40)
    return decisions, spent


def observed_game(rules: Rules, seconds: float) -> tuple[int, float]:
    """One game from Python: step, mask and observation."""
    sample, decisions, seed, start = Sampler(), 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        seed += 1
        game = ObservedGame(Game(rules, seed))
        while game.seat >= 0:
            game.step(sample(game.mask))
            decisions += 1
    return decisions, spent


def agent_loop(make: Callable, rules: Rules, seconds: float) -> tuple[int, float]:
    """PettingZoo's loop: ``agent_iter`` and ``last``."""
    sample, env, decisions = Sampler(), make(rules=rules), 0
    env.reset(seed=0)
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        env.reset()
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(sample(observation["action_mask"]))
                decisions += 1
    return decisions, spent


def learner(rules: Rules, seconds: float) -> tuple[int, float]:
    """``Bohnanza-v0`` with three traders; decisions of the learner."""
    sample, env, decisions = Sampler(), BohnanzaEnv(rules=rules), 0
    env.reset(seed=0)
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        decisions += 1
        if env.step(sample(env.action_masks()))[2]:
            env.reset()
    return decisions, spent


def traders(rules: Rules, seconds: float) -> tuple[int, float]:
    """Four traders in one compiled loop."""
    decisions, seed, start = 0, 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        seed += 1
        decisions += int(play_games(rules, ["trader"] * rules.players, [seed])[1][0, 0])
    return decisions, spent


MEASUREMENTS: dict[str, Callable[[Rules, float], tuple[int, float]]] = {
    "compiled loop: step, mask, sampling": compiled_loop,
    "one game from Python: step, mask, observation": observed_game,
    "raw_env, agent_iter and last()": lambda r, s: agent_loop(bohnanza_v0.raw_env, r, s),
    "env, agent_iter and last()": lambda r, s: agent_loop(bohnanza_v0.env, r, s),
    "Bohnanza-v0 among three traders": learner,
    "four traders, compiled loop": traders,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each run")
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"{platform.machine()}, {os.cpu_count()} cores, load {load:.1f}, median of {given.runs}")
    for protocol in ("staged", "compact"):
        rules = Rules.of("amigo", 4, protocol=protocol)
        print(f"\namigo, 4 players, {protocol}")
        for name, measure in MEASUREMENTS.items():
            measure(rules, 0.1)
            rates = [
                n / spent for n, spent in (measure(rules, given.seconds) for _ in range(given.runs))
            ]
            print(f"  {name:<48} {statistics.median(rates):>12,.0f} decisions/s")


if __name__ == "__main__":
    main()
