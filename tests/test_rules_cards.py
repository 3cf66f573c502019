"""Cards, editions and hands: R1–R6."""

from __future__ import annotations

import pytest
from support import Table, seat, table

from bohnanza_env.engine.cards import BEANS
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.errors import RulesError
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

# The printed beanometers: cards for 1, 2, 3 and 4 coins, None where nothing is paid.
PRINTED = {
    "coffee": (24, 4, 7, 10, 12),
    "wax": (22, 4, 7, 9, 11),
    "blue": (20, 4, 6, 8, 10),
    "chili": (18, 3, 6, 8, 9),
    "stink": (16, 3, 5, 7, 8),
    "green": (14, 3, 5, 6, 7),
    "soy": (12, 2, 4, 6, 7),
    "black_eyed": (10, 2, 4, 5, 6),
    "red": (8, 2, 3, 4, 5),
    "garden": (6, None, 2, 3, None),
    "cocoa": (4, None, 2, 3, 4),
    "field": (3, None, None, 3, None),
}
# Coins for 0, 1, 2 … cards of one field.
PAYOUTS = {
    "garden": [0, 0, 2, 3, 3, 3, 3],
    "cocoa": [0, 0, 2, 3, 4],
    "stink": [0, 0, 0, 1, 1, 2, 2, 3, 4, 4],
    "red": [0, 0, 1, 2, 3, 4, 4, 4, 4],
    "soy": [0, 0, 1, 1, 2, 2, 3, 4, 4],
    "field": [0, 0, 0, 3],
    "blue": [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4],
}
ALL_BEANS_RULES = Rules(players=2, beans={b.name: b.cards for b in BEANS if b.name != "coffee"})


def test_r1_card_table_is_the_printed_one():
    table_of_cards = {b.name: (b.cards, *(need or None for need in b.beanometer)) for b in BEANS}
    assert table_of_cards == PRINTED


@pytest.mark.parametrize("bean", PAYOUTS)
def test_r1_harvest_pays_the_highest_tier_reached(bean: str):
    for count, coins in enumerate(PAYOUTS[bean]):
        if count == 0:
            continue
        game = table(seat("wax", f"{bean}*{count} -"), rules=ALL_BEANS_RULES)
        game.play("0: harvest 0")
        assert game.coins(0).split() == [bean] * coins
        assert game.discard.split() == [bean] * (count - coins)


def test_r2_a_coin_is_a_card_turned_over():
    """Seven blue beans pay 2; five go to the discard pile, two become coins."""
    game = table(seat("soy", "blue*7 red*2"))
    before = game.all_cards()
    game.play("0: harvest 0")
    assert game.coins(0) == "blue blue"
    assert game.discard == "blue blue blue blue blue"
    assert game.fields(0) == "- red*2"
    assert game.all_cards() == before == {b: PRINTED[b][0] for b in game.game.rules.beans}


@pytest.mark.parametrize(
    ("edition", "players", "cards"),
    [
        ("amigo", 3, 104),
        ("amigo", 5, 104),
        ("classic", 4, 104),
        ("rio_grande", 3, 150),
        ("rio_grande", 5, 130),
        ("rio_grande", 7, 144),
        ("new_beans", 3, 150),
        ("new_beans", 6, 144),
        ("field_beans", 4, 129),
        ("duel", 2, 144),
    ],
)
def test_r2_decks_have_the_cards_of_the_edition(edition: str, players: int, cards: int):
    assert Table.new(edition, players).all_cards().total() == cards


def test_r3_first_hands_clockwise_from_the_start_player():
    """Rio Grande for six: 3, 4, 5 and then 6 cards, dealt whole from the top."""
    game = Table.new("rio_grande", 6, start=4)
    assert [len(game.hand(s).split()) for s in (4, 5, 0, 1, 2, 3)] == [3, 4, 5, 6, 6, 6]
    same_deck = Table.new("rio_grande", 6, start=0, first_hands=(30, 0, 0, 0, 0, 0))
    dealt = " ".join(game.hand(s) for s in (4, 5, 0, 1, 2, 3))
    assert same_deck.hand(0) == dealt


@pytest.mark.parametrize(
    ("edition", "players"), [("amigo", 2), ("amigo", 6), ("duel", 3), ("field_beans", 3)]
)
def test_r3_numbers_of_players_that_an_edition_does_not_list(edition: str, players: int):
    with pytest.raises(RulesError, match="players"):
        Rules.of(edition, players)


def test_r4_the_start_player_begins():
    for start in range(4):
        assert Table.new("amigo", 4, start=start).asked == ("plant", start)
    assert Table.new("amigo", 4).asked == ("plant", 0)


def test_rules_error_names_every_wrong_field():
    with pytest.raises(RulesError) as error:
        Rules.of("amigo", 4, fields=0, window="never", final_exhaustion=9)
    for name in ("fields", "window", "final_exhaustion"):
        assert name in str(error.value)


def test_first_hands_must_not_use_up_the_deck():
    Rules.of("mini", 3, first_hands=(4, 4, 3))
    with pytest.raises(RulesError, match="first_hands"):
        Rules.of("mini", 3, first_hands=(4, 4, 4))


def test_editions_draw_and_end_differently():
    """No one number of drawn cards or of exhaustions for every edition."""

    def of(edition: str, players: int) -> tuple:
        rules = Rules.of(edition, players)
        return rules.fields, rules.draw, rules.final_exhaustion, rules.field_price, rules.tie

    assert of("amigo", 3) == (3, ("active", 3), 3, 0, "last_clockwise")
    assert of("amigo", 4) == (2, ("active", 3), 3, 0, "last_clockwise")
    assert of("classic", 3) == (2, ("active", 3), 3, 3, "most_hand_cards")
    assert of("rio_grande", 3) == (3, ("active", 3), 2, 0, "most_hand_cards")
    assert of("rio_grande", 5) == (2, ("active", 3), 3, 3, "most_hand_cards")
    assert of("rio_grande", 6) == (2, ("active", 4), 3, 2, "most_hand_cards")
    assert of("new_beans", 3) == (3, ("everyone", 1), 2, 0, "last_clockwise")
    assert of("new_beans", 7) == (2, ("everyone", 1), 3, 0, "last_clockwise")
    assert of("field_beans", 4) == (2, ("everyone", 1), 3, 0, "last_clockwise")
    assert of("duel", 2) == (2, ("active", 2), 1, 3, "most_hand_cards")
    assert of("duel_three_fields", 2) == (3, ("active", 2), 1, 0, "most_hand_cards")
    assert {name for name in EDITIONS if "mini" not in name} == {
        *("amigo", "classic", "rio_grande", "new_beans", "field_beans", "duel"),
        "duel_three_fields",
    }


def test_r5_drawn_cards_go_to_the_back_in_the_order_drawn():
    game = table(
        seat("blue chili", set_aside="red"), decision="plant_set_aside", deck_top="soy red green"
    )
    game.play("0: plant red 0")
    assert game.hand(0) == "blue chili soy red green"


def test_r5_a_card_from_the_middle_closes_the_gap():
    game = table(
        seat("blue chili stink soy"), seat("red"), decision="floor", deck_top="blue", face_up="soy"
    )
    game.play("0: propose 1", "0: offer stink", "0: submit", "1: accept")
    assert game.hand(0) == "blue chili soy"


def test_r6_a_hand_is_not_in_the_views_of_others():
    one, other = Table.new("amigo", 4), Table.new("amigo", 4)
    top = int(one.record.deck_size) - 1
    drawn, held = other.record.deck[top], other.record.hand[1, 2]
    assert drawn != held
    other.record.deck[top], other.record.hand[1, 2] = held, drawn
    other.record.hand_beans[1, held] -= 1
    other.record.hand_beans[1, drawn] += 1
    assert view_of(one.game, 0)["hand_size"][0, 1] == 5
    for who in (0, 2, 3):
        assert view_of(one.game, who).tobytes() == view_of(other.game, who).tobytes()
    assert view_of(one.game, 1).tobytes() != view_of(other.game, 1).tobytes()
