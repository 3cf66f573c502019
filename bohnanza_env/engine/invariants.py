"""What is true of every game record, in plain Python: for tests, loaders and bug reports.

``invariants`` looks at a record between two steps. Each complaint begins with the name of the
invariant, so that ``"hand_beans: seat 2 ..."`` tells what is wrong and where.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from . import invariants_cards as cards
from . import invariants_decisions as decisions
from .invariants_cards import Table
from .rules import Rules

__all__ = ["INVARIANTS", "invariants"]

# name -> check; a check yields what is wrong.
INVARIANTS: dict[str, Callable[[Table], Iterator[str]]] = {
    "lists": cards.check_lists,
    "conservation": cards.check_conservation,
    "hand_beans": cards.counter_check("hand_beans", "hand"),
    "discard_beans": cards.counter_check("discard_beans", "discard"),
    "coin_beans": cards.counter_check("coin_beans", "coin_stack"),
    "face_up_beans": cards.check_face_up_beans,
    "fields": cards.check_fields,
    "field_slots": cards.check_field_slots,
    "removed": cards.check_removed,
    "set_aside": cards.check_set_aside,
    "face_up_when": cards.check_face_up_when,
    "duel_offer": cards.check_duel_offer,
    "known": cards.check_known,
    "deck_beans": cards.check_deck_beans,
    "exhaustions": cards.check_exhaustions,
    "shuffles": cards.check_shuffles,
    "stage": decisions.check_stage,
    "turn": decisions.check_turn,
    "planted": decisions.check_planted,
    "decision": decisions.check_decision,
    "to_act": decisions.check_to_act,
    "asked": decisions.check_asked,
    "round": decisions.check_round,
    "proposals_left": decisions.check_proposals_left,
    "standing": decisions.check_standing,
    "answers": decisions.check_answers,
    "pending_answers": decisions.check_pending_answers,
    "draft": decisions.check_draft,
    "give": decisions.check_give,
    "settled": decisions.check_settled,
    "winners": decisions.check_winners,
    "end": decisions.check_end,
    "mask": decisions.check_mask,
}


def invariants(rules: Rules, state: np.ndarray) -> list[str]:
    """Every violated invariant of a game record, as ``"name: what is wrong"``; empty if none.

    Args:
        rules: the rules of the game.
        state: the record, shape (1,), dtype ``GAME_DTYPE``.
    """
    table = Table(rules, state)
    return [f"{name}: {fault}" for name, check in INVARIANTS.items() for fault in check(table)]
