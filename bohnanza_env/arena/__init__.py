"""Matches and tournaments among any policies, and what may be said of them (docs/evaluation.md).

Needs the extra ``arena``. The names below are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .adapters import CallablePolicy, CheckpointPolicy, TorchPolicy
    from .intervals import (
        Interval,
        crossed_interval,
        crossed_ratio_interval,
        interval,
        ratio_interval,
    )
    from .play import play_schedule
    from .players import Player, load_player
    from .plots import plot_coins_by_seat, plot_coins_by_turn, plot_payoff, plot_ratings
    from .rows import read_rows, seats_of, write_rows
    from .schedule import PlannedGame, Schedule, deck_seed, mixed_lineups, payoff_lineups
    from .statistics import (
        cautions,
        measures,
        paired_differences,
        payoff_matrix,
        ratings,
        summary,
        tables,
    )
    from .without_trade import gains

__all__ = [
    "CallablePolicy",
    "CheckpointPolicy",
    "Interval",
    "PlannedGame",
    "Player",
    "Schedule",
    "TorchPolicy",
    "cautions",
    "crossed_interval",
    "crossed_ratio_interval",
    "deck_seed",
    "gains",
    "interval",
    "load_player",
    "measures",
    "mixed_lineups",
    "paired_differences",
    "payoff_lineups",
    "payoff_matrix",
    "play_schedule",
    "plot_coins_by_seat",
    "plot_coins_by_turn",
    "plot_payoff",
    "plot_ratings",
    "ratings",
    "ratio_interval",
    "read_rows",
    "seats_of",
    "summary",
    "tables",
    "write_rows",
]

_HOMES = {
    name: module
    for module, names in {
        "adapters": "CallablePolicy CheckpointPolicy TorchPolicy",
        "without_trade": "gains",
        "intervals": "Interval crossed_interval crossed_ratio_interval interval ratio_interval",
        "play": "play_schedule",
        "players": "Player load_player",
        "plots": "plot_coins_by_seat plot_coins_by_turn plot_payoff plot_ratings",
        "rows": "read_rows seats_of write_rows",
        "schedule": "PlannedGame Schedule deck_seed mixed_lineups payoff_lineups",
        "statistics": "cautions measures paired_differences payoff_matrix ratings summary tables",
    }.items()
    for name in names.split()
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
