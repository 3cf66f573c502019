"""The one place where events are written: for all eyes, and in full for records."""

from __future__ import annotations

from .compilation import compiled
from .decisions import Event
from .limits import EVENT_CAPACITY

__all__ = ["emit"]

_DEAL, _DRAW = int(Event.DEAL), int(Event.DRAW)


@compiled
def emit(game, log, kind, seat, other, bean, amount, detail, position):
    """Note an event (columns: see ``decisions.Event``).

    The public list never shows the position of a hand card or the bean of a dealt or drawn one.
    """
    hidden = kind == _DRAW or kind == _DEAL
    row = game.event_count % EVENT_CAPACITY
    game.events[row, 0] = kind
    game.events[row, 1] = seat
    game.events[row, 2] = other
    game.events[row, 3] = -1 if hidden else bean
    game.events[row, 4] = amount
    game.events[row, 5] = detail
    game.event_count += 1
    if log.enabled != 0:
        row = log.written
        log.entries[row, 0] = kind
        log.entries[row, 1] = seat
        log.entries[row, 2] = other
        log.entries[row, 3] = bean
        log.entries[row, 4] = amount
        log.entries[row, 5] = detail
        log.entries[row, 6] = position
        log.written = row + 1
