"""Chances of further cards, as a table of whole numbers."""

from __future__ import annotations

from math import exp, factorial

import numpy as np

__all__ = ["STEPS_A_CARD", "TAILS", "TAIL_COLUMNS"]

STEPS_A_CARD = 8  # rows of the table for one expected card
_ROWS = 8 * STEPS_A_CARD + 1  # up to eight expected cards
TAIL_COLUMNS = 13


def _tails() -> np.ndarray:
    """Row r, column j: chance, in thousandths, of at least j cards where r / 8 are expected.

    Cards come one by one and independently (a Poisson distribution).
    """
    table = np.zeros((_ROWS, TAIL_COLUMNS), np.int64)
    for row in range(_ROWS):
        expected = row / STEPS_A_CARD
        at_least = 1.0
        for cards in range(TAIL_COLUMNS):
            table[row, cards] = round(1000 * max(0.0, at_least))
            at_least -= exp(-expected) * expected**cards / factorial(cards)
    return table


TAILS = _tails()
