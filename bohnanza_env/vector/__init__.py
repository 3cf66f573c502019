"""Many games in one array, stepped by compiled code (docs/vector.md)."""

from __future__ import annotations

from gymnasium.vector import AutoresetMode

from .games import GameVector

__all__ = ["AutoresetMode", "GameVector"]
