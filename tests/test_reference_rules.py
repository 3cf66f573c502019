"""The reference model against single rules, by situations worked out by hand."""

import pytest
from reference import ReferenceGame, edition_rules
from reference.cards import payout
from reference_positions import TABLES, event_types, fields, game_at, keep_order, play


def test_r1_payouts():
    assert [payout("stink", count) for count in range(1, 10)] == [0, 0, 1, 1, 2, 2, 3, 4, 4]
    assert [payout("garden", count) for count in range(1, 5)] == [0, 2, 3, 3]
    assert [payout("cocoa", count) for count in range(1, 5)] == [0, 2, 3, 4]
    assert [payout("field", count) for count in range(1, 4)] == [0, 0, 3]


def test_r3_decks_and_hands():
    sizes = {table: sum(edition_rules(*table)["beans"].values()) for table in TABLES}
    assert sizes["amigo", 4] == sizes["classic", 3] == 104
    assert [sizes["rio_grande", players] for players in range(3, 8)] == [150, 130, 130, 144, 144]
    assert sizes["field_beans", 5] == 129
    assert sizes["duel", 2] == 144
    assert edition_rules("rio_grande", 7)["first_hands"] == [3, 4, 5, 6, 6, 6, 6]
    game = ReferenceGame(edition_rules("rio_grande", 6), keep_order, start=4)
    assert [len(player.hand) for player in game.players] == [5, 6, 6, 6, 3, 4]
    with pytest.raises(ValueError):
        edition_rules("amigo", 6)


@pytest.mark.parametrize(
    ("contents", "free"),
    [
        ([("blue", 1), ("chili", 4)], [1]),
        ([("blue", 1), ("chili", 1)], [0, 1]),
        ([("blue", 1), None], [0]),
        ([("blue", 1), ("chili", 1), ("red", 4)], [2]),
    ],
)
def test_r16_bean_protection(contents: list, free: list[int]):
    players = 3 if len(contents) == 3 else 4
    seat = {"hand": ["soy"], "fields": fields(*contents)}
    game = game_at(seat, players=players)
    assert [action for action in game.legal() if action.startswith("harvest")] == [
        f"harvest {place}" for place in free
    ]


def test_r20_an_empty_discard_pile_stops_the_reveal_and_phases_2_and_3_follow():
    seat = {"hand": ["blue"] * 20 + ["chili"] * 18, "fields": fields(("soy", 12), None, None)}
    other = {"hand": ["stink"] * 16 + ["green"] * 14 + ["black_eyed"] * 10 + ["garden"] * 6}
    third = {"hand": ["red"] * 7}
    game = game_at(seat, other, third, deck=["red"], discard=[], decision="plant", planted=1)
    play(game, "pass")
    assert game.events[-1] == {"type": "reveal", "beans": ["red"]}
    assert (game.exhaustions, game.decision) == (1, "floor")
    assert not game.facts(2)["phase_4_follows"]
    play(game, "propose 1", "offer red", "submit", "accept", "pass", "pass", "pass", "end_trading")
    assert (game.decision, game.to_act) == ("plant_set_aside", 1)
    play(game, "plant red 0")
    assert game.over
    assert game.exhaustions == 1
    assert game.scores() == [4, 0, 0]


def test_r20_what_was_discarded_meanwhile_is_shuffled_in_late():
    seat = {"hand": ["blue"] * 20 + ["chili"] * 18, "fields": fields(("soy", 10), None, None)}
    other = {"hand": ["stink"] * 16 + ["green"] * 14 + ["black_eyed"] * 10 + ["garden"] * 6}
    third = {"hand": ["red"] * 8}
    game = game_at(seat, other, third, deck=["soy", "soy"], discard=[], decision="plant", planted=1)
    play(game, "pass")
    assert (game.exhaustions, game.deck, game.stopped) == (1, [], False)
    play(game, "pass", "pass", "pass", "end_trading", "plant soy 0", "plant soy 0")
    assert game.decision == "window"
    play(game, "harvest 0")
    assert game.exhaustions == 1
    assert event_types(game)[-4:] == ["harvest", "reshuffle", "draw", "turn"]
    assert game.events[-3] == {"type": "reshuffle", "exhaustions": 1, "deck": ["soy"] * 8}


def test_r20_stopped_before_the_first_card_is_written_empty():
    seats = [
        {
            "hand": ["blue"] * 20 + ["chili"] * 18 + ["wax"] * 22,
            "fields": fields(("red", 1), None),
            "set_aside": ["red"],
        },
        {"hand": ["stink"] * 16 + ["green"] * 14 + ["soy"] * 12},
        {"hand": ["black_eyed"] * 10 + ["red"] * 6 + ["garden"] * 6 + ["field"] * 3},
    ]
    keys = {"edition": "field_beans", "players": 4, "discard": [], "decision": "plant_set_aside"}
    game = game_at(*seats, **keys, deck=[], exhaustions=1)
    play(game, "plant red 0")
    assert (game.decision, game.to_act) == ("window", 0)  # the deck is already empty
    play(game, "pass")
    assert game.events[1:3] == [
        {"type": "draw", "player": 0, "beans": []},
        {"type": "harvest", "player": 0, "field": 0, "bean": "red", "count": 2, "coins": 1},
    ]
    assert (game.over, game.exhaustions) == (True, 1)


def test_r21_later_drawers_get_none():
    seats = [{"set_aside": ["red"]}, {}, {}, {}]
    keys = {"edition": "field_beans", "players": 4, "decision": "plant_set_aside"}
    game = game_at(*seats, **keys, active=1, to_act=0, exhaustions=2, deck=["soy", "blue"])
    play(game, "plant red 0")
    drawn = [(event["player"], event["beans"]) for event in game.events if event["type"] == "draw"]
    assert drawn == [(1, ["soy"]), (2, ["blue"])]
    assert game.over


def test_r22_field_beans_at_the_end_give_nothing():
    seats = [{"set_aside": ["field"], "fields": fields(("field", 1), ("soy", 2))}]
    keys = {"edition": "field_beans", "players": 4, "decision": "plant_set_aside"}
    game = game_at(*seats, **keys, exhaustions=3, deck=[])
    play(game, "plant field 0")
    assert game.scores() == [1, 0, 0, 0]
    assert game.discard[-3:] == ["field", "field", "soy"]
    assert len(game.players[0].fields) == 2


def test_r26_a_duel_s_coins_leave_the_game():
    seat = {"hand": ["wax"], "coins": ["blue", "soy", "red", "red"], "fields": fields(None, None)}
    game = game_at(seat, edition="duel", players=2)
    play(game, "buy_field")
    assert (game.removed, game.discard) == (["red", "red", "soy"], [])


def test_r27_two_field_beans_give_a_field_once():
    seat = {"hand": ["blue"], "fields": fields(("field", 2), ("soy", 1))}
    game = game_at(seat, edition="field_beans", players=4, discard=[])
    play(game, "harvest 0")
    assert game.events[-1]["field_gained"] is True
    assert game.discard == ["field", "field"]
    assert game.scores() == [0, 0, 0, 0]
    assert game.players[0].fields == fields(None, ("soy", 1), None)


def test_r28_a_duel_turn():
    active = {"hand": ["soy", "soy", "blue", "red"], "fields": fields(("red", 2), None)}
    game = game_at(
        active,
        edition="duel",
        players=2,
        decision="offer_in",
        offer=["wax", "red"],
        deck_top=["chili", "stink", "chili"],
        discard=["green", "stink", "blue", "chili", "stink"],
    )
    expected = ["plant wax 1", "plant red 0", "plant red 1", "discard wax", "discard red"]
    assert game.legal() == [*expected, "harvest 0"]
    play(game, "discard wax", "plant red 0", "plant soy 1", "pass")
    assert game.legal()[:4] == ["discard hand 0", "discard hand 1", "discard hand 2", "pass"]
    play(game, "discard hand 1")
    assert game.face_up == ["chili", "stink", "chili"]
    assert game.discard[-2:] == ["wax", "blue"]
    play(game, "harvest 0", "plant chili 0", "plant chili 0", "pass")
    assert game.offer == ["stink"]
    assert (game.active, game.decision, len(game.players[0].hand)) == (1, "offer_in", 4)


def test_r28_matching_discards_are_taken():
    game = game_at(
        {"hand": ["soy"], "fields": fields(None, None)},
        edition="duel",
        players=2,
        deck_top=["chili", "stink", "chili"],
        discard=["green", "stink", "chili", "stink"],
    )
    play(game, "plant soy 0")
    assert game.face_up == ["chili", "stink", "chili", "stink", "chili", "stink"]
    assert game.discard == ["green"]


def test_r29_a_round_comes_before_the_end_of_trading():
    hand = {"hand": ["blue", "chili"]}
    game = game_at(hand, hand, hand, decision="floor", face_up=["soy"], discard=[])
    assert "end_trading" not in game.legal()
    play(game, "pass")
    assert (game.to_act, game.legal()) == (1, ["propose 0", "pass"])
    play(game, "pass")
    assert (game.to_act, game.round_under_way, game.passed) == (2, True, [1])
    play(game, "pass")
    legal = game.legal()
    assert "end_trading" in legal
    assert "pass" not in legal  # nobody submitted anything in the round
    play(game, "propose 1", "offer soy", "submit", "reject")
    assert "pass" in game.legal()
    play(game, "end_trading")
    assert game.decision == "plant_set_aside"
    assert game.players[0].set_aside == ["soy"]


def test_r29_an_exchange_in_a_round_goes_on_to_the_next():
    hand = {"hand": ["blue", "chili"]}
    game = game_at(hand, hand, hand, decision="floor", discard=[])
    play(game, "pass", "propose 0", "request blue", "submit", "counter", "offer chili", "submit")
    assert (game.decision, game.to_act) == ("respond", 1)
    assert game.legal() == ["accept", "reject"]
    play(game, "accept")
    assert (game.decision, game.to_act) == ("floor", 2)
    assert game.proposals_left == [4, 0, 1]
    assert [proposal["counters"] for proposal in game.settled] == [None, 0]


def test_r30_canonical_order_and_repeats():
    active = {"hand": ["red", "blue", "blue"]}
    game = game_at(
        active, {"hand": ["soy"]}, {"hand": ["soy"]}, decision="floor", face_up=["red"], discard=[]
    )
    play(game, "propose 1", "offer blue")
    assert "offer red" in game.legal()
    play(game, "offer red", "offer red")
    assert not [action for action in game.legal() if action.startswith("offer")]
    play(game, "request soy")
    assert game.legal() == ["submit", "withdraw"]
    play(game, "submit")
    assert game.known[0]["red"] == 1
    play(game, "reject", "propose 1", "offer blue", "offer red", "offer red", "request soy")
    assert game.legal() == ["withdraw"]
    play(game, "withdraw")
    assert game.proposals_left[0] == 2
    assert "withdraw" in event_types(game)


def test_r31_table_proposal_answers_become_public_together():
    hand = {"hand": ["soy", "blue"]}
    game = game_at(hand, hand, hand, decision="floor", face_up=["red"], discard=[])
    play(game, "propose table", "offer red", "request soy", "submit")
    assert game.legal() == ["accept", "reject"]
    play(game, "accept")
    assert "answer" not in event_types(game)
    assert game.facts(2)["standing"]["answers"] == []
    play(game, "accept")
    assert (game.decision, game.to_act) == ("choose", 0)
    assert game.known[1]["soy"] == game.known[2]["soy"] == 1
    play(game, "choose 2")
    assert (game.known[1]["soy"], game.known[2]["soy"]) == (1, 0)
    assert game.players[2].set_aside == ["red"]
    assert game.players[0].set_aside == ["soy"]


def test_r32_only_real_choices_of_copies():
    active = {"hand": ["blue", "red", "blue", "blue"]}
    game = game_at(
        active, {"hand": ["soy", "soy"]}, decision="floor", face_up=["blue", "blue"], discard=[]
    )
    play(game, "propose 1", "offer blue", "offer blue", "offer blue", "request soy", "submit")
    play(game, "accept")
    assert game.legal() == ["give hand 0", "give hand 2", "give hand 3"]
    play(game, "give hand 2")
    assert game.legal() == ["give hand 3", "give face_up 0"]
    play(game, "give hand 3")
    assert (game.decision, game.to_act) == ("give", 1)
    assert game.facts(0)["copies"] == {"hand": [2, 3], "face_up": [0]}
    play(game, "give hand 1")
    assert game.players[0].hand == ["blue", "red"]
    assert game.face_up == ["blue"]
    assert game.events[-2]["gave_hand"] == [[2, "blue"], [3, "blue"]]


def test_r33_without_trading_phase_2_is_a_reveal():
    seat = {"hand": ["soy"]}
    game = game_at(seat, seat, seat, deck_top=["red", "blue"], overrides={"trading": False})
    play(game, "plant soy 0")
    assert event_types(game) == ["plant", "reveal", "end_trading"]
    assert game.players[0].set_aside == ["blue", "red"]


def test_r34_windows_before_a_shuffle_only():
    seat = {"hand": [], "fields": fields(("soy", 2), None, None), "set_aside": ["red"]}
    for deck_size, decision in ((6, "plant"), (5, "window")):
        deck = ["blue"] * deck_size
        game = game_at(
            seat, {"hand": ["green"]}, decision="plant_set_aside", deck=deck, exhaustions=0
        )
        play(game, "plant red 1")
        assert game.decision == decision


def test_r35_compact_copies_leave_by_rule():
    game = game_at(
        {"hand": ["red", "blue"]},
        {"hand": ["soy", "chili", "soy"]},
        decision="floor",
        face_up=["red"],
        discard=[],
        overrides={"protocol": "compact"},
    )
    assert "swap 1 red soy" in game.legal()
    assert "swap 1 - -" not in game.legal()
    assert "swap 1 red red" not in game.legal()
    assert not [action for action in game.legal() if action.startswith("swap 2 - ")]
    play(game, "swap 1 red soy", "accept")
    assert game.face_up == []
    assert game.players[0].hand == ["red", "blue"]
    assert game.players[1].hand == ["chili", "soy"]


def test_r36_harvests_only_when_needed():
    seat = {"hand": ["soy", "blue"], "fields": fields(("blue", 2), ("red", 1), None)}
    game = game_at(seat, overrides={"harvest": "when_needed"})
    assert game.legal() == ["plant soy 2"]
    play(game, "plant soy 2")
    assert game.legal() == ["plant blue 0", "pass"]
    seat = {"hand": ["green", "blue"], "fields": fields(("blue", 2), ("red", 1), ("soy", 1))}
    game = game_at(seat, overrides={"harvest": "when_needed"})
    assert game.legal() == ["harvest 0"]
