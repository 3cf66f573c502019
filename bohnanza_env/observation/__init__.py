"""What a learner gets: a seat's view as numbers, with spaces, texts and scaling (DESIGN §4)."""

from __future__ import annotations

from .kernels import observation_kernel, observe_kernel, write_observation
from .layout import ObservationLayout
from .pieces import Axis, Piece, largest_turn

__all__ = [
    "Axis",
    "ObservationLayout",
    "Piece",
    "largest_turn",
    "observation_kernel",
    "observe_kernel",
    "write_observation",
]
