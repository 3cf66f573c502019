"""Short digests that do not depend on how records are laid out."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from bohnanza_env.engine.decisions import Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import TABLE
from bohnanza_env.view import view_of

# How far each array of a view is used, axis by axis. Fields not named are single numbers.
AXES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        "winners hand_size coins drawn_since proposals_left passed answers field_slots "
        "field_gained".split(),
        ("seats",),
    ),
    **dict.fromkeys(("field_bean", "field_count"), ("seats", "slots")),
    **dict.fromkeys(("set_aside", "coin_beans", "known"), ("seats", "beans")),
    **dict.fromkeys(
        "discard_beans face_up_beans duel_offer removed deck_at_shuffle turned_up offer request "
        "hand_beans draft_offer draft_request".split(),
        ("beans",),
    ),
    **dict.fromkeys(("face_up", "chosen_face_up"), ("shown",)),
    **dict.fromkeys(
        ("settled_proposer", "settled_recipient", "settled_partner", "settled_counter"),
        ("settled",),
    ),
    "settled_answers": ("settled", "seats"),
    "settled_offer": ("settled", "beans"),
    "settled_request": ("settled", "beans"),
    "hand": ("own_hand",),
    "chosen_hand": ("own_hand",),
    "coin_top": ("seats", "price"),
    "discard": ("duel_discard",),
}
_TO_WHOM = ("recipient", "draft_recipient", "settled_recipient")
_PROPOSALS = [int(Event.PROPOSE), int(Event.OFFER), int(Event.REQUEST)]
_TABLE = -2  # written for the table, whose number in records follows from a capacity


def short(data: bytes | str) -> str:
    """Eight hexadecimal digits."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()[:8]


def view_digest(game: Game, seat: int) -> str:
    """Of all that the view of a seat holds: each field's name and values, by name.

    Values are whole numbers, arrays nested lists, each cut to what the rules and the present
    sizes use. The last 64 events count in the order in which they happened.
    """
    view = view_of(game, seat)
    values = dict(zip(view.dtype.names, view[0].item(), strict=True))
    lengths = _lengths(game.rules, values)
    return short("\n".join(f"{name} {_used(values, name, lengths)}" for name in sorted(values)))


def _lengths(rules: Rules, values: dict[str, Any]) -> dict[str, int]:
    return {
        "seats": rules.players,
        "beans": len(rules.beans),
        "slots": rules.field_positions,
        "shown": 0 if rules.duel else values["face_up_size"],
        "settled": values["settled_count"],
        "own_hand": int(values["hand_size"][values["seat"]]),
        "price": rules.field_price,
        "duel_discard": values["discard_size"] if rules.duel else 0,
    }


def _used(values: dict[str, Any], name: str, lengths: dict[str, int]) -> Any:
    value = values[name]
    if name == "events":
        return _events(value.tolist(), values["event_count"])
    if isinstance(value, np.ndarray) or name in AXES:
        value = value[tuple(slice(lengths[axis]) for axis in AXES[name])].tolist()
    if name in _TO_WHOM:
        return [_whom(n) for n in value] if isinstance(value, list) else _whom(value)
    return value


def _whom(seat: int) -> int:
    return _TABLE if seat == TABLE else seat


def _events(ring: list[list[int]], count: int) -> list[list[int]]:
    first = max(0, count - EVENT_CAPACITY)
    rows = [ring[n % EVENT_CAPACITY] for n in range(first, count)]
    return [[*r[:2], _whom(r[2]), *r[3:]] if r[0] in _PROPOSALS else r for r in rows]


def texts_digest(texts: Iterable[Any]) -> str:
    """Of some texts in their order."""
    return short("\n".join(texts))
