"""Harvests: R14–R16, R36."""

from __future__ import annotations

import pytest
from support import seat, table

from bohnanza_env.engine.rules import Rules


@pytest.mark.parametrize(
    ("fields", "allowed"),
    [
        ("blue*1 red*4", {"harvest 1"}),
        ("blue*1 red*1", {"harvest 0", "harvest 1"}),
        ("blue*1 -", {"harvest 0"}),
        ("blue*2 red*2", {"harvest 0", "harvest 1"}),
        ("- -", set()),
        ("blue*1 red*1 soy*4", {"harvest 2"}),
        ("blue*1 red*1 -", {"harvest 0", "harvest 1"}),
        ("blue*1 red*2 soy*3", {"harvest 1", "harvest 2"}),
    ],
)
def test_r16_protection(fields: str, allowed: set[str]):
    number = len(fields.split())
    neighbour = " ".join(["green*5", *["-"] * (number - 1)])  # the fields of others do not matter
    rules = Rules.of("amigo", 3, fields=number)
    game = table(seat("chili chili", fields), seat("", neighbour), rules=rules)
    assert game.legal_words("harvest") == allowed


def test_r15_the_whole_field_for_nothing_is_legal():
    game = table(seat("chili", "blue*3 -"))
    game.play("0: harvest 0")
    assert (game.coins(0), game.discard, game.fields(0)) == ("", "blue blue blue", "- -")


def test_r15_nothing_stays_in_the_field():
    """Fourteen blue beans pay 4 and all others are discarded."""
    game = table(seat("chili", "blue*14 -"))
    game.play("0: harvest 0")
    assert game.coins(0) == "blue blue blue blue"
    assert game.discard.split() == ["blue"] * 10
    assert game.fields(0) == "- -"


def test_r14_harvests_at_every_decision_of_the_player():
    game = table(
        seat("chili stink", "blue*4 -"), seat("soy", "red*2 -"), decision="floor", face_up="green"
    )
    assert "harvest 0" in game.legal
    game.play("0: harvest 0")
    assert game.asked == ("floor", 0)  # and the decision is asked again
    game.play("0: propose 1", "0: offer chili", "0: submit")
    assert "harvest 0" in game.legal  # respond, out of the own turn
    game.play("1: harvest 0", "1: reject")
    assert game.coins(1) == "red"


def test_r14_never_while_composing_choosing_or_giving():
    game = table(
        seat("chili blue chili", "blue*4 -"),
        seat("soy", "red*2 -"),
        seat("soy"),
        decision="floor",
        face_up="chili",
    )
    game.play("0: propose table", "0: offer chili", "0: request soy")
    assert not game.legal_words("harvest")
    game.play("0: submit", "1: accept", "2: accept", "3: reject")
    assert game.legal == {"choose 1", "choose 2"}
    game.play("0: choose 2")
    assert game.legal == {"give hand 0", "give hand 2", "give face_up 0"}


def test_r14_in_the_round_of_another_turn():
    game = table(seat("chili", "- -"), seat("", "red*2 -"), decision="floor", deck_top="blue")
    game.play("0: pass")
    assert game.asked == ("floor", 1)
    assert "harvest 0" in game.legal


WHEN_NEEDED = Rules.of("amigo", 4, harvest="when_needed")


def test_r36_only_where_nothing_fits():
    game = table(seat("chili chili", "blue*4 -"), rules=WHEN_NEEDED)
    assert game.legal == {"plant chili 1"}
    game = table(seat("chili chili", "blue*4 red*1"), rules=WHEN_NEEDED)
    assert game.legal == {"harvest 0"}


def test_r36_not_while_one_set_aside_card_still_fits():
    game = table(
        seat("", "red*5 black_eyed*1", set_aside="red soy"),
        rules=WHEN_NEEDED,
        decision="plant_set_aside",
    )
    assert game.legal == {"plant red 0"}
    game.play("0: plant red 0")
    assert game.legal == {"harvest 0"}


def test_r36_not_on_the_floor_but_purchases_are():
    rules = Rules.of("classic", 4, harvest="when_needed")
    game = table(
        seat("chili", "blue*4 -", coins="red red red"), rules=rules, decision="floor", face_up="soy"
    )
    assert not game.legal_words("harvest")
    assert "buy_field" in game.legal


def test_r36_a_second_card_that_fits_nowhere():
    game = table(seat("blue chili", "blue*4 red*1"), rules=WHEN_NEEDED)
    game.play("0: plant blue 0")
    assert game.legal == {"pass", "harvest 0"}
