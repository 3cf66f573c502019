"""Reading records: games as their events, checked line by line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bohnanza_env.engine.rules import Rules

from .faults import Faults
from .json_files import parse_json
from .record_schema import check_event
from .record_table import ImpossibleEvent, Table
from .record_write import FORMAT
from .rules_key import read_rules

__all__ = ["Record", "RecordError", "read_records", "replay"]

HEADER_KEYS = "format rules seed start players deck".split()


class RecordError(ValueError):
    """A record that cannot be used. The message names the file and the line."""


@dataclass
class Record:
    """One recorded game.

    Attributes:
        rules: its rules.
        seed: its seed.
        start: the start player's seat.
        players: the players' names, by seat.
        deck: the deck as first shuffled, top first.
        events: what happened, as in the file.
        line: the line of the header in the file, from 1.
    """

    rules: Rules
    seed: int
    start: int
    players: list[str]
    deck: list[str]
    events: list[dict[str, Any]] = field(default_factory=list)
    line: int = 1

    @property
    def scores(self) -> list[int]:
        """Coins at the end, by seat."""
        return list(self.events[-1]["scores"])

    @property
    def winners(self) -> list[int]:
        """Who won."""
        return list(self.events[-1]["winners"])


def read_records(path: str | os.PathLike[str]) -> Iterator[Record]:
    """The games in a file (``bohnanza-record/1``), one after another.

    Every line is checked, its place on the table included. A game is yielded when its last line
    has been read, so what stands before a fault can be used.

    Raises:
        RecordError: a line that is wrong, or a game without an end.
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        yield from _Reader(os.fspath(path)).games(file)


def replay(record: Record) -> Iterator[tuple[dict[str, Any], Table]]:
    """Each event with the table after it; one table, which goes on with the game."""
    table = Table(record.rules, record.start, record.deck)
    for event in record.events:
        table.apply(event)
        yield event, table


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.line = 0

    def games(self, lines: Any) -> Iterator[Record]:
        record: Record | None = None
        table: Table | None = None
        for raw in lines:
            self.line += 1
            if not raw.strip() and record is None:
                continue  # an empty line between two games
            data = self._value(raw)
            if record is None or table is None:
                record = self._header(data)
                table = self._table(record)
                continue
            self._event(record, table, data)
            if table.winners is not None:
                yield record
                record = None
        if record is not None:
            self._fail(f"the file ends within the game that begins at line {record.line}")

    def _fail(self, what: str) -> None:
        raise RecordError(f"{self.name}:{self.line}: {what}")

    def _value(self, raw: bytes) -> Any:
        try:
            return parse_json(raw.decode("utf-8"))
        except ValueError as error:
            cut = "" if raw.endswith(b"\n") else "; the last line is cut off"
            why = "no UTF-8 text" if isinstance(error, UnicodeDecodeError) else error
            raise RecordError(f"{self.name}:{self.line}: {why}{cut}") from None

    def _header(self, data: object) -> Record:
        faults = Faults()
        if isinstance(data, dict) and "type" in data and "format" not in data:
            self._fail(f"expected the header of a game, got the event {data['type']!r}")
        keys = faults.mapping("", data, HEADER_KEYS)
        for key in HEADER_KEYS:
            if key not in keys and key != "rules" and isinstance(data, dict):
                faults.add(key, "missing")
        if "format" in keys and keys["format"] != FORMAT:
            faults.expect("format", repr(FORMAT), keys["format"])
        rules = read_rules(faults, keys) if isinstance(data, dict) else None
        if rules is None or faults.found:
            self._fail("; ".join(faults.found))
        assert rules is not None
        faults.beans = {name: i for i, name in enumerate(rules.bean_names)}
        players = faults.sequence("players", keys["players"])
        if len(players) != rules.players or not all(isinstance(name, str) for name in players):
            faults.expect("players", f"{rules.players} names", players)
        record = Record(
            rules=rules,
            seed=faults.whole("seed", keys["seed"], 0, 2**64 - 1),
            start=faults.whole("start", keys["start"], 0, rules.players - 1),
            players=players,
            deck=list(faults.sequence("deck", keys["deck"])),
            line=self.line,
        )
        faults.cards("deck", keys["deck"])
        if faults.found:
            self._fail("; ".join(faults.found))
        return record

    def _table(self, record: Record) -> Table:
        try:
            return Table(record.rules, record.start, record.deck)
        except ImpossibleEvent as error:
            raise RecordError(f"{self.name}:{self.line}: {error}") from None

    def _event(self, record: Record, table: Table, data: object) -> None:
        faults = Faults(record.rules.bean_names)
        event = check_event(record.rules, faults, data)
        if faults.found:
            if isinstance(data, dict) and "format" in data:
                self._fail(f"the game that begins at line {record.line} has no end")
            self._fail("; ".join(faults.found))
        try:
            table.apply(event)
        except ImpossibleEvent as error:
            self._fail(f"impossible {event['type']}: {error}")
        record.events.append(event)
