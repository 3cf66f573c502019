"""The flat observation, written from what a seat may see: the pieces of ``pieces`` in their order.

A running cursor ``at`` goes from piece to piece; each function writes some neighbouring pieces
and returns the cursor behind them. What is known to all comes from ``public``, a record of
``PUBLIC_DTYPE``: the beginning of a view, or of the game itself, so that nothing need be copied.
What the seat alone knows comes from ``own``, a view, and from its hand.

Rows are written as blocks of fixed length (see ``rows``); the pieces that follow overwrite what
these hold in excess. The busiest loops index with unsigned numbers: Numba then need not look for
negative ones, which halves their time.
"""

from __future__ import annotations

import numpy as np

from bohnanza_env.engine.blocks import clear_shorts, put_difference
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.deck import deck_is_final
from bohnanza_env.engine.fields import is_protected, largest_field
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.seats import seat_after
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.view import VIEW_DTYPE, count_unseen, public_of, seen_beans, write_own

from .rows import player_code, put_beans, put_beans_by_seat, put_by_seat
from .settled import size_of_settled, write_settled

__all__ = [
    "NOTHING_SHOWN",
    "observation_kernel",
    "observe_game",
    "observe_kernel",
    "observe_on",
    "what_is_shown",
]

NOTHING_SHOWN = (-1, -1, -1)


@compiled
def _situation(rules, public, viewer, out, at):
    out[at] = public.decision
    out[at + 1] = player_code(rules, viewer, public.to_act)
    out[at + 2] = player_code(rules, viewer, public.active)
    out[at + 3] = player_code(rules, viewer, public.start)
    out[at + 4] = public.turn
    out[at + 5] = public.exhaustions
    out[at + 6] = public.stopped
    out[at + 7] = 0 if deck_is_final(rules, public) else 1
    out[at + 8] = public.planted
    out[at + 9] = public.deck_size
    out[at + 10] = public.discard_size
    at += 11
    if rules.duel == 0 and (rules.trading != 0 or rules.window_off == 0):
        out[at] = player_code(rules, viewer, seat_after(rules, public.active, public.asked))
        at += 1
    return at


@compiled
def _own_hand(rules, hand, hand_beans, out, at):
    for i in range(rules.hand_positions):  # -1 behind the last card
        out[np.uint64(at + i)] = hand[np.uint64(i)] + 1
    return put_beans(rules, hand_beans, out, at + rules.hand_positions)


@compiled
def _players(rules, public, viewer, out, at):
    at = put_by_seat(rules, viewer, public.hand_size, out, at)
    at = put_by_seat(rules, viewer, public.coins, out, at)
    at = put_by_seat(rules, viewer, public.drawn_since, out, at)
    at = put_by_seat(rules, viewer, public.winners, out, at)
    if rules.field_positions > rules.fields:
        at = put_by_seat(rules, viewer, public.field_gained, out, at)
    return at


@compiled
def _one_field(rules, public, seat, field, largest, out, at, step):
    """One number of each of the six pieces about fields, ``step`` apart."""
    count = int(public.field_count[np.uint64(seat), np.uint64(field)])
    code = int(public.field_bean[np.uint64(seat), np.uint64(field)]) + 1  # 0 where it is empty
    facts = rules.field_facts[np.uint64(code), np.uint64(count)]
    out[np.uint64(at)] = code
    out[np.uint64(at + step)] = count
    out[np.uint64(at + 2 * step)] = facts[0]
    out[np.uint64(at + 3 * step)] = facts[1]
    out[np.uint64(at + 4 * step)] = facts[2]
    out[np.uint64(at + 5 * step)] = is_protected(count, largest)


@compiled
def _fields(rules, public, viewer, out, at):
    step = rules.players * rules.field_positions
    seat, place = viewer, at
    for _ in range(rules.players):
        largest = largest_field(public, seat)
        for field in range(rules.field_positions):
            _one_field(rules, public, seat, field, largest, out, place, step)
            place += 1
        seat = seat_after(rules, seat, 1)
    return at + 6 * step


@compiled
def _coin_tops(rules, own, out, at):
    seat = own.seat
    for _ in range(rules.players):
        for i in range(rules.field_price):
            out[at + i] = own.coin_top[seat, rules.field_price - 1 - i] + 1
        at += rules.field_price
        seat = seat_after(rules, seat, 1)
    return at


@compiled
def _cards_of_players(rules, public, own, viewer, out, at):
    at = put_beans_by_seat(rules, viewer, public.coin_beans, out, at)
    if rules.duel == 0:
        at = put_beans_by_seat(rules, viewer, public.set_aside, out, at)
    if rules.trading != 0:
        at = put_beans_by_seat(rules, viewer, public.known, out, at)
    if rules.field_price > 0:
        at = _coin_tops(rules, own, out, at)
    return at


@compiled
def _unseen(rules, public, hand_beans, out, at):
    if at + 2 * 8 > len(out):  # no room for two blocks of ``put_difference``
        count_unseen(rules, public, hand_beans, out[at:])
        return at + rules.beans
    for first in range(0, rules.beans, 8):  # what comes next overwrites the excess, whatever it is
        seen = seen_beans(rules, public, hand_beans, first)
        put_difference(out, at + first, rules.bean_cards, first, seen)
    return at + rules.beans


@compiled
def _piles(rules, public, own, hand_beans, out, at):
    at = _unseen(rules, public, hand_beans, out, at)
    at = put_beans(rules, public.discard_beans, out, at)
    at = put_beans(rules, public.deck_at_shuffle, out, at)
    at = put_beans(rules, public.turned_up, out, at)
    if rules.trading != 0:
        at = put_beans(rules, public.face_up_beans, out, at)
        for i in range(rules.reveal):
            out[at + i] = public.face_up[i] + 1 if i < public.face_up_size else 0
        at += rules.reveal
    if rules.duel != 0:
        at = put_beans(rules, public.face_up_beans, out, at)
        at = put_beans(rules, public.duel_offer, out, at)
        clear_shorts(out, at, rules.cards)
        for i in range(public.discard_size):
            out[at + i] = own.discard[public.discard_size - 1 - i] + 1
        at += rules.cards
    if rules.coins_leave_game != 0:
        at = put_beans(rules, public.removed, out, at)
    return at


@compiled
def _trading_state(rules, public, viewer, out, at):
    out[at] = public.round_held
    out[at + 1] = public.round_open
    out[at + 2] = public.round_submitted
    out[at + 3] = public.pass_blocked
    at = put_by_seat(rules, viewer, public.passed, out, at + 4)
    return put_by_seat(rules, viewer, public.proposals_left, out, at)


@compiled
def _standing(rules, public, viewer, out, at):
    if rules.compact == 0:
        at = put_by_seat(rules, viewer, public.answers, out, at)
    at = put_beans(rules, public.offer, out, at)
    at = put_beans(rules, public.request, out, at)
    out[at] = public.standing
    out[at + 1] = player_code(rules, viewer, public.proposer)
    out[at + 2] = player_code(rules, viewer, public.recipient)
    if rules.compact != 0:
        return at + 3
    out[at + 3] = public.countering
    out[at + 4] = player_code(rules, viewer, public.partner)
    return at + 5


@compiled
def _own_choices(rules, own, out, at):
    out[at] = player_code(rules, own.seat, own.draft_recipient)
    at = put_beans(rules, own.draft_offer, out, at + 1)
    at = put_beans(rules, own.draft_request, out, at)
    out[at] = own.own_answer
    out[at + 1] = own.give_bean + 1
    out[at + 2] = own.give_taken
    out[at + 3] = own.give_from
    at += 4
    for i in range(rules.hand_positions):
        out[np.uint64(at + i)] = own.chosen_hand[np.uint64(i)]
    for i in range(rules.reveal):
        out[at + rules.hand_positions + i] = own.chosen_face_up[i]
    at += rules.hand_positions
    return at + rules.reveal


@compiled
def _write_unannounced(rules, public, own, out):
    """The pieces that can change without a public event. They come first; what follows may have to
    stay, so no block may reach there. The last ones have none, and are longer than the excess of
    those before.
    """
    at = 0
    if rules.trading != 0:
        at = _trading_state(rules, public, own.seat, out, at)
        if rules.compact == 0:
            at = _own_choices(rules, own, out, at)
    return _situation(rules, public, own.seat, out, at)


@compiled(shared=True)
def _write(rules, public, own, hand, hand_beans, kept, out):
    """All pieces into ``out``, int16 of the layout's size; returns how many numbers that is.

    ``kept``: the settled proposals there are the same ones (see ``write_settled``).
    """
    viewer = own.seat
    front = out[: len(out) - size_of_settled(rules)]  # blocks must not reach further
    at = _write_unannounced(rules, public, own, front)
    at = _own_hand(rules, hand, hand_beans, front, at)
    at = _players(rules, public, viewer, front, at)
    at = _fields(rules, public, viewer, front, at)
    at = _cards_of_players(rules, public, own, viewer, front, at)
    at = _piles(rules, public, own, hand_beans, front, at)
    if rules.trading != 0:
        at = _standing(rules, public, viewer, front, at)
        write_settled(rules, public, viewer, out, kept)
    return at + size_of_settled(rules)


@compiled
def _observe(rules, game, own, seat, kept, out):
    write_own(rules, game, own, seat)
    hand, hand_beans = game.hand[seat], game.hand_beans[seat]
    return _write(rules, public_of(game), own, hand, hand_beans, kept, out)


@compiled
def observe_game(rules, game, own, seat, out):
    """The observation of a seat, straight from the game; returns its size.

    Args:
        rules: the rules' record.
        game: the game's record.
        own: a view, of which only what the seat alone knows is written; scratch.
        seat: whose.
        out: int16 of the layout's size.
    """
    return _observe(rules, game, own, seat, False, out)


@compiled
def what_is_shown(game):
    """Before a step: what ``observe_on`` must know of the observation that the decider has."""
    return game.to_act, game.event_count, game.settled_count


@compiled
def observe_on(rules, game, own, shown, out):
    """Bring the decider's observation up to date after a step of the game.

    ``out`` holds the one before the step, of the seat that decided then (``shown``; or anything at
    all if that is ``NOTHING_SHOWN``). While there are no more public events, few things change for
    the same seat. The settled proposals of a turn only become more. See ``observe_game``.
    """
    seat, events, settled = shown
    if game.to_act == seat and game.event_count == events:
        write_own(rules, game, own, seat)
        _write_unannounced(rules, public_of(game), own, out)
    else:
        kept = seat >= 0 and game.settled_count == settled
        _observe(rules, game, own, game.to_act, kept, out)


@compiled
def _has_room(rules, view):
    """Whether what the view counts has its places in an observation under these rules."""
    seats = 0 <= view.seat < rules.players
    settled = rules.trading == 0 or 0 <= view.settled_count <= rules.settled_positions
    return seats and settled and (rules.duel == 0 or 0 <= view.discard_size <= rules.cards)


@compiled
def observation_kernel(rules_bytes, view_bytes, out):
    """The observation of a view, from Python (byte arrays, see ``engine.kernels``).

    Returns its size; -1, and nothing is written, if the view is one of other rules and too large.
    """
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    if not _has_room(rules, view):
        return -1
    return _write(rules, public_of(view), view, view.hand[:], view.hand_beans[:], False, out)


@compiled
def observe_kernel(rules_bytes, game_bytes, view_bytes, seat, out):
    """``observe_game`` from Python; ``view_bytes`` is scratch."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    return observe_game(rules, game, view_bytes.view(VIEW_DTYPE)[0], seat, out)
