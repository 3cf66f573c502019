"""Results of a suite as text: a table to cite, and a document with everything that was stated."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
import pandas as pd

from .players import Player, version_of
from .suite import Suite

__all__ = ["machine", "markdown_report", "parted", "texts"]

_ESTIMATES = ("mean", "difference", "value")
_BOUNDS = ("low", "high")
_HEADINGS = {
    "win": "win share",
    "deals_a_turn": "deals a turn",
    "cards_a_deal": "cards a deal",
    "gifts_given_a_turn": "gifts given a turn",
    "gifts_taken_a_turn": "gifts taken a turn",
    "to_winner": "to winner",
    "forced_for_nothing_a_game": "forced for nothing",
    "of_attainable": "of attainable",
}


def texts(table: pd.DataFrame, short: bool = False) -> tuple[list[str], list[list[str]]]:
    """Headings and cells of a table, each mean with its interval in one cell.

    ``x_low`` and ``x_high`` are the interval of ``x``; plain ``low`` and ``high`` that of the one
    column of ``_ESTIMATES``. ``short`` leaves the intervals out.
    """
    shown = [c for c in table.columns if not c.endswith(("_low", "_high")) and c not in _BOUNDS]
    bounds = {c: _BOUNDS if c in _ESTIMATES else (f"{c}_low", f"{c}_high") for c in shown}
    lines = []
    for _, row in table.iterrows():
        line = []
        for column in shown:
            value = row[column]
            if isinstance(value, float) and np.isnan(value):
                line.append("–")
                continue
            text = f"{value:.2f}" if isinstance(value, float) else str(value)
            low, high = (row.get(bound, np.nan) for bound in bounds[column])
            if not short and not np.isnan(low + high):
                text += f" [{low:.2f}, {high:.2f}]"
            line.append(text)
        lines.append(line)
    return [_HEADINGS.get(c, c.replace("_", " ")) for c in shown], lines


def parted(summary: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The table of ``suite_results`` in two: coins, and trading measures."""
    cut = list(summary.columns).index("deals_a_turn")
    names = ["policy", "background"]
    return summary.iloc[:, :cut], summary[[*names, *summary.columns[cut:]]]


def _markdown(table: pd.DataFrame, short: bool = False) -> str:
    headings, lines = texts(table, short)
    rows = [headings, ["---"] * len(headings), *lines]
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def machine() -> str:
    """What runs, and where, in a line."""
    try:
        package = f"bohnanza-env {version('bohnanza-env')}"
    except PackageNotFoundError:
        package = "bohnanza-env, not installed"
    return (
        f"{package}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"Python {platform.python_version()}"
    )


def markdown_report(
    suite: Suite,
    players: Mapping[str, Player],
    results: Mapping[str, Any],
    command: str,
    seconds: float | None = None,
) -> str:
    """The results as a document; ``seconds``: how long it took, if that is known."""
    versions = ", ".join(f"`{name}` {version_of(p)}".strip() for name, p in players.items())
    coins, measures = parted(results["summary"])
    took = "" if seconds is None else f"; {max(1, round(seconds / 60))} minutes"
    parts = [
        "# Results",
        f"Written by the command below, not by hand. {suite.title} (file {suite.digest}), seed "
        f"{suite.seed}, {suite.decks} decks from every seat at each of {len(suite.tables)} tables; "
        "what the columns mean stands in [evaluation.md](evaluation.md).",
        f"```bash\n{command}\n```",
        f"Policies and versions: {versions}. Machine: {machine()}{took}.",
        f"Sampling: {suite.sampling}. Budget: {suite.budget}.",
        "## By background",
        "Means over all tables with 95 % intervals over decks.",
        _markdown(coins),
        "Trading measures of the same seats:",
        _markdown(measures),
    ]
    if len(results["gains"]):
        parts += ["## Gains from trade", _markdown(results["gains"])]
    parts += [
        f"## Coins more than `{suite.reference}` in the same chair, by table",
        _markdown(_differences_only(results["tables"])),
        "## Coins by table",
        _markdown(_coins_only(results["tables"]), short=True),
    ]
    if results["left_out"]:
        parts += ["## Left out", *[f"- {line}" for line in results["left_out"]]]
    if results["cautions"]:
        parts += ["## Cautions", *[f"- {line}" for line in results["cautions"]]]
    return "\n\n".join(parts) + "\n"


def _differences_only(tables: pd.DataFrame) -> pd.DataFrame:
    kept = [c for c in tables if "_coins" not in c]
    return tables[kept].rename(columns=lambda c: c.replace("_more", ""))


def _coins_only(tables: pd.DataFrame) -> pd.DataFrame:
    kept = [c for c in tables if "_more" not in c]
    return tables[kept].rename(columns=lambda c: c.replace("_coins", ""))
