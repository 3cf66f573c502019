"""Bots: decisions from a view alone (see docs/bots.md)."""

from __future__ import annotations

from .memory import DEFAULT_SETTINGS, MEMORY_DTYPE
from .policy import BotPolicy, Policy, begin_game, named_policy, policy_seed
from .registry import BOTS, POLICIES, BotSpec, PolicySpec, bot
from .table import COUNTS, BotTable, play_games

__all__ = [
    "BOTS",
    "COUNTS",
    "DEFAULT_SETTINGS",
    "MEMORY_DTYPE",
    "POLICIES",
    "BotPolicy",
    "BotSpec",
    "BotTable",
    "Policy",
    "PolicySpec",
    "begin_game",
    "bot",
    "named_policy",
    "play_games",
    "policy_seed",
]
