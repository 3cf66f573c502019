"""Vectors of games: game by game the same as one game, the AEC environment and the one seat."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from weighted_play import TABLES

from bohnanza_env import bohnanza_v0
from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import observe
from bohnanza_env.rewards import REWARDS, reward_function
from bohnanza_env.vector import GameVector
from bohnanza_env.view import view_of

SAME, NEXT, OFF = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
MINI = Rules.of("mini", 3, protocol="compact")
EVERY_RULES = [
    Rules.of(edition, players, protocol=protocol)
    for edition, players in TABLES
    for protocol in ("staged", "compact")
]
RULES = [MINI, Rules.of("amigo", 4), Rules.of("duel", 2)]
ARRAYS = (
    "observation legal_action_mask current_player rewards terminated truncated final_coins"
).split()


def arrays(vector: GameVector) -> dict[str, np.ndarray]:
    return {name: getattr(vector, name).copy() for name in ARRAYS}


def assert_same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    for name, values in one.items():
        assert np.array_equal(values, other[name]), name


def play(vector: GameVector, steps: int, generator: np.ndarray) -> list[dict[str, np.ndarray]]:
    seen = []
    for _ in range(steps):
        vector.step(vector.random_actions(generator))
        seen.append(arrays(vector))
    return seen


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("rules", RULES, ids=str)
def test_each_game_is_the_game_of_its_seeds(rules: Rules, reward: str):
    count, seed = 3, 11
    vector = GameVector(rules, count, seed, reward)
    vector.reset()
    games = [Game(rules, seed + i) for i in range(count)]
    episodes = [0] * count
    generator, worth = new_generator(5), reward_function(reward)
    for _ in range(700):
        actions = vector.random_actions(generator).copy()
        vector.step(actions)
        for i, game in enumerate(games):
            before = game.state["coins"][0, : rules.players].copy()
            game.step(int(actions[i]))
            expected = worth(rules, before, game.state).astype(np.float32)
            assert np.array_equal(vector.rewards[i], expected)
            assert vector.terminated[i] == game.over
            assert not vector.truncated[i]
            if game.over:
                assert vector.final_coins[i].tolist() == game.scores
                episodes[i] += 1
                games[i] = game = Game(rules, seed + i + count * episodes[i])
            assert vector.current_player[i] == game.to_act
            assert np.array_equal(vector.legal_action_mask[i], game.mask)
            assert np.array_equal(vector.observation[i], observe(rules, view_of(game, game.to_act)))
    assert rules.edition == "amigo" or min(episodes) > 0


@pytest.mark.parametrize("mode", AutoresetMode, ids=str)
@pytest.mark.parametrize("rules", EVERY_RULES, ids=str)
def test_what_is_written_on_is_what_would_be_written_anew(rules: Rules, mode: AutoresetMode):
    """Between two steps most of an observation may stay; none of it may be out of date."""
    vector = GameVector(rules, 8, seed=3, autoreset=mode, max_steps=150)
    vector.reset()
    generator = new_generator(7)
    for step in range(400):
        vector.step(vector.random_actions(generator))
        if mode == AutoresetMode.DISABLED and step % 50 == 0:
            vector.reset(where=vector.terminated | vector.truncated)
        playing = vector.current_player >= 0
        anew = vector.observe(np.maximum(vector.current_player, 0))
        assert np.array_equal(vector.observation[playing], anew[playing])
        assert not vector.observation[~playing].any()


def test_one_game_is_the_aec_environment():
    env = bohnanza_v0.raw_env(rules=MINI)
    env.reset(seed=4)
    vector = GameVector(MINI, 2, 4, autoreset=OFF)
    vector.reset()
    generator = new_generator(1)
    while not vector.terminated[0]:
        assert env.agent_selection == f"player_{vector.current_player[0]}"
        seen = env.observe(env.agent_selection)
        assert np.array_equal(seen["observation"], vector.observation[0])
        assert np.array_equal(seen["action_mask"], vector.legal_action_mask[0])
        vector.step(vector.random_actions(generator))
        env.step(int(vector._actions[0]))
        rewards = [env.rewards[f"player_{seat}"] for seat in range(3)]
        assert np.array_equal(np.array(rewards, np.float32), vector.rewards[0])


def test_next_step_begins_anew_one_step_later_and_disabled_waits():
    same, later, never = (GameVector(MINI, 4, 3, autoreset=mode) for mode in (SAME, NEXT, OFF))
    for vector in (same, later, never):
        vector.reset()
        assert vector.metadata["autoreset_mode"] is vector.autoreset
    generator, over = new_generator(2), np.zeros(4, bool)
    while not over.all():
        actions = never.random_actions(generator).copy()
        never.step(actions)
        assert np.array_equal(never.terminated, never.current_player < 0)
        assert not never.rewards[over].any()
        assert not never.observation[never.terminated].any()
        over = never.terminated.copy()
    for _ in range(300):
        before = later.terminated.copy()
        later.step(later.random_actions(generator))  # -1 where its game is over
        assert not later.terminated[before].any()
        assert not later.rewards[before].any()
    never.reset(where=np.array([False, True, False, False]))
    assert never.current_player.tolist()[::2] == [-1, -1]
    assert never.game(1).state["seed"][0] == 3 + 1 + 4
    never.reset()
    assert never.game(0).state["seed"][0] == 3 + 4
    never.reset(seed=3)
    assert never.game(0).state["seed"][0] == 3


def test_seeds_go_round_at_two_to_the_64():
    vector = GameVector(MINI, 2, 2**64 - 1)
    vector.reset()
    assert [int(vector.game(i).state["seed"][0]) for i in (0, 1)] == [2**64 - 1, 0]


def test_a_step_limit_truncates():
    vector = GameVector(Rules.of("amigo", 4), 2, autoreset=NEXT, max_steps=5)
    vector.reset()
    cut = [bool(s["truncated"].all()) for s in play(vector, 12, new_generator(0))]
    assert cut == [k in (4, 10) for k in range(12)]


@pytest.mark.parametrize("threads", [1, 3])
def test_an_illegal_action_names_the_game_and_changes_nothing(threads: int):
    vector = GameVector(MINI, 7, threads=threads)
    vector.reset()
    play(vector, 20, new_generator(0))
    legal = vector.random_actions(1).copy()
    before, games = arrays(vector), vector.games.tobytes()
    for wrong in (-1, int(vector.legal_action_mask[5].argmin()), 10**9):
        actions = legal.copy()
        actions[5] = actions[6] = wrong
        with pytest.raises(IllegalActionError, match=r"^game 5: .*not legal; legal: "):
            vector.step(actions)
        assert_same(arrays(vector), before)
        assert vector.games.tobytes() == games
    with pytest.raises(TypeError, match="whole numbers"):
        vector.step(legal.astype(float))
    with pytest.raises(ValueError, match="shape"):
        vector.step(legal[:3])


def test_threads_change_nothing():
    one, three = (GameVector(MINI, 10, 9, threads=threads) for threads in (1, 3))
    for vector in (one, three):
        vector.reset()
    generators = new_generator(3), new_generator(3)
    for a, b in zip(play(one, 200, generators[0]), play(three, 200, generators[1]), strict=True):
        assert_same(a, b)
    three.close()


def test_copies_pickles_and_saves_have_the_same_future():
    vector = GameVector(MINI, 5, 1, threads=2)
    assert copy.deepcopy(vector).num_games == 5
    vector.reset()
    play(vector, 90, new_generator(1))
    saved, others = vector.save(), [vector.copy(), pickle.loads(pickle.dumps(vector))]
    others.append(copy.deepcopy(vector))
    for other in others:
        assert_same(arrays(vector), arrays(other))
    future = play(vector, 90, new_generator(2))
    for other in others:
        for a, b in zip(future, play(other, 90, new_generator(2)), strict=True):
            assert_same(a, b)
    vector.restore(saved)
    for a, b in zip(future, play(vector, 90, new_generator(2)), strict=True):
        assert_same(a, b)
    with pytest.raises(ValueError, match="other rules"):
        GameVector(Rules.of("mini", 2), 5).restore(saved)
    with pytest.raises(ValueError, match="games is uint8 of shape"):
        GameVector(MINI, 6).restore(saved)


def test_any_seat_can_be_observed():
    vector = GameVector(MINI, 3)
    vector.reset()
    play(vector, 30, new_generator(0))
    seen = vector.observe([0, 1, 2])
    for i in range(3):
        assert np.array_equal(seen[i], observe(MINI, view_of(vector.game(i), i)))
    with pytest.raises(IndexError):
        vector.observe([0, 0, 3])


def test_masks_alone():
    vector, full = GameVector(MINI, 3, observations=False), GameVector(MINI, 3)
    for v in (vector, full):
        v.reset()
    a, b = play(vector, 50, new_generator(0))[-1], play(full, 50, new_generator(0))[-1]
    assert a.pop("observation").shape == (3, 0)
    assert_same(a, b)


def test_arguments_are_checked():
    for wrong in ({"games": 0}, {"seed": -1}, {"threads": 0}, {"reward": "gold"}, {"autoreset": 1}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            GameVector(**{"rules": MINI, "games": 2, **wrong})
    with pytest.raises(TypeError, match="rules"):
        GameVector("mini", 2)
    with pytest.raises(RuntimeError, match="reset"):
        GameVector(MINI, 2).step([0, 0])


def test_what_save_did_not_give_is_refused():
    vector = GameVector(MINI, 2)
    vector.reset()
    before, saved = arrays(vector), vector.save()
    wrong = {**saved, "rewards": saved["rewards"].astype(float)}
    for given, named in (({}, "without rules, games"), (wrong, "rewards is float64")):
        with pytest.raises(ValueError, match=named):
            vector.restore(given)
    assert_same(before, arrays(vector))
    vector.reset(where=[True, False])  # a list will do


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_threads_of_its_own():
    vector = GameVector(MINI, 4, threads=2)
    vector.reset()
    vector.step(vector.random_actions(1))
    child = multiprocessing.get_context("fork").Process(
        target=play, args=(vector, 3, new_generator(2))
    )
    child.start()
    child.join(30)
    hangs = child.is_alive()
    child.kill()
    child.join()
    assert not hangs
    assert child.exitcode == 0
