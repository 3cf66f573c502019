"""Cases: the shared ones hold, wrong ones say what differs, and what is no case is one error."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bohnanza_env.position import CaseError, read_case, run_case

FILES = sorted((Path(__file__).parent / "cases").glob("**/*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_case_holds(path):
    assert run_case(read_case(path)) == []


def test_there_are_cases():
    assert len(FILES) >= 8


def case(**keys: Any) -> dict[str, Any]:
    position = {
        "format": "bohnanza-position/1",
        "rules": {"edition": "mini", "players": 3},
        "deck_top": ["garden", "garden"],
        "players": [{"hand": ["soy", "red"]}, {"hand": ["red"]}],
    }
    return {"format": "bohnanza-case/1", "position": position, **keys}


def only_difference(**keys: Any) -> str:
    differences = run_case(case(**keys))
    assert len(differences) == 1, differences
    return differences[0]


# What holds ----------------------------------------------------------------------------------


def test_plays_are_followed_by_what_is_expected():
    differences = run_case(
        case(
            play=["0: plant soy 0", "0:  pass", "2: pass", "0: end_trading"],
            expect={
                "decision": "plant_set_aside",
                "to_act": 0,
                "face_up": [],
                "players": [{"set_aside": ["garden", "garden"], "coins": []}, {}],
                "coins": [0, 0, 0],
                "over": False,
                "winners": [],
                "round": {"held": True},
            },
        )
    )
    assert differences == []


def test_actions_are_looked_at_before_any_automatic_pass():
    stated = {"2": ["0: end_trading"]}
    differences = run_case(
        case(
            play=["0: plant soy 0", "0: pass", "2: pass"],
            legal={"1": ["0: pass", "0: plant red 1", "0: harvest 0"], "2": ["0: pass"]},
            illegal={**stated, "3": ["1: end_trading", "0: submit"]},
        )
    )
    assert differences == []


def test_the_exact_set_of_legal_actions():
    legal = {"0": ["0: plant soy 0", "0: plant soy 1"]}
    assert run_case(case(legal=legal, exact=True)) == []
    assert only_difference(legal={"0": ["0: plant soy 0"]}, exact=True) == (
        "after 0: 0: plant soy 1 is legal"
    )


def test_unordered_cards_and_the_first_cards_of_the_deck():
    expect = {"deck_top": ["garden", "garden"], "players": [{"hand": ["soy", "red"]}]}
    assert run_case(case(expect=expect)) == []
    position = case()["position"] | {
        "decision": "plant_set_aside",
        "players": [{"set_aside": ["soy", "red"]}],
    }
    aside = {"players": [{"set_aside": ["red", "soy"]}]}
    assert run_case(case(position=position, expect=aside)) == []


# What differs --------------------------------------------------------------------------------


def test_what_differs_is_named():
    play = ["0: plant soy 0"]
    assert "0: plant soy 3" in only_difference(play=["0: plant soy 3"])
    assert "not legal; legal: plant soy 0" in only_difference(play=["0: plant red 0"])
    assert "plant of seat 0 comes first" in only_difference(play=["1: pass"])
    assert only_difference(legal={"0": ["0: pass"]}) == "after 0: 0: pass is not legal"
    assert only_difference(legal={"0": ["1: plant soy 0"]}).endswith("is not legal")
    assert only_difference(illegal={"1": ["0: pass"]}, play=play) == "after 1: 0: pass is legal"
    assert only_difference(expect={"planted": 1}) == "planted: expected 1, found 0"
    assert (
        only_difference(expect={"coins": [0, 0, 1]}) == "coins: expected [0, 0, 1], found [0, 0, 0]"
    )
    assert only_difference(expect={"players": [{}, {"hand": []}]}) == (
        "players[1].hand: expected [], found ['red']"
    )
    assert only_difference(expect={"players": [{}] * 4}) == "players: expected 4, found 3"
    assert only_difference(expect={"over": 0}) == "over: expected 0, found False"
    assert only_difference(expect={"standing": {"to": 1}}).endswith("found nothing")


def test_a_play_after_the_end():
    position = {
        "format": "bohnanza-position/1",
        "rules": {"edition": "mini", "players": 2},
        "exhaustions": 2,
        "deck": [],
        "decision": "plant_set_aside",
        "players": [{"set_aside": ["soy"]}],
    }
    play = ["0: plant soy 0"]
    assert run_case(case(position=position, play=play, expect={"over": True})) == []
    difference = only_difference(position=position, play=[*play, "1: pass"])
    assert difference == "play 1, 1: pass: the game is over"


# What is no case -----------------------------------------------------------------------------


def test_every_fault_is_listed_with_its_place():
    data = case(
        format="bohnanza-case/2",
        name=3,
        rules=["R1", 2],
        play=["plant soy 0", "0: grow soy", 7],
        legal={"4": [], "x": []},
        illegal=[],
        exact="yes",
        expect={"color": 1, "players": [{"cash": 1}]},
        note="",
    )
    data["position"]["seed"] = -1
    with pytest.raises(CaseError) as caught:
        run_case(data)
    assert str(caught.value).startswith("invalid case: ")
    assert {fault.split(": ")[0] for fault in caught.value.faults} == {
        "format",
        "name",
        "rules[1]",
        "play[0]",
        "play[1]",
        "play[2]",
        "legal.4",
        "legal.x",
        "illegal",
        "exact",
        "expect.color",
        "expect.players[0].cash",
        "note",
        "position.seed",
    }


def test_no_case_at_all():
    for data in (None, [], "case", {}, {"format": "bohnanza-case/1", "position": 1}):
        with pytest.raises(CaseError):
            run_case(data)  # type: ignore[arg-type]


def test_the_file_is_named(tmp_path):
    path = tmp_path / "case.json"
    path.write_text(json.dumps(case())[:-3], encoding="utf-8")
    with pytest.raises(CaseError, match=r"case\.json: no JSON"):
        read_case(path)
    path.write_text(json.dumps(case(play=1)), encoding="utf-8")
    with pytest.raises(CaseError, match=r"case\.json: play: expected a list, got 1"):
        read_case(path)


VALUES = st.one_of(
    st.none(),
    st.integers(-2, 5),
    st.sampled_from(["0: pass", "9: pass", "soy", ":", "", "1", True]),
    st.lists(st.sampled_from(["0: pass", "0: end_trading", 3, None]), max_size=2),
    st.dictionaries(st.sampled_from(["0", "1", "hand", "x"]), st.just([]), max_size=2),
)


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_damaged_cases_raise_the_typed_error_or_say_what_differs(data):
    document = deepcopy(json.loads(data.draw(st.sampled_from(TEXTS))))
    place: Any = document
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(place[key], dict | list) and place[key] and data.draw(st.booleans()):
            place = place[key]
            continue
        break
    if data.draw(st.booleans()):
        place[key] = data.draw(VALUES)
    else:
        del place[key]
    try:
        differences = run_case(document)
    except CaseError:
        return
    assert all(isinstance(difference, str) for difference in differences)


TEXTS = [path.read_text(encoding="utf-8") for path in FILES if path.parent.name == "shared"]
