"""What a learner gets: a seat's view as numbers, with spaces, texts and scaling (DESIGN §4)."""

from __future__ import annotations

from .kernels import observation_kernel, observe_game, observe_kernel, observe_on, what_is_shown
from .layout import ObservationLayout, observe
from .pieces import Axis, Piece, largest_turn
from .scaler import Scaler
from .tokens import TokenColumn, TokenLayout, tokens_kernel, write_tokens

__all__ = [
    "Axis",
    "ObservationLayout",
    "Piece",
    "Scaler",
    "TokenColumn",
    "TokenLayout",
    "largest_turn",
    "observation_kernel",
    "observe",
    "observe_game",
    "observe_kernel",
    "observe_on",
    "tokens_kernel",
    "what_is_shown",
    "write_tokens",
]
