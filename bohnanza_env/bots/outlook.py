"""What a position is worth to a seat: its fields, and the cards it has to plant, played out.

The hand is planted from the front, as the rules want it: one card a turn at least, the second one
where it pays. A card that fits nowhere forces out the field that loses least. So a card in the
hand is worth what it brings when its turn comes, and a burden where it costs a field.
"""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.fields import is_protected
from bohnanza_env.engine.seats import steps_to

from .memory import COUNT_CAPACITY

__all__ = ["load_seat", "outlook", "top_count"]

_MOST_TURNS = 4  # own turns ahead that are played out
_FAR = 1 << 40


@compiled
def top_count(count):
    """Counts beyond the tables are worth the same."""
    return min(int(count), COUNT_CAPACITY - 1)


@compiled
def load_seat(rules, view, memory, seat):
    """The position of a seat: its fields, and what it is sure to plant in this turn."""
    memory.slots = view.field_slots[seat]
    for field in range(memory.slots):
        memory.field_bean[field] = view.field_bean[seat, field]
        memory.field_count[field] = view.field_count[seat, field]
    for bean in range(rules.beans):
        memory.face[bean] = 0
        if seat == view.active and rules.duel == 0:
            memory.face[bean] = view.face_up_beans[bean]
        memory.due[bean] = view.set_aside[seat, bean] + memory.face[bean]
    memory.planted = 0
    memory.wait = steps_to(rules, view.active, seat)
    if memory.wait == 0:
        memory.wait = rules.players
    memory.hand_size = 0


@compiled
def _may_go(memory, field):
    """Whether a field may be harvested while playing out."""
    most = 0
    for other in range(memory.slots):
        most = max(most, memory.roll_count[other])
    return not is_protected(memory.roll_count[field], most)


@compiled
def _field_of(memory, bean):
    """The field that grows a bean, the fullest of several; -1 if none."""
    best, most = -1, 0
    for field in range(memory.slots):
        if memory.roll_count[field] > most and memory.roll_bean[field] == bean:
            best, most = field, memory.roll_count[field]
    return best


@compiled
def _empty_field(memory):
    for field in range(memory.slots):
        if memory.roll_count[field] == 0:
            return field
    return -1


@compiled
def _loss(memory, seat, field):
    """What is lost by harvesting a field now."""
    bean, count = memory.roll_bean[field], top_count(memory.roll_count[field])
    return memory.worth[seat, bean, count] - memory.coins[bean, count]


@compiled
def _least_loss(memory, seat):
    best, least = 0, _FAR
    for field in range(memory.slots):
        if _may_go(memory, field):
            loss = _loss(memory, seat, field)
            if loss < least:
                best, least = field, loss
    return best


@compiled
def _gain_of_planting(memory, seat, bean):
    """What planting one more card brings, by the best field for it."""
    field = _field_of(memory, bean)
    if field >= 0:
        count = memory.roll_count[field]
        return (
            memory.worth[seat, bean, top_count(count + 1)]
            - memory.worth[seat, bean, top_count(count)]
        )
    if _empty_field(memory) >= 0:
        return memory.worth[seat, bean, 1] - memory.slot
    return memory.worth[seat, bean, 1] - _loss(memory, seat, _least_loss(memory, seat))


@compiled
def _roll_plant(memory, seat, bean):
    field = _field_of(memory, bean)
    if field < 0:
        field = _empty_field(memory)
    if field < 0:
        field = _least_loss(memory, seat)
        memory.roll_count[field] = 0
    memory.roll_bean[field] = bean
    memory.roll_count[field] += 1


@compiled
def _next_due(rules, memory, seat):
    """Of the cards to be planted now the one that brings most; -1 when there is none."""
    best, most = -1, -_FAR
    for bean in range(rules.beans):
        if memory.roll_due[bean] > 0:
            gain = _gain_of_planting(memory, seat, bean)
            if gain > most:
                best, most = bean, gain
    return best


@compiled
def _play_due(rules, memory, seat):
    value = 0
    left = 0
    for bean in range(rules.beans):
        left += memory.roll_due[bean]
    for _ in range(left):
        bean = _next_due(rules, memory, seat)
        value += _gain_of_planting(memory, seat, bean)
        _roll_plant(memory, seat, bean)
        memory.roll_due[bean] -= 1
    return value


@compiled
def _weight(memory, turns):
    """What counts of something that lies ``turns`` turns ahead, in thousandths."""
    weight = 1000
    for _ in range(turns):
        weight = weight * memory.keep // 1000
    return weight


@compiled
def _play_card(memory, seat, position, turns):
    bean = memory.hand[position]
    gain = _gain_of_planting(memory, seat, bean)
    _roll_plant(memory, seat, bean)
    return gain * _weight(memory, turns) // 1000


@compiled
def _play_hand(rules, memory, seat):
    value, position, planted = 0, 0, memory.planted
    turns = memory.wait
    for _ in range(min(_MOST_TURNS, memory.turns_left)):
        if planted == 0 and position < memory.hand_size:
            value += _play_card(memory, seat, position, turns)
            position += 1
        if (
            position < memory.hand_size
            and _gain_of_planting(memory, seat, memory.hand[position]) > 0
        ):
            value += _play_card(memory, seat, position, turns)
            position += 1
        planted = 0
        turns += rules.players
    return value


@compiled
def outlook(rules, memory, seat):
    """Expected further coins of the loaded position, in thousandths."""
    value = 0
    for field in range(memory.slots):
        bean, count = memory.field_bean[field], memory.field_count[field]
        memory.roll_bean[field] = bean
        memory.roll_count[field] = count
        value += memory.worth[seat, bean, top_count(count)] if count > 0 else memory.slot
    for bean in range(rules.beans):
        memory.roll_due[bean] = memory.due[bean]
    value += _play_due(rules, memory, seat)
    return value + _play_hand(rules, memory, seat)
