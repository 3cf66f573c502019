"""The file of a tournament: finished games are noted at once, and can be gone on with."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import pandas as pd

from .players import Label
from .rows import KEY, check_suffix, read_rows, rules_hash, write_rows
from .schedule import PlannedGame, Schedule

__all__ = ["RowsFile", "RowsFileError"]


class RowsFileError(ValueError):
    """A file that cannot be used for the rows of a schedule."""


class RowsFile:
    """Finished games, and the file that holds them, if there is one."""

    def __init__(
        self,
        path: str | os.PathLike[str] | None,
        schedule: Schedule,
        labels: Mapping[str, Label],
        *,
        resume: bool,
        force: bool,
    ) -> None:
        try:
            self.path = None if path is None else check_suffix(path)
        except ValueError as error:
            raise RowsFileError(str(error)) from None
        self.order = {planned[:3]: number for number, planned in enumerate(schedule)}
        self.rows: dict[tuple[Any, ...], dict[str, Any]] = {}
        self._journal: TextIOWrapper | None = None
        if self.path is None:
            return
        self.partial = self.path.with_name(self.path.name + ".partial")
        if not self.path.parent.is_dir():
            raise RowsFileError(f"{self.path.parent}: there is no such folder")
        if resume:
            self._resume(schedule, labels)
        elif not force:
            for file in (self.path, self.partial):
                if file.exists():
                    raise RowsFileError(f"{file} exists: resume it, or replace it by force")
        self.partial.unlink(missing_ok=True)

    def _resume(self, schedule: Schedule, labels: Mapping[str, Label]) -> None:
        assert self.path is not None
        try:
            found = read_rows(self.path).to_dict("records") if self.path.exists() else []
            found += _read_journal(self.partial)
        except ValueError as error:
            raise RowsFileError(str(error)) from None
        planned = {game[:3]: game for game in schedule}
        for row in found:
            key = tuple(row[c] for c in KEY)
            fault = _fault(row, planned.get(key), rules_hash(schedule.rules), labels)
            if fault:
                raise RowsFileError(f"{self.path}: cannot be resumed: {fault}")
            self.rows[key] = row
        if found:
            write_rows(self.table(), self.path)

    def __enter__(self) -> None:
        if self.path is not None:
            self._journal = self.partial.open("w", encoding="utf-8", newline="\n")

    def __exit__(self, *error: object) -> None:
        if self._journal is not None:
            self._journal.close()

    def add(self, rows: list[dict[str, Any]]) -> None:
        for row in rows:
            self.rows[tuple(row[c] for c in KEY)] = row
        if self._journal is not None:
            self._journal.write("".join(json.dumps(row) + "\n" for row in rows))
            self._journal.flush()

    def table(self) -> pd.DataFrame:
        keys = sorted(self.rows, key=self.order.__getitem__)
        return pd.DataFrame([self.rows[key] for key in keys])

    def finish(self) -> None:
        """Put the games into the file itself."""
        if self.path is None:
            return
        if self.rows:
            write_rows(self.table(), self.path)
        self.partial.unlink(missing_ok=True)


def _read_journal(path: Path) -> list[dict[str, Any]]:
    """The whole lines; the last one is cut off where the process was killed while writing."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    return [json.loads(line) for line in lines]


def _fault(
    row: dict[str, Any], planned: PlannedGame | None, rules: str, labels: Mapping[str, Label]
) -> str:
    """What makes a row one of another tournament, or nothing."""
    if row["rules"] != rules:
        return "its games have other rules"
    if planned is None:
        return (
            f"it has a game that is not planned: {row['lineup']}, deck {row['deck']}, "
            f"rotation {row['rotation']} (give the same policies and at least as many decks)"
        )
    if row["seed"] != planned.seed:
        return "its games have another seed"
    for seat, name in enumerate(planned.seats):
        now = labels[name]
        then = Label(str(row[f"version_{seat}"]), str(row.get(f"source_{seat}") or ""))
        if then.version != now.version or then.source not in (now.source, ""):
            return (
                f"in its games {name} is {then}, now it is {now} "
                "(give the same policy, or another name)"
            )
    return ""
