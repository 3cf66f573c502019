"""Gains from trade: what a table earns more than on the same deck without any trade.

*Without trade* the same policies play the same deck under the same rules, but never get to propose
anything: the actions that would are left out of their masks, and all else is theirs to decide. So
any policy can be measured, one that knows a single rules value too, and its own farming is the
yardstick: gains are what trading added to it. What could be gained at all is what a planner
reaches that sees all cards and moves them freely.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from bohnanza_env.bots import Policy
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

from .intervals import ratio_interval
from .rows import seats_of

__all__ = [
    "PLAN_BUDGET",
    "coins_without_trade",
    "gains",
    "gains_columns",
    "has_gains",
    "planned_welfare",
]

# Alternatives that the planner tries in each decision: some 10 seconds a deck with four players.
PLAN_BUDGET = 4
_DECKS_REMEMBERED = 4096


def coins_without_trade(
    rules: Rules, seed: int, start: int, policies: Mapping[int, Policy]
) -> list[int]:
    """Final coins by seat where nobody ever proposes; the policies have been reset."""
    game = Game(rules, seed, start)
    allowed = np.ones_like(game.mask)
    for block in ActionSpace.of(rules).blocks:
        if block.proposes:
            allowed[block.start : block.stop] = 0
    while not game.over:
        policy = policies[game.to_act]
        game.step(policy.act(view_of(game, game.to_act), game.mask * allowed))
    return game.scores


@lru_cache(maxsize=_DECKS_REMEMBERED)
def planned_welfare(rules: Rules, seed: int, start: int) -> int:
    """The sum of coins that ``search.plan_open_handed`` reaches on a deck.

    It plans in the compact protocol whatever the rules say: card by card it can make all deals
    that matter, and reaches as much in a third of the time.
    """
    from bohnanza_env.search import plan_open_handed

    if rules.trading:
        rules = replace(rules, protocol="compact")
    return sum(plan_open_handed(Game(rules, seed, start), budget=PLAN_BUDGET).coins)


def gains_columns(
    rules: Rules, seed: int, start: int, policies: Mapping[int, Policy]
) -> dict[str, Any]:
    """Columns of a game's row: ``planned``, and ``alone`` of each seat."""
    alone = coins_without_trade(rules, seed, start, policies)
    columns: dict[str, Any] = {"planned": planned_welfare(rules, seed, start)}
    return columns | {f"alone_{seat}": coins for seat, coins in enumerate(alone)}


def has_gains(row: Mapping[str, Any]) -> bool:
    """Whether a row has the columns, filled."""
    return "alone_0" in row and not pd.isna(row["alone_0"])


def gains(rows: pd.DataFrame) -> pd.DataFrame:
    """Gains from trade by lineup and policy, with 95 % intervals over decks.

    One line for each policy of each lineup: ``alone``, coins a seat without trade; ``gain``, coins
    a seat that trade added; ``captured``, the policy's part of what its table gained, to be held
    against ``fair``, its part of the seats; ``of_attainable``, the table's gain by what the planner
    would have gained there. Empty where no row has gains.
    """
    if "alone_0" not in rows or rows["alone_0"].isna().all():
        return pd.DataFrame()
    rows = rows[rows["alone_0"].notna()]
    lines = []
    for lineup, games in rows.groupby("lineup", sort=False):
        seats = seats_of(games)
        seats["gain"] = seats["coins"] - seats["alone"]
        whole = seats.groupby("seed")["gain"].sum()
        attainable = _attainable(games)
        for name, own in seats.groupby("policy", sort=False):
            sums = own.groupby("seed")[["gain", "alone"]].sum()
            count = own.groupby("seed").size()
            line: dict[str, Any] = {"lineup": lineup, "policy": name}
            line["decks"] = len(whole)
            line |= ratio_interval(sums["alone"], count).columns("alone")
            line |= ratio_interval(sums["gain"], count).columns("gain")
            line |= ratio_interval(sums["gain"], whole).columns("captured")
            line["fair"] = len(own) / len(seats)
            line |= ratio_interval(whole, attainable).columns("of_attainable")
            lines.append(line)
    return pd.DataFrame(lines)


def _attainable(games: pd.DataFrame) -> pd.Series:
    """By deck, what the planner gains in all games on it."""
    alone = games[[c for c in games if c.startswith("alone_")]].sum(axis=1)
    return (games["planned"] - alone).groupby(games["seed"]).sum()
