"""What rows of games say: means, paired differences, payoffs, ratings, each with its doubt."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from openskill.models import PlackettLuce

from .intervals import (
    Interval,
    crossed_interval,
    crossed_ratio_interval,
    interval,
    ratio_interval,
)
from .rows import seats_of

__all__ = [
    "FEW_DECKS",
    "FEW_TRAININGS",
    "MEASURES",
    "cautions",
    "measures",
    "paired_differences",
    "payoff_matrix",
    "ratings",
    "summary",
    "tables",
]

# Below these numbers the bootstrap's intervals are too narrow for a claim.
FEW_DECKS = 30
FEW_TRAININGS = 5

_DECK = "seed"  # names a deck across tournaments
_TRAINING = "training_seed"

# Trading measures: columns of seats that are summed, by columns that are summed; ``games`` is 1 for
# each seat of a game.
MEASURES: dict[str, tuple[list[str], list[str]]] = {
    "proposals_a_turn": (["proposals"], ["turns"]),
    "acceptance": (["accepted"], ["proposals"]),
    "deals_a_turn": (["deals"], ["turns"]),
    "cards_a_deal": (["cards_given", "cards_taken"], ["deals", "gifts_given", "gifts_taken"]),
    "gifts_given_a_turn": (["gifts_given"], ["turns"]),
    "gifts_taken_a_turn": (["gifts_taken"], ["turns"]),
    "worth_given_a_game": (["worth_given"], ["games"]),
    "worth_taken_a_game": (["worth_taken"], ["games"]),
    "to_winner": (["worth_to_winner"], ["worth_given"]),
    "forced_harvests_a_game": (["forced_harvests"], ["games"]),
    "forced_for_nothing_a_game": (["forced_for_nothing"], ["games"]),
    "decisions_a_turn": (["decisions"], ["turns"]),
}


def summary(rows: pd.DataFrame, *, focal: bool = False) -> pd.DataFrame:
    """Means of coins, win share and place by policy, with 95 % intervals, best first.

    Args:
        rows: rows of games under the same rules.
        focal: only seats whose opponents are copies of one policy (the rows of the payoff
            matrix); by default all seats count.
    """
    lines = []
    for name, seats in _seats(rows, focal).groupby("policy"):
        line: dict[str, Any] = {"policy": name, **_sizes(seats)}
        for column in ("coins", "win", "place"):
            line |= _estimate(seats, column).columns(column)
        lines.append(line)
    return _sorted(lines, "coins")


def measures(rows: pd.DataFrame, *, focal: bool = False) -> pd.DataFrame:
    """Trading measures by policy (``MEASURES``), each a ratio of sums with its interval."""
    lines = []
    for name, seats in _seats(rows, focal).assign(games=1).groupby("policy"):
        for measure, (counted, chances) in MEASURES.items():
            found = _ratio(seats, counted, chances)
            lines.append({"policy": name, "measure": measure, **found.columns("value")})
    return pd.DataFrame(lines).rename(columns={"value_low": "low", "value_high": "high"})


def _ratio(seats: pd.DataFrame, counted: list[str], chances: list[str]) -> Interval:
    """A ratio of sums over decks, and over training seeds where there are several."""
    keys = [_TRAINING, _DECK] if _several_trainings(seats) else [_DECK]
    parts = pd.DataFrame(
        {
            "above": seats[counted].sum(axis=1),
            "below": seats[chances].sum(axis=1),
            **{key: seats[key] for key in keys},
        }
    )
    sums = parts.groupby(keys).sum()
    if len(keys) == 1:
        return ratio_interval(sums["above"].to_numpy(), sums["below"].to_numpy())
    above, below = (sums[c].unstack(_DECK).to_numpy() for c in ("above", "below"))
    return crossed_ratio_interval(above, below)


def tables(rows: pd.DataFrame) -> pd.DataFrame:
    """Welfare (sum of coins), inequality (Gini) and turns by lineup, with intervals."""
    _check_rules(rows)
    lines = []
    for lineup, games in rows.groupby("lineup", sort=False):
        line: dict[str, Any] = {"lineup": lineup, **_sizes(games)}
        for column in ("welfare", "inequality", "turns"):
            line |= _estimate(games, column).columns(column)
        lines.append(line)
    return _sorted(lines, "welfare")


def payoff_matrix(rows: pd.DataFrame, value: str = "coins") -> pd.DataFrame:
    """The mean of one policy among copies of another (cross-play), one line a pair."""
    seats = _seats(rows, focal=True)
    lines = [
        {"policy": one, "against": other, **_sizes(part), **_estimate(part, value).columns("mean")}
        for (one, other), part in seats.groupby(["policy", "against"])
    ]
    names = {"mean_low": "low", "mean_high": "high"}
    return pd.DataFrame(lines).rename(columns=names)


def paired_differences(rows: pd.DataFrame, value: str = "coins") -> pd.DataFrame:
    """For each two policies, what the first one gets more than the second, paired.

    ``basis`` is ``same chair`` where both sat in the same seat of the same deck with the same
    opponents around; where no such games exist, ``same table``: both at one table, in all seats of
    the same deck. The difference is averaged in each deck and its interval taken over decks.
    """
    seats = _seats(rows, focal=False)
    training = [_TRAINING] if _TRAINING in seats else []
    bases = {
        "same chair": [*training, _DECK, "start", "seat", "others"],
        "same table": [*training, _DECK, "lineup"],
    }
    means = {
        basis: seats.groupby([*keys, "policy"])[value].mean().unstack("policy")
        for basis, keys in bases.items()
    }
    lines = []
    for one, other in combinations(sorted(seats["policy"].unique()), 2):
        for basis, table in means.items():
            gaps = (table[one] - table[other]).dropna()
            if gaps.empty:
                continue
            frame = gaps.rename("difference").reset_index()
            found = _estimate(frame, "difference")
            pairs = {"decks": frame[_DECK].nunique(), "pairs": len(frame)}
            line = {"policy": one, "minus": other, **found.columns("difference"), **pairs}
            lines.append(line | {"basis": basis, "verdict": _verdict(one, other, found, frame)})
            break
    names = {"difference_low": "low", "difference_high": "high"}
    return pd.DataFrame(lines).rename(columns=names)


def _verdict(one: str, other: str, found: Interval, frame: pd.DataFrame) -> str:
    if _few(frame):
        return "too few games"
    if found.low > 0:
        return f"{one} > {other}"
    return f"{other} > {one}" if found.high < 0 else "open"


def ratings(rows: pd.DataFrame, seed: int = 0) -> pd.DataFrame:
    """Ratings by openskill (Plackett-Luce) from final places, ties included, best first.

    Each seat is a side of its own. A policy with several seats in a game moves by the mean of
    what they would. Games of one policy alone say nothing and are left out. Games are rated in
    an order drawn from ``seed``, since early ones weigh more. ``ordinal`` is mu - 3 sigma.
    """
    _check_rules(rows)
    model = PlackettLuce()
    current: dict[str, Any] = {}
    played: dict[str, int] = {}
    order = np.random.default_rng(seed).permutation(len(rows))
    players = int(rows["players"].iloc[0])
    names = rows[[f"policy_{seat}" for seat in range(players)]].to_numpy()[order]
    ranks = rows[[f"place_{seat}" for seat in range(players)]].to_numpy()[order]
    for seats, places in zip(names, ranks, strict=True):
        if len(set(seats)) < 2:
            continue
        sides = [[current.setdefault(name, model.rating(name=name))] for name in seats]
        rated = model.rate(sides, ranks=[float(place) for place in places])
        for name in set(seats):
            own = [rated[s][0] for s, of_seat in enumerate(seats) if of_seat == name]
            mu = sum(r.mu for r in own) / len(own)
            sigma = sum(r.sigma for r in own) / len(own)
            current[name] = model.rating(name=name, mu=mu, sigma=sigma)
            played[name] = played.get(name, 0) + 1
    lines = [
        {
            "policy": name,
            "mu": r.mu,
            "sigma": r.sigma,
            "ordinal": r.ordinal(),
            "games": played[name],
        }
        for name, r in current.items()
    ]
    return _sorted(lines, "mu")


def cautions(rows: pd.DataFrame) -> list[str]:
    """What forbids claims from these rows, one sentence each; empty if nothing does."""
    found = []
    decks = rows[_DECK].nunique()
    if decks < FEW_DECKS:
        found.append(
            f"too few decks for a claim ({decks}): below {FEW_DECKS} the intervals are too "
            "narrow, whatever the number of games on them"
        )
    if _TRAINING in rows and rows[_TRAINING].nunique() < FEW_TRAININGS:
        found.append(
            f"too few training seeds for a claim about the training method "
            f"({rows[_TRAINING].nunique()}): at least {FEW_TRAININGS} are needed"
        )
    uneven = rows.groupby("lineup")[_DECK].nunique()
    if uneven.nunique() > 1:
        found.append(
            "not every lineup has played every deck (an interrupted tournament?): means compare "
            "different decks; paired differences do not"
        )
    return found


# ------------------------------------------------------------------------------------------------


def _check_rules(rows: pd.DataFrame) -> None:
    if rows.empty:
        raise ValueError("there are no games")
    if rows["rules"].nunique() > 1:
        raise ValueError("games under several rules: look at each of them apart")


def _seats(rows: pd.DataFrame, focal: bool) -> pd.DataFrame:
    _check_rules(rows)
    seats = seats_of(rows)
    if not focal:
        return seats
    seats = seats[seats["against"] != "mixed"]
    if seats.empty:
        raise ValueError("no game has one policy among copies of another: no payoffs")
    return seats


def _estimate(frame: pd.DataFrame, value: str) -> Interval:
    """The mean over decks, and over training seeds where there are several."""
    if _several_trainings(frame):
        table = frame.groupby([_TRAINING, _DECK])[value].mean().unstack(_DECK)
        return crossed_interval(table.to_numpy())
    return interval(frame.groupby(_DECK)[value].mean().to_numpy())


def _several_trainings(frame: pd.DataFrame) -> bool:
    return _TRAINING in frame and frame[_TRAINING].nunique() > 1


def _few(frame: pd.DataFrame) -> bool:
    few_trainings = _TRAINING in frame and frame[_TRAINING].nunique() < FEW_TRAININGS
    return frame[_DECK].nunique() < FEW_DECKS or few_trainings


def _sizes(frame: pd.DataFrame) -> dict[str, int]:
    keys = [c for c in (_TRAINING, _DECK, "lineup", "rotation") if c in frame]
    return {"games": len(frame[keys].drop_duplicates()), "decks": frame[_DECK].nunique()}


def _sorted(lines: list[dict[str, Any]], by: str) -> pd.DataFrame:
    return pd.DataFrame(sorted(lines, key=lambda line: -line[by]))
