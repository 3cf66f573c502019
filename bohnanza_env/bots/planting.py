"""The best way to plant: each legal planting, harvest, purchase or pass is tried and judged."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision

from .memory import COIN
from .outlook import load_seat, outlook, top_count
from .worth import count_cards, write_worth

__all__ = ["best_planting", "load_own", "value_after_planting"]

_PLANT, _OFFER_IN = int(Decision.PLANT), int(Decision.OFFER_IN)
_PLANT_SET_ASIDE = int(Decision.PLANT_SET_ASIDE)
_FAR = 1 << 40


@compiled
def load_own(rules, view, memory):
    """The own position as it stands in this decision."""
    seat = int(view.seat)
    load_seat(rules, view, memory, seat)
    memory.hand_size = view.hand_size[seat]
    for i in range(memory.hand_size):
        memory.hand[i] = view.hand[i]
    if view.decision == _PLANT and view.active == seat:
        memory.planted = view.planted
        memory.wait = 0
    elif view.decision == _OFFER_IN:
        memory.wait = 0


@compiled
def _drop_front(memory):
    memory.hand_size -= 1
    for i in range(memory.hand_size):
        memory.hand[i] = memory.hand[i + 1]


@compiled
def _end_phase_one(rules, memory):
    memory.planted = 0
    memory.wait = rules.players


@compiled
def value_after_planting(rules, view, memory, bean, field):
    """The outlook once a card stands in a field."""
    load_own(rules, view, memory)
    memory.field_bean[field] = bean
    memory.field_count[field] += 1
    if view.decision == _PLANT:
        _drop_front(memory)
        memory.planted += 1
        if memory.planted == 2:
            _end_phase_one(rules, memory)
    elif view.decision == _PLANT_SET_ASIDE:
        memory.due[bean] -= 1
    return outlook(rules, memory, memory.seat)


@compiled
def _value_after_harvest(rules, view, memory, field):
    load_own(rules, view, memory)
    coins = memory.coins[memory.field_bean[field], top_count(memory.field_count[field])]
    memory.field_count[field] = 0
    memory.field_bean[field] = -1
    return coins + outlook(rules, memory, memory.seat)


@compiled
def _value_after_purchase(rules, view, memory):
    load_own(rules, view, memory)
    memory.field_count[memory.slots] = 0
    memory.field_bean[memory.slots] = -1
    memory.slots += 1
    return outlook(rules, memory, memory.seat) - rules.field_price * COIN


@compiled
def _value_after_pass(rules, view, memory):
    load_own(rules, view, memory)
    if view.decision == _PLANT:
        _end_phase_one(rules, memory)
    return outlook(rules, memory, memory.seat)


@compiled
def _try_plantings(rules, view, mask, memory, best, most):
    for place in range(rules.beans * rules.field_positions):
        if mask[rules.plant_at + place] != 0:
            bean, field = place // rules.field_positions, place % rules.field_positions
            value = value_after_planting(rules, view, memory, bean, field)
            if value > most:
                best, most = rules.plant_at + place, value
    return best, most


@compiled
def _try_the_rest(rules, view, mask, memory, best, most):
    for field in range(rules.field_positions):
        if mask[rules.harvest_at + field] != 0:
            value = _value_after_harvest(rules, view, memory, field)
            if value > most:
                best, most = rules.harvest_at + field, value
    if rules.buy_field_at >= 0 and mask[rules.buy_field_at] != 0:
        value = _value_after_purchase(rules, view, memory)
        if value > most:
            best, most = rules.buy_field_at, value
    return best, most


@compiled
def _begin(rules, view, mask, memory):
    """Tables, and the value of passing where that is legal."""
    seat = int(view.seat)
    count_cards(rules, view, memory, seat)
    write_worth(rules, view, memory, seat)
    if mask[rules.pass_at] != 0:
        return rules.pass_at, _value_after_pass(rules, view, memory)
    return -1, -_FAR


@compiled
def best_planting(rules, view, mask, memory):
    """The best action of a decision that is about planting, or of a window."""
    best, most = _begin(rules, view, mask, memory)
    best, most = _try_plantings(rules, view, mask, memory, best, most)
    best, most = _try_the_rest(rules, view, mask, memory, best, most)
    return best
