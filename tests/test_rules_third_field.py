"""The third field, bought or gained: R24–R27; E4."""

from __future__ import annotations

import pytest
from support import Table, seat, table

from bohnanza_env.engine.rules import Rules

CLASSIC = Rules.of("classic", 4)
FIELD_BEANS = Rules.of("field_beans", 4)


def test_e4_the_top_coins_pay_top_first():
    game = table(seat("chili", coins="blue blue soy red red"), rules=CLASSIC)
    game.play("0: buy_field")
    assert game.discard == "red red soy"
    assert game.coins(0) == "blue blue"
    assert game.fields(0) == "- - -"


def test_r24_usable_at_once_and_sold_once():
    coins = "blue " * 9
    game = table(seat("chili", "blue*2 soy*1", coins=coins), rules=CLASSIC)
    game.play("0: buy_field")
    assert game.legal == {"plant chili 2", "harvest 0"}  # six coins are left, yet no more fields


def test_r24_not_for_less_than_the_price():
    assert "buy_field" not in table(seat("chili", coins="red red"), rules=CLASSIC).legal
    assert "buy_field" in table(seat("chili", coins="red red red"), rules=CLASSIC).legal


def test_r24_rio_grande_for_six_asks_two_coins():
    rules = Rules.of("rio_grande", 6)
    game = table(seat("chili", coins="soy red wax"), rules=rules)
    game.play("0: buy_field")
    assert (game.coins(0), game.discard) == ("soy", "wax red")
    assert "buy_field" not in table(seat("chili", coins="red"), rules=rules).legal


@pytest.mark.parametrize(
    ("edition", "players"),
    [("amigo", 3), ("amigo", 4), ("rio_grande", 3), ("new_beans", 5), ("field_beans", 4)],
)
def test_r24_not_sold_elsewhere(edition: str, players: int):
    game = table(seat("chili", coins="red red red red"), rules=Rules.of(edition, players))
    assert "buy_field" not in game.legal
    with pytest.raises(ValueError, match="buy_field"):
        game.space.index("buy_field", 0)


def test_r24_any_player_at_any_time():
    """In another player's round, when answering, planting what was traded, in a window."""
    rules = Rules.of("classic", 4, window="always")
    rich = seat("soy", "blue*2 -", coins="red red red")
    game = table(seat("chili"), rich, rules=rules, decision="floor", face_up="green stink")
    assert "buy_field" not in game.legal
    game.play("0: propose 1", "0: offer green", "0: submit")
    assert "buy_field" in game.legal
    game.play("1: accept", "0: pass")
    assert "buy_field" in game.legal
    game.play("1: pass", "2: pass", "3: pass", "0: end_trading", "0: plant stink 0")
    assert (game.asked, "buy_field" in game.legal) == (("plant_set_aside", 1), True)
    game.play("1: plant green 1", "0: pass")
    assert (game.asked, "buy_field" in game.legal) == (("window", 1), True)
    game.play("1: buy_field")
    assert game.fields(1) == "blue*2 green*1 -"
    assert game.discard == "red red red"


def test_r26_a_duels_price_leaves_the_game():
    game = table(seat("chili", coins="soy red red red"), rules=Rules.of("duel", 2))
    game.play("0: buy_field")
    assert (game.removed, game.discard, game.coins(0)) == ("red red red", "", "soy")
    assert game.all_cards() == game.game.rules.beans


def test_r27_exactly_two_field_beans_gain_the_field_at_once():
    game = table(seat("chili", "field*2 soy*3"), rules=FIELD_BEANS)
    game.play("0: harvest 0")
    assert game.fields(0) == "- soy*3 -"
    assert (game.coins(0), game.discard) == ("", "field field")
    game.play("0: plant chili 2")
    assert game.fields(0) == "- soy*3 chili*1"


def test_r27_with_three_fields_two_field_beans_earn_nothing():
    game = table(seat("chili", "field*2 soy*3 -"), rules=FIELD_BEANS)
    game.play("0: harvest 0")
    assert (game.fields(0), game.coins(0), game.discard) == ("- soy*3 -", "", "field field")


@pytest.mark.parametrize("fields", ["field*3 -", "field*3 soy*2"])
def test_r27_three_earn_three_coins_and_no_field(fields: str):
    game = table(seat("chili", fields), rules=FIELD_BEANS)
    game.play("0: harvest 0")
    assert game.coins(0) == "field field field"
    assert len(game.fields(0).split()) == 2


def test_r27_one_earns_nothing():
    game = table(seat("chili", "field*1 -"), rules=FIELD_BEANS)
    game.play("0: harvest 0")
    assert (game.fields(0), game.coins(0), game.discard) == ("- -", "", "field")


def test_r27_nothing_is_gained_in_the_final_harvest():
    rules = Rules.of("field_beans", 4, beans={"soy": 12, "field": 3}, first_hands=(1,) * 4)
    game = table(
        seat("", "field*2 -", set_aside="soy"),
        seat("", "soy*9 -"),
        rules=rules,
        decision="plant_set_aside",
        deck="soy",
        discard="soy field",
        exhaustions=2,
    )
    game.play("0: plant soy 1")
    assert game.game.over
    assert game.game.scores == [0, 4, 0, 0]
    assert game.fields(0) == "- -"


def test_r25_a_bought_field_is_paid_in_beans_not_from_nowhere():
    game = Table.new("classic", 4)
    before = game.all_cards()
    rich = table(seat("chili", coins="garden red soy"), rules=CLASSIC)
    rich.play("0: buy_field")
    assert rich.all_cards() == before
    assert rich.discard == "soy red garden"
