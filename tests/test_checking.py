"""Environments that look for faults of the engine."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest

from bohnanza_env import bohnanza_v0, single_agent
from bohnanza_env.bots import BotPolicy
from bohnanza_env.checking import InvariantError, check_game
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observed_game import ObservedGame
from bohnanza_env.position import read_position
from bohnanza_env.single_agent import BohnanzaEnv


def aec(**arguments: Any) -> Any:
    env = bohnanza_v0.env("mini", 3, check_invariants=True, **arguments)
    env.reset(seed=5)
    return env


def play(env: Any, most: int = 10**6) -> list[tuple[str, int, float]]:
    """Random moves; what was done and paid."""
    done, rng = [], np.random.default_rng(1)
    for agent in env.agent_iter(most):
        seen, reward, terminated, truncated, _ = env.last()
        over = terminated or truncated
        action = None if over else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        done.append((agent, action, reward))
        env.step(action)
    return done


def running(env: Any) -> Game:
    return env._table.game


def break_by(game: Game, field: str, *place: int, by: int = 1) -> None:
    game.state[field][(0, *place)] += by


def test_checked_games_are_the_same_games():
    plain = bohnanza_v0.env("mini", 3)
    plain.reset(seed=5)
    assert play(plain) == play(aec())


def test_nothing_is_checked_unless_asked_for():
    env = bohnanza_v0.env("mini", 3)
    env.reset(seed=5)
    assert type(env._table) is ObservedGame
    break_by(running(env), "coins", 1)
    env.step(int(running(env).legal_actions()[0]))


@pytest.mark.parametrize("twin", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_checking(twin: Callable[[Any], Any]):
    env = twin(aec())
    play(env, 5)
    break_by(running(env), "coins", 1)
    with pytest.raises(InvariantError):
        play(env, 1)


def test_a_fault_is_reported_whole():
    env = aec()
    play(env, 4)
    break_by(running(env), "hand_beans", 2, 0)
    break_by(running(env), "proposals_left", 1, by=50)
    with pytest.raises(InvariantError) as caught:
        play(env, 1)
    error = caught.value
    assert {v.split(":")[0] for v in error.violations} >= {"hand_beans", "proposals_left"}
    assert all(violation in str(error) for violation in error.violations)
    report = json.loads(json.dumps(error.report()))
    assert Rules.from_dict(report["rules"]) == env.rules
    assert bytes.fromhex(report["state"]) == running(env).state.tobytes()
    again = pickle.loads(pickle.dumps(error))
    assert again.report() == error.report()
    assert str(again) == str(error)


def test_the_position_can_be_read_where_a_position_says_all():
    env = aec()
    play(env, 4)
    break_by(running(env), "hand_beans", 2, 0)
    with pytest.raises(InvariantError) as caught:
        play(env, 1)
    position = json.loads(json.dumps(caught.value.position))
    assert read_position(position).state["turn"] == running(env).state["turn"]


def test_no_position_of_what_cannot_be_written():
    env = aec()
    running(env).state["hand"][0, :, 0] = 99
    with pytest.raises(InvariantError) as caught:
        play(env, 1)
    assert caught.value.position is None
    assert caught.value.violations


def test_a_mask_that_is_not_the_record_s():
    game = Game(Rules.of("mini", 3), 1)
    check_game(game)
    game.mask[:] = 1
    with pytest.raises(InvariantError, match="mask: not that of the record"):
        check_game(game)


def test_a_game_to_begin_with_is_checked():
    game = Game(Rules.of("mini", 3), 1)
    break_by(game, "deck_size", by=-1)
    env = bohnanza_v0.env("mini", 3, check_invariants=True)
    with pytest.raises(InvariantError, match="deck does not hold"):
        env.reset(options={"game": game})


# One learner -----------------------------------------------------------------------------------


def single(**arguments: Any) -> BohnanzaEnv:
    return BohnanzaEnv("mini", 3, pass_forced=False, **arguments)


def learn(env: BohnanzaEnv, most: int = 10**6) -> list[float]:
    """Random moves from the start of a game; what was paid."""
    env.reset(seed=3)
    rng, paid = np.random.default_rng(2), []
    for _ in range(most):
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        _, reward, terminated, _, _ = env.step(action)
        paid.append(reward)
        if terminated:
            break
    return paid


@pytest.mark.parametrize("opponents", ["trader", (BotPolicy("greedy"), "random")])
def test_checked_games_of_a_learner_are_the_same(opponents: Any):
    plain = learn(single(opponents=opponents))
    assert plain == learn(single(opponents=opponents, check_invariants=True))


def test_every_decision_of_the_others_is_checked(monkeypatch: pytest.MonkeyPatch):
    seen: list[int] = []
    monkeypatch.setattr(
        single_agent, "check_game", lambda game: seen.append(int(game.state["event_count"][0]))
    )
    learn(single(check_invariants=True), most=20)
    steps = len(seen)
    assert steps > 20  # those of the learner and of others
    learn(single(), most=20)
    assert len(seen) == steps


@pytest.mark.parametrize("opponents", ["trader", (BotPolicy("greedy"), "random")])
def test_a_fault_while_others_play_is_reported(opponents: Any):
    env = single(opponents=opponents, check_invariants=True)
    learn(env, 2)
    break_by(env.game, "coins", 1)
    with pytest.raises(InvariantError, match="coin_stack of seat 1") as caught:
        env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert caught.value.rules == env.rules.to_dict()


def test_the_registered_environment_takes_the_switch():
    env = gymnasium.make("Bohnanza-v0", edition="mini", players=3, check_invariants=True)
    assert env.unwrapped.check_invariants
