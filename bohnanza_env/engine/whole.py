"""Whole numbers as arguments: those of Python and NumPy, but no flags."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

__all__ = ["is_whole", "whole"]


def is_whole(value: Any) -> bool:
    """Whether it is a whole number of Python or NumPy; flags are none."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``, as Python's.

    Raises:
        TypeError: no whole number; names the argument.
        ValueError: out of range; names the argument.
    """
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None:
        raise TypeError(f"{name}: expected a whole number {low} to {high}, got {value!r}")
    if not low <= number <= high:
        raise ValueError(f"{name}: expected {low} to {high}, got {number}")
    return number
