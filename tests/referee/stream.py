"""The events of one game, read one after another, and the faults found on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

from .cards import RANK
from .terms import is_int


@dataclass(frozen=True)
class Line:
    """A line of the file: its number, and what it says or why it cannot be read."""

    number: int
    data: dict[str, Any] | None
    error: str = ""


class StopError(Exception):
    """The rest of this game cannot be judged."""


class Log:
    """The faults of one game, with the line that is being judged."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.faults: list[str] = []

    def fault(self, rule: str, text: str) -> None:
        """A fault after which the state is still known."""
        self.faults.append(f"line {self.line}: {rule}: {text}")

    def stop(self, rule: str, text: str) -> NoReturn:
        """A fault after which it is not."""
        self.fault(rule, text)
        raise StopError


def _is_beans(value: Any) -> bool:
    return isinstance(value, list) and all(_is_bean(bean) for bean in value)


def _is_bean(value: Any) -> bool:
    return isinstance(value, str) and value in RANK


def _is_counts(value: Any) -> bool:
    return isinstance(value, dict) and all(
        bean in RANK and is_int(count, 1) for bean, count in value.items()
    )


def _is_copies(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and is_int(pair[0]) and _is_bean(pair[1])
        for pair in value
    )


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(is_int(number) for number in value)


def _words(*words: str) -> Any:
    return lambda value: isinstance(value, str) and value in words


def _or_none(fits: Any) -> Any:
    return lambda value: value is None or fits(value)


# Event → its keys, each with the test of its value; seats are whole numbers here, see SEATS.
SHAPES: dict[str, dict[str, Any]] = {
    "deal": {"player": is_int, "beans": _is_beans},
    "turn": {"player": is_int},
    "plant": {
        "player": is_int,
        "bean": _is_bean,
        "field": is_int,
        "from": _words("hand", "set_aside", "offer", "face_up"),
    },
    "harvest": {
        "player": is_int,
        "field": is_int,
        "bean": _is_bean,
        "count": is_int,
        "coins": is_int,
    },
    "buy_field": {"player": is_int, "paid": _is_beans},
    "reveal": {"beans": _is_beans},
    "propose": {
        "player": is_int,
        "to": _or_none(is_int),
        "offer": _is_counts,
        "request": _is_counts,
    },
    "withdraw": {"player": is_int},
    "answer": {"player": is_int, "answer": _words("accept", "reject", "counter")},
    "choose": {"player": is_int, "chosen": is_int},
    "trade": {
        "giver": is_int,
        "taker": is_int,
        "gave_hand": _is_copies,
        "gave_face_up": _is_beans,
    },
    "end_trading": {"player": is_int},
    "draw": {"player": is_int, "beans": _is_beans},
    "reshuffle": {"exhaustions": is_int, "deck": _is_beans},
    "discard": {
        "player": is_int,
        "bean": _is_bean,
        "from": _words("hand", "offer"),
        "position": _or_none(is_int),
    },
    "take": {"player": is_int, "bean": _is_bean},
    "offer": {"player": is_int, "beans": _is_beans},
    "end": {"scores": _is_numbers, "winners": _is_numbers, "exhaustions": is_int},
}
SEATS = ("player", "to", "chosen", "giver", "taker")

# The rule that an event breaks by coming where it may not.
OUT_OF_PLACE = {
    "deal": "R3",
    "turn": "R13",
    "harvest": "R14",
    "buy_field": "R24",
    "reveal": "R9",
    "propose": "R29",
    "withdraw": "R29",
    "answer": "R31",
    "choose": "R31",
    "trade": "R32",
    "end_trading": "R29",
    "draw": "R13",
    "reshuffle": "R19",
    "discard": "R28",
    "take": "R28",
    "offer": "R28",
    "end": "R22",
}
PLANTED_FROM = {"hand": "R7", "set_aside": "R12", "offer": "R28", "face_up": "R28"}


def out_of_place(event: dict[str, Any]) -> str:
    """The rule against this event at this point."""
    if event["type"] == "plant":
        return PLANTED_FROM[event["from"]]
    return OUT_OF_PLACE[event["type"]]


class Stream:
    """Events in order. Each is looked at as often as needed, then taken."""

    def __init__(self, lines: list[Line], players: int, log: Log) -> None:
        self._lines = lines
        self._players = players
        self._log = log
        self._next = 0
        self._checked = -1

    @property
    def at_end(self) -> bool:
        return self._next == len(self._lines)

    @property
    def is_fresh(self) -> bool:
        """Whether nobody has looked at the next line yet."""
        return self._checked < self._next

    def line_after(self) -> int | None:
        """The number of the next line, if any."""
        return None if self.at_end else self._lines[self._next].number

    def look(self) -> dict[str, Any]:
        """The next event; stops the game where there is none or its form is wrong."""
        if self.at_end:
            self._log.stop("format", "the record ends before the game does")
        line = self._lines[self._next]
        self._log.line = line.number
        if self.is_fresh:
            self._checked = self._next
            if line.data is None:
                self._log.stop("format", line.error)
            self._check_shape(line.data)
        assert line.data is not None
        return line.data

    def take(self) -> None:
        self._next += 1

    def _check_shape(self, data: dict[str, Any]) -> None:
        kind = data.get("type")
        shape = SHAPES.get(kind) if isinstance(kind, str) else None
        if shape is None:
            self._log.stop("format", f"{kind!r} is no type of event")
        for key, fits in shape.items():
            if key not in data:
                self._log.stop("format", f"{kind}: {key} is missing")
            if not fits(data[key]):
                self._log.stop("format", f"{kind}: {key} cannot be {data[key]!r}")
        for key in data.keys() - shape.keys() - {"type"}:
            if (kind, key) != ("harvest", "field_gained"):
                self._log.stop("format", f"{kind}: {key!r} is not a key of it")
            if data[key] is not True:
                self._log.stop("format", f"harvest: field_gained cannot be {data[key]!r}")
        for key in SEATS:
            if data.get(key) is not None and data[key] >= self._players:
                self._log.stop("format", f"{kind}: there is no seat {data[key]}")
