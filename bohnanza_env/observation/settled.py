"""The last pieces of an observation: the proposals of this turn that have been answered."""

from __future__ import annotations

import numpy as np

from bohnanza_env.engine.blocks import clear_shorts, first_bean
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.seats import seat_after

from .rows import player_code, put_beans

__all__ = ["size_of_settled", "write_settled"]


@compiled
def _settled_compactly(rules, public, out, at, rows):
    for i in range(public.settled_count):
        row = public.settled_count - 1 - i
        recipient = int(public.settled_recipient[row])
        out[at + i] = first_bean(public.settled_offer[row])
        out[at + rows + i] = first_bean(public.settled_request[row])
        out[at + 2 * rows + i] = public.settled_answers[row, recipient]


@compiled
def _settled_by_viewer(rules, public, viewer, out, at, rows):
    answers = at + rows
    for i in range(public.settled_count):
        row = np.uint64(public.settled_count - 1 - i)
        out[at + i] = player_code(rules, viewer, public.settled_partner[row])
        for k in range(rules.players):
            seat = np.uint64(seat_after(rules, viewer, k))
            out[np.uint64(answers + k)] = public.settled_answers[row, seat]
        answers += rules.players


@compiled
def _settled_in_full(rules, public, out, at, rows):
    newest = public.settled_count - 1
    for i in range(public.settled_count):
        out[at + i] = public.settled_counter[newest - i]
    offers = at + rows
    requests = offers + rows * rules.beans
    for i in range(public.settled_count):
        offers = put_beans(rules, public.settled_offer[newest - i], out, offers)
    for i in range(public.settled_count):
        requests = put_beans(rules, public.settled_request[newest - i], out, requests)


@compiled
def size_of_settled(rules):
    """How many numbers ``write_settled`` writes."""
    if rules.trading == 0:
        return 0
    columns = 5 if rules.compact != 0 else 4 + rules.players + 2 * rules.beans
    return 2 + columns * rules.settled_positions


@compiled
def write_settled(rules, public, viewer, out, kept):
    """Write them at the end of ``out``; ``kept``: they are there, perhaps for another viewer."""
    rows = rules.settled_positions  # 0 where nobody may propose
    at = len(out) - size_of_settled(rules)
    out[at] = public.settled_count
    out[at + 1] = public.settled_count - public.settled_fresh
    at += 2
    if not kept:
        clear_shorts(out, at, len(out) - at)
    for i in range(public.settled_count):
        row = np.uint64(public.settled_count - 1 - i)
        out[at + i] = player_code(rules, viewer, public.settled_proposer[row])
        out[at + rows + i] = player_code(rules, viewer, public.settled_recipient[row])
    at += 2 * rows
    if rules.compact != 0:
        if not kept:
            _settled_compactly(rules, public, out, at, rows)
        return
    _settled_by_viewer(rules, public, viewer, out, at, rows)
    if not kept:
        _settled_in_full(rules, public, out, at + rows * (1 + rules.players), rows)
