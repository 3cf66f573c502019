"""What a field is worth: expected coins, from the cards still to come."""

from __future__ import annotations

from bohnanza_env.engine.cards import MAX_COINS_PER_HARVEST
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.fields import coins_for
from bohnanza_env.engine.seats import steps_to
from bohnanza_env.view import count_unseen

from .chance import STEPS_A_CARD, TAIL_COLUMNS, TAILS
from .memory import COIN, COUNT_CAPACITY

__all__ = ["count_cards", "write_worth"]

_LAST_ROW = len(TAILS) - 1
_LAST_COLUMN = TAIL_COLUMNS - 1
_CARDS_OF_LATER_PASSES = 20  # a guess for each pass of the deck after the next one
_HANDS_TO_COME = 500  # of 1000 cards in other hands, those that come up within the horizon


@compiled
def _count_turns(rules, view, memory):
    """Cards that still come, and own turns that they make."""
    passes = rules.final_exhaustion - view.exhaustions  # this one included
    memory.to_come = view.deck_size
    if passes > 1:
        memory.to_come += view.discard_size + (passes - 2) * _CARDS_OF_LATER_PASSES
        memory.to_come += _CARDS_OF_LATER_PASSES // 2  # harvests before the next shuffle
    steps = steps_to(rules, view.active, memory.seat)
    turns = memory.to_come // rules.cards_a_turn
    memory.turns_left = 0
    if turns >= steps:
        memory.turns_left = 1 + (turns - steps) // rules.players


@compiled
def _write_supply(rules, view, memory):
    """Expected cards of each bean within the horizon, for all seats together."""
    from_deck = min(memory.horizon, int(view.deck_size))
    from_discard = min(memory.horizon, memory.to_come) - from_deck
    in_hands = max(0, memory.unseen_total - int(view.deck_size))
    accessible = 1000 * from_deck + _HANDS_TO_COME * in_hands
    for bean in range(rules.beans):
        supply = memory.unseen[bean] * accessible // max(1, memory.unseen_total)
        if from_discard > 0 and view.discard_size > 0:
            share = min(1000, 1000 * from_discard // int(view.discard_size))
            supply += int(view.discard_beans[bean]) * share
        memory.supply[bean] = supply


@compiled
def count_cards(rules, view, memory, seat):
    """What comes before everything else in a decision: cards unseen and to come, coin table."""
    memory.seat = seat
    count_unseen(rules, view, view.hand_beans, memory.unseen)
    memory.unseen_total = 0
    for bean in range(rules.beans):
        memory.unseen_total += memory.unseen[bean]
    _count_turns(rules, view, memory)
    _write_supply(rules, view, memory)
    for bean in range(rules.beans):
        for count in range(COUNT_CAPACITY):
            memory.coins[bean, count] = COIN * coins_for(rules, bean, count)


@compiled
def _other_growers(rules, view, seat, bean):
    growers = 0
    for other in range(rules.players):
        if other != seat:
            for field in range(view.field_slots[other]):
                if view.field_count[other, field] > 0 and view.field_bean[other, field] == bean:
                    growers += 1
                    break
    return growers


@compiled
def _expected_cards(rules, view, memory, seat, bean):
    """Cards of a bean that come to a seat which grows it, in rows of the table of chances."""
    others = rules.players - 1
    own = 1000 // rules.players
    traded = memory.flow * others // rules.players // (1 + _other_growers(rules, view, seat, bean))
    cards = memory.supply[bean] * (own + traded) // 1000
    return min(_LAST_ROW, cards * STEPS_A_CARD // 1000)


@compiled
def _expected_coins(rules, bean, count, row):
    """Coins of a field of ``count`` cards to which more come (a tier may lack, R1)."""
    coins, reached = 0, 0
    for tier in range(MAX_COINS_PER_HARVEST):
        need = int(rules.beanometer[bean, tier])
        if need > 0:
            missing = min(_LAST_COLUMN, max(0, need - count))
            coins += (tier + 1 - reached) * TAILS[row, missing]
            reached = tier + 1
    return coins


@compiled
def write_worth(rules, view, memory, seat):
    """Expected coins of every field that a seat could have."""
    for bean in range(rules.beans):
        row = _expected_cards(rules, view, memory, seat, bean)
        memory.worth[seat, bean, 0] = 0
        for count in range(1, COUNT_CAPACITY):
            memory.worth[seat, bean, count] = _expected_coins(rules, bean, count, row)
