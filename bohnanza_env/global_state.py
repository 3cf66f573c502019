"""The whole table as numbers, for critics that see everything (``raw_env().state()``).

Unlike an observation it shows what is hidden from each seat, so it is for training only. It never
shows the generator or the seed, and the order of the deck only on request.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .engine.game import Game
from .engine.rules import Rules
from .engine.rules_record import rules_array
from .observation import Axis, ObservationLayout, Piece, observe_kernel
from .view import VIEW_DTYPE

if TYPE_CHECKING:
    from gymnasium.spaces import Box

__all__ = ["StateLayout"]

# What only the viewer knows, by group of the observation.
_PRIVATE_GROUPS = ("own hand", "own draft and copies")


class StateLayout:
    """Where everything lies in the state. Use :meth:`of`, which keeps one a rules value.

    First the observation of seat 0, so that players run from seat 0 clockwise; then, for each
    other seat, the pieces of its observation that nobody else knows, named ``player_1.hand`` and
    so on (a player code in them counts from that seat); then the deck's beans, and its order where
    that is asked for.

    Attributes:
        rules: the rules.
        deck_order: whether the order of the deck is part of it.
        pieces: the named parts, in order, without gaps.
        size: numbers in the array.
    """

    def __init__(self, rules: Rules, deck_order: bool = False) -> None:
        self.rules = rules
        self.deck_order = deck_order
        self._layout = ObservationLayout.of(rules)
        private = [p for p in self._layout.pieces if p.group in _PRIVATE_GROUPS]
        # Where the private numbers of a seat come from, in its observation.
        self._private = np.concatenate([np.arange(p.start, p.stop) for p in private])
        pieces = list(self._layout.pieces)
        for seat in range(1, rules.players):
            group = f"player_{seat}"
            for piece in private:
                name = f"{group}.{piece.name}"
                pieces.append(replace(piece, name=name, group=group, start=pieces[-1].stop))
        pieces.append(self._deck_beans(pieces[-1].stop))
        if deck_order:
            pieces.append(self._deck(pieces[-1].stop))
        self.pieces: tuple[Piece, ...] = tuple(pieces)
        self.size = self.pieces[-1].stop

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: Rules, deck_order: bool = False) -> StateLayout:
        """The layout of these rules."""
        return StateLayout(rules, deck_order)

    @cached_property
    def space(self) -> Box:
        """The Gymnasium space of the state, the same object each time."""
        from gymnasium.spaces import Box

        low = np.concatenate([piece.low.ravel() for piece in self.pieces])
        high = np.concatenate([piece.high.ravel() for piece in self.pieces])
        return Box(low, high, dtype=np.int16)

    def state(self, game: Game) -> npt.NDArray[np.int16]:
        """The state of a game of these rules, a new int16 array of shape (size,)."""
        rules, layout = rules_array(self.rules).view(np.uint8), self._layout
        record, view = game.state.view(np.uint8), np.zeros(1, VIEW_DTYPE).view(np.uint8)
        out = np.zeros(self.size, np.int16)
        observe_kernel(rules, record, view, 0, out[: layout.size])
        at = layout.size
        other = np.empty(layout.size, np.int16)
        for seat in range(1, self.rules.players):
            observe_kernel(rules, record, view, seat, other)
            out[at : at + len(self._private)] = other[self._private]
            at += len(self._private)
        beans = len(self.rules.beans)
        top = int(game.state["deck_size"][0])
        deck = game.state["deck"][0, :top]
        out[at : at + beans] = np.bincount(deck, minlength=beans)
        if self.deck_order:
            at += beans
            out[at : at + top] = deck[::-1] + 1
        return out

    def split(self, state: np.ndarray) -> dict[str, np.ndarray]:
        """The pieces of a state by name, shaped, as views of it (batches of states, too)."""
        front = state.shape[:-1]
        return {
            piece.name: state[..., piece.start : piece.stop].reshape(front + piece.shape)
            for piece in self.pieces
        }

    def _deck_beans(self, start: int) -> Piece:
        names = self.rules.bean_names
        high = np.array([self.rules.beans[name] for name in names], np.int16)
        axes = (Axis("bean", names),)
        return Piece(
            "deck_beans",
            "deck",
            "count",
            "the deck by bean",
            axes,
            start,
            np.zeros_like(high),
            high,
        )

    def _deck(self, start: int) -> Piece:
        cards = self.rules.deck_size
        codes = ("none", *self.rules.bean_names)
        axes = (Axis("position", tuple(map(str, range(cards)))),)
        low, high = (np.full(cards, bound, np.int16) for bound in (0, len(codes) - 1))
        return Piece(
            "deck", "deck", "category", "the deck, top first", axes, start, low, high, codes
        )
