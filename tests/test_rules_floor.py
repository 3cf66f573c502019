"""Who has the floor, and the limits of trading: R29, R33."""

from __future__ import annotations

import pytest
from support import Table, seat, table

from bohnanza_env.engine.rules import Rules

HANDS = [seat("blue"), seat("chili"), seat("stink"), seat("green")]


def floor(*seats: dict, active: int = 0, **keys) -> Table:
    keys.setdefault("face_up", "soy red")
    return table(*seats, decision="floor", active=active, to_act=active, **keys)


def limited(active: int, other: int, **overrides) -> Rules:
    return Rules.of("amigo", 4, active_proposals=active, other_proposals=other, **overrides)


def test_r29_the_active_player_cannot_end_before_a_round():
    game = floor(*HANDS)
    assert game.asked == ("floor", 0)
    assert game.legal == {"propose 1", "propose 2", "propose 3", "propose table", "pass"}
    game.play("0: pass", "1: pass", "2: pass", "3: pass")
    assert game.asked == ("floor", 0)
    assert "end_trading" in game.legal


def test_r29_a_round_goes_clockwise_from_the_active_player():
    game = floor(*HANDS, active=2)
    game.play("2: pass", "3: pass", "0: pass", "1: pass")
    assert game.asked == ("floor", 2)


def test_r29_each_other_player_may_make_one_proposal_to_the_active_one():
    game = floor(*HANDS)
    game.play("0: pass")
    assert game.asked == ("floor", 1)
    assert game.legal == {"propose 0", "pass"}
    game.play("1: propose 0", "1: offer chili", "1: submit", "0: reject")
    assert game.asked == ("floor", 2)  # the next of the round


def test_r29_an_exchange_of_the_active_player_returns_the_floor_to_them():
    game = floor(*HANDS)
    game.play("0: propose 2", "0: offer blue", "0: submit", "2: counter", "2: request soy")
    game.play("2: submit", "0: reject")
    assert game.asked == ("floor", 0)


def test_r29_a_counter_to_another_players_proposal_goes_on_with_the_round():
    game = floor(*HANDS)
    game.play("0: pass", "1: propose 0", "1: offer chili", "1: submit")
    game.play("0: counter", "0: offer soy", "0: submit", "1: accept")
    assert game.set_aside(1) == "soy"
    assert game.asked == ("floor", 2)


def test_r29_after_a_silent_round_no_pass_until_something_is_submitted():
    game = floor(*HANDS)
    game.play("0: pass", "1: propose 0", "1: withdraw", "2: pass", "3: pass")
    assert "pass" not in game.legal
    assert "end_trading" in game.legal
    game.play("0: propose 1", "0: withdraw")
    assert "pass" not in game.legal  # a withdrawn draft was never submitted
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: reject")
    assert "pass" in game.legal


def test_r29_after_a_round_with_a_submission_another_may_follow():
    game = floor(*HANDS)
    game.play("0: pass", "1: propose 0", "1: offer chili", "1: submit", "0: reject")
    game.play("2: pass", "3: pass")
    assert {"pass", "end_trading"} <= game.legal
    game.play("0: pass")
    assert game.asked == ("floor", 2)  # the first one has no proposal left and nothing to sell


def test_r29_who_has_a_harvest_gets_the_floor_without_proposals():
    seats = [seat("blue"), seat("chili"), seat("stink", "green*1 -"), seat("green")]
    game = floor(*seats, rules=limited(3, 0))
    game.play("0: pass")
    assert game.asked == ("floor", 2)
    assert game.legal == {"pass", "harvest 0"}
    game.play("2: pass")
    assert game.asked == ("floor", 0)


def test_r29_no_pass_where_no_round_could_be():
    game = floor(*HANDS, rules=limited(3, 0))
    assert game.legal == {"propose 1", "propose 2", "propose 3", "propose table", "end_trading"}


def test_r29_trading_ends_by_itself_when_nobody_may_propose():
    game = floor(*HANDS, rules=limited(1, 0))
    game.play("0: propose 1", "0: withdraw")
    assert game.asked == ("plant_set_aside", 0)
    assert game.set_aside(0) == "soy red"


def test_r29_nobody_may_propose_without_cards():
    """The last card moves: no deal is possible any more."""
    rules = Rules.of("mini", 2, trade_limit=None)
    game = table(seat("soy"), seat(""), rules=rules, decision="floor", face_up="")
    game.play("0: propose 1", "0: offer soy", "0: submit", "1: accept")
    assert game.asked == ("plant_set_aside", 1)


def test_r29_withdrawing_uses_the_proposal_up():
    game = floor(*HANDS, rules=limited(2, 1))
    game.play("0: propose 1", "0: withdraw", "0: propose 1", "0: withdraw")
    assert game.asked == ("floor", 0)
    assert game.legal == {"pass"}


def test_r33_counters_do_not_count():
    game = floor(*HANDS, rules=limited(1, 1))
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: counter", "1: offer chili")
    game.play("1: submit", "0: reject", "0: pass")
    assert game.asked == ("floor", 1)
    assert "propose 0" in game.legal


def test_r33_default_budgets_and_their_renewal_each_turn():
    game = Table.new("amigo", 4)
    assert game.record["proposals_left"].tolist()[:4] == [6, 1, 1, 1]
    first = game.legal_words("plant").pop()
    game.play(f"0: {first}", "0: pass", "0: propose 1", "0: withdraw")
    assert game.record["proposals_left"].tolist()[:4] == [5, 1, 1, 1]
    while game.record["active"] == 0:
        for word in ("end_trading", "pass", "plant", "harvest"):
            if game.legal_words(word):
                game.play(f"{game.to_act}: {sorted(game.legal_words(word))[0]}")
                break
    assert game.record["proposals_left"].tolist()[:4] == [1, 6, 1, 1]


@pytest.mark.parametrize("limit", [1, 2])
def test_r33_trade_limit_caps_each_side(limit: int):
    seats = [seat("blue chili green"), seat("soy red garden")]
    game = floor(*seats, rules=limited(6, 1, trade_limit=limit))
    game.play("0: propose 1", *["0: offer blue", "0: offer chili"][:limit])
    assert not game.legal_words("offer")
    game.play(*["0: request soy", "0: request red"][:limit])
    assert not game.legal_words("request")
    game.play("0: submit", "1: accept")
    assert game.set_aside(0).split() == ["soy", "red"][:limit]


def test_r33_without_trading_phase_2_is_a_reveal():
    rules = Rules.of("amigo", 4, trading=False)
    game = table(*HANDS, rules=rules, decision="plant", deck_top="soy red")
    game.play("0: plant blue 0")
    assert game.asked == ("plant_set_aside", 0)
    assert game.set_aside(0) == "soy red"


def test_propose_is_illegal_where_no_card_could_move():
    """R30: neither has a card."""
    seats = [seat(""), seat(""), seat("stink"), seat("")]
    game = floor(*seats, face_up="")
    assert game.legal_words("propose") == {"propose 2", "propose table"}
