"""The standard suite: frozen scenarios, so that results of different papers can be compared.

A scenario is a table (rules) and a background population. The policy that is measured, the *focal*
one, takes one chair among the background, or all chairs (``clones``). Everything about a suite is
data in ``suites/suite_<number>.json``, which never changes: where a bot's behaviour or a rule does,
a new suite is made.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas as pd

from bohnanza_env.bots import BOTS
from bohnanza_env.engine.rules import Rules

from .play import play_schedule
from .players import Player, misfit
from .rows import rules_hash
from .schedule import Schedule, deck_seed

__all__ = ["FOCAL", "Suite", "SuiteError", "SuiteTable", "load_suite", "play_suite", "suites"]

FOCAL = "focal:"  # stands before the name of a focal policy in lineups and rows
CLONES = "clones"  # the background of copies of the focal policy


class SuiteError(ValueError):
    """A suite that is unknown, or that this version of the package cannot play as it was fixed."""


@dataclass(frozen=True)
class SuiteTable:
    """Rules at which the suite is played, under a short name."""

    name: str
    rules: Rules


@dataclass(frozen=True)
class Suite:
    """A suite as it is played: the frozen one, or a part of it.

    Attributes:
        number: which suite.
        digest: digits of the file that fixes it.
        tables: the rules.
        backgrounds: name → number of players → bots in the other chairs; ``None`` for clones.
        decks, seed: each lineup plays these decks from every seat.
        reference: the bot that every policy is compared to, in the same chair.
        sampling, budget: what the suite says of them, in words.
        departures: in what it is not the frozen suite, in words; empty if it is.
    """

    number: int
    digest: str
    tables: tuple[SuiteTable, ...]
    backgrounds: Mapping[str, Mapping[int, tuple[str, ...]] | None]
    decks: int
    seed: int
    reference: str
    sampling: str
    budget: str
    departures: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """``suite/1``, and in what it departs from the frozen one."""
        return ", ".join([f"suite/{self.number}", *self.departures])

    def lineup(self, name: str, background: str, players: int) -> tuple[str, ...]:
        """The lineup of a scenario: the focal policy in chair 0."""
        others = self.backgrounds[background]
        focal = FOCAL + name
        return (focal,) * players if others is None else (focal, *others[players])


def suites() -> list[int]:
    """The numbers of all suites."""
    names = [Path(entry.name) for entry in files(__package__).joinpath("suites").iterdir()]
    return sorted(int(name.stem.rpartition("_")[2]) for name in names if name.suffix == ".json")


def load_suite(
    number: int = 1,
    *,
    quick: bool = False,
    decks: int | None = None,
    seed: int | None = None,
    only: str = "",
) -> Suite:
    """A suite by its number; ``quick``, ``decks``, ``seed`` and ``only`` make it another one.

    Args:
        number: which.
        quick: a few decks, for a first look.
        decks: so many decks instead.
        seed: other decks.
        only: tables whose names begin so, with commas between.

    Raises:
        SuiteError: no such suite, table or seed, or bots or rules have changed since it was fixed.
    """
    if number not in suites():
        known = ", ".join(map(str, suites()))
        raise SuiteError(f"there is no suite {number}; suites: {known}")
    text = files(__package__).joinpath("suites", f"suite_{number}.json").read_bytes()
    data = json.loads(text)
    tables = tuple(_table(entry) for entry in data["tables"])
    _check(data, tables)
    wanted = data["quick_decks"] if quick else data["decks"]
    if decks is not None:
        wanted = decks
    if wanted < 1:
        raise SuiteError(f"decks: expected at least 1, got {wanted}")
    seed = data["seed"] if seed is None else seed
    try:
        deck_seed(seed, wanted - 1)
    except ValueError as error:
        raise SuiteError(f"seed, decks: {error}") from None
    kept = _only(tables, only) if only else tables
    backgrounds = {
        name: None if by is None else {int(k): tuple(bots) for k, bots in by.items()}
        for name, by in data["backgrounds"].items()
    }
    return Suite(
        number=number,
        digest=hashlib.sha256(text).hexdigest()[:12],
        tables=kept,
        backgrounds=backgrounds,
        decks=wanted,
        seed=seed,
        reference=data["reference"],
        sampling=data["sampling"],
        budget=data["budget"],
        departures=_departures(data, wanted, seed, kept, tables),
    )


def _departures(
    data: dict[str, Any],
    decks: int,
    seed: int,
    kept: tuple[SuiteTable, ...],
    tables: tuple[SuiteTable, ...],
) -> tuple[str, ...]:
    """In what it is not the frozen suite, in words."""
    found = []
    if decks != data["decks"]:
        found.append(f"{decks} decks instead of {data['decks']}")
    if seed != data["seed"]:
        found.append(f"seed {seed} instead of {data['seed']}")
    if kept != tables:
        found.append(f"tables {', '.join(table.name for table in kept)} only")
    return tuple(found)


def _table(entry: dict[str, Any]) -> SuiteTable:
    edition, players, protocol = entry["edition"], entry["players"], entry["protocol"]
    rules = Rules.of(edition, players, protocol=protocol)
    return SuiteTable(f"{edition}-{players}-{protocol}", rules)


def _check(data: dict[str, Any], tables: tuple[SuiteTable, ...]) -> None:
    here = {name: bot.version for name, bot in BOTS.items()}
    changed = [
        f"{name} version {version} (this package has {here.get(name, 'no such bot')})"
        for name, version in data["bots"].items()
        if here.get(name) != version
    ]
    changed += [
        f"other rules of {table.name}"
        for table, entry in zip(tables, data["tables"], strict=True)
        if rules_hash(table.rules) != entry["digits"]
    ]
    if changed:
        raise SuiteError(f"suite/{data['suite']} was fixed with {', '.join(changed)}")


def _only(tables: tuple[SuiteTable, ...], only: str) -> tuple[SuiteTable, ...]:
    beginnings = [part.strip() for part in only.split(",")]
    for part in beginnings:
        if not part or not any(table.name.startswith(part) for table in tables):
            known = ", ".join(table.name for table in tables)
            raise SuiteError(f"no table begins with {part!r}; tables: {known}")
    return tuple(t for t in tables if t.name.startswith(tuple(beginnings)))


def play_suite(
    suite: Suite,
    players: Mapping[str, Player],
    folder: Path | None = None,
    **options: Any,
) -> tuple[pd.DataFrame, dict[str, dict[str, list[str]]]]:
    """Play all scenarios that the policies can play.

    Args:
        suite: the suite.
        players: the focal policies by name.
        folder: a file of rows for each table goes there, ``<table>.parquet``.
        options: of ``play_schedule``: workers, backend, resume, force, progress, gains, sources.

    Returns:
        The rows of all games with columns ``table`` and ``background``, and what was left out:
        table → policy → in which fields its own rules differ.

    Raises:
        SuiteError: a policy that can play none of the tables, or another one under the name of
            the reference.
    """
    if players.get(suite.reference, suite.reference) != suite.reference:
        raise SuiteError(
            f"the name {suite.reference} is the reference's: name the policy otherwise"
        )
    left_out = {
        table.name: {
            name: faults
            for name, player in players.items()
            if (faults := misfit(player, table.rules))
        }
        for table in suite.tables
    }
    for name in players:
        if all(name in faults for faults in left_out.values()):
            raise SuiteError(_fits_nowhere(name, suite, left_out))
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for table in suite.tables:
        fit = {name: p for name, p in players.items() if name not in left_out[table.name]}
        if not fit:
            continue
        fit.setdefault(suite.reference, suite.reference)
        path = None if folder is None else folder / f"{table.name}.parquet"
        parts.append(_play_table(suite, table, fit, path, options))
        if options.get("progress") and not sys.stderr.isatty():  # there is no bar then
            print(f"played: {table.name}", file=sys.stderr, flush=True)  # noqa: T201
    return pd.concat(parts, ignore_index=True), {t: f for t, f in left_out.items() if f}


def _play_table(
    suite: Suite,
    table: SuiteTable,
    players: Mapping[str, Player],
    path: Path | None,
    options: Mapping[str, Any],
) -> pd.DataFrame:
    options = dict(options)
    seats = table.rules.players
    names = {
        ",".join(suite.lineup(name, background, seats)): background
        for name in players
        for background in suite.backgrounds
    }
    lineups = tuple(tuple(lineup.split(",")) for lineup in names)
    schedule = Schedule(table.rules, lineups, suite.decks, suite.seed)
    focal = {FOCAL + name: player for name, player in players.items()}
    sources = {FOCAL + name: source for name, source in options.pop("sources", {}).items()}
    rows = play_schedule(schedule, focal, path, label=table.name, sources=sources, **options)
    return rows.assign(table=table.name, background=rows["lineup"].map(names))


def _fits_nowhere(name: str, suite: Suite, left_out: Mapping[str, Mapping[str, list[str]]]) -> str:
    nearest = min(suite.tables, key=lambda table: len(left_out[table.name][name]))
    return (
        f"{name} can play none of the tables of {suite.title}; the nearest is {nearest.name}: "
        f"{'; '.join(left_out[nearest.name][name])}"
    )
