"""``Scaler``: the flat observation as float features for a network.

Raw counts and one-hots train badly together. Counts are divided by a scale, flags stay, and each
category becomes one 0/1 feature for every value but "none" or "nobody" (all zeros then).

The features leave out some numbers of the vector, so that small networks stay small; what is left
out is listed in ``LEADING`` with the reason. The vector itself is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

import numpy as np
import numpy.typing as npt

from bohnanza_env.engine.rules import Rules

from .layout import ObservationLayout
from .pieces import Piece

__all__ = ["LEADING", "SCALES", "Scaler"]

# Counts are divided by their upper bound; these have bounds far above what games show, and are
# divided by the number given here (or by the bound where that is less). They may exceed 1.
SCALES = {
    "hand_size": 12,
    "give_from": 12,
    "drawn_since": 24,
    "coins": 20,
    "coin_beans": 6,
    "field_count": 10,
    "hand_beans": 6,
    "set_aside": 4,
    "known": 4,
    "offer": 4,
    "request": 4,
    "draft_offer": 4,
    "draft_request": 4,
    "settled_offer": 4,
    "settled_request": 4,
    "give_taken": 4,
}

# Pieces of which only the first places become features: piece -> places. Cards further back in
# the hand are still counted in hand_beans, a discard pile in discard_beans; older proposals of the
# turn are only remembered by the vector.
LEADING = {
    "hand": 10,
    "chosen_hand": 10,
    "discard": 4,
    "settled_proposer": 4,
    "settled_recipient": 4,
    "settled_partner": 4,
    "settled_counter": 4,
    "settled_answers": 4,
    "settled_offer": 4,
    "settled_request": 4,
    "settled_give": 4,
    "settled_get": 4,
    "settled_answer": 4,
}


class Scaler:
    """Turns flat observations into float32 features. Use :meth:`of`, which keeps one a rules value.

    The features are first ``vector[numeric_columns] * numeric_scale``, then
    ``vector[category_columns] == category_values``, which is quickly said in any framework.

    Attributes:
        layout: the layout of the vectors.
        size: number of features.
        numeric_columns: int64, the columns of counts and flags, in the order of their features.
        numeric_scale: float32, what each of them is multiplied with.
        category_columns: int64, for each of the features that follow, the column it looks at.
        category_values: int16, and the value for which it is 1.
        categories: int64 of shape (n, 4), one row for each column with a category that is used:
            column, first value, number of values, index of the feature of the first value. For
            embeddings instead of 0/1 features.
    """

    def __init__(self, rules: Rules) -> None:
        self.layout = ObservationLayout.of(rules)
        numeric: list[tuple[str, int, float]] = []
        hits: list[tuple[str, int, int]] = []
        categories: list[tuple[int, int, int, int]] = []
        for piece in self.layout.pieces:
            for name, column, high in _numbers(piece):
                if piece.kind != "category":
                    # Some rules leave no other number than 0: proposals where there are none.
                    scale = max(1, min(high, SCALES.get(piece.name, high)))
                    numeric.append((name, column, 1.0 / scale))
                    continue
                # Code 0 is "none" or "nobody", but for ``decision``, which always is something.
                first = 0 if piece.name == "decision" else 1
                categories.append((column, first, high + 1 - first, len(hits)))
                for value in range(first, high + 1):
                    hits.append((f"{name}={piece.values[value]}", column, value))
        self._names = tuple(row[0] for row in (*numeric, *hits))
        self.size = len(self._names)
        self.numeric_columns = _fixed([row[1] for row in numeric], np.int64)
        self.numeric_scale = _fixed([row[2] for row in numeric], np.float32)
        self.category_columns = _fixed([row[1] for row in hits], np.int64)
        self.category_values = _fixed([row[2] for row in hits], np.int16)
        table = np.array(categories, np.int64)
        table[:, 3] += len(numeric)
        self.categories = _fixed(table, np.int64)

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: Rules) -> Scaler:
        """The scaler of these rules."""
        return Scaler(rules)

    def names(self) -> tuple[str, ...]:
        """A name for each feature, as ``coins[you]`` or ``hand[0]=blue``."""
        return self._names

    def __call__(self, vectors: np.ndarray) -> npt.NDArray[np.float32]:
        """The features of a vector, or of an array (..., vector) of them; freshly made."""
        if vectors.shape[-1:] != (self.layout.size,):
            raise ValueError(
                f"expected {self.layout.size} numbers in a row, got shape {vectors.shape}"
            )
        out = np.empty((*vectors.shape[:-1], self.size), np.float32)
        numbers = len(self.numeric_columns)
        np.multiply(vectors[..., self.numeric_columns], self.numeric_scale, out=out[..., :numbers])
        np.equal(
            vectors[..., self.category_columns],
            self.category_values,
            out=out[..., numbers:],
            casting="unsafe",
        )
        return out


def _numbers(piece: Piece) -> Iterator[tuple[str, int, int]]:
    """Name, column and upper bound of each number of a piece that becomes a feature."""
    leading = LEADING.get(piece.name)
    places = product(*(range(length) for length in piece.shape))
    for offset, place in enumerate(places):
        if leading is not None and place[0] >= leading:
            continue
        labels = ",".join(axis.labels[i] for axis, i in zip(piece.axes, place, strict=True))
        name = f"{piece.name}[{labels}]" if labels else piece.name
        yield name, piece.start + offset, int(piece.high[place])


def _fixed(values: object, dtype: npt.DTypeLike) -> np.ndarray:
    array = np.array(values, dtype)
    array.flags.writeable = False
    return array
