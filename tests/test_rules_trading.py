"""Deals: R9–R11, what is composed, answered and given: R30–R32; E1."""

from __future__ import annotations

from support import Table, seat, table

from bohnanza_env.engine.rules import Rules


def floor(*seats: dict, **keys) -> Table:
    return table(*seats, decision="floor", **keys)


def worked_turn() -> Table:
    """E1 from its beginning."""
    return table(
        seat("blue chili stink red soy", "blue*2 red*2"),
        seat("stink blue red chili blue", "chili*2 soy*2"),
        deck_top="red soy blue red chili",
    )


DEAL = ["0: propose 1", "0: offer chili", "0: offer soy", "0: request red", "0: submit"]


def test_e1_a_whole_turn():
    game = worked_turn().play("0: plant blue 0", "0: pass")
    assert (game.fields(0), game.face_up) == ("blue*3 red*2", "soy red")
    game.play(*DEAL, "1: accept")
    assert game.asked == ("give", 0)  # the soy in the hand or the one face up
    assert game.legal == {"give hand 3", "give face_up 1"}
    game.play("0: give face_up 1")
    assert game.hand(0) == "stink red soy"
    assert game.hand(1) == "stink blue chili blue"
    assert (game.set_aside(0), game.set_aside(1)) == ("red", "chili soy")
    assert game.face_up == "red"
    game.play("0: pass", "1: pass", "2: pass", "3: pass", "0: end_trading")
    assert game.set_aside(0) == "red red"
    game.play("0: plant red 1", "0: plant red 1", "1: plant chili 0", "1: plant soy 1")
    assert game.fields(0) == "blue*3 red*4"
    assert game.fields(1) == "chili*3 soy*3"
    assert game.hand(0) == "stink red soy blue red chili"
    assert game.asked == ("plant", 1)
    assert game.game.scores == [0, 0, 0, 0]
    assert game.discard == ""


def test_r9_two_cards_are_turned_up_for_trading_and_never_enter_a_hand():
    game = worked_turn().play("0: plant blue 0", "0: pass")
    assert game.asked == ("floor", 0)
    assert game.face_up.split() == ["soy", "red"]
    assert game.hand(0) == "chili stink red soy"


def test_r9_every_deal_has_the_active_player_on_one_side():
    game = floor(seat("blue"), seat("chili"), seat("soy"), seat("red"), active=2, to_act=2)
    assert game.legal_words("propose") == {
        *("propose 0", "propose 1", "propose 3", "propose table"),
    }
    game.play("2: pass")
    assert game.asked == ("floor", 3)
    assert game.legal_words("propose") == {"propose 2"}


def test_r9_what_may_be_given():
    """Hand cards of any position, face-up ones by the active player; nothing planted, set aside
    or earned.
    """
    before = seat("blue soy", "chili*2 -", coins="stink", set_aside="red")
    game = floor(before, seat("black_eyed"), face_up="green garden")
    game.play("0: propose 1")
    assert game.legal_words("offer") == {"offer blue", "offer soy", "offer green", "offer garden"}
    game.play("0: withdraw", "0: pass", "1: propose 0")
    assert game.legal_words("offer") == {"offer black_eyed"}


def test_r9_gifts_and_pleas():
    game = floor(seat("blue"), seat("chili"), face_up="soy")
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: accept")
    assert (game.hand(0), game.set_aside(1)) == ("", "blue")
    game.play("0: propose 1", "0: request chili", "0: submit", "1: accept")
    assert (game.hand(1), game.set_aside(0)) == ("", "chili")


def test_r9_any_number_against_any_number():
    game = floor(seat("blue blue red"), seat("soy"), face_up="green")
    game.play("0: propose 1", "0: offer blue", "0: offer blue", "0: offer green", "0: offer red")
    game.play("0: request soy", "0: submit", "1: accept")
    assert (game.set_aside(0), game.set_aside(1)) == ("soy", "blue blue green red")
    assert (game.hand(0), game.hand(1), game.face_up) == ("", "", "")


def test_r10_received_cards_are_set_aside_and_not_planted_in_phase_2():
    game = floor(seat("blue", "chili*2 -"), seat("chili", "blue*2 -"), face_up="soy")
    game.play("0: propose 1", "0: offer blue", "0: request chili", "0: submit", "1: accept")
    assert (game.hand(0), game.hand(1)) == ("", "")
    assert (game.set_aside(0), game.set_aside(1)) == ("chili", "blue")
    assert (game.fields(0), game.fields(1)) == ("chili*2 -", "blue*2 -")
    assert game.asked == ("floor", 0)
    assert not game.legal_words("plant")


def test_r10_what_was_received_is_not_traded_on():
    game = floor(seat("blue"), seat("chili"), seat("red"), face_up="soy")
    game.play("0: propose 1", "0: offer blue", "0: request chili", "0: submit", "1: accept")
    game.play("0: propose 2")
    assert game.legal_words("offer") == {"offer soy"}


def test_r11_trading_goes_on_without_face_up_cards():
    game = floor(seat("blue"), seat("chili"), face_up="soy red")
    game.play("0: propose 1", "0: offer soy", "0: offer red", "0: submit", "1: accept")
    assert game.face_up == ""
    assert game.asked == ("floor", 0)
    assert "propose 1" in game.legal
    game.play("0: pass", "1: pass", "2: pass", "3: pass")
    game.play("0: end_trading", "1: plant soy 0", "1: plant red 1")
    assert game.asked == ("plant", 1)


def test_r30_beans_in_table_order_and_offers_before_requests():
    game = floor(seat("blue soy soy red"), seat("chili chili green"), face_up="stink")
    game.play("0: propose 1", "0: offer soy")
    assert game.legal_words("offer") == {"offer soy", "offer red"}  # two soy are held
    game.play("0: offer soy")
    assert game.legal_words("offer") == {"offer red"}
    game.play("0: request green")
    assert not game.legal_words("offer")
    assert "request chili" not in game.legal
    assert {"request green", "request garden"} <= game.legal


def test_r30_requests_are_bounded_by_what_is_public():
    game = floor(seat("blue"), seat("chili chili"), face_up="stink soy")
    game.play("0: propose 1", "0: request chili", "0: request red")
    assert not game.legal_words("request")  # seat 1 holds two cards
    game.play("0: withdraw", "0: propose table", "0: request blue", "0: request blue")
    assert not game.legal_words("request")  # the largest hand of the others holds two
    game.play("0: withdraw", "0: pass", "1: propose 0")
    game.play("1: request blue", "1: request blue", "1: request blue")
    assert not game.legal_words("request")  # one card in hand and two face up


def test_r30_requests_are_bounded_by_the_cards_of_the_bean():
    hand = "blue " * 9
    game = floor(seat("soy"), seat(hand), face_up="stink")
    game.play("0: propose 1", *["0: request garden"] * 6)
    assert "request garden" not in game.legal  # there are six


def test_r30_an_empty_proposal_cannot_be_submitted():
    game = floor(seat("blue"), seat("chili"), face_up="stink")
    game.play("0: propose 1")
    assert "submit" not in game.legal
    assert "withdraw" in game.legal
    game.play("0: request red")
    assert {"submit", "withdraw"} <= game.legal


def test_r30_no_proposal_twice_until_a_card_has_moved():
    game = floor(seat("blue blue"), seat("chili"), face_up="stink")
    same = ["0: propose 1", "0: offer blue", "0: request chili"]
    game.play(*same, "0: submit", "1: reject", *same)
    assert "submit" not in game.legal
    game.play("0: withdraw", "0: propose 2", "0: offer blue", "0: submit", "2: accept")
    game.play("0: give hand 0", *same)
    assert "submit" in game.legal


def test_r30_proposals_of_another_do_not_count():
    game = floor(seat("blue"), seat("chili"), face_up="stink")
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: reject", "0: pass", "1: propose 0")
    game.play("1: offer chili")
    assert "submit" in game.legal


def test_r31_accept_is_legal_exactly_when_the_responder_holds_it():
    game = floor(seat("blue"), seat("chili chili"), face_up="stink")
    game.play("0: propose 1", "0: request chili", "0: request chili", "0: submit")
    assert game.legal == {"accept", "reject", "counter"}
    game.play("1: reject", "0: propose 1", "0: request chili", "0: request soy", "0: submit")
    assert game.legal == {"reject", "counter"}


def test_r31_the_active_player_may_accept_with_face_up_cards():
    game = floor(seat("blue"), seat("chili"), face_up="stink")
    game.play("0: pass", "1: propose 0", "1: request blue", "1: request stink", "1: submit")
    assert "accept" in game.legal
    game.play("0: accept")
    assert (game.hand(0), game.face_up, game.set_aside(1)) == ("", "", "blue stink")


def test_r31_one_counter_an_exchange():
    game = floor(seat("blue"), seat("chili"), face_up="stink")
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: counter")
    assert game.asked == ("compose", 1)
    game.play("1: request stink", "1: submit")
    assert game.asked == ("respond", 0)
    assert game.legal == {"accept", "reject"}
    game.play("0: accept")
    assert (game.set_aside(1), game.hand(0)) == ("stink", "blue")
    assert game.asked == ("floor", 0)


def test_r31_a_refused_proposal_cannot_be_accepted_later():
    game = floor(seat("blue"), seat("chili"), face_up="stink")
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: reject", "0: pass")
    assert game.asked == ("floor", 1)
    assert game.legal == {"propose 0", "pass"}


def test_r31_table_asks_all_clockwise_and_hides_answers_until_all_are_given():
    game = floor(seat("blue"), seat("chili"), seat("chili"), seat("red"), active=0, face_up="soy")
    game.play("0: propose table", "0: offer blue", "0: request chili", "0: submit")
    assert (game.asked, game.legal) == (("respond", 1), {"accept", "reject"})
    game.play("1: accept")
    assert game.asked == ("respond", 2)
    assert game.record["answers"].tolist()[:4] == [0, 0, 0, 0]
    game.play("2: reject")
    assert (game.asked, game.legal) == (("respond", 3), {"reject"})  # asked all the same
    game.play("3: reject")
    assert game.set_aside(1) == "blue"  # one accepts: done


def test_r31_table_with_several_acceptances_is_the_proposers_choice():
    game = floor(seat("blue"), seat("chili"), seat("red"), seat("chili"), face_up="soy")
    game.play("0: propose table", "0: offer blue", "0: request chili", "0: submit")
    game.play("1: accept", "2: reject", "3: accept")
    assert (game.asked, game.legal) == (("choose", 0), {"choose 1", "choose 3"})
    game.play("0: choose 3")
    assert [game.set_aside(s) for s in range(4)] == ["chili", "", "", "blue"]


def test_r31_table_that_nobody_accepts_is_rejected():
    game = floor(seat("blue"), seat("chili"), face_up="soy")
    game.play(
        "0: propose table", "0: offer blue", "0: submit", *[f"{s}: reject" for s in (1, 2, 3)]
    )
    assert game.asked == ("floor", 0)
    assert game.hand(0) == "blue"


def test_r32_the_middle_copy_can_be_given():
    game = floor(seat("soy blue soy red soy"), seat("chili"), face_up="green")
    game.play("0: propose 1", "0: offer soy", "0: submit", "1: accept")
    assert game.legal == {"give hand 0", "give hand 2", "give hand 4"}
    game.play("0: give hand 2")
    assert game.hand(0) == "soy blue red soy"


def test_r32_positions_rise_and_only_what_can_be_completed_is_offered():
    game = floor(seat("soy blue soy red soy"), seat("chili"), face_up="soy")
    game.play("0: propose 1", *["0: offer soy"] * 3, "0: submit", "1: accept")
    assert game.legal == {"give hand 0", "give hand 2"}  # from hand 4 on there are two copies
    game.play("0: give hand 0")
    assert game.legal == {"give hand 2", "give hand 4"}
    game.play("0: give hand 4")  # the last one can only be the face-up card: not asked
    assert (game.hand(0), game.face_up) == ("blue soy red", "")
    assert game.set_aside(1) == "soy soy soy"


def test_r32_no_question_without_a_choice():
    game = floor(seat("soy blue soy"), seat("chili"), face_up="green")
    game.play("0: propose 1", *["0: offer soy"] * 2, "0: submit", "1: accept")
    assert game.asked == ("floor", 0)
    assert game.hand(0) == "blue"


def test_r32_of_equal_face_up_cards_the_lowest_first():
    game = floor(seat("soy"), seat("chili"), face_up="soy soy")
    game.play("0: propose 1", "0: offer soy", "0: submit", "1: accept")
    assert game.legal == {"give hand 0", "give face_up 0"}
    game.play("0: give hand 0")
    assert (game.hand(0), game.face_up) == ("", "soy soy")


def test_r32_the_proposer_gives_first_then_the_other():
    game = floor(seat("blue soy blue"), seat("red chili red"), face_up="green")
    game.play("0: propose 1", "0: offer blue", "0: request red", "0: submit", "1: accept")
    assert game.asked == ("give", 0)
    game.play("0: give hand 2")
    assert game.asked == ("give", 1)
    assert game.hand(0) == "blue soy blue"  # all cards move at once
    game.play("1: give hand 0")
    assert (game.hand(0), game.hand(1)) == ("blue soy", "chili red")


def test_r35_swap_is_the_whole_sequence():
    rules = Rules.of("amigo", 4, protocol="compact")
    game = floor(seat("soy blue soy"), seat("red chili red"), face_up="green soy", rules=rules)
    assert {"swap 1 soy red", "swap 1 soy -", "swap 1 - red", "swap 3 green -"} <= game.legal
    assert (
        not {"swap 1 soy soy", "swap 1 - -", "swap 1 chili red", "swap table soy red"} & game.legal
    )
    assert "swap 3 green garden" not in game.legal  # seat 3 has no card to be asked for
    game.play("0: swap 1 soy red")
    assert game.legal == {"accept", "reject"}
    game.play("1: accept")  # copies by rule: the face-up soy, the red nearest the front
    assert (game.hand(0), game.face_up, game.hand(1)) == ("soy blue soy", "green", "chili red")
    game.play("0: swap 1 soy red", "1: accept")
    assert (game.hand(0), game.hand(1)) == ("blue soy", "chili")


def test_r35_refused_swaps_are_not_made_again():
    rules = Rules.of("amigo", 4, protocol="compact")
    game = floor(seat("soy blue"), seat("red"), face_up="green", rules=rules)
    game.play("0: swap 1 soy red", "1: reject")
    assert "swap 1 soy red" not in game.legal
    assert {"swap 2 soy -", "swap 1 blue red"} <= game.legal
