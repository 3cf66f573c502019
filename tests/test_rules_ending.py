"""The end: R22, R23; E2; random games of every edition end (R20)."""

from __future__ import annotations

import numpy as np
import pytest
from support import Table, seat, table

from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import SILENT_LOG, Game
from bohnanza_env.engine.kernels import play_randomly_kernel
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array


def ending(coins: list[int], hands: list[int], tie: str, start: int = 0) -> Table:
    """The last card is drawn by seat 3; nothing in the fields pays."""
    rules = Rules.of("amigo", 4, tie=tie)
    cards = [bean for bean, n in rules.beans.items() if bean != "garden" for _ in range(n)]
    seats = []
    for coin_count, hand_size in zip(coins, hands, strict=True):
        stack, cards = cards[:coin_count], cards[coin_count:]
        hand, cards = cards[:hand_size], cards[hand_size:]
        seats.append(seat(" ".join(hand), coins=" ".join(stack)))
    seats[3]["set_aside"] = ["garden"]
    game = table(
        *seats,
        rules=rules,
        decision="plant_set_aside",
        active=3,
        to_act=3,
        start=start,
        exhaustions=2,
        deck="garden",
    )
    game.play("3: plant garden 0")
    assert game.game.over
    assert game.game.scores == coins
    return game


def test_e2_last_clockwise():
    assert ending([12, 11, 12, 10], [6, 0, 5, 0], "last_clockwise").game.winners == [2]


def test_e2_most_hand_cards():
    assert ending([12, 11, 12, 10], [6, 0, 5, 0], "most_hand_cards").game.winners == [0]


@pytest.mark.parametrize(("start", "winner"), [(0, 2), (1, 0), (2, 0), (3, 2)])
def test_r23_last_clockwise_counts_from_the_start_player(start: int, winner: int):
    """Seats 0 and 2 tie; from start 1 the order is 1, 2, 3, 0. The start player never wins it."""
    game = ending([12, 11, 12, 10], [0, 0, 0, 0], "last_clockwise", start)
    assert game.game.winners == [winner]


def test_r23_most_hand_cards_counts_only_the_tied_and_may_be_shared():
    assert ending([5, 5, 2, 0], [1, 1, 9, 0], "most_hand_cards").game.winners == [0, 1]
    assert ending([5, 5, 5, 0], [1, 3, 2, 0], "most_hand_cards").game.winners == [1]


def test_r22_most_coins_win_without_a_tie():
    assert ending([3, 7, 6, 1], [9, 0, 0, 0], "most_hand_cards").game.winners == [1]


def test_r22_all_fields_are_harvested_and_hands_count_nothing():
    """Seat 0 first, fields rising; protection does not apply, so the single bean is sold too."""
    beans = {"blue": 1, "soy": 6, "red": 4, "garden": 4}
    rules = Rules.of("amigo", 4, beans=beans, first_hands=(1, 1, 1, 1))
    game = table(
        seat("soy soy soy", "blue*1 red*4"),
        seat("", "soy*2 -"),
        seat("", "- garden*3"),
        seat("", "- -", set_aside="soy"),
        rules=rules,
        decision="plant_set_aside",
        active=3,
        to_act=3,
        exhaustions=2,
        deck="garden",
    )
    game.play("3: plant soy 0")
    assert game.game.over
    assert game.game.scores == [3, 1, 3, 0]
    assert game.coins(0) == "red red red"
    assert game.discard == "blue red soy soy"  # seat by seat, fields rising; garden*3 all pay
    assert [game.fields(s) for s in range(4)] == ["- -"] * 4
    assert game.hand(0) == "soy soy soy"
    assert game.game.winners == [2]  # a tie with seat 0: the one farther clockwise


def test_nothing_is_legal_after_the_end():
    game = ending([1, 2, 3, 4], [0, 0, 0, 0], "last_clockwise")
    assert game.game.mask.sum() == 0
    assert game.to_act == -1


TABLES = [(name, n) for name, (numbers, _) in EDITIONS.items() for n in numbers]


def play_to_the_end(rules: Rules, seed: int) -> Game:
    game = Game(rules, seed, seed % rules.players)
    steps = play_randomly_kernel(
        rules_array(rules).view(np.uint8),
        game.state.view(np.uint8),
        SILENT_LOG.view(np.uint8),
        game.mask,
        new_generator(seed, 1),
        100_000,
    )
    assert steps < 100_000
    return game


@pytest.mark.parametrize("protocol", ["staged", "compact"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_random_games_end(edition: str, players: int, protocol: str):
    rules = Rules.of(edition, players, protocol=protocol)
    for seed in range(20):
        game = play_to_the_end(rules, seed)
        assert game.over
        assert game.winners
        cards = Table(game).all_cards()
        assert cards == rules.beans  # R2
