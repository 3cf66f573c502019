"""``ObservationLayout``: where everything lies in the flat observation of some rules."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.view import VIEW_DTYPE

from .description import describe_pieces
from .kernels import observation_kernel
from .pieces import Piece, pieces_of

if TYPE_CHECKING:
    from gymnasium.spaces import Box

__all__ = ["ObservationLayout", "observe"]

Vector = npt.NDArray[np.int16]


class ObservationLayout:
    """The flat observation of some rules. Use :meth:`of`, which keeps one a rules value.

    The vector holds everything in a seat's view but the list of events (see ``TokenLayout``),
    and some helps that follow from it. Players are relative to the viewer: you first, then
    clockwise. No number is clipped.

    Attributes:
        rules: the rules.
        pieces: the named parts, in order, without gaps.
        size: numbers in the vector.
        low, high: bounds of each number, int16, read-only.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.pieces: tuple[Piece, ...] = pieces_of(rules)
        self.size = self.pieces[-1].stop
        self._by_name = {piece.name: piece for piece in self.pieces}
        self.low = np.concatenate([piece.low.ravel() for piece in self.pieces])
        self.high = np.concatenate([piece.high.ravel() for piece in self.pieces])
        self.low.flags.writeable = self.high.flags.writeable = False

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: Rules) -> ObservationLayout:
        """The layout of these rules."""
        return ObservationLayout(rules)

    @cached_property
    def space(self) -> Box:
        """The Gymnasium space of the vector, the same object each time."""
        from gymnasium.spaces import Box  # here, so that whoever needs no space pays nothing

        return Box(self.low, self.high, dtype=np.int16)

    def piece(self, name: str) -> Piece:
        """The piece of that name; ``KeyError`` where the rules have no such piece."""
        return self._by_name[name]

    def observe(self, view: np.ndarray) -> Vector:
        """The vector of a view (shape (1,), dtype ``VIEW_DTYPE``), freshly made.

        Raises:
            ValueError: no view, or one of other rules that does not fit.
        """
        if view.nbytes != VIEW_DTYPE.itemsize:
            raise ValueError(
                f"view: expected one of {VIEW_DTYPE.itemsize} bytes, got {view.nbytes}"
            )
        out = np.empty(self.size, np.int16)
        rules = rules_array(self.rules).view(np.uint8)
        if observation_kernel(rules, view.view(np.uint8), out) < 0:
            raise ValueError("view: of a game with other rules than the observation's")
        return out

    def split(self, vector: np.ndarray) -> dict[str, np.ndarray]:
        """The pieces of a vector by name, shaped, as views of it.

        Batches work, too: of an array (..., size) each piece has shape (..., *its shape).
        """
        if vector.shape[-1:] != (self.size,):
            raise ValueError(f"expected {self.size} numbers in a row, got shape {vector.shape}")
        front = vector.shape[:-1]
        return {
            piece.name: vector[..., piece.start : piece.stop].reshape(front + piece.shape)
            for piece in self.pieces
        }

    def describe(self, vector: np.ndarray) -> str:
        """A vector in words: several lines that tell all of it."""
        return describe_pieces(self.pieces, self.split(vector))


def observe(rules: Rules, view: np.ndarray) -> Vector:
    """The flat observation of a view (``bohnanza_env.view.view_of``), freshly made."""
    return ObservationLayout.of(rules).observe(view)
