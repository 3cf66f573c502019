"""From the lines of a file to one verdict for each game."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from .match import judge
from .stream import Line, Log, StopError, Stream
from .terms import read_terms


@dataclass(frozen=True)
class Verdict:
    """What the referee found in one game.

    Attributes:
        line: the number of its first line in the file, from 1.
        faults: texts ``line 17: R16: …``; the rule is ``format`` where the text is no record.
    """

    line: int
    faults: list[str] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not self.faults


def check_record(source: Iterable[str] | str | Path) -> list[Verdict]:
    """Judge every game of a record: a path, or the lines themselves.

    Whatever the lines say, the answer is a verdict and never an exception. A game is judged up to
    the first event after which its state is no longer known.
    """
    if isinstance(source, (str, Path)):
        text = Path(source).read_text(encoding="utf-8", errors="replace")
        source = text.split("\n")[: -1 if text.endswith("\n") else None]
    return [_verdict(lines) for lines in _games(map(_parse, source, count(1)))]


def _parse(text: str, number: int) -> Line:
    if not text.strip():
        return Line(number, None, "an empty line")
    try:
        data: Any = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        return Line(number, None, f"not JSON: {error}")
    if not isinstance(data, dict):
        return Line(number, None, "not a JSON object")
    return Line(number, data)


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number")


def _games(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Lines by game: a header begins one, and so does anything unreadable after an end."""
    game: list[Line] = []
    ended = False
    for line in lines:
        is_header = line.data is not None and "format" in line.data
        if game and (is_header or (ended and line.data is None)):
            yield game
            game, ended = [], False
        game.append(line)
        ended = ended or (line.data is not None and line.data.get("type") == "end")
    if game:
        yield game


def _verdict(lines: list[Line]) -> Verdict:
    first, *rest = lines
    log = Log(first.number)
    if first.data is None:
        log.fault("format", first.error)
    elif "format" not in first.data:
        log.fault("format", "a header must come first")
    else:
        terms, faults = read_terms(first.data)
        log.faults += [f"line {first.number}: {fault}" for fault in faults]
        if terms is not None:
            with suppress(StopError):
                judge(terms, Stream(rest, terms.players, log), log)
    return Verdict(first.number, log.faults)
