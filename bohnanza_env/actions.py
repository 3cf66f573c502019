"""Actions as index, value and text: the one codec (DESIGN §3, texts of RULES §8)."""

from __future__ import annotations

from .engine.action_codec import Action, ActionSpace
from .engine.action_space import BLOCK_NAMES, Block

__all__ = ["BLOCK_NAMES", "Action", "ActionSpace", "Block"]
