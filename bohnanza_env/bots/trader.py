"""``trader``: trades whatever helps both sides, and plants like ``greedy``."""

from __future__ import annotations

from bohnanza_env.engine.blocks import first_bean
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.seats import seat_after, steps_to
from bohnanza_env.engine.state import TABLE
from bohnanza_env.engine.swaps import swap_index

from .bargain import clear_best, find_deal
from .greedy import choose_greedily, first_legal
from .outlook import outlook
from .planting import load_own
from .pricing import (
    other_gain,
    own_gain,
    price_cards,
    price_other_side,
    price_own_side,
    take_away,
)

__all__ = ["choose_as_trader"]

_FLOOR, _COMPOSE = int(Decision.FLOOR), int(Decision.COMPOSE)
_RESPOND, _CHOOSE = int(Decision.RESPOND), int(Decision.CHOOSE)
_GIVE, _ACCEPT = int(Decision.GIVE), int(Answer.ACCEPT)
_FAR = 1 << 40


@compiled
def _swap_action(rules, view, memory):
    """The best deal as an action of the compact protocol (R35)."""
    player = steps_to(rules, view.seat, memory.best_recipient)
    give = first_bean(memory.best_offer)
    return swap_index(rules, player, give, first_bean(memory.best_request))


@compiled
def _proposal_action(rules, view, mask, memory):
    """Begin the best deal, -1 if it cannot be."""
    if memory.best_recipient < 0:
        return -1
    if rules.compact != 0:
        action = _swap_action(rules, view, memory)
    elif memory.best_recipient == TABLE:
        action = rules.propose_table_at
    else:
        player = steps_to(rules, view.seat, memory.best_recipient)
        action = rules.propose_at + player - 1
    return action if mask[action] != 0 else -1


@compiled
def _look_for_deals(rules, view, memory):
    """The best deal with anybody who may be asked."""
    clear_best(memory)
    if view.seat != view.active:
        price_cards(rules, view, memory, view.active)
        find_deal(rules, view, memory, view.active)
        return
    price_cards(rules, view, memory, TABLE)
    for k in range(1, rules.players):
        find_deal(rules, view, memory, seat_after(rules, view.seat, k))
    if rules.compact == 0 and memory.table != 0:
        find_deal(rules, view, memory, TABLE)


@compiled
def _others_may_propose(rules, view):
    for seat in range(rules.players):
        if seat != view.active and view.proposals_left[seat] > 0:
            return True
    return False


@compiled
def _take_floor(rules, view, mask, memory):
    if view.proposals_left[view.seat] > 0:
        _look_for_deals(rules, view, memory)
        action = _proposal_action(rules, view, mask, memory)
        if action >= 0:
            return action
    waits = mask[rules.pass_at] != 0 and _others_may_propose(rules, view)
    if waits or mask[rules.end_trading_at] == 0:
        return rules.pass_at
    return rules.end_trading_at


@compiled
def _compose(rules, view, mask, memory):
    """The next card of the deal with this recipient; it is found anew for each card."""
    clear_best(memory)
    price_cards(rules, view, memory, view.draft_recipient)
    find_deal(rules, view, memory, view.draft_recipient)
    if memory.best_recipient >= 0:
        for bean in range(rules.beans):
            action = rules.offer_at + bean
            if view.draft_offer[bean] < memory.best_offer[bean] and mask[action] != 0:
                return action
        for bean in range(rules.beans):
            action = rules.request_at + bean
            if view.draft_request[bean] < memory.best_request[bean] and mask[action] != 0:
                return action
        if mask[rules.submit_at] != 0:
            return rules.submit_at
    return rules.withdraw_at


@compiled
def _respond(rules, view, mask, memory):
    if mask[rules.accept_at] == 0:
        return rules.reject_at
    price_own_side(rules, view, memory)
    own, other = own_gain(rules, view, memory, view.request, view.offer), 0
    if memory.share != 0 or memory.kindness != 0:
        price_other_side(rules, view, memory, view.proposer)
        other = other_gain(rules, view, memory, view.proposer, view.offer, view.request)
    enough = own + memory.kindness * other // 1000 >= memory.accept
    if enough and own * 1000 >= memory.share * other:
        return rules.accept_at
    return rules.reject_at


@compiled
def _choose(rules, view, mask, memory):
    """Of several who accept the one who gains most: the others' fields are not helped less."""
    price_cards(rules, view, memory, TABLE)
    best, most = first_legal(mask), -_FAR
    for k in range(1, rules.players):
        seat = seat_after(rules, view.seat, k)
        if view.answers[seat] == _ACCEPT and mask[rules.choose_at + k - 1] != 0:
            gain = other_gain(rules, view, memory, seat, view.request, view.offer)
            if gain > most:
                best, most = rules.choose_at + k - 1, gain
    return best


@compiled
def _without_hand_card(rules, view, memory, position):
    load_own(rules, view, memory)
    memory.hand_size -= 1
    for i in range(position, memory.hand_size):
        memory.hand[i] = memory.hand[i + 1]
    return outlook(rules, memory, memory.seat)


@compiled
def _give(rules, view, mask, memory):
    """The copy without which the own position is best."""
    price_own_side(rules, view, memory)
    best, most = first_legal(mask), -_FAR
    for position in range(view.hand_size[view.seat]):
        if mask[rules.give_hand_at + position] != 0:
            value = _without_hand_card(rules, view, memory, position)
            if value > most:
                best, most = rules.give_hand_at + position, value
    for position in range(rules.reveal):
        if mask[rules.give_face_up_at + position] != 0:
            load_own(rules, view, memory)
            take_away(memory, view.give_bean)
            value = outlook(rules, memory, memory.seat)
            if value >= most:
                best, most = rules.give_face_up_at + position, value
    return best


@compiled(shared=True)
def choose_as_trader(rules, view, mask, generator, memory):
    """The action of ``trader``."""
    decision = view.decision
    if decision == _FLOOR:
        return _take_floor(rules, view, mask, memory)
    if decision == _RESPOND:
        return _respond(rules, view, mask, memory)
    if decision == _COMPOSE:
        return _compose(rules, view, mask, memory)
    if decision == _GIVE:
        return _give(rules, view, mask, memory)
    if decision == _CHOOSE:
        return _choose(rules, view, mask, memory)
    return choose_greedily(rules, view, mask, generator, memory)
