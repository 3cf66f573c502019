"""Rewards: hand-worked examples, ranges and sums."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from bohnanza_env import Game, Rules
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.rewards import REWARDS, reward_function, reward_number, win_share, write_reward
from bohnanza_env.view import view_of

RULES = Rules.of("amigo", 4)


def record(coins: list[int], winners: tuple[int, ...] = ()) -> np.ndarray:
    """A game that has these coins and, if there are winners, is over."""
    state = np.zeros(1, GAME_DTYPE)
    state["coins"][0, : len(coins)] = coins
    state["decision"] = Decision.OVER if winners else Decision.PLANT
    state["winners"][0, list(winners)] = 1
    return state


def rewards(name: str, before: list[int], coins: list[int], *winners: int) -> list[float]:
    rules = Rules.of("duel", 2) if len(coins) == 2 else RULES
    return reward_function(name)(rules, before, record(coins, winners)).tolist()


def test_margin_is_own_change_less_the_mean_of_the_others():
    assert rewards("margin", [0, 3, 1, 0], [6, 3, 1, 0]) == [6, -2, -2, -2]
    assert rewards("margin", [4, 3, 1, 0], [4, 0, 1, 0]) == [1, -3, 1, 1]  # a field was bought
    assert rewards("margin", [0, 0, 0, 0], [3, 6, 0, 0]) == pytest.approx([1, 5, -3, -3])
    assert rewards("margin", [2, 5], [6, 5], 0) == [4, -4]


def test_coins_is_the_own_change():
    assert rewards("coins", [1, 3, 1, 0], [3, 0, 1, 0]) == [2, -3, 0, 0]


def test_win_is_shared_among_the_winners_at_the_end():
    assert rewards("win", [0, 0, 0, 0], [9, 1, 0, 0]) == [0, 0, 0, 0]
    assert rewards("win", [0, 0, 0, 0], [9, 1, 9, 0], 2) == [0, 0, 1, 0]
    assert rewards("win", [0, 0, 0, 0], [9, 1, 9, 0], 0, 2) == [0.5, 0, 0.5, 0]
    assert [win_share(seat, [2]) for seat in range(4)] == [0, 0, 1, 0]
    assert [win_share(seat, [0, 2]) for seat in range(4)] == [0.5, 0, 0.5, 0]


@pytest.mark.parametrize(
    ("coins", "winners", "expected"),
    [
        # E2: seat 2 wins the tie; seat 0 is second, then 11 and 10.
        ([12, 11, 12, 10], [2], [1 / 3, -1 / 3, 1, -1]),
        # Two more level behind the winner share places 2 and 3.
        ([10, 12, 12, 12], [3], [-1, 0, 0, 1]),
        # Level in the middle: places 2 and 3.
        ([8, 5, 5, 1], [0], [1, 0, 0, -1]),
        # Shared win (R23): places 1 and 2, then level losers share 3 and 4.
        ([7, 4, 7, 4], [0, 2], [2 / 3, -2 / 3, 2 / 3, -2 / 3]),
        # Nobody earned anything; the last clockwise has the first place.
        ([0, 0, 0, 0], [3], [-1 / 3, -1 / 3, -1 / 3, 1]),
        # All share the win.
        ([3, 3, 3, 3], [0, 1, 2, 3], [0, 0, 0, 0]),
        ([5, 5], [1], [-1, 1]),
    ],
)
def test_rank_by_hand(coins, winners, expected):
    assert rewards("rank", [0] * len(coins), coins, *winners) == pytest.approx(expected)


def test_rank_pays_nothing_before_the_end():
    assert rewards("rank", [0, 0, 0, 0], [9, 1, 0, 0]) == [0, 0, 0, 0]


@pytest.mark.parametrize("name", REWARDS)
def test_nothing_is_paid_where_nothing_happened(name):
    assert rewards(name, [4, 1, 0, 2], [4, 1, 0, 2]) == [0, 0, 0, 0]


@pytest.mark.parametrize("rules", [Rules.of("mini", 3), Rules.of("duel", 2)], ids=str)
def test_sums_and_ranges_over_games(rules):
    rng = np.random.default_rng(3)
    for seed in range(3):
        game = Game(rules, seed)
        returns = {name: np.zeros(rules.players) for name in REWARDS}
        while not game.over:
            before = game.state.copy()
            game.step(int(rng.choice(game.legal_actions())))
            for name, reward in REWARDS.items():
                paid = reward(rules, before, game.state)
                assert paid.shape == (rules.players,)
                assert paid.dtype == np.float64
                assert not reward.zero_sum or paid.sum() == pytest.approx(0)
                returns[name] += paid
        coins = np.array(game.scores, float)
        others = (coins.sum() - coins) / (rules.players - 1)
        assert returns["coins"] == pytest.approx(coins)
        assert returns["margin"] == pytest.approx(coins - others)
        assert returns["win"].sum() == pytest.approx(1)
        assert set(np.flatnonzero(returns["win"])) == set(game.winners)
        for name, reward in REWARDS.items():
            low, high = reward.range(rules)
            assert (returns[name] >= low).all()
            assert (returns[name] <= high).all()


def test_a_view_tells_as_much_as_the_game():
    game = Game(RULES, 5)
    before = game.scores
    game.state["coins"][0, 1] = 4
    for reward in REWARDS.values():
        want = reward(RULES, before, game.state)
        for seat in range(4):
            assert reward(RULES, before, view_of(game, seat)).tolist() == want.tolist()


def test_compiled_callers_get_the_same():
    before, coins = np.array([0, 2, 0, 0], np.int16), np.array([5, 2, 5, 1], np.int16)
    winners, out = np.array([0, 0, 1, 0], np.int8), np.zeros(4)
    for name, reward in REWARDS.items():
        write_reward(reward_number(name), before, coins, 1, winners, out)
        want = reward(RULES, before, record([5, 2, 5, 1], (2,)))
        assert out.tolist() == want.tolist()


def test_unknown_rewards_are_refused_with_the_known_ones():
    for name in ("profit", 3, None, ["margin"]):
        with pytest.raises(ValueError, match="known rewards: margin, coins, win, rank"):
            reward_function(name)


def test_rewards_can_be_copied():
    reward = reward_function("rank")
    assert pickle.loads(pickle.dumps(reward)) is reward
    assert copy.deepcopy(reward) is reward
