"""What the rows of a suite say: one line a policy and background, with 95 % intervals.

Equal deck numbers mean related cards at all tables, so the unit that is resampled is the deck
number: its mean over all tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .intervals import Interval, interval, ratio_interval
from .rows import seats_of
from .statistics import MEASURES
from .suite import FOCAL, Suite
from .without_trade import gains

__all__ = ["suite_gains", "suite_results", "suite_tables"]

# Trading measures that the table shows; all of them are in the rows.
_SHOWN = (
    "deals_a_turn",
    "acceptance",
    "cards_a_deal",
    "gifts_given_a_turn",
    "gifts_taken_a_turn",
    "to_winner",
    "forced_for_nothing_a_game",
)


def _focal_seats(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the seats of focal policies, under their own names."""
    seats = seats_of(rows)
    seats = seats[seats["policy"].str.startswith(FOCAL)]
    return seats.assign(policy=seats["policy"].str.removeprefix(FOCAL), games=1)


def _by_deck(seats: pd.DataFrame, value: str) -> pd.Series:
    """Means by policy, background, table and deck."""
    return seats.groupby(["policy", "background", "table", "deck"])[value].mean()


def _differences(seats: pd.DataFrame, reference: str) -> pd.Series:
    """Coins more than the reference in the same chair, by policy, background, table and deck."""
    coins = _by_deck(seats, "coins")
    if reference not in coins.index.get_level_values("policy"):
        return coins * np.nan
    same = coins.xs(reference).rename("reference")
    joined = coins.reset_index().merge(same.reset_index(), on=["background", "table", "deck"])
    joined["difference"] = joined["coins"] - joined["reference"]
    return joined.set_index(["policy", "background", "table", "deck"])["difference"]


def _over_tables(values: pd.Series) -> Interval:
    """The mean over tables, of the decks that were played at all of them."""
    by_deck = values.unstack("table").dropna()
    if by_deck.empty:
        return Interval(np.nan, np.nan, np.nan)
    return interval(by_deck.mean(axis=1).to_numpy())


def suite_results(rows: pd.DataFrame, suite: Suite) -> pd.DataFrame:
    """The table to cite: one line for each policy and background, means over the tables.

    Coins, win share, coins more than the reference in the same chairs (``more_than_<reference>``),
    and trading measures, which are ratios of sums.
    """
    seats = _focal_seats(rows)
    values = {
        "coins": _by_deck(seats, "coins"),
        "win": _by_deck(seats, "win"),
        f"more_than_{suite.reference}": _differences(seats, suite.reference),
    }
    lines = []
    for name in seats["policy"].unique():
        for background in suite.backgrounds:
            own = seats[(seats["policy"] == name) & (seats["background"] == background)]
            line: dict[str, Any] = {"policy": name, "background": background}
            line |= {"tables": own["table"].nunique(), "decks": own["deck"].nunique()}
            for column, by in values.items():
                line |= _over_tables(by.loc[name, background]).columns(column)
            sums = own.groupby("deck").sum(numeric_only=True)
            for measure in _SHOWN:
                counted, chances = MEASURES[measure]
                above, below = sums[counted].sum(axis=1), sums[chances].sum(axis=1)
                line |= ratio_interval(above.to_numpy(), below.to_numpy()).columns(measure)
            lines.append(line)
    return pd.DataFrame(lines)


def suite_tables(rows: pd.DataFrame, suite: Suite) -> pd.DataFrame:
    """One line for each policy and table: coins and difference to the reference by background."""
    seats = _focal_seats(rows)
    coins, more = _by_deck(seats, "coins"), _differences(seats, suite.reference)
    lines = []
    for name in seats["policy"].unique():
        for table in seats.loc[seats["policy"] == name, "table"].unique():
            line: dict[str, Any] = {"policy": name, "table": table}
            for background in suite.backgrounds:
                for column, by in ((f"{background}_coins", coins), (f"{background}_more", more)):
                    part = by.loc[name, background, table]
                    line |= interval(part.to_numpy()).columns(column)
            lines.append(line)
    return pd.DataFrame(lines)


def suite_gains(rows: pd.DataFrame) -> pd.DataFrame:
    """``without_trade.gains`` of each focal policy by background, over all tables."""
    if "alone_0" not in rows:
        return pd.DataFrame()
    focal = rows["lineup"].str.split(",").str[0].str.removeprefix(FOCAL)
    found = gains(rows.assign(lineup=focal + "," + rows["background"], seed=rows["deck"]))
    if found.empty:
        return found
    found = found[found["policy"].str.startswith(FOCAL)]
    background = found["lineup"].str.rpartition(",")[2]
    own = found.assign(policy=found["policy"].str.removeprefix(FOCAL), background=background)
    return own[["policy", "background", *[c for c in found if c not in ("policy", "lineup")]]]
