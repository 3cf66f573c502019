"""The game for two: R28 (R26 stands with the third field)."""

from __future__ import annotations

from support import Table, seat, table

from bohnanza_env.engine.rules import Rules

DUEL = Rules.of("duel", 2)


def duel(*seats: dict, **keys) -> Table:
    return table(*seats, **{"rules": DUEL, **keys})


def test_r28_a_duel_starts_with_planting_and_five_cards_each():
    game = Table.new("duel", 2)
    assert game.asked == ("plant", 0)  # nobody has left an offer
    assert [len(game.hand(s).split()) for s in (0, 1)] == [5, 5]


def test_r28_1_the_offer_is_planted_or_discarded_one_by_one():
    game = duel(seat("wax", "soy*2 -"), decision="offer_in", offer="soy red red")
    assert game.legal == {
        *("plant soy 0", "plant soy 1", "plant red 1"),
        *("discard soy", "discard red", "harvest 0"),
    }
    game.play("0: discard red", "0: plant soy 0", "0: plant red 1")
    assert (game.fields(0), game.discard, game.offer) == ("soy*3 red*1", "red", "")
    assert game.asked == ("plant", 0)


def test_r28_1_a_card_that_fits_nowhere_may_be_discarded():
    game = duel(seat("wax", "soy*2 blue*1"), decision="offer_in", offer="red")
    assert game.legal == {"discard red", "harvest 0"}


def test_r28_2_one_card_from_anywhere_in_the_hand_may_be_discarded():
    game = duel(seat("wax blue chili soy"), decision="plant", deck_top="red stink green")
    game.play("0: plant wax 0", "0: pass")
    assert game.asked == ("discard", 0)
    assert game.legal == {
        *("discard hand 0", "discard hand 1", "discard hand 2", "pass", "harvest 0"),
    }
    game.play("0: discard hand 1")
    assert (game.hand(0), game.discard) == ("blue soy", "chili")
    assert game.asked == ("faceup", 0)


def test_r28_2_not_asked_with_an_empty_hand():
    game = duel(seat("wax"), decision="plant", deck_top="red stink green")
    game.play("0: plant wax 0")
    assert game.asked == ("faceup", 0)


def test_r28_3_matching_cards_on_top_of_the_discard_pile_are_taken():
    game = duel(
        seat("wax"),
        decision="plant",
        deck_top="red stink green",
        discard="red soy green red red",
    )
    game.play("0: plant wax 0")
    assert game.face_up == "stink green green red red red"  # soy stops it
    assert game.discard == "red soy"


def test_r28_3_taken_or_left_to_the_opponent():
    game = duel(seat("wax"), seat("blue"), decision="plant", deck_top="red stink red soy chili")
    game.play("0: plant wax 0")
    assert game.legal == {"plant stink 1", "plant red 1", "pass", "harvest 0"}
    game.play("0: plant red 1", "0: plant red 1", "0: pass")
    assert game.hand(0) == "soy chili"  # (4): two cards
    assert game.asked == ("offer_in", 1)
    assert game.offer == "stink"


def test_r28_3_over_by_itself_when_no_card_is_left():
    rules = Rules.of("duel", 2, reveal=1)
    game = duel(seat("wax"), seat("blue"), rules=rules, deck_top="red soy chili")
    game.play("0: plant wax 0", "0: plant red 1")
    assert game.asked == ("plant", 1)  # nothing was left as an offer
    assert game.hand(0) == "soy chili"


def test_r28_no_trading_and_no_harvest_in_the_turn_of_the_other():
    game = Table.new("duel", 2)
    assert not {"propose", "accept", "swap", "end_trading"} & {b.name for b in game.space.blocks}
    seats = set()
    while not game.game.over and game.record["turn"] < 6:
        seats.add((int(game.record["active"]), game.to_act))
        game.play(f"{game.to_act}: {sorted(game.legal)[0]}")
    assert seats <= {(0, 0), (1, 1)}


def small_duel(deck: str, *seats: dict, **keys) -> Table:
    rules = Rules.of("duel", 2, beans={"soy": 6, "red": 8}, first_hands=(1, 1))
    return duel(*seats, rules=rules, deck=deck, **keys)


def test_r28_an_exhaustion_in_3_shows_what_is_there_finishes_and_ends():
    game = small_duel("red", seat("soy soy"), seat("", "red*7 -"), discard="soy soy soy soy")
    game.play("0: plant soy 0", "0: pass", "0: pass")
    assert (game.asked, game.face_up) == (("faceup", 0), "red")
    game.play("0: pass")
    assert game.game.over
    assert (game.hand(0), game.offer) == ("soy", "red")  # the offer left counts nothing
    assert game.game.scores == [0, 4]


def test_r28_an_exhaustion_in_4_ends_at_once():
    keys = {"discard": "soy soy soy soy", "decision": "faceup", "face_up": "red"}
    game = small_duel("red soy", seat("soy"), seat("", "red*6 -"), **keys)
    game.play("0: plant red 0")
    assert game.game.over
    assert game.hand(0) == "soy red soy"
    assert game.exhaustions == 1
