"""What is measured of the project itself, and what it should reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bohnanza_env import bohnanza_v0
from bohnanza_env.bots import BotTable
from bohnanza_env.engine.game import SILENT_LOG, Game
from bohnanza_env.engine.kernels import play_randomly_kernel, sample_from_mask
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.observed_game import ObservedGame
from bohnanza_env.single_agent import BohnanzaEnv
from bohnanza_env.vector import GameVector

from .measuring import CALL, LOOP, Measurement, Play, while_seconds
from .trader_play import TraderPlay

__all__ = ["agent_loop", "measurements_of", "random_vector", "vector_measurement"]

_CHUNK = 2048  # decisions of a vector between two looks at the clock


def random_vector(vector: GameVector) -> Play:
    """Uniform legal play of all games of a vector, drawn by ``random_actions``."""
    vector.reset()
    generator, steps = new_generator(1), max(1, _CHUNK // vector.num_games)

    def play(seconds: float) -> int:
        rounds = 0
        for _ in while_seconds(seconds):
            for _ in range(steps):
                vector.step(vector.random_actions(generator))
            rounds += steps
        return rounds * vector.num_games

    return play


def vector_measurement(rules: Rules, observations: bool, target: float | None) -> Measurement:
    """256 games in one vector."""
    what = "observation and mask" if observations else "mask only"
    return Measurement(
        f"vector of 256 games, {what}, sampler",
        lambda: random_vector(GameVector(rules, 256, observations=observations)),
        LOOP,
        target,
    )


def _traders_again(rules: Rules) -> Play:
    """The actions of traders' games, done by a vector with observation and mask."""
    played = TraderPlay(rules)
    vector = played.vector()

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            played.rewind(vector)
            for actions in played.actions:
                vector.step(actions)
            decisions += played.actions.size
        return decisions

    return play


def _compiled_loop(rules: Rules) -> Play:
    """Whole games in one compiled loop: mask, sampler, step."""
    game, generator = Game(rules, 0), new_generator(1)
    state = game.state.view(np.uint8)
    rules_bytes, log = rules_array(rules).view(np.uint8), SILENT_LOG.view(np.uint8)

    def play(seconds: float) -> int:
        decisions = 0
        for seed, _ in enumerate(while_seconds(seconds)):
            state[:] = Game(rules, seed).state.view(np.uint8)
            decisions += play_randomly_kernel(
                rules_bytes, state, log, game.mask, generator, 1 << 40
            )
        return decisions

    return play


def _one_game(rules: Rules) -> Play:
    """One game from Python: ``ObservedGame.step`` gives mask and observation."""
    generator = new_generator(1)

    def play(seconds: float) -> int:
        decisions = 0
        for seed, _ in enumerate(while_seconds(seconds)):
            game = ObservedGame(Game(rules, seed))
            step, mask = game.step, game.mask
            while game.seat >= 0:
                step(sample_from_mask(mask, generator))
                decisions += 1
        return decisions

    return play


def agent_loop(make: Callable) -> Play:
    """PettingZoo's loop, ``agent_iter`` and ``last``; masks as int8 in the observation.

    It serves other projects' environments as well, so that all draw with the same sampler.
    """
    env, generator = make(), new_generator(1)
    env.reset(seed=0)

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                if terminated or truncated:
                    env.step(None)
                else:
                    env.step(sample_from_mask(observation["action_mask"], generator))
                    decisions += 1
        return decisions

    return play


def _learner(rules: Rules) -> Play:
    """``Bohnanza-v0`` among traders; only the learner's decisions count."""
    env, generator = BohnanzaEnv(rules=rules), new_generator(1)
    env.reset(seed=0)

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            mask = env.action_masks().view(np.int8)
            if env.step(sample_from_mask(mask, generator))[2]:
                env.reset()
            decisions += 1
        return decisions

    return play


def _traders(rules: Rules) -> Play:
    """A table of traders in one compiled loop."""
    table = BotTable(rules, ["trader"] * rules.players)

    def play(seconds: float) -> int:
        decisions = 0
        for seed, _ in enumerate(while_seconds(seconds)):
            table.reset(seed)
            decisions += table.play_until(Game(rules, seed))
        return decisions

    return play


def measurements_of(rules: Rules, traders: bool = True) -> list[Measurement]:
    """All measurements of decisions a second; ``traders=False`` leaves out what compiles longest.

    Targets are those of ``amigo`` with four players, staged; others have none.
    """
    found = [
        vector_measurement(rules, True, 4e6),
        vector_measurement(rules, False, 9e6),
        Measurement("compiled loop: step, mask, sampler", lambda: _compiled_loop(rules), LOOP),
        Measurement(
            "one game from Python: step, mask, observation", lambda: _one_game(rules), CALL, 6e5
        ),
        Measurement(
            "raw_env, agent_iter and last()",
            lambda: agent_loop(lambda: bohnanza_v0.raw_env(rules=rules)),
            CALL,
            2e5,
        ),
        Measurement(
            "env, agent_iter and last()",
            lambda: agent_loop(lambda: bohnanza_v0.env(rules=rules)),
            CALL,
            1.5e5,
        ),
    ]
    if traders:
        found += [
            Measurement(
                "vector of 256 games, traders' games played again",
                lambda: _traders_again(rules),
                LOOP,
            ),
            Measurement("traders deciding, one compiled loop", lambda: _traders(rules), LOOP),
            Measurement(
                "Bohnanza-v0 among traders (the learner's decisions)",
                lambda: _learner(rules),
                LOOP,
            ),
        ]
    if (rules.edition, rules.players, rules.protocol) != ("amigo", 4, "staged"):
        found = [replace(measurement, target=None) for measurement in found]
    return found
