"""Rows: one a game, with everybody's results (columns: docs/evaluation.md)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.rewards import win_share
from bohnanza_env.tallies import Tally, coins_by_turn, worth_to

from .players import Label
from .schedule import PlannedGame

__all__ = [
    "GAINS_COLUMNS",
    "KEY",
    "SEAT_COLUMNS",
    "gini",
    "places",
    "read_rows",
    "row_of",
    "rules_hash",
    "seats_of",
    "write_rows",
]

# What names a game within a tournament.
KEY = ["lineup", "deck", "rotation"]
COUNTS = [tally.name.lower() for tally in Tally] + ["worth_to_winner"]
# Columns of each seat; in the rows of games they end in ``_0``, ``_1`` …
SEAT_COLUMNS = ["policy", "version", "source", "coins", "win", "place", *COUNTS, "coins_by_turn"]
# And of those games that were also played without trade (``without_trade.py``).
GAINS_COLUMNS = ["alone"]
_TEXTS = ("policy", "version", "source", "lineup", "rules", "coins_by_turn")
_THOUSANDTHS = (Tally.WORTH_GIVEN, Tally.WORTH_TAKEN)


def rules_hash(rules: Rules) -> str:
    """Twelve hexadecimal digits that differ wherever the rules do."""
    text = json.dumps(rules.to_dict(), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def gini(values: np.ndarray | list[int]) -> float:
    """The Gini coefficient: 0 where all have the same, near 1 where one has everything."""
    amounts = np.asarray(values, float)
    if amounts.sum() == 0:
        return 0.0
    gaps = np.abs(amounts[:, None] - amounts[None, :]).sum()
    return float(gaps / (2 * len(amounts) * amounts.sum()))


def places(coins: list[int], winners: list[int]) -> list[float]:
    """Final places from 1: winners first, then by coins; who is level shares the mean place."""
    ahead = max(coins) + 1
    worth = [c + ahead * (seat in winners) for seat, c in enumerate(coins)]
    return pd.Series(worth).rank(ascending=False).tolist()


def row_of(
    game: Game, planned: PlannedGame, labels: Mapping[str, Label], tallies: np.ndarray
) -> dict[str, Any]:
    """The row of a finished game."""
    rules, coins, winners = game.rules, game.scores, game.winners
    counts = tallies[: rules.players]
    turns = int(game.state["turn"][0]) + 1
    row: dict[str, Any] = {
        **planned._asdict(),
        "edition": rules.edition,
        "players": rules.players,
        "protocol": rules.protocol,
        "rules": rules_hash(rules),
        "turns": turns,
        "decisions": int(counts[:, Tally.DECISIONS].sum()),
        "welfare": sum(coins),
        "inequality": gini(coins),
    }
    wins = np.array([win_share(seat, winners) for seat in range(rules.players)])
    curves = coins_by_turn(counts, turns)
    for seat, (name, place) in enumerate(zip(planned.seats, places(coins, winners), strict=True)):
        curve = " ".join(map(str, curves[seat]))
        values = [name, *labels[name], coins[seat], float(wins[seat]), place]
        values += [*_counts(counts, seat, wins), curve]
        row |= {f"{c}_{seat}": v for c, v in zip(SEAT_COLUMNS, values, strict=True)}
    return row


def _counts(counts: np.ndarray, seat: int, wins: np.ndarray) -> list[int | float]:
    """The values of ``COUNTS``; worth in coins. Nobody hands anything to themselves."""
    own = [int(counts[seat, tally]) for tally in Tally]
    values = [n / 1000 if tally in _THOUSANDTHS else n for tally, n in zip(Tally, own, strict=True)]
    return [*values, float(worth_to(counts)[seat, : len(wins)] @ wins) / 1000]


def seats_of(rows: pd.DataFrame) -> pd.DataFrame:
    """One row for each seat of each game.

    All columns of the game, those of the seat without its number (``decisions`` are the seat's,
    not the game's), and ``seat``; ``others``: the policies clockwise from the seat; ``against``:
    the policy of all others, or ``mixed``.
    """
    if rows.empty:
        raise ValueError("there are no games")
    parts = []
    for players, group in rows.groupby("players", sort=False):
        seats = range(int(players))
        of_seats = [c for c in group.columns if c.rpartition("_")[2].isdigit()]
        names = group[[f"policy_{seat}" for seat in seats]].to_numpy()
        columns = SEAT_COLUMNS + [c for c in GAINS_COLUMNS if f"{c}_0" in group]
        shared = group.drop(columns=[*of_seats, *set(columns).intersection(group.columns)])
        for seat in seats:
            own = group[[f"{c}_{seat}" for c in columns]].set_axis(columns, axis=1)
            others = np.roll(names, -seat, axis=1)[:, 1:]
            alike = (others == others[:, :1]).all(axis=1)
            extra = {
                "seat": seat,
                "others": [",".join(line) for line in others],
                "against": np.where(alike, others[:, 0], "mixed"),
            }
            parts.append(pd.concat([shared, own], axis=1).assign(**extra))
    return pd.concat(parts, ignore_index=True)


# Files --------------------------------------------------------------------------------------


def check_suffix(path: str | os.PathLike[str]) -> Path:
    """The path; ``ValueError`` if its suffix names no format that is known."""
    target = Path(path)
    if target.suffix not in (".parquet", ".csv"):
        raise ValueError(f"{target}: expected a name that ends in .parquet or .csv")
    return target


def write_rows(rows: pd.DataFrame, path: str | os.PathLike[str]) -> None:
    """Write a file completely or not at all, Parquet or CSV by its suffix."""
    target = check_suffix(path)
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        if target.suffix == ".parquet":
            rows.to_parquet(unfinished, index=False)
        else:
            rows.to_csv(unfinished, index=False, lineterminator="\n")
        os.replace(unfinished, target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            unfinished.unlink()


def read_rows(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The rows of a file.

    Raises:
        OSError: it cannot be read.
        ValueError: it holds something else.
    """
    target = check_suffix(path)
    try:
        if target.suffix == ".parquet":
            rows = pd.read_parquet(target)
        else:
            columns = pd.read_csv(target, nrows=0).columns
            texts = {c: str for c in columns if c.rstrip("0123456789").rstrip("_") in _TEXTS}
            empty = {c: [""] for c in columns if c not in texts}  # figures that are not there
            rows = pd.read_csv(target, dtype=texts, keep_default_na=False, na_values=empty)
    except (ValueError, pd.errors.ParserError) as error:  # ArrowInvalid is a ValueError
        raise ValueError(f"{target}: no rows of games ({error})") from None
    missing = [c for c in [*KEY, "seed", "rules", "players", "coins_0"] if c not in rows.columns]
    if missing:
        raise ValueError(f"{target}: no rows of games (no column {missing[0]!r})")
    if "source_0" not in rows.columns:  # rows of the first versions; nobody knows any more
        rows = rows.assign(**{f"source_{seat}": "" for seat in range(rows["players"].max())})
    missing = [c for c in SEAT_COLUMNS if f"{c}_0" not in rows.columns]
    if missing:
        raise ValueError(
            f"{target}: rows of another version of bohnanza-env (no column {missing[0]}_0)"
        )
    return rows
