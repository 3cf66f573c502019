"""What one seat may see: the only way from a game to bots, observations and texts (DESIGN §2).

A view is a record: the public fields of the game (RULES §9) and what this seat alone knows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from .engine.blocks import copy_hand, eight_beans
from .engine.compilation import compiled
from .engine.decisions import Decision
from .engine.game import Game
from .engine.limits import (
    BEAN_CAPACITY,
    DECK_CAPACITY,
    FACE_UP_CAPACITY,
    PRICE_CAPACITY,
    SEAT_CAPACITY,
)
from .engine.rules_record import RULES_DTYPE, rules_array
from .engine.state import (
    GAME_DTYPE,
    NOBODY,
    PUBLIC_BYTES,
    PUBLIC_DTYPE,
    PUBLIC_FIELDS,
    record_dtype,
)
from .engine.whole import is_whole

__all__ = [
    "VIEW_DTYPE",
    "copy_public",
    "count_unseen",
    "public_of",
    "seen_beans",
    "view_kernel",
    "view_of",
    "write_own",
    "write_view",
]

_PRIVATE_FIELDS: list[tuple] = [
    ("seat", "i8"),  # whose view it is
    ("hand", "i1", (DECK_CAPACITY,)),  # the own hand, front first; -1 behind its end
    ("hand_beans", "i1", (BEAN_CAPACITY,)),  # the same, counted by bean
    # The coins that would pay for a field, bottom to top, -1 where there are fewer. All zeros
    # where no field is sold: the order of coins then means nothing (R25).
    ("coin_top", "i1", (SEAT_CAPACITY, PRICE_CAPACITY)),
    # A duel's discard pile, bottom to top: its top cards may be taken (R28). Elsewhere a pile is
    # only ever shuffled, so that its beans (``discard_beans``) say all.
    ("discard", "i1", (DECK_CAPACITY,)),
    # -- the own draft, while composing (R30)
    ("draft_recipient", "i8"),  # NOBODY without a draft
    ("draft_offer", "i1", (BEAN_CAPACITY,)),
    ("draft_request", "i1", (BEAN_CAPACITY,)),
    ("own_answer", "i8"),  # to a table proposal that others still have to answer (Answer)
    # -- the own choice of copies (R32)
    ("give_bean", "i8"),  # the bean asked for now, -1 when not choosing
    ("give_taken", "i8"),
    ("give_from", "i8"),  # the first hand position that may still be chosen
    ("chosen_hand", "i1", (DECK_CAPACITY,)),
    ("chosen_face_up", "i1", (FACE_UP_CAPACITY,)),
]
VIEW_DTYPE = record_dtype(PUBLIC_FIELDS + _PRIVATE_FIELDS)

_COMPOSE, _GIVE = int(Decision.COMPOSE), int(Decision.GIVE)


def _copy_public_uncompiled(view: np.record, game: np.record) -> None:
    for name, *_ in PUBLIC_FIELDS:
        view[name] = game[name]


@intrinsic
def _copy_public_compiled(typing_context, view, game):
    """Both records begin with the public fields, laid out alike: one block of memory."""

    def generate(context, builder, signature, arguments):
        size = context.get_constant(types.intp, PUBLIC_BYTES)
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)
        return context.get_dummy_value()

    return types.void(view, game), generate


def _public_uncompiled(record: np.record) -> np.record:
    return np.ndarray(1, PUBLIC_DTYPE, record.data)[0]


@intrinsic
def _public_compiled(typing_context, record):
    """The same address, as that of a smaller record."""
    public = from_dtype(PUBLIC_DTYPE)

    def generate(context, builder, signature, arguments):
        return builder.bitcast(arguments[0], context.get_value_type(public))

    return public(record), generate


# ``public_of(record)``: what all may see of a game, or of a view, as a record of ``PUBLIC_DTYPE``
# in the same place.
public_of: Any = _public_uncompiled if config.DISABLE_JIT else _public_compiled
# Called as ``copy_public(to, source)``; game to view or view to game.
copy_public: Any = _copy_public_uncompiled if config.DISABLE_JIT else _copy_public_compiled


@compiled
def _write_coin_tops(rules, game, view):
    for seat in range(rules.players):
        for i in range(rules.field_price):
            place = game.coins[seat] - rules.field_price + i
            view.coin_top[seat, i] = game.coin_stack[seat, place] if place >= 0 else -1


@compiled
def _write_draft(rules, game, view, composing):
    view.draft_recipient = game.draft_recipient if composing else NOBODY
    for bean in range(rules.beans):
        view.draft_offer[bean] = game.draft_offer[bean] if composing else 0
        view.draft_request[bean] = game.draft_request[bean] if composing else 0


@compiled
def _write_copies(game, view, seat):
    giving = game.decision == _GIVE and game.to_act == seat
    view.give_bean = game.give_bean if giving else -1
    view.give_taken = game.give_taken if giving else 0
    view.give_from = game.give_from if giving else 0
    side = 0 if game.proposer == seat else 1
    if game.decision == _GIVE and (side == 0 or game.partner == seat):
        copy_hand(view.chosen_hand, game.chosen_hand[side])
    else:
        for i in range(len(view.chosen_hand)):
            view.chosen_hand[i] = 0
    for i in range(len(view.chosen_face_up)):
        view.chosen_face_up[i] = game.chosen_face_up[i] if seat == game.active else 0


@compiled
def write_own(rules, game, view, seat):
    """Write into ``view`` what ``seat`` alone knows, but for its hand."""
    view.seat = seat
    if rules.field_price > 0:
        _write_coin_tops(rules, game, view)
    if rules.duel != 0:
        copy_hand(view.discard, game.discard)
    _write_draft(rules, game, view, game.decision == _COMPOSE and game.to_act == seat)
    view.own_answer = game.pending_answers[seat]
    _write_copies(game, view, seat)


@compiled
def write_view(rules, game, view, seat):
    """Write into ``view`` all that ``seat`` may know, and nothing else."""
    copy_public(view, game)
    write_own(rules, game, view, seat)
    copy_hand(view.hand, game.hand[seat])
    for bean in range(len(view.hand_beans)):
        view.hand_beans[bean] = game.hand_beans[seat, bean]


@compiled
def seen_beans(rules, view, hand_beans, first):
    """Cards that the viewer sees, in the own hand (``hand_beans``) and on the table, of the eight
    beans from ``first`` (0 or 8) on: the bytes of a number.
    """
    seen = eight_beans(hand_beans, first) + eight_beans(view.discard_beans, first)
    seen += eight_beans(view.face_up_beans, first) + eight_beans(view.removed, first)
    seen += eight_beans(view.duel_offer, first)
    for seat in range(rules.players):
        row = np.uint64(seat)
        seen += eight_beans(view.coin_beans[row], first)
        seen += eight_beans(view.set_aside[row], first)
        for field in range(rules.field_positions):
            place = int(view.field_bean[row, np.uint64(field)]) - first
            count = int(view.field_count[row, np.uint64(field)])
            seen += count << (8 * place) if 0 <= place < 8 else 0
    return seen


@compiled
def count_unseen(rules, view, hand_beans, out):
    """Write into ``out``, by bean, the cards that the viewer does not see: all but ``seen_beans``.
    They lie in the deck or in other hands.
    """
    for first in range(0, rules.beans, 8):
        seen = seen_beans(rules, view, hand_beans, first)
        for bean in range(first, min(first + 8, rules.beans)):
            out[bean] = rules.bean_cards[bean] - (seen & 255)
            seen >>= 8


@compiled
def view_kernel(rules_bytes, game_bytes, view_bytes, seat):
    """``write_view`` from Python (byte arrays, see ``engine.kernels``)."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    write_view(rules, game, view_bytes.view(VIEW_DTYPE)[0], seat)


def view_of(game: Game, seat: int) -> np.ndarray:
    """The view of a seat: an array of shape (1,) and dtype ``VIEW_DTYPE``, freshly made.

    Raises:
        IndexError: no such seat.
        TypeError: no whole number.
    """
    if type(seat) is not int:
        if not is_whole(seat):
            raise TypeError(
                f"seat: expected a whole number 0 to {game.rules.players - 1}, got {seat!r}"
            )
        seat = int(seat)
    if not 0 <= seat < game.rules.players:
        raise IndexError(f"seat {seat}: expected 0 to {game.rules.players - 1}")
    view = np.zeros(1, VIEW_DTYPE)
    view_kernel(
        rules_array(game.rules).view(np.uint8),
        game.state.view(np.uint8),
        view.view(np.uint8),
        seat,
    )
    return view
