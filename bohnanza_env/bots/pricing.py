"""What a deal is worth to both sides: the own one exactly, the other's as far as all can see."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Answer
from bohnanza_env.engine.state import TABLE

from .outlook import load_seat, outlook, top_count
from .planting import load_own
from .worth import count_cards, write_worth

__all__ = [
    "other_gain",
    "own_gain",
    "price_cards",
    "price_other_side",
    "price_own_side",
    "take_away",
]

_REJECT = int(Answer.REJECT)
_SURE = 1000
_REFUSED = 100  # what is left, in thousandths, of the chance of a card once it was refused


@compiled
def take_away(memory, bean):
    """One card leaves the loaded position: a face-up one, else the one nearest the front."""
    if memory.face[bean] > 0:
        memory.face[bean] -= 1
        memory.due[bean] -= 1
        return
    gap = 0
    while gap < memory.hand_size and memory.hand[gap] != bean:
        gap += 1
    if gap == memory.hand_size:
        return
    memory.hand_size -= 1
    for i in range(gap, memory.hand_size):
        memory.hand[i] = memory.hand[i + 1]


@compiled
def own_gain(rules, view, memory, give, get):
    """What the own side gains by giving and getting these cards (arrays by bean)."""
    load_own(rules, view, memory)
    for bean in range(rules.beans):
        for _ in range(give[bean]):
            take_away(memory, bean)
        memory.due[bean] += get[bean]
    return outlook(rules, memory, memory.seat) - memory.own_base


@compiled
def _hand_card_given(view, memory, seat, bean):
    """What another seat loses by giving a card out of its hand, which we do not see."""
    for field in range(view.field_slots[seat]):
        count = top_count(view.field_count[seat, field])
        if count > 0 and view.field_bean[seat, field] == bean:
            more = memory.worth[seat, bean, top_count(count + 1)]
            return memory.worth[seat, bean, count] - more
    return memory.relief


@compiled
def other_gain(rules, view, memory, seat, give, get):
    """What another seat gains by giving and getting these cards (arrays by bean)."""
    load_seat(rules, view, memory, seat)
    gain = 0
    for bean in range(rules.beans):
        for _ in range(give[bean]):
            if memory.face[bean] > 0:
                memory.face[bean] -= 1
                memory.due[bean] -= 1
            else:
                gain += _hand_card_given(view, memory, seat, bean)
        memory.due[bean] += get[bean]
    return gain + outlook(rules, memory, seat) - memory.other_base[seat]


@compiled
def _price_own_cards(rules, view, memory):
    for bean in range(rules.beans):
        memory.own_give[bean] = 0
        if view.hand_beans[bean] > 0 or (view.seat == view.active and view.face_up_beans[bean] > 0):
            load_own(rules, view, memory)
            take_away(memory, bean)
            memory.own_give[bean] = outlook(rules, memory, memory.seat) - memory.own_base
        load_own(rules, view, memory)
        memory.due[bean] += 1
        memory.own_get[bean] = outlook(rules, memory, memory.seat) - memory.own_base


@compiled
def price_other_side(rules, view, memory, seat):
    """All that ``other_gain`` needs."""
    write_worth(rules, view, memory, seat)
    load_seat(rules, view, memory, seat)
    memory.other_base[seat] = outlook(rules, memory, seat)


@compiled
def _price_cards_of(rules, view, memory, seat):
    price_other_side(rules, view, memory, seat)
    for bean in range(rules.beans):
        memory.due[bean] += 1
        memory.other_get[seat, bean] = outlook(rules, memory, seat) - memory.other_base[seat]
        memory.due[bean] -= 1
        if memory.face[bean] > 0:
            memory.due[bean] -= 1
            memory.other_give[seat, bean] = outlook(rules, memory, seat) - memory.other_base[seat]
            memory.due[bean] += 1
        else:
            memory.other_give[seat, bean] = _hand_card_given(view, memory, seat, bean)


@compiled
def _write_chances(rules, view, memory, seat):
    """How likely a seat holds a card of each bean."""
    unknown = int(view.hand_size[seat])
    for bean in range(rules.beans):
        unknown -= view.known[seat, bean]
    for bean in range(rules.beans):
        face_up = int(view.face_up_beans[bean]) if seat == view.active else 0
        if view.known[seat, bean] > 0 or face_up > 0:
            memory.chance[seat, bean] = _SURE
            continue
        none = _SURE
        for _ in range(unknown):
            none = none * (memory.unseen_total - memory.unseen[bean]) // memory.unseen_total
        memory.chance[seat, bean] = _SURE - none


@compiled
def _note_refusals(rules, view, memory):
    """Who refused to give a card in this turn most likely does not hold it."""
    for row in range(view.settled_count):
        for seat in range(rules.players):
            if view.settled_answers[row, seat] != _REJECT:
                continue
            for bean in range(rules.beans):
                if view.settled_request[row, bean] > 0 and memory.chance[seat, bean] < _SURE:
                    memory.chance[seat, bean] = memory.chance[seat, bean] * _REFUSED // 1000


@compiled
def price_own_side(rules, view, memory):
    """All that ``own_gain`` needs."""
    seat = int(view.seat)
    count_cards(rules, view, memory, seat)
    write_worth(rules, view, memory, seat)
    load_own(rules, view, memory)
    memory.own_base = outlook(rules, memory, seat)


@compiled
def price_cards(rules, view, memory, recipient):
    """Prices of single cards for the own side and for ``recipient``, a seat or ``TABLE``."""
    price_own_side(rules, view, memory)
    _price_own_cards(rules, view, memory)
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            _price_cards_of(rules, view, memory, seat)
            _write_chances(rules, view, memory, seat)
    _note_refusals(rules, view, memory)
