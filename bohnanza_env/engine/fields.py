"""Planting, harvesting, bean protection and the extra field (RULES §5, §7)."""

from __future__ import annotations

import numpy as np

from .cards import MAX_COINS_PER_HARVEST
from .compilation import compiled
from .decisions import Event
from .deck import discard
from .events import emit
from .limits import FIELD_CAPACITY

__all__ = [
    "buy_field",
    "can_buy_field",
    "can_harvest",
    "coins_for",
    "harvest",
    "has_harvest",
    "is_protected",
    "is_room",
    "largest_field",
    "plant",
]

_PLANT, _HARVEST = int(Event.PLANT), int(Event.HARVEST)
_BUY_FIELD, _PAY = int(Event.BUY_FIELD), int(Event.PAY)
_FIELD_GAINED = -2


@compiled
def coins_for(rules, bean, count):
    """Coins for ``count`` cards of a bean: the highest tier reached (R1)."""
    coins = 0
    for tier in range(MAX_COINS_PER_HARVEST):
        need = rules.beanometer[bean, tier]
        if 0 < need <= count:
            coins = tier + 1
    return coins


@compiled
def is_room(game, seat, field, bean):
    """Whether the bean may go there: an own field, empty or of the same bean (R8)."""
    if field >= game.field_slots[seat]:
        return False
    return game.field_count[seat, field] == 0 or game.field_bean[seat, field] == bean


@compiled
def plant(game, log, seat, field, bean, source):
    """A card goes to a field; legality was checked."""
    game.field_bean[seat, field] = bean
    game.field_count[seat, field] += 1
    emit(game, log, _PLANT, seat, source, bean, 1, field, -1)


@compiled
def largest_field(game, seat):
    """The most cards in one field of the seat."""
    largest = 0
    for field in range(FIELD_CAPACITY):
        largest = max(largest, int(game.field_count[np.uint64(seat), np.uint64(field)]))
    return largest


@compiled
def is_protected(count, largest):
    """Bean protection of a field (R16); ``largest``: of its owner (see ``largest_field``)."""
    return (count == 1) & (largest > 1)


@compiled
def can_harvest(game, seat, field):
    """Whether the field has cards and is not protected."""
    count = int(game.field_count[seat, field])
    return count > 0 and not is_protected(count, largest_field(game, seat))


@compiled
def has_harvest(rules, game, seat):
    """Whether a harvest may be made outside a planting decision (R14, R36)."""
    if rules.harvest_when_needed != 0:
        return False
    for field in range(game.field_slots[seat]):
        if game.field_count[seat, field] > 0:  # of any fields with cards one is unprotected
            return True
    return False


@compiled
def _earn(game, seat, bean, coins):
    for _ in range(coins):
        game.coin_stack[seat, game.coins[seat]] = bean
        game.coins[seat] += 1
    game.coin_beans[seat, bean] += coins


@compiled
def harvest(rules, game, log, seat, field, final):
    """The whole field is sold (R2, R15) or gains the third field (R27; never at the end, R22)."""
    bean = int(game.field_bean[seat, field])
    count = int(game.field_count[seat, field])
    coins = coins_for(rules, bean, count)
    gains_field = (
        rules.field_beans != 0
        and not final
        and bean == rules.field_bean
        and count == 2
        and game.field_gained[seat] == 0
    )
    if gains_field:
        game.field_gained[seat] = 1
        game.field_slots[seat] += 1
    game.field_bean[seat, field] = -1
    game.field_count[seat, field] = 0
    _earn(game, seat, bean, coins)
    for _ in range(count - coins):
        discard(game, bean)
    note = _FIELD_GAINED if gains_field else coins
    emit(game, log, _HARVEST, seat, note, bean, count, field, -1)


@compiled
def can_buy_field(rules, game, seat):
    """Whether the seat may buy its extra field (R24)."""
    price = rules.field_price
    return price > 0 and game.field_gained[seat] == 0 and game.coins[seat] >= price


@compiled
def buy_field(rules, game, log, seat):
    """The top coins pay, top first: to the discard pile (R25) or out of the game (R26)."""
    emit(game, log, _BUY_FIELD, seat, -1, -1, -1, -1, -1)
    for _ in range(rules.field_price):
        game.coins[seat] -= 1
        top = game.coins[seat]
        bean = int(game.coin_stack[seat, top])
        game.coin_stack[seat, top] = -1
        game.coin_beans[seat, bean] -= 1
        if rules.coins_leave_game != 0:
            game.removed[bean] += 1
        else:
            discard(game, bean)
        emit(game, log, _PAY, seat, -1, bean, 1, -1, -1)
    game.field_gained[seat] = 1
    game.field_slots[seat] += 1
