"""What to plant and what to throw away in a duel (R28), where nothing is traded."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision

from .outlook import outlook
from .planting import load_own, value_after_planting
from .worth import count_cards, write_worth

__all__ = ["duel_action"]

_DISCARD = int(Decision.DISCARD)
_FAR = 1 << 40


@compiled
def _worst_hand_card(rules, view, mask, memory):
    """The hand card without which the outlook is best, if it is better than now."""
    load_own(rules, view, memory)
    best, most = rules.pass_at, outlook(rules, memory, memory.seat)
    for position in range(view.hand_size[view.seat]):
        if mask[rules.discard_hand_at + position] != 0:
            load_own(rules, view, memory)
            memory.hand_size -= 1
            for i in range(position, memory.hand_size):
                memory.hand[i] = memory.hand[i + 1]
            value = outlook(rules, memory, memory.seat)
            if value > most:
                best, most = rules.discard_hand_at + position, value
    return best


@compiled
def _take_or_discard(rules, view, mask, memory):
    """Plant the most useful card of the offer; discard the rest once none is useful."""
    load_own(rules, view, memory)
    now = outlook(rules, memory, memory.seat)
    best, most = -1, -_FAR
    for place in range(rules.beans * rules.field_positions):
        if mask[rules.plant_at + place] != 0:
            bean, field = place // rules.field_positions, place % rules.field_positions
            gain = value_after_planting(rules, view, memory, bean, field) - now
            if gain > 0 and gain > most:
                best, most = rules.plant_at + place, gain
    if best >= 0:
        return best
    for bean in range(rules.beans):
        if mask[rules.discard_at + bean] != 0:
            return rules.discard_at + bean
    return best


@compiled
def duel_action(rules, view, mask, memory):
    """What becomes of the offer, and the discard."""
    count_cards(rules, view, memory, view.seat)
    write_worth(rules, view, memory, view.seat)
    if view.decision == _DISCARD:
        return _worst_hand_card(rules, view, mask, memory)
    return _take_or_discard(rules, view, mask, memory)
