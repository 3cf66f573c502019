"""Positions: any reachable game survives a file, and missing keys have their meaning."""

import json
from pathlib import Path

import numpy as np
import pytest
from positions import only_fault, random_action, record_bytes, rules_of, small, through_json

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.position import read_position, write_position

TABLES = [(edition, n) for edition, (numbers, _) in EDITIONS.items() for n in numbers]
# With each protocol; a duel has no trading, so it has only one.
GAMES = [
    (edition, n, protocol)
    for edition, n in TABLES
    for protocol in ("staged", "compact")
    if protocol == "staged" or not edition.startswith("duel")
]


# Every reachable game ------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players", "protocol"), GAMES)
def test_a_game_read_back_is_the_same_at_every_ply(edition, players, protocol):
    game = Game(rules_of(edition, players, protocol), seed=players + 7, start=players - 1)
    rng = np.random.default_rng(players)
    seen: dict[Decision, int] = {}
    ply = 0
    while not game.over:
        # Every ply of a decision that was rare so far, then ever fewer of the frequent ones.
        times = seen.get(game.decision, 0)
        seen[game.decision] = times + 1
        if times < 5 or ply % 61 == 0:
            assert record_bytes(through_json(game)) == record_bytes(game)
        game.step(random_action(game, rng))
        ply += 1
    assert record_bytes(through_json(game)) == record_bytes(game)


@pytest.mark.parametrize(
    "overrides",
    [
        {"edition": "mini", "players": 3},
        {"edition": "mini_exact", "players": 2, "window": "always", "harvest": "any_time"},
        {"edition": "mini", "players": 2, "trading": False},
        {"edition": "mini", "players": 3, "harvest": "when_needed", "window": "always"},
        {"edition": "mini", "players": 3, "protocol": "compact", "trade_limit": 1},
    ],
)
def test_every_single_ply_of_small_games(overrides):
    for seed in range(2):
        game = Game(Rules.of(**overrides), seed=seed, start=seed % 2)
        rng = np.random.default_rng(seed)
        while not game.over:
            assert record_bytes(through_json(game)) == record_bytes(game)
            game.step(random_action(game, rng))
        assert record_bytes(through_json(game)) == record_bytes(game)


@pytest.mark.parametrize(("edition", "players"), [("rio_grande", 7), ("duel", 2), ("mini", 3)])
def test_it_plays_on_identically(edition, players):
    game = Game(rules_of(edition, players), seed=3, log=True)
    rng = np.random.default_rng(3)
    for _ in range(60):
        if not game.over:
            game.step(random_action(game, rng))
    again = read_position(write_position(game), log=True)
    while not game.over:
        action = random_action(game, rng)
        game.step(action)
        again.step(action)
        assert np.array_equal(again.mask, game.mask)
        size = int(game.log["written"][0])
        assert int(again.log["written"][0]) == size
        assert np.array_equal(again.log["entries"][0, :size], game.log["entries"][0, :size])
    assert record_bytes(again) == record_bytes(game)


def test_house_rules_under_a_name_of_their_own():
    beans = {"coffee": 9, "field": 3}
    rules = Rules(players=2, beans=beans, first_hands=(1, 1), field_beans=True, edition="house")
    game = through_json(Game(rules))
    assert game.rules.edition == "custom"
    assert record_bytes(game) == record_bytes(Game(rules))


def test_hands_of_a_player_who_never_deals_are_no_fault():
    game = Game(rules_of("classic", 4, window="off"), seed=1)
    space = ActionSpace.of(game.rules)
    rng = np.random.default_rng(1)
    while not game.over:
        legal = space.texts(game.mask, game.to_act)
        wanted = "end_trading" if "end_trading" in legal else "pass"
        action = space.index(wanted, game.to_act) if wanted in legal else random_action(game, rng)
        game.step(action)
        if rng.integers(8) == 0:
            assert record_bytes(through_json(game)) == record_bytes(game)


# Defaults ------------------------------------------------------------------------------------


def test_missing_keys_mean_empty_zero_or_the_start_of_the_decision():
    data = write_position(read_position(small()))
    assert data["decision"] == "plant"
    for key in ("seed", "start", "turn", "active", "to_act", "planted", "exhaustions"):
        assert data[key] == 0
    assert data["players"][2]["hand"] == []
    assert data["players"][0]["fields"] == [None, None]
    assert [player["proposals_left"] for player in data["players"]] == [4, 1, 1]
    assert data["settled"] == []
    assert data["standing"] is None
    assert data["round"] == {
        "held": False,
        "open": False,
        "submitted": False,
        "pass_blocked": False,
    }


def test_without_piles_the_remaining_cards_are_the_shuffled_deck():
    data = write_position(read_position(small()))
    assert sorted(data["deck"]) == sorted(["soy"] * 3 + ["red"] * 2 + ["garden"] * 4)
    assert data["discard"] == []
    assert data["shuffles"] == 1
    assert data["deck_at_shuffle"] == {"soy": 3, "red": 2, "garden": 4}
    other = write_position(read_position(small(seed=8)))
    assert other["deck"] != data["deck"]
    assert write_position(read_position(small(seed=8)))["deck"] == other["deck"]
    assert write_position(read_position(small(shuffles=1)))["deck"] != data["deck"]


def test_a_whole_deck_is_shuffled_like_that_of_a_new_game():
    rules = Rules.of("mini", 3)
    dealt = write_position(Game(rules, seed=5))
    whole = [bean for player in dealt["players"] for bean in player["hand"]] + dealt["deck"]
    data = {"format": "bohnanza-position/1", "rules": rules.to_dict(), "seed": 5}
    # Nobody holds a card, so the first card shown is the top of the deck.
    data |= {"decision": "plant_set_aside", "players": [{"set_aside": [whole[0]]}]}
    data["deck_top"] = whole[1:]
    assert write_position(read_position(data))["deck"] == whole[1:]
    del data["deck_top"]
    data["players"] = [{"set_aside": []}]
    assert "nobody has cards set aside" in only_fault(data)


def test_deck_top_gives_the_first_cards():
    data = write_position(read_position(small(deck_top=["garden", "soy", "soy"])))
    assert data["deck"][:3] == ["garden", "soy", "soy"]
    assert len(data["deck"]) == 9
    assert data["discard"] == []
    given = write_position(read_position(small(deck_top=["garden"], discard=["red", "soy"])))
    assert given["discard"] == ["red", "soy"]
    assert len(given["deck"]) == 7


def test_a_missing_discard_is_what_remains_in_table_order():
    data = write_position(read_position(small(deck=["garden", "red"])))
    assert data["deck"] == ["garden", "red"]
    assert data["discard"] == ["soy"] * 3 + ["red"] + ["garden"] * 3
    assert data["shuffles"] == 0


def test_a_missing_deck_is_what_remains_shuffled():
    data = write_position(read_position(small(discard=["red", "soy"])))
    assert data["discard"] == ["red", "soy"]
    assert len(data["deck"]) == 7


def test_all_piles_given_must_hold_all_cards():
    piles = {"deck": ["soy", "red", "red", "garden"], "discard": ["garden"] * 3}
    assert "2 soy" in only_fault(small(**piles))


def test_who_decides_follows_from_the_decision():
    aside = small(decision="plant_set_aside", players=[{}, {"set_aside": ["soy"]}])
    assert read_position(aside).to_act == 1
    standing = {"proposer": 0, "to": None, "request": {"red": 1}}
    asked = read_position(small(decision="respond", standing=standing))
    assert asked.to_act == 1
    standing["answers"] = [None, "accept", None]
    assert read_position(small(decision="respond", standing=standing)).to_act == 2


def test_a_proposal_in_a_round_needs_no_more_keys():
    data = small(decision="compose", draft={"proposer": 1, "to": 0, "offer": {"red": 1}})
    game = read_position(data)
    assert game.to_act == 1
    written = write_position(game)
    assert written["round"]["open"] is True
    assert written["players"][1]["proposals_left"] == 0


def test_copies_without_a_choice_are_filled_in():
    hand = ["soy", "red", "garden", "red"]
    standing = {"proposer": 0, "to": 1, "offer": {"soy": 1, "red": 1}, "partner": 1}
    standing["answers"] = [None, "accept", None]
    game = read_position(small(decision="give", players=[{"hand": hand}], standing=standing))
    assert write_position(game)["standing"]["copies"]["proposer"] == [0]
    legal = ActionSpace.of(game.rules).texts(game.mask, 0)
    assert legal == ["give hand 1", "give hand 3"]


def test_over_by_its_flag():
    data = small(over=True, exhaustions=2, deck=[], players=[{"coins": ["soy"]}, {}, {}])
    game = read_position(data)
    assert game.over
    assert game.winners == [0]
    assert only_fault({**data, "winners": [1]}) == "winners: expected [0] (R22, R23), got [1]"


def test_a_file(tmp_path: Path):
    path = tmp_path / "position.json"
    path.write_text(json.dumps(small()), encoding="utf-8")
    assert record_bytes(read_position(path)) == record_bytes(read_position(small()))
    path.write_text(json.dumps(small())[:-7], encoding="utf-8")
    assert str(path) in only_fault(path)
    path.write_bytes(b'{"format": "\xff"}')
    assert "UTF-8" in only_fault(str(path))
    path.write_text('{"seed": 1, "seed": 2}', encoding="utf-8")
    assert "given twice: seed" in only_fault(path)
    path.write_text("[" * 100_000, encoding="utf-8")
    assert str(path) in only_fault(path)
    with pytest.raises(FileNotFoundError):
        read_position(tmp_path / "none.json")
