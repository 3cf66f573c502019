"""Drawing, exhaustions, reshuffles and windows: R13, R19–R21, R34; E5."""

from __future__ import annotations

from support import Table, seat, table

from bohnanza_env.engine.rules import Rules


def small(**overrides) -> Rules:
    """Six soy and eight red beans, two players."""
    fields = {"players": 2, "beans": {"soy": 6, "red": 8}, "window": "off", **overrides}
    fields["first_hands"] = (2,) * fields["players"]
    return Rules(**fields)


def after_phase_three(*seats: dict, rules: Rules, **keys) -> Table:
    """Seat 0 has one red bean to plant, then phase 4 follows."""
    return table(*seats, rules=rules, decision="plant_set_aside", **keys).play("0: plant red 0")


def test_r13_the_active_player_draws_then_the_left_neighbour_is_active():
    game = table(
        seat("", set_aside="red"), decision="plant_set_aside", deck_top="soy blue chili green"
    )
    game.play("0: plant red 0")
    assert (game.hand(0), game.hand(1)) == ("soy blue chili", "")
    assert game.record["active"] == 1


def test_r13_everyone_draws_one_clockwise_from_the_active_player():
    rules = Rules.of("new_beans", 4)
    keys = {"decision": "plant_set_aside", "active": 2, "to_act": 2, "rules": rules}
    game = table(seat(), seat(), seat("", set_aside="red"), deck_top="soy blue chili green", **keys)
    game.play("2: plant red 0")
    assert [game.hand(s) for s in (2, 3, 0, 1)] == ["soy", "blue", "chili", "green"]
    assert game.asked == ("plant", 3)


def test_r19_the_discard_pile_is_shuffled_at_once_and_the_draw_goes_on():
    game = after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("soy soy soy", "red*6 -"),
        rules=small(),
        deck="red",
        discard="soy soy soy",
    )
    assert game.exhaustions == 1
    assert game.hand(0) == "red soy soy"
    assert (game.deck, game.discard) == ("soy", "")


def test_r19_shuffled_at_the_moment_of_the_last_card_not_when_the_next_is_needed():
    game = after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("soy soy soy", "red*6 -"),
        rules=small(draw=("active", 1)),
        deck="red",
        discard="soy soy soy",
    )
    assert (game.exhaustions, game.deck, game.discard) == (1, "soy soy soy", "")
    game.play("1: harvest 0")
    assert game.discard == "red red"  # not in the new deck
    assert game.coins(1) == "red red red red"


def test_r19_reveal_over_an_exhaustion_goes_on():
    game = table(
        seat("soy soy", "- -"),
        seat("soy", "red*7 -"),
        rules=small(),
        deck="red",
        discard="soy soy soy",
    )
    game.play("0: plant soy 0", "0: pass")
    assert game.face_up == "soy red"
    assert (game.exhaustions, game.deck) == (1, "soy soy")


def test_r20_two_empty_piles_end_the_draw_and_the_game():
    game = after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("soy soy soy", "red*6 soy*3"),
        rules=small(),
        deck="red",
        discard="",
    )
    assert game.game.over
    assert game.exhaustions == 1  # the count is not raised
    assert game.hand(0) == "red"
    assert game.game.scores == [0, 4 + 1]


def test_r20_a_late_shuffle_is_the_same_exhaustion():
    game = after_phase_three(
        seat("", "- soy*1", set_aside="red"),
        seat("soy soy soy soy soy", "red*6 -"),
        rules=small(draw=("active", 1)),
        deck="red",
        discard="",
    )
    assert (game.exhaustions, game.deck) == (1, "")
    assert game.asked == ("plant", 1)
    game.play("1: harvest 0", "1: plant soy 0", "1: pass")  # six red: 4 coins, two cards
    assert game.face_up == "red red"
    assert game.exhaustions == 2  # they were the last of the new deck
    assert not game.game.over


def test_r20_stopped_in_the_reveal_phases_2_and_3_follow():
    game = table(
        seat("soy soy", "- -"),
        seat("soy", "red*8 soy*3"),
        rules=small(),
        deck="",
        discard="",
        exhaustions=1,
    )
    game.play("0: plant soy 0", "0: pass")
    assert (game.asked, game.face_up) == (("floor", 0), "")
    game.play("0: propose 1", "0: offer soy", "0: submit", "1: accept")
    game.play("0: pass", "1: pass", "0: end_trading", "1: plant soy 1")
    assert game.game.over
    assert game.exhaustions == 1
    assert game.game.scores == [0, 4 + 2]  # red*8 and soy*4


def test_e5_final_exhaustion_in_the_reveal():
    """One card is shown, traded, planted; no phase 4."""
    game = table(
        seat("soy", "- -"),
        seat("soy soy", "red*5 soy*2"),
        rules=small(),
        deck="red",
        discard="red red soy",
        exhaustions=2,
    )
    game.play("0: plant soy 0")
    assert (game.asked, game.face_up) == (("floor", 0), "red")
    assert game.exhaustions == 3
    assert game.discard == "red red soy"  # there is no fourth deck
    game.play("0: propose 1", "0: offer red", "0: request soy", "0: submit")
    game.play("1: accept", "1: give hand 1", "0: pass", "1: pass", "0: end_trading")
    game.play("0: plant soy 0", "1: plant red 0")
    assert game.game.over
    assert (game.hand(0), game.hand(1)) == ("", "soy")
    assert game.game.scores == [1, 4 + 1]  # soy*2; red*6 and soy*2


def test_e5_two_exhaustions_in_one_draw():
    game = after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("soy soy soy", "red*6 soy*2"),
        rules=small(),
        deck="red",
        discard="soy",
        exhaustions=1,
    )
    assert game.game.over
    assert game.exhaustions == 3
    assert game.hand(0) == "red soy"  # the third is not drawn


def test_r21_the_last_card_of_phase_4_ends_the_game_at_once():
    """Exactly as many cards as are drawn: no more turn is played."""
    game = after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("soy soy", "red*5 soy*2"),
        rules=small(),
        deck="red red soy",
        discard="soy",
        exhaustions=2,
    )
    assert game.game.over
    assert game.hand(0) == "red red soy"
    assert game.discard.split().count("soy") == 1 + 1  # one of two sold soy beans is a coin


def test_r21_later_drawers_get_none():
    rules = small(players=3, draw=("everyone", 1))
    game = table(
        seat("", "- -"),
        seat("", "- -", set_aside="red"),
        seat("", "red*6 -"),
        rules=rules,
        decision="plant_set_aside",
        active=1,
        to_act=1,
        deck="red",
        discard="soy soy soy soy soy soy",
        exhaustions=2,
    )
    game.play("1: plant red 0")
    assert game.game.over
    assert [game.hand(s) for s in range(3)] == ["", "red", ""]


def at_phase_four(deck: str, exhaustions: int = 0, **overrides) -> Table:
    """Both have something to harvest; the reveal takes 2 cards, the draw 3."""
    rules = small(**{"window": "before_reshuffle", **overrides})
    fields = f"red*{7 - deck.split().count('red')} -"
    return after_phase_three(
        seat("", "- -", set_aside="red"),
        seat("", fields),
        rules=rules,
        deck=deck,
        exhaustions=exhaustions,
    )


def test_r34_window_when_a_shuffle_may_come_before_the_next_chance():
    assert at_phase_four("soy soy soy soy soy").asked == ("window", 0)  # 5 = 3 + 2
    assert at_phase_four("soy soy soy soy soy red").decision != "window"


def test_r34_no_window_before_the_final_exhaustion():
    assert at_phase_four("soy soy soy soy", exhaustions=2).decision != "window"
    assert at_phase_four("soy soy soy soy", exhaustions=1).decision == "window"


def test_r34_always_and_off():
    assert at_phase_four("soy soy soy soy soy red", window="always").asked == ("window", 0)
    assert at_phase_four("soy soy", window="off").decision != "window"


def test_r34_each_seat_is_asked_until_it_passes_or_has_none_left():
    game = at_phase_four("soy soy soy soy soy", players=3)
    assert game.legal == {"pass", "harvest 0"}
    game.play("0: harvest 0")  # nothing is left
    assert game.asked == ("window", 1)
    game.play("1: pass")
    assert game.asked != ("window", 2)  # nothing to harvest
    assert game.decision != "window"


def test_r34_a_purchase_opens_no_window_but_may_be_made_in_one():
    rules = {"field_price": 3, "window": "always"}
    game = after_phase_three(
        seat("", "- -", set_aside="red", coins="soy soy soy"),
        seat("", "- -", coins="red red red"),
        rules=small(**rules),
        deck="red red red red soy",
        discard="soy soy",
    )
    assert game.asked == ("window", 0)
    assert game.legal == {"pass", "harvest 0", "buy_field"}
    game.play("0: buy_field", "0: pass")
    assert game.decision != "window"  # seat 1 could only buy
