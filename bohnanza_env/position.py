"""Positions and cases: a game as plain data, and rule scenarios to check (docs/formats.md).

``write_position`` and ``read_position`` save a game in the middle and go on from there, on any
machine and in any later version that reads ``bohnanza-position/1``. ``run_case`` plays a scenario
(``bohnanza-case/1``) and says what differs from what it states.
"""

from __future__ import annotations

from .documents.case import CaseError, read_case, run_case
from .documents.position_load import PositionError, read_position
from .documents.position_write import write_position

__all__ = [
    "CaseError",
    "PositionError",
    "read_case",
    "read_position",
    "run_case",
    "write_position",
]
