"""Search: looking ahead by playing on with ``trader`` in every seat (see docs/bots.md)."""

from __future__ import annotations

from .open_hand import OpenHandPlan, plan_open_handed
from .policy import SearchPolicy

__all__ = ["OpenHandPlan", "SearchPolicy", "plan_open_handed"]
