"""The reference model against the worked examples, the shared cases and its own invariants."""

import json
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from reference import ReferenceGame, edition_rules, run_case
from reference.turns import winning_seats
from reference_positions import (
    TABLES,
    fields,
    game_at,
    keep_order,
    play,
    seeded_shuffle,
)

SHARED_CASES = sorted((Path(__file__).parent / "cases" / "shared").glob("*.json"))


def all_cards(game: ReferenceGame) -> Counter:
    cards = Counter(game.deck + game.discard + game.face_up + game.offer + game.removed)
    for player in game.players:
        cards.update(player.hand + player.coins + player.set_aside)
        for planted in player.fields:
            if planted is not None:
                cards[planted["bean"]] += planted["count"]
    return cards


def check_cards(game: ReferenceGame) -> None:
    """R2, and what section 9 calls known must be true."""
    assert all_cards(game) == game.rules["beans"]
    for bean, number in Counter(game.deck).items():
        assert number <= game.deck_at_shuffle[bean] - game.turned_up[bean]
    for player, known in zip(game.players, game.known, strict=True):
        assert all(player.hand.count(bean) >= number for bean, number in known.items() if number)


# The worked examples and the shared cases


def test_there_are_shared_cases():
    assert len(SHARED_CASES) >= 8


@pytest.mark.parametrize("path", SHARED_CASES, ids=lambda path: path.stem)
def test_shared_case(path: Path):
    assert run_case(json.loads(path.read_text())) == []


def test_a_wrong_case_fails():
    case = json.loads(SHARED_CASES[0].read_text())
    case["expect"]["active"] = 3
    case["illegal"]["1"].append("0: pass")
    case["legal"] = {"0": ["0: end_trading"]}
    assert len(run_case(case)) == 3


def test_e1_events_of_the_trade():
    case = json.loads((SHARED_CASES[0]).read_text())
    game = ReferenceGame.from_position(case["position"], keep_order)
    for step in case["play"][:9]:
        game.apply(step.split(": ")[1])
    assert game.events[-2:] == [
        {
            "type": "trade",
            "giver": 0,
            "taker": 1,
            "gave_hand": [[0, "chili"]],
            "gave_face_up": ["soy"],
        },
        {"type": "trade", "giver": 1, "taker": 0, "gave_hand": [[2, "red"]], "gave_face_up": []},
    ]
    assert game.players[0].hand == ["stink", "red", "soy"]
    assert game.players[1].hand == ["stink", "blue", "chili", "blue"]


def test_e2_ties():
    coins, hand_sizes = [12, 11, 12, 10], [6, 0, 5, 0]
    assert winning_seats(coins, hand_sizes, "last_clockwise", 0) == [2]
    assert winning_seats(coins, hand_sizes, "last_clockwise", 1) == [0]
    assert winning_seats(coins, hand_sizes, "most_hand_cards", 0) == [0]
    assert winning_seats(coins, [5, 9, 5, 9], "most_hand_cards", 0) == [0, 2]


def test_e4_price_of_a_field():
    seat = {
        "hand": ["garden"],
        "fields": fields(("chili", 1), ("stink", 1)),
        "coins": ["blue", "blue", "soy", "red", "red"],
    }
    game = game_at(seat, edition="classic", deck_top=["stink"])
    assert game.facts(1)["coin_top"][0] == ["soy", "red", "red"]
    play(game, "buy_field")
    assert game.discard == ["red", "red", "soy"]
    assert game.players[0].coins == ["blue", "blue"]
    assert game.events[-1] == {"type": "buy_field", "player": 0, "paid": ["red", "red", "soy"]}
    assert "buy_field" not in game.legal()


def test_e5_two_exhaustions_write_draws_and_reshuffle():
    (path,) = [path for path in SHARED_CASES if path.stem == "e5_two_exhaustions_in_one_draw"]
    case = json.loads(path.read_text())
    game = ReferenceGame.from_position(case["position"], keep_order)
    while not game.over:
        game.apply("end_trading" if "end_trading" in game.legal() else "pass")
    assert [event for event in game.events if event["type"] in ("draw", "reshuffle")] == [
        {"type": "draw", "player": 0, "beans": ["soy"]},
        {"type": "reshuffle", "exhaustions": 2, "deck": ["red"]},
        {"type": "draw", "player": 0, "beans": ["red"]},
    ]


# Whole games


def random_game(rules: dict[str, Any], seed: int, limit: int = 20_000) -> ReferenceGame:
    """Play at random, with every card counted after each action."""
    generator = random.Random(seed)
    game = ReferenceGame(rules, seeded_shuffle(seed), start=seed % rules["players"])
    for _ in range(limit):
        if game.over:
            assert game.legal() == []
            return game
        legal = game.legal()
        assert legal
        assert len(legal) == len(set(legal))
        game.apply(generator.choice(legal))
        check_cards(game)
    pytest.fail("the game does not end")


@pytest.mark.parametrize("protocol", ["staged", "compact"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_random_games_end_and_keep_every_card(edition: str, players: int, protocol: str):
    rules = {**edition_rules(edition, players), "protocol": protocol}
    game = random_game(rules, seed=players)
    assert game.winners
    assert game.events[-1] == {
        "type": "end",
        "scores": game.scores(),
        "winners": game.winners,
        "exhaustions": game.exhaustions,
    }
    assert game.exhaustions <= rules["final_exhaustion"]


@pytest.mark.parametrize(
    "overrides",
    [
        {"trading": False},
        {"window": "always", "trade_limit": 1},
        {"window": "off", "harvest": "when_needed"},
        {"active_proposals": 0, "other_proposals": 0},
        {"beans": {"blue": 9, "red": 8, "garden": 6}, "window": "always"},
    ],
    ids=str,
)
def test_random_games_under_other_rules(overrides: dict[str, Any]):
    random_game({**edition_rules("classic", 4), **overrides}, seed=1)


def test_every_position_of_a_game_is_read_back():
    for edition, players in (("classic", 3), ("duel", 2)):
        generator = random.Random(1)
        rules = {**edition_rules(edition, players), "final_exhaustion": 1, "window": "always"}
        game = ReferenceGame(rules, seeded_shuffle(1))
        while not game.over:
            position = json.loads(json.dumps(game.position()))
            twin = ReferenceGame.from_position(position, seeded_shuffle(1))
            action = generator.choice(game.legal())
            written = len(game.events)
            game.apply(action)
            twin.apply(action)
            assert twin.events == game.events[written:]
            assert twin.position() == game.position()
            assert twin.facts(0) == game.facts(0)


def test_a_compact_game_spelt_out_is_a_staged_game():
    for seed in range(2):
        generator = random.Random(seed)
        rules = edition_rules("classic", 3)
        compact = ReferenceGame({**rules, "protocol": "compact"}, seeded_shuffle(seed))
        staged = ReferenceGame(rules, seeded_shuffle(seed))
        while not compact.over:
            action = generator.choice(compact.legal())
            compact.apply(action)
            words = action.split()
            if words[0] == "swap":
                staged.apply(f"propose {words[1]}")
                for verb, bean in zip(("offer", "request"), words[2:], strict=True):
                    if bean != "-":
                        staged.apply(f"{verb} {bean}")
                staged.apply("submit")
            else:
                staged.apply(action)
            while staged.decision == "give":
                face_up = [give for give in staged.legal() if "face_up" in give]
                staged.apply(face_up[0] if face_up else staged.legal()[0])
            assert staged.events == compact.events
            assert staged.facts(1) == compact.facts(1)


def test_facts_hide_what_is_hidden():
    hand = {"hand": ["blue", "chili"]}
    game = game_at(hand, hand, hand, decision="floor", face_up=["red"], discard=[])
    play(game, "propose 1", "offer red")
    assert game.facts(0)["draft"]["offer"] == {"red": 1}
    assert game.facts(1)["draft"] is None
    before = game.facts(1)
    game.players[0].hand.reverse()
    game.deck.reverse()
    assert game.facts(1) == before


def test_turns_go_clockwise():
    game = random_game(edition_rules("new_beans", 5), seed=3)
    turns = [event["player"] for event in game.events if event["type"] == "turn"]
    assert turns[0] == game.start
    assert all(later == (earlier + 1) % 5 for earlier, later in pairwise(turns))


def test_an_illegal_action_changes_nothing():
    game = ReferenceGame(edition_rules("amigo", 4), seeded_shuffle(5))
    before = game.position()
    for action in ("pass", "plant cocoa 0", "nonsense", "", "harvest 0"):
        with pytest.raises(ValueError):
            game.apply(action)
    assert game.position() == before
