"""Legal actions of the floor and of composing (R29, R30, R33, R35)."""

from __future__ import annotations

import numpy as np

from .blocks import fill_block, first_bean
from .compilation import compiled
from .floor import card_could_move, may_propose, round_could_be
from .limits import BEAN_CAPACITY
from .seats import seat_after, steps_to
from .settling import was_answered
from .state import TABLE
from .swaps import swap_index

__all__ = ["held", "legal_compose", "legal_floor"]


@compiled
def held(game, seat, bean):
    """Cards of a bean that a seat may give: hand, and face-up for the active player (R9)."""
    turned_up = int(game.face_up_beans[np.uint64(bean)]) if seat == game.active else 0
    return int(game.hand_beans[np.uint64(seat), np.uint64(bean)]) + turned_up


@compiled
def _holdings(game, seat):
    """Cards a seat could be asked for, as all can see (R30)."""
    return int(game.hand_size[seat]) + (int(game.face_up_size) if seat == game.active else 0)


@compiled
def _largest_request(rules, game, recipient):
    """The most cards a request may ask for in all (R30)."""
    if recipient != TABLE:
        return _holdings(game, recipient)
    largest = 0
    for k in range(1, rules.players):
        largest = max(largest, _holdings(game, seat_after(rules, game.to_act, k)))
    return largest


@compiled
def _allow_swaps(rules, game, mask, player):
    """Swaps with one player: a row of the mask for each card given, and one for none."""
    seat = int(game.to_act)
    can_request = _holdings(game, seat_after(rules, seat, player)) > 0
    at = swap_index(rules, player, 0, 1)
    for give in range(rules.beans + 1):
        able = give == 0 or held(game, seat, give - 1) > 0
        wanted = 1 if able and can_request else 0
        if at + BEAN_CAPACITY <= rules.actions:
            fill_block(mask, at, wanted)  # what it writes in excess, the next row overwrites
        else:
            for i in range(rules.beans):
                mask[at + i] = wanted
        if able and give > 0:
            mask[at] = 1  # a gift
        at += rules.beans
    for i in range(at, min(at + BEAN_CAPACITY, rules.actions)):
        mask[i] = 0


@compiled
def _forbid_answered_swaps(rules, game, mask):
    """The same proposal is not made twice while no card has moved (R30)."""
    for row in range(game.settled_fresh, game.settled_count):
        if game.settled_proposer[row] == game.to_act:
            recipient = int(game.settled_recipient[row])
            player = steps_to(rules, game.to_act, recipient)
            give = first_bean(game.settled_offer[row])
            get = first_bean(game.settled_request[row])
            mask[swap_index(rules, player, give, get)] = 0


@compiled
def _allow_proposals(rules, game, mask, player):
    """Proposals to one player, given in steps from the decider."""
    if not card_could_move(game, game.to_act, seat_after(rules, game.to_act, player)):
        return
    if rules.compact != 0:
        _allow_swaps(rules, game, mask, player)
    else:
        mask[rules.propose_at + player - 1] = 1


@compiled
def legal_floor(rules, game, mask):
    """Who holds the floor proposes, passes or, if active, ends trading (R29)."""
    seat = int(game.to_act)
    active = seat == game.active
    if may_propose(rules, game, seat):
        if active:
            for player in range(1, rules.players):
                _allow_proposals(rules, game, mask, player)
            if rules.compact == 0:
                mask[rules.propose_table_at] = 1
        else:
            _allow_proposals(rules, game, mask, steps_to(rules, seat, game.active))
        if rules.compact != 0:
            _forbid_answered_swaps(rules, game, mask)
    if not active:
        mask[rules.pass_at] = 1
        return
    possible = round_could_be(rules, game)
    if possible and game.pass_blocked == 0:
        mask[rules.pass_at] = 1
    if not possible or game.round_held != 0:
        mask[rules.end_trading_at] = 1


@compiled
def _sum_and_last(rules, cards):
    """Cards of a row by bean, and the last bean among them (0 where there is none)."""
    total, last = 0, 0
    for bean in range(rules.beans):
        count = int(cards[np.uint64(bean)])
        total += count
        last = bean if count > 0 else last
    return total, last


@compiled
def legal_compose(rules, game, mask):
    """Offered beans rise in table order, then requested ones: one spelling a deal (R30)."""
    seat, recipient = int(game.to_act), int(game.draft_recipient)
    offered, last_offer = _sum_and_last(rules, game.draft_offer)
    requested, last_request = _sum_and_last(rules, game.draft_request)
    if requested == 0 and offered < rules.trade_limit:
        for bean in range(rules.beans):
            more = game.draft_offer[np.uint64(bean)] < held(game, seat, bean)
            mask[np.uint64(rules.offer_at + bean)] = more & (bean >= last_offer)
    most = min(_largest_request(rules, game, recipient), int(rules.trade_limit))
    if requested < most:
        for bean in range(rules.beans):
            more = game.draft_request[np.uint64(bean)] < rules.bean_cards[np.uint64(bean)]
            mask[np.uint64(rules.request_at + bean)] = more & (bean >= last_request)
    mask[rules.withdraw_at] = 1
    if offered + requested > 0 and not was_answered(
        rules, game, seat, recipient, game.draft_offer, game.draft_request
    ):
        mask[rules.submit_at] = 1
