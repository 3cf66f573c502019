"""The form of a record's lines: which keys an event has, and of what type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bohnanza_env.engine.rules import Rules

from .faults import Faults

__all__ = ["EVENT_KEYS", "check_event"]

# type -> key -> kind of value; a key in brackets may be missing.
EVENT_KEYS: dict[str, dict[str, str]] = {
    "deal": {"player": "seat", "beans": "beans"},
    "turn": {"player": "seat"},
    "plant": {"player": "seat", "bean": "bean", "field": "field", "from": "plant_source"},
    "harvest": {
        "player": "seat",
        "field": "field",
        "bean": "bean",
        "count": "cards",
        "coins": "coins",
        "[field_gained]": "true",
    },
    "buy_field": {"player": "seat", "paid": "beans"},
    "reveal": {"beans": "beans"},
    "propose": {"player": "seat", "to": "recipient", "offer": "counts", "request": "counts"},
    "withdraw": {"player": "seat"},
    "answer": {"player": "seat", "answer": "answer"},
    "choose": {"player": "seat", "chosen": "seat"},
    "trade": {"giver": "seat", "taker": "seat", "gave_hand": "copies", "gave_face_up": "beans"},
    "end_trading": {"player": "seat"},
    "draw": {"player": "seat", "beans": "beans"},
    "reshuffle": {"exhaustions": "exhaustions", "deck": "beans"},
    "discard": {"player": "seat", "bean": "bean", "from": "pile", "position": "position"},
    "take": {"player": "seat", "bean": "bean"},
    "offer": {"player": "seat", "beans": "beans"},
    "end": {"scores": "scores", "winners": "seats", "exhaustions": "exhaustions"},
}
_PLANT_SOURCES = ("hand", "set_aside", "offer", "face_up")
_ANSWERS = ("accept", "reject", "counter")


def check_event(rules: Rules, faults: Faults, data: object) -> dict[str, Any]:
    """Note the faults of one line; returns the event, to be used only if there are none."""
    if not isinstance(data, Mapping):
        faults.expect("event", "an object", data)
        return {}
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in EVENT_KEYS:
        faults.expect("type", "one of " + ", ".join(EVENT_KEYS), kind)
        return {}
    wanted = {key.strip("[]"): what for key, what in EVENT_KEYS[kind].items()}
    keys = faults.mapping("", data, ["type", *wanted])
    for key, what in wanted.items():
        if key in keys:
            _KINDS[what](_Values(rules, faults), key, keys[key])
        elif f"[{key}]" not in EVENT_KEYS[kind]:
            faults.add(key, f"missing in {kind}")
    return dict(data)


class _Values:
    def __init__(self, rules: Rules, faults: Faults) -> None:
        self.rules, self.faults = rules, faults

    def seat(self, place: str, value: object) -> None:
        self.faults.whole(place, value, 0, self.rules.players - 1)

    def recipient(self, place: str, value: object) -> None:
        if value is not None:
            self.seat(place, value)

    def seats(self, place: str, value: object) -> None:
        for i, seat in enumerate(self.faults.sequence(place, value, self.rules.players)):
            self.seat(f"{place}[{i}]", seat)

    def bean(self, place: str, value: object) -> None:
        self.faults.bean(place, value)

    def beans(self, place: str, value: object) -> None:
        self.faults.cards(place, value)

    def counts(self, place: str, value: object) -> None:
        for name, number in self.faults.mapping(place, value, self.faults.beans).items():
            self.faults.whole(f"{place}.{name}", number, 1, self.rules.deck_size)

    def field(self, place: str, value: object) -> None:
        self.faults.whole(place, value, 0, self.rules.field_positions - 1)

    def cards(self, place: str, value: object) -> None:
        self.faults.whole(place, value, 1, self.rules.deck_size)

    def coins(self, place: str, value: object) -> None:
        self.faults.whole(place, value, 0, self.rules.deck_size)

    def exhaustions(self, place: str, value: object) -> None:
        self.faults.whole(place, value, 0, self.rules.final_exhaustion)

    def position(self, place: str, value: object) -> None:
        if value is not None:
            self.faults.whole(place, value, 0, self.rules.deck_size)

    def copies(self, place: str, value: object) -> None:
        positions = []
        for i, copy in enumerate(self.faults.sequence(place, value)):
            pair = self.faults.sequence(f"{place}[{i}]", copy)
            if len(pair) != 2:
                self.faults.expect(f"{place}[{i}]", "[position, bean]", copy)
                continue
            self.faults.whole(f"{place}[{i}][0]", pair[0], 0, self.rules.deck_size)
            self.faults.bean(f"{place}[{i}][1]", pair[1])
            positions.append(pair[0])
        if any(position in positions[:i] for i, position in enumerate(positions)):
            self.faults.add(place, "a position is given twice")

    def scores(self, place: str, value: object) -> None:
        scores = self.faults.sequence(place, value)
        if len(scores) != self.rules.players:
            self.faults.add(place, f"expected {self.rules.players} numbers, got {len(scores)}")
        for i, score in enumerate(scores):
            self.coins(f"{place}[{i}]", score)

    def plant_source(self, place: str, value: object) -> None:
        self.faults.name(place, value, _PLANT_SOURCES, "hand")

    def pile(self, place: str, value: object) -> None:
        self.faults.name(place, value, ("hand", "offer"), "hand")

    def answer(self, place: str, value: object) -> None:
        self.faults.name(place, value, _ANSWERS, "reject")

    def true(self, place: str, value: object) -> None:
        self.faults.flag(place, value)


_KINDS: dict[str, Callable[[_Values, str, object], None]] = {
    name: getattr(_Values, name)
    for name in {kind for keys in EVENT_KEYS.values() for kind in keys.values()}
}
