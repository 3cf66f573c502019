"""Bots: decisions from a view alone (see docs/bots.md)."""

from __future__ import annotations

from .memory import DEFAULT_SETTINGS, MEMORY_DTYPE
from .policy import BotPolicy, Policy, policy_seed
from .registry import BOTS, BotSpec, bot
from .table import COUNTS, BotTable, play_games

__all__ = [
    "BOTS",
    "COUNTS",
    "DEFAULT_SETTINGS",
    "MEMORY_DTYPE",
    "BotPolicy",
    "BotSpec",
    "BotTable",
    "Policy",
    "bot",
    "play_games",
    "policy_seed",
]
