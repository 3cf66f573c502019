"""Seats around the table. A division would take longer than all else that finds a neighbour."""

from __future__ import annotations

from .compilation import compiled

__all__ = ["seat_after", "steps_to"]


@compiled
def seat_after(rules, seat, steps):
    """The seat so many steps clockwise from another; steps from 0 to the number of players."""
    after = seat + steps
    return after - rules.players if after >= rules.players else after


@compiled
def steps_to(rules, seat, other):
    """Steps clockwise from a seat to another one, 0 to itself."""
    steps = other - seat
    return steps + rules.players if steps < 0 else steps
