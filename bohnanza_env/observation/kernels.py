"""The flat observation, written from a view: the pieces of ``pieces`` in their order.

``out`` is set to zero first; a running cursor ``at`` then goes from piece to piece. Each function
writes some neighbouring pieces and returns the cursor behind them. The busiest loops index with
unsigned numbers: Numba then need not look for negative ones, which halves their time.
"""

from __future__ import annotations

import numpy as np

from bohnanza_env.engine.cards import MAX_COINS_PER_HARVEST
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.deck import deck_is_final
from bohnanza_env.engine.fields import can_harvest
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE, TABLE
from bohnanza_env.engine.swaps import single_bean
from bohnanza_env.view import VIEW_DTYPE, count_unseen, write_view

__all__ = ["observation_kernel", "observe_kernel", "player_code", "write_observation"]


@compiled
def player_code(rules, view, seat):
    """0 nobody, 1 the viewer, then clockwise; players + 1 is the table."""
    if seat < 0:
        return 0
    if seat == TABLE:
        return rules.players + 1
    steps = seat - view.seat
    return steps + 1 if steps >= 0 else steps + 1 + rules.players


@compiled
def _put_beans(rules, values, out, at):
    for bean in range(rules.beans):
        out[np.uint64(at + bean)] = values[bean]
    return at + rules.beans


@compiled
def _put_by_seat(rules, view, values, out, at):
    seat, players = view.seat, rules.players
    for k in range(players):
        out[np.uint64(at + k)] = values[np.uint64(seat)]
        seat = seat + 1 if seat + 1 < players else 0
    return at + players


@compiled
def _put_beans_by_seat(rules, view, table, out, at):
    seat, players, beans = view.seat, rules.players, rules.beans
    for _ in range(players):
        for bean in range(beans):
            out[np.uint64(at + bean)] = table[np.uint64(seat), bean]
        at += beans
        seat = seat + 1 if seat + 1 < players else 0
    return at


@compiled
def _situation(rules, view, out, at):
    out[at] = view.decision
    out[at + 1] = player_code(rules, view, view.to_act)
    out[at + 2] = player_code(rules, view, view.active)
    out[at + 3] = player_code(rules, view, view.start)
    out[at + 4] = view.turn
    out[at + 5] = view.exhaustions
    out[at + 6] = view.stopped
    out[at + 7] = 0 if deck_is_final(rules, view) else 1
    out[at + 8] = view.planted
    out[at + 9] = view.deck_size
    out[at + 10] = view.discard_size
    at += 11
    if rules.duel == 0 and (rules.trading != 0 or rules.window_off == 0):
        out[at] = player_code(rules, view, (view.active + view.asked) % rules.players)
        at += 1
    return at


@compiled
def _own_hand(rules, view, out, at):
    for i in range(view.hand_size[view.seat]):
        out[np.uint64(at + i)] = view.hand[i] + 1
    return _put_beans(rules, view.hand_beans, out, at + rules.hand_positions)


@compiled
def _players(rules, view, out, at):
    at = _put_by_seat(rules, view, view.hand_size, out, at)
    at = _put_by_seat(rules, view, view.coins, out, at)
    at = _put_by_seat(rules, view, view.drawn_since, out, at)
    at = _put_by_seat(rules, view, view.winners, out, at)
    if rules.field_positions > rules.fields:
        at = _put_by_seat(rules, view, view.field_gained, out, at)
    return at


@compiled
def _one_field(rules, view, seat, field, out, at, step):
    """One number of each of the six pieces about fields, ``step`` apart."""
    count = int(view.field_count[seat, field])
    if count == 0:
        return
    bean = int(view.field_bean[seat, field])
    coins, next_coins, missing = 0, 0, 0
    for tier in range(MAX_COINS_PER_HARVEST):
        need = int(rules.beanometer[bean, tier])
        if 0 < need <= count:
            coins = tier + 1
        elif need > count and next_coins == 0:
            next_coins = tier + 1
            missing = need - count
    out[at] = bean + 1
    out[at + step] = count
    out[at + 2 * step] = coins
    out[at + 3 * step] = next_coins
    out[at + 4 * step] = missing
    out[at + 5 * step] = 0 if can_harvest(view, seat, field) else 1


@compiled
def _fields(rules, view, out, at):
    step = rules.players * rules.field_positions
    seat = view.seat
    place = at
    for _ in range(rules.players):
        for field in range(rules.field_positions):
            _one_field(rules, view, seat, field, out, place, step)
            place += 1
        seat = seat + 1 if seat + 1 < rules.players else 0
    return at + 6 * step


@compiled
def _coin_tops(rules, view, out, at):
    seat = view.seat
    for _ in range(rules.players):
        for i in range(rules.field_price):
            out[at + i] = view.coin_top[seat, rules.field_price - 1 - i] + 1
        at += rules.field_price
        seat = seat + 1 if seat + 1 < rules.players else 0
    return at


@compiled
def _cards_of_players(rules, view, out, at):
    at = _put_beans_by_seat(rules, view, view.coin_beans, out, at)
    if rules.duel == 0:
        at = _put_beans_by_seat(rules, view, view.set_aside, out, at)
    if rules.trading != 0:
        at = _put_beans_by_seat(rules, view, view.known, out, at)
    if rules.field_price > 0:
        at = _coin_tops(rules, view, out, at)
    return at


@compiled
def _piles(rules, view, out, at):
    count_unseen(rules, view, out[at : at + rules.beans])
    at += rules.beans
    at = _put_beans(rules, view.discard_beans, out, at)
    at = _put_beans(rules, view.deck_at_shuffle, out, at)
    at = _put_beans(rules, view.turned_up, out, at)
    if rules.trading != 0:
        at = _put_beans(rules, view.face_up_beans, out, at)
        for i in range(view.face_up_size):
            out[at + i] = view.face_up[i] + 1
        at += rules.reveal
    if rules.duel != 0:
        at = _put_beans(rules, view.face_up_beans, out, at)
        at = _put_beans(rules, view.duel_offer, out, at)
        for i in range(view.discard_size):
            out[at + i] = view.discard[view.discard_size - 1 - i] + 1
        at += rules.cards
    if rules.coins_leave_game != 0:
        at = _put_beans(rules, view.removed, out, at)
    return at


@compiled
def _trading_state(rules, view, out, at):
    out[at] = view.round_held
    out[at + 1] = view.round_open
    out[at + 2] = view.round_submitted
    out[at + 3] = view.pass_blocked
    at = _put_by_seat(rules, view, view.passed, out, at + 4)
    return _put_by_seat(rules, view, view.proposals_left, out, at)


@compiled
def _standing(rules, view, out, at):
    out[at] = view.standing
    out[at + 1] = player_code(rules, view, view.proposer)
    out[at + 2] = player_code(rules, view, view.recipient)
    at = _put_beans(rules, view.offer, out, at + 3)
    at = _put_beans(rules, view.request, out, at)
    if rules.compact == 0:
        out[at] = view.countering
        out[at + 1] = player_code(rules, view, view.partner)
        at = _put_by_seat(rules, view, view.answers, out, at + 2)
    return at


@compiled
def _own_choices(rules, view, out, at):
    out[at] = player_code(rules, view, view.draft_recipient)
    at = _put_beans(rules, view.draft_offer, out, at + 1)
    at = _put_beans(rules, view.draft_request, out, at)
    out[at] = view.own_answer
    out[at + 1] = view.give_bean + 1
    out[at + 2] = view.give_taken
    out[at + 3] = view.give_from
    at += 4
    for i in range(view.hand_size[view.seat]):
        out[np.uint64(at + i)] = view.chosen_hand[i]
    at += rules.hand_positions
    for i in range(rules.reveal):
        out[at + i] = view.chosen_face_up[i]
    return at + rules.reveal


@compiled
def _settled_compactly(rules, view, out, at, rows):
    for i in range(view.settled_count):
        row = view.settled_count - 1 - i
        recipient = int(view.settled_recipient[row])
        out[at + i] = single_bean(rules, view.settled_offer[row])
        out[at + rows + i] = single_bean(rules, view.settled_request[row])
        out[at + 2 * rows + i] = view.settled_answers[row, recipient]
    return at + 3 * rows


@compiled
def _settled_in_full(rules, view, out, at, rows):
    answers = at + 2 * rows
    offers = answers + rows * rules.players
    requests = offers + rows * rules.beans
    for i in range(view.settled_count):
        row = view.settled_count - 1 - i
        out[at + i] = player_code(rules, view, view.settled_partner[row])
        out[at + rows + i] = view.settled_counter[row]
        answers = _put_by_seat(rules, view, view.settled_answers[row], out, answers)
        offers = _put_beans(rules, view.settled_offer[row], out, offers)
        requests = _put_beans(rules, view.settled_request[row], out, requests)
    return at + rows * (2 + rules.players + 2 * rules.beans)


@compiled
def _settled(rules, view, out, at):
    rows = rules.settled_positions
    if rows == 0:
        return at
    out[at] = view.settled_count
    out[at + 1] = view.settled_count - view.settled_fresh
    at += 2
    for i in range(view.settled_count):
        row = view.settled_count - 1 - i
        out[at + i] = player_code(rules, view, view.settled_proposer[row])
        out[at + rows + i] = player_code(rules, view, view.settled_recipient[row])
    at += 2 * rows
    if rules.compact != 0:
        return _settled_compactly(rules, view, out, at, rows)
    return _settled_in_full(rules, view, out, at, rows)


@compiled
def write_observation(rules, view, out):
    """Write the flat observation of a view into ``out``, int16 of the layout's size.

    Returns how many numbers that is.
    """
    for i in range(len(out)):
        out[i] = 0
    at = _situation(rules, view, out, 0)
    at = _own_hand(rules, view, out, at)
    at = _players(rules, view, out, at)
    at = _fields(rules, view, out, at)
    at = _cards_of_players(rules, view, out, at)
    at = _piles(rules, view, out, at)
    if rules.trading != 0:
        at = _trading_state(rules, view, out, at)
        at = _standing(rules, view, out, at)
        if rules.compact == 0:
            at = _own_choices(rules, view, out, at)
        at = _settled(rules, view, out, at)
    return at


@compiled
def observation_kernel(rules_bytes, view_bytes, out):
    """``write_observation`` from Python (byte arrays, see ``engine.kernels``)."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    return write_observation(rules, view, out)


@compiled
def observe_kernel(rules_bytes, game_bytes, view_bytes, seat, out):
    """The view of ``seat`` into ``view_bytes``, and its observation into ``out``."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    view = view_bytes.view(VIEW_DTYPE)[0]
    write_view(rules, game, view, seat)
    return write_observation(rules, view, out)
