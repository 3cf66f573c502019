"""Every invariant holds in random games of all editions, and each can fail."""

import numpy as np
import pytest
from weighted_play import ALL_RULES, find, play, rules_name

from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.invariants import INVARIANTS, invariants
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import TABLE

AMIGO = Rules.of("amigo", 4)
DUEL = Rules.of("duel", 2)


@pytest.mark.parametrize("rules", ALL_RULES, ids=rules_name)
def test_random_games_keep_all_invariants(rules: Rules) -> None:
    every = 1 if rules.deck_size < 20 else 61
    for ply, game in enumerate(play(rules, seed=rules.players)):
        rare = game.decision in (Decision.GIVE, Decision.CHOOSE, Decision.WINDOW)
        if ply % every == 0 or (rare and ply % 11 == 0) or game.over:
            assert invariants(rules, game.state) == [], f"ply {ply}"


def test_a_game_keeps_all_invariants_at_every_ply() -> None:
    rules = Rules.of("field_beans", 4, active_proposals=1, protocol="compact")
    for game in play(rules, seed=1):
        assert invariants(rules, game.state) == []


# Each corruption changes a record in one way, without touching what other invariants compare.


def take_discard(game) -> int:
    """The top card of the discard pile goes out of the record."""
    top = int(game.discard_size) - 1
    bean = int(game.discard[top])
    game.discard[top] = -1
    game.discard_size = top
    game.discard_beans[bean] -= 1
    return bean


def put_discard(game, bean: int) -> None:
    game.discard[game.discard_size] = bean
    game.discard_size += 1
    game.discard_beans[bean] += 1


def pad_hand_wrongly(game) -> None:
    game.hand[0, -1] = -2


def change_a_card(game) -> None:
    put_discard(game, (take_discard(game) + 1) % 8)


def change_hand_beans(game) -> None:
    game.hand_beans[2, 3] += 1


def change_discard_beans(game) -> None:
    game.discard_beans[3] += 1


def change_coin_beans(game) -> None:
    game.coin_beans[1, 3] += 1


def change_face_up_beans(game) -> None:
    game.face_up_beans[game.face_up[0]] -= 1


def name_a_bean_in_an_empty_field(game) -> None:
    seat = int(game.active)
    field = int(np.flatnonzero(game.field_count[seat] == 0)[0])
    game.field_bean[seat, field] = 0


def add_a_field(game) -> None:
    game.field_slots[1] += 1


def remove_a_coin(game) -> None:
    game.removed[take_discard(game)] += 1


def set_a_card_aside(game) -> None:
    game.set_aside[1, take_discard(game)] += 1


def turn_a_card_up(game) -> None:
    bean = take_discard(game)
    game.face_up[0] = bean
    game.face_up_beans[bean] = 1
    game.face_up_size = 1


def offer_a_card(game) -> None:
    game.duel_offer[take_discard(game)] += 1


def know_too_much(game) -> None:
    game.known[1, 0] = game.hand_beans[1, 0] + 1


def draw_one_more(game) -> None:
    game.drawn_since[0] += 1


def turn_up_too_many(game) -> None:
    game.turned_up[0] += 1
    game.drawn_since[0] -= 1
    game.deck_at_shuffle[0] = game.turned_up[0]
    game.deck_at_shuffle[1] += 30


def stop_with_a_deck(game) -> None:
    game.stopped = 1


def exhaust_too_often(game) -> None:
    game.exhaustions += 3
    game.shuffles += 3


def shuffle_once_more(game) -> None:
    game.shuffles += 1


def leave_a_stage(game) -> None:
    game.stage = 3


def count_a_turn(game) -> None:
    game.turn += 1


def plant_too_many(game) -> None:
    game.planted = 2


def ask_for_a_duel(game) -> None:
    game.decision = Decision.DISCARD


def ask_the_next_seat(game) -> None:
    game.to_act = (game.to_act + 1) % 4


def ask_in_no_round(game) -> None:
    game.asked = 1


def block_a_pass(game) -> None:
    game.pass_blocked = 1


def owe_a_proposal(game) -> None:
    game.proposals_left[2] = -1


def let_nothing_stand(game) -> None:
    game.standing = 1


def accept_too_early(game) -> None:
    game.partner = (game.to_act + 1) % 4


def ask_for_nothing(game) -> None:
    game.offer[:] = 0
    game.request[:] = 0


def show_an_answer(game) -> None:
    game.answers[0] = Answer.REJECT


def take_an_acceptance_back(game) -> None:
    game.answers[game.partner] = Answer.REJECT


def keep_an_answer(game) -> None:
    game.pending_answers[0] = Answer.REJECT


def forget_an_answer(game) -> None:
    game.pending_answers[:] = 0


def keep_a_draft(game) -> None:
    game.draft_offer[0] = 1


def talk_to_oneself(game) -> None:
    game.draft_recipient = game.to_act


def offer_what_is_not_held(game) -> None:
    bean = int(np.argmin(game.hand_beans[game.to_act, :8] + game.face_up_beans[:8]))
    game.draft_offer[bean] += 5


def keep_a_choice(game) -> None:
    game.give_from = 1


def choose_one_more(game) -> None:
    game.give_taken += 1


def settle_nothing(game) -> None:
    game.settled_count += 1
    game.settled_offer[game.settled_count - 1] = 0
    game.settled_request[game.settled_count - 1] = 0


def move_cards_in_the_future(game) -> None:
    game.settled_fresh = game.settled_count + 1


def win_early(game) -> None:
    game.winners[0] = 1


def win_with_less(game) -> None:
    game.winners[int(np.argmin(game.coins[:4]))] = 1


def leave_a_field_unharvested(game) -> None:
    game.field_bean[0, 0] = take_discard(game)
    game.field_count[0, 0] = 1


def take_the_harvest_away(game) -> None:
    seat = int(game.to_act)
    for field in range(game.field_slots[seat]):
        for _ in range(game.field_count[seat, field]):
            put_discard(game, int(game.field_bean[seat, field]))
        game.field_bean[seat, field] = -1
        game.field_count[seat, field] = 0


def some_discards(game) -> bool:
    return game.discard_size > 3


def first_card(game) -> bool:
    fields = game.field_count[game.active, : game.field_slots[game.active]]
    return game.planted == 0 and game.turn > 8 and (fields == 0).any() and some_discards(game)


PLANT, FLOOR, RESPOND = Decision.PLANT, Decision.FLOOR, Decision.RESPOND
COMPOSE, GIVE, OVER = Decision.COMPOSE, Decision.GIVE, Decision.OVER
CORRUPTIONS = [
    ("lists", AMIGO, PLANT, first_card, pad_hand_wrongly),
    ("conservation", AMIGO, PLANT, first_card, change_a_card),
    ("hand_beans", AMIGO, PLANT, first_card, change_hand_beans),
    ("discard_beans", AMIGO, PLANT, first_card, change_discard_beans),
    ("coin_beans", AMIGO, PLANT, first_card, change_coin_beans),
    ("face_up_beans", AMIGO, FLOOR, lambda g: g.face_up_size > 0, change_face_up_beans),
    ("fields", AMIGO, PLANT, first_card, name_a_bean_in_an_empty_field),
    ("field_slots", AMIGO, PLANT, first_card, add_a_field),
    ("removed", DUEL, PLANT, some_discards, remove_a_coin),
    ("set_aside", AMIGO, PLANT, first_card, set_a_card_aside),
    ("face_up_when", AMIGO, PLANT, first_card, turn_a_card_up),
    ("duel_offer", DUEL, PLANT, some_discards, offer_a_card),
    ("known", AMIGO, PLANT, first_card, know_too_much),
    ("deck_beans", AMIGO, PLANT, first_card, draw_one_more),
    ("deck_beans", AMIGO, PLANT, lambda g: (g.deck == 0).any(), turn_up_too_many),
    ("exhaustions", AMIGO, PLANT, first_card, stop_with_a_deck),
    ("exhaustions", AMIGO, PLANT, first_card, exhaust_too_often),
    ("shuffles", AMIGO, PLANT, first_card, shuffle_once_more),
    ("stage", AMIGO, PLANT, first_card, leave_a_stage),
    ("turn", AMIGO, PLANT, first_card, count_a_turn),
    ("planted", AMIGO, PLANT, first_card, plant_too_many),
    ("decision", AMIGO, PLANT, first_card, ask_for_a_duel),
    ("to_act", AMIGO, PLANT, first_card, ask_the_next_seat),
    ("asked", AMIGO, PLANT, first_card, ask_in_no_round),
    ("round", AMIGO, PLANT, first_card, block_a_pass),
    ("proposals_left", AMIGO, PLANT, first_card, owe_a_proposal),
    ("standing", AMIGO, PLANT, first_card, let_nothing_stand),
    ("standing", AMIGO, RESPOND, lambda g: g.recipient == TABLE, accept_too_early),
    ("standing", AMIGO, RESPOND, lambda g: g.recipient == TABLE, ask_for_nothing),
    ("answers", AMIGO, PLANT, first_card, show_an_answer),
    ("answers", AMIGO, GIVE, lambda g: True, take_an_acceptance_back),
    ("pending_answers", AMIGO, PLANT, first_card, keep_an_answer),
    ("pending_answers", AMIGO, RESPOND, lambda g: g.pending_answers.any(), forget_an_answer),
    ("draft", AMIGO, PLANT, first_card, keep_a_draft),
    ("draft", AMIGO, COMPOSE, lambda g: True, talk_to_oneself),
    ("draft", AMIGO, COMPOSE, lambda g: g.hand_size[g.to_act] < 8, offer_what_is_not_held),
    ("give", AMIGO, PLANT, first_card, keep_a_choice),
    ("give", AMIGO, GIVE, lambda g: True, choose_one_more),
    ("settled", AMIGO, PLANT, first_card, settle_nothing),
    ("settled", AMIGO, PLANT, first_card, move_cards_in_the_future),
    ("winners", AMIGO, PLANT, first_card, win_early),
    ("winners", AMIGO, OVER, lambda g: len(set(g.coins[:4])) > 1, win_with_less),
    ("end", AMIGO, OVER, some_discards, leave_a_field_unharvested),
    ("mask", AMIGO, Decision.WINDOW, lambda g: True, take_the_harvest_away),
]


@pytest.mark.parametrize(
    ("name", "rules", "decision", "condition", "corrupt"),
    CORRUPTIONS,
    ids=[f"{name}-{corrupt.__name__}" for name, *_, corrupt in CORRUPTIONS],
)
def test_a_corruption_is_named(name, rules, decision, condition, corrupt) -> None:
    game = find(rules, decision, condition)
    assert invariants(rules, game.state) == []
    corrupt(game.state[0])
    complaints = invariants(rules, game.state)
    assert {complaint.split(":")[0] for complaint in complaints} == {name}, complaints


def test_every_invariant_has_a_corruption() -> None:
    assert {name for name, *_ in CORRUPTIONS} == set(INVARIANTS)
