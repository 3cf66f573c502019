"""Rows of an observation: by bean, by seat, and the code of a player.

Rows by bean are written as blocks of BEAN_CAPACITY numbers, rows by seat as blocks of SEAT_BLOCK;
what follows overwrites what they hold in excess. Where a block would reach past the end of ``out``,
the numbers are written one by one.
"""

from __future__ import annotations

import numpy as np

from bohnanza_env.engine.blocks import SEAT_BLOCK, copy_seats, widen_beans
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.limits import BEAN_CAPACITY
from bohnanza_env.engine.seats import steps_to
from bohnanza_env.engine.state import TABLE

__all__ = ["player_code", "put_beans", "put_beans_by_seat", "put_by_seat"]


@compiled
def player_code(rules, viewer, seat):
    """0 nobody, 1 the viewer, then clockwise; players + 1 is the table."""
    if seat < 0:
        return 0
    if seat == TABLE:
        return rules.players + 1
    return steps_to(rules, viewer, seat) + 1


@compiled(outlined=True)
def _put_singly(values, count, out, at):
    for i in range(count):
        out[at + i] = values[i]


@compiled
def put_beans(rules, values, out, at):
    """A row by bean, int8; returns where it ends."""
    if at + BEAN_CAPACITY <= len(out):
        widen_beans(out, at, values)
    else:
        _put_singly(values, rules.beans, out, at)
    return at + rules.beans


@compiled
def put_by_seat(rules, viewer, values, out, at):
    """A row by seat, from the viewer on; returns where it ends."""
    turned = at + rules.players - viewer  # where seat 0 comes
    if turned + SEAT_BLOCK <= len(out):
        copy_seats(out, at, values, viewer)
        copy_seats(out, turned, values, 0)
    else:
        _put_singly(values[viewer : rules.players], rules.players - viewer, out, at)
        _put_singly(values, viewer, out, turned)
    return at + rules.players


@compiled
def put_beans_by_seat(rules, viewer, table, out, at):
    """A row by bean for each seat, from the viewer on; returns where they end."""
    for seat in range(viewer, rules.players):
        at = put_beans(rules, table[np.uint64(seat)], out, at)
    for seat in range(viewer):
        at = put_beans(rules, table[np.uint64(seat)], out, at)
    return at
