"""Planting in phases 1 and 3: R7, R8, R12, R17, R18."""

from __future__ import annotations

import pytest
from support import seat, table

from bohnanza_env.engine.rules import Rules


def test_r7_the_front_card_must_be_planted():
    game = table(seat("blue chili soy", "- -"), decision="plant")
    assert game.asked == ("plant", 0)
    assert game.legal == {"plant blue 0", "plant blue 1"}


def test_r7_the_new_front_card_may_be_planted_never_a_third():
    game = table(seat("blue chili soy red", "- -"), decision="plant")
    game.play("0: plant blue 0")
    assert game.legal == {"plant chili 1", "pass", "harvest 0"}
    game.play("0: plant chili 1")
    assert game.asked == ("floor", 0)
    assert game.hand(0) == "soy red"


def test_r7_the_second_card_may_be_kept():
    game = table(seat("blue chili soy", "- -"), decision="plant")
    game.play("0: plant blue 1", "0: pass")
    assert game.asked == ("floor", 0)
    assert (game.hand(0), game.fields(0)) == ("chili soy", "- blue*1")


def test_r7_an_empty_hand_skips_the_phase_not_the_turn():
    game = table(
        seat("blue"),
        seat(""),
        seat("", set_aside="red"),
        rules=Rules.of("amigo", 3),
        decision="plant_set_aside",
        active=2,
        deck_top="soy soy soy green stink",
    )
    game.play("2: plant red 0", "0: plant blue 0")
    assert game.asked == ("floor", 0)  # its hand is empty after one card: phase 1 is over
    game.play("0: pass", "1: pass", "2: pass", "0: end_trading")
    game.play("0: plant green 1", "0: plant stink 2")
    assert game.asked == ("floor", 1)  # drew nothing before: straight to the reveal
    assert game.face_up != ""


def test_r8_any_own_field_that_is_empty_or_holds_the_bean():
    rules = Rules.of("amigo", 3)
    game = table(seat("blue", "blue*2 chili*2 -"), rules=rules)
    assert game.legal_words("plant") == {"plant blue 0", "plant blue 2"}
    game = table(seat("blue", "blue*2 blue*3 -"), rules=rules)
    assert game.legal_words("plant") == {"plant blue 0", "plant blue 1", "plant blue 2"}


def test_r8_fields_of_the_same_bean_are_harvested_by_themselves():
    game = table(seat("chili", "blue*4 blue*2"))
    game.play("0: harvest 0")
    assert (game.coins(0), game.fields(0), game.discard) == ("blue", "- blue*2", "blue blue blue")


def test_r12_everybody_plants_what_was_traded_the_active_player_first():
    game = table(
        seat("", set_aside="red"),
        seat("", "- soy*1", set_aside="soy blue"),
        seat(""),
        seat("", set_aside="green green"),
        decision="plant_set_aside",
        active=1,
        to_act=1,
    )
    assert game.legal == {
        *("plant blue 0", "plant soy 0", "plant soy 1"),  # in the order the owner chooses
        "harvest 1",
    }
    game.play("1: plant soy 1", "1: plant blue 0", "3: plant green 0", "3: plant green 1")
    assert game.asked == ("plant_set_aside", 0)
    game.play("0: plant red 1")
    assert game.asked[0] != "plant_set_aside"
    assert [game.fields(s) for s in (0, 1, 3)] == ["- red*1", "blue*1 soy*2", "green*1 green*1"]


def test_r12_nothing_is_kept():
    """All set-aside cards must be planted: there is no pass."""
    game = table(seat("", set_aside="red"), decision="plant_set_aside")
    assert game.legal == {"plant red 0", "plant red 1"}


def test_r17_a_harvest_need_not_be_forced():
    game = table(seat("chili", "blue*4 -"))
    game.play("0: harvest 0", "0: plant chili 0")
    assert (game.coins(0), game.fields(0)) == ("blue", "chili*1 -")


def test_r18_a_card_that_fits_nowhere_forces_a_harvest():
    game = table(seat("chili blue", "blue*3 red*2"))
    assert game.legal == {"harvest 0", "harvest 1"}
    game.play("0: harvest 1")
    assert game.legal == {"plant chili 1", "harvest 0"}  # harvesting does not dodge the planting


@pytest.mark.parametrize("fields", ["blue*1 red*1", "blue*2 red*1", "blue*1 red*8", "blue*5 red*5"])
def test_r18_protection_never_blocks_a_forced_harvest(fields: str):
    game = table(seat("chili", fields))
    assert game.legal_words("harvest")
    assert game.legal == game.legal_words("harvest")


def test_r18_the_third_field_is_another_way_out():
    game = table(seat("chili", "blue*2 red*1", coins="soy soy green"), rules=Rules.of("classic", 4))
    assert game.legal == {"harvest 0", "buy_field"}
    game.play("0: buy_field", "0: plant chili 2")
    assert game.fields(0) == "blue*2 red*1 chili*1"


def test_e3_red_first():
    game = table(seat("", "red*5 black_eyed*1", set_aside="red soy"), decision="plant_set_aside")
    assert game.legal == {"plant red 0", "harvest 0"}
    game.play("0: plant red 0")
    assert game.legal == {"harvest 0"}
    game.play("0: harvest 0")
    assert game.coins(0) == "red red red red"
    assert game.discard == "red red"
    game.play("0: plant soy 0")
    assert game.fields(0) == "soy*1 black_eyed*1"


def test_e3_soy_first():
    game = table(seat("", "red*5 black_eyed*1", set_aside="red soy"), decision="plant_set_aside")
    game.play("0: harvest 0")
    assert (game.coins(0), game.discard) == ("red red red red", "red")
    game.play("0: plant soy 0")
    assert game.legal == {"harvest 0", "harvest 1"}  # red forces one of two singles out, for 0
    game.play("0: harvest 0", "0: plant red 0")
    assert game.coins(0) == "red red red red"
    assert game.fields(0) == "red*1 black_eyed*1"
