"""Positions that cannot be: every fault with its place, and nothing is loaded."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from positions import (
    faults_of,
    game_at,
    only_fault,
    random_action,
    record_bytes,
    small,
    through_json,
)

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.invariants import invariants
from bohnanza_env.position import PositionError, read_position, write_position

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
        (
            {"decision": "floor", "players": [{"hand": ["soy"], "passed": True}]},
            "players[0].passed: the active player is not asked in a round",
        ),
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


def complaints(game: Game) -> list[str]:
    """What is wrong with a game; any number of shuffles may be given in a position."""
    found = invariants(game.rules, game.state)
    return [complaint for complaint in found if not complaint.startswith("shuffles: ")]


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
    assert not complaints(game)
    rng = np.random.default_rng(0)
    for _ in range(100):
        if game.over:
            break
        game.step(random_action(game, rng))
    assert not complaints(game)
