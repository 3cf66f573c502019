"""Positions: any reachable game survives a file, and what cannot be is refused as a whole."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.position import PositionError, read_position, write_position

TABLES = [(edition, n) for edition, (numbers, _) in EDITIONS.items() for n in numbers]
NOT_RELEVANT = (  # rows of earlier turns that nobody reads any more
    "settled_proposer settled_recipient settled_partner settled_counter settled_answers "
    "settled_offer settled_request"
).split()


def rules_of(edition: str, players: int, protocol: str = "staged", **overrides: Any) -> Rules:
    return Rules.of(edition, players, protocol=protocol, **overrides)


def record_bytes(game: Game) -> bytes:
    """All fields of the record; the gaps between them may hold anything."""
    state = game.state[0]
    parts = []
    for name in GAME_DTYPE.names or ():
        part = np.array(state[name])
        if name in NOT_RELEVANT:
            part[int(state["settled_count"]) :] = 0
        parts.append(part.tobytes())
    return b"".join(parts)


def through_json(game: Game) -> Game:
    return read_position(json.loads(json.dumps(write_position(game))))


def random_action(game: Game, rng: np.random.Generator) -> int:
    """Random, but seldom composing for long, so that games come to their end soon."""
    legal = game.legal_actions()
    return int(legal[rng.integers(len(legal))])


def play_until(game: Game, decision: Decision, seed: int = 0, most: int = 3000) -> bool:
    rng = np.random.default_rng(seed)
    for _ in range(most):
        if game.over or game.decision == decision:
            break
        game.step(random_action(game, rng))
    return game.decision == decision


def game_at(decision: Decision, edition: str = "amigo", players: int = 4, **overrides: Any) -> Game:
    for seed in range(40):
        game = Game(rules_of(edition, players, **overrides), seed, seed % players)
        if play_until(game, decision, seed):
            return game
    raise AssertionError(f"no {decision.text} in {edition}")


def faults_of(data: Any) -> list[str]:
    with pytest.raises(PositionError) as caught:
        read_position(data)
    assert str(caught.value).startswith("invalid position: ")
    return caught.value.faults


def only_fault(data: Any) -> str:
    faults = faults_of(data)
    assert len(faults) == 1, faults
    return faults[0]


# Every reachable game ------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["staged", "compact"])
@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_a_game_read_back_is_the_same_at_every_ply(edition, players, protocol):
    if edition.startswith("duel") and protocol == "compact":
        pytest.skip("a duel has no trading")
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
        {"edition": "mini_exact", "players": 2, "window": "always"},
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
        size = int(game.log["size"][0])
        assert int(again.log["size"][0]) == size
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


def small(**keys: Any) -> dict[str, Any]:
    """A position of a few keys: 3 players, 12 cards (4 each of soy, red and garden)."""
    data = {"format": "bohnanza-position/1", "rules": {"edition": "mini", "players": 3}}
    return {**data, "players": [{"hand": ["soy", "red"]}, {"hand": ["red"]}], **keys}


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
    assert "2 soy" in only_fault(small(deck=["soy", "red", "red", "garden", "garden"], discard=["garden", "garden"]))  # fmt: skip  # noqa: E501


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


# Faults --------------------------------------------------------------------------------------


def test_every_fault_is_listed_with_its_place():
    data = small(
        colour="green",
        seed=-1,
        face_up=["blue"],
        planted=True,
        players=[
            {"hand": ["soy", 3], "fields": [{"bean": "soy", "count": "2"}, None], "cash": 1},
            {"hand": "red", "fields": [None]},
        ],
    )
    places = {fault.split(": ")[0] for fault in faults_of(data)}
    assert places == {
        "colour",
        "seed",
        "face_up[0]",
        "planted",
        "players[0].hand[1]",
        "players[0].fields[0].count",
        "players[0].cash",
        "players[1].hand",
        "players[1].fields",
    }


def test_faults_of_the_rules_are_faults_of_the_position():
    fault = only_fault({**small(), "rules": {"edition": "mini", "players": 9}})
    assert fault.startswith("rules.players: mini is for 2, 3 players")
    assert only_fault({"format": "bohnanza-position/1"}) == "rules: missing"
    faults = faults_of({"rules": {"edition": "mini", "players": 3, "tie": 1, "reveal": 0}})
    assert [fault.split(":")[0] for fault in faults] == ["format", "rules.reveal", "rules.tie"]


@pytest.mark.parametrize("version", ["bohnanza-position/2", "bohnanza-case/1", None, 1])
def test_another_version(version):
    assert only_fault({**small(), "format": version}).startswith("format: expected")


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"players": [{"hand": ["soy"] * 5}]}, "beans: 5 cards of soy, these rules have 4"),
        ({"players": [{}]}, "players[0].hand: empty, but plant is asked"),
        ({"to_act": 1}, "to_act: plant is asked of the active player 0"),
        ({"turn": 2}, "active: in turn 2"),
        ({"decision": "respond"}, "standing: missing at respond"),
        ({"decision": "compose"}, "draft: missing at compose"),
        ({"decision": "offer_in"}, "decision: offer_in is not asked in these rules"),
        ({"decision": "window", "to_act": 1}, "to_act: player 1 has no harvest"),
        ({"decision": "plant_set_aside"}, "players: nobody has cards set aside"),
        ({"decision": "floor", "players": [{}]}, "decision: nobody may propose any more"),
        ({"decision": "floor", "round": {"pass_blocked": True}}, "round.pass_blocked: only after"),
        ({"face_up": ["soy"]}, "face_up: no cards are face up at plant"),
        ({"decision": "floor", "face_up": ["soy"] * 3}, "face_up: 3 cards, but 2 at most"),
        ({"offer": ["soy"]}, "offer: cards are left to the opponent only in a duel"),
        ({"removed": ["soy"]}, "removed: no coins leave the game"),
        ({"exhaustions": 2}, "exhaustions: the last exhaustion is over"),
        ({"deck": []}, "exhaustions: 0, but the deck is exhausted"),
        ({"deck": ["soy"], "deck_top": ["soy"]}, "deck_top: cannot be given beside deck"),
        ({"over": True}, "over: the last exhaustion has not come"),
        ({"over": True, "decision": "plant"}, "over: true, but the decision is 'plant'"),
        ({"turned_up": {"soy": 1}}, "turned_up: cannot be given where the deck is shuffled"),
        ({"standing": {"proposer": 0, "to": 1}}, "standing: given at plant"),
        ({"event_count": 3}, "events: expected the last 3 of 3 events, got 0"),
    ],
)
def test_what_cannot_be(keys, words):
    assert any(fault.startswith(words) for fault in faults_of(small(**keys)))


def test_a_hand_beyond_the_action_space_is_refused():
    rules = {"edition": "rio_grande", "players": 4}
    beans = ["wax"] * 22 + ["blue"] * 20 + ["chili"] * 18
    data = {"format": "bohnanza-position/1", "rules": rules}
    assert "room for 48" in only_fault({**data, "players": [{"hand": beans[:50]}]})
    assert "could become more" in only_fault({**data, "players": [{"hand": beans[:47]}]})
    assert read_position({**data, "players": [{"hand": beans[:12]}]}).decision == Decision.PLANT


STANDING = {"proposer": 0, "to": 1, "offer": {"soy": 1}, "request": {"red": 1}}


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"standing": {**STANDING, "offer": {"soy": 2}}}, "standing.offer.soy: 2, but the prop"),
        ({"standing": {**STANDING, "request": {"red": 2}}}, "standing.request: 2 cards, 1 at"),
        ({"standing": {**STANDING, "to": 0}}, "standing.to: the proposer"),
        ({"standing": {**STANDING, "proposer": 1, "to": 2}}, "standing: the active player 0 is"),
        ({"standing": {**STANDING, "offer": {}, "request": {}}}, "standing: a proposal needs"),
        ({"standing": {**STANDING, "counter": True}}, "standing.counter: the proposal before"),
        ({"standing": {**STANDING, "partner": 1}}, "standing.partner: nobody has accepted yet"),
        ({"standing": {"to": 1}}, "standing.proposer: missing"),
        ({"standing": STANDING, "round": {"open": True}}, "round.open: a round is"),
        ({"standing": STANDING, "to_act": 2}, "to_act: player 1 answers next"),
        ({"standing": STANDING, "decision": "choose"}, "standing.answers[1]: missing"),
        ({"standing": STANDING, "decision": "give"}, "standing.answers[1]: missing"),
        (
            {"standing": {**STANDING, "answers": [None, "accept", None]}, "decision": "give"},
            "standing.copies: no choice of copies is left",
        ),
        (
            {"standing": STANDING, "settled": [STANDING]},
            "settled[0].answers[1]: missing",
        ),
        (
            {"standing": STANDING, "players": [{"hand": ["soy"], "proposals_left": 4}]},
            "players[0].proposals_left: 4 of 4 (R33) and 1 made are too many",
        ),
    ],
)
def test_proposals_that_cannot_be(keys, words):
    keys = {"decision": "respond", **keys}
    faults = faults_of(small(**keys))
    assert any(fault.startswith(words) for fault in faults), faults


# Fuzzing -------------------------------------------------------------------------------------

SOURCES = [
    write_position(game_at(decision))
    for decision in (Decision.GIVE, Decision.CHOOSE, Decision.RESPOND, Decision.WINDOW)
] + [write_position(game_at(Decision.FACEUP, "duel", 2))]

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([2**63, 2**64, 10**30, 0.5, float("nan"), "", "soy", "table", "plant"]),
    st.lists(st.integers(0, 3) | st.sampled_from(["soy", "red"]), max_size=3),
    st.dictionaries(st.sampled_from(["soy", "bean", "count", "to"]), st.integers(-1, 4)),
)


def containers(value: Any) -> list[Any]:
    """The lists and objects of a document that are not empty."""
    inner = value.values() if isinstance(value, dict) else value
    found = [value] if value else []
    for entry in inner:
        if isinstance(entry, dict | list):
            found += containers(entry)
    return found


@given(st.data())
@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
def test_damaged_positions_raise_the_typed_error_or_can_be_played(data):
    document = deepcopy(data.draw(st.sampled_from(SOURCES)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.sampled_from(containers(document)))
        key = data.draw(
            st.sampled_from(sorted(place))
            if isinstance(place, dict)
            else st.integers(0, len(place) - 1)
        )
        kind = data.draw(st.sampled_from(["replace", "remove", "repeat"]))
        if kind == "replace":
            place[key] = data.draw(VALUES)
        elif kind == "remove":
            del place[key]
        elif isinstance(place, list):
            place.insert(key, place[key])
        else:
            place[f"{key}_"] = place[key]
    try:
        game = read_position(document)
    except PositionError:
        return
    assert record_bytes(through_json(game)) == record_bytes(game)
    rng = np.random.default_rng(0)
    for _ in range(200):
        if game.over:
            break
        game.step(random_action(game, rng))
