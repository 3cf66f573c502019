"""Which copies leave (R32, R35) and the deal itself: all cards move at once (R10)."""

from __future__ import annotations

from .compilation import compiled
from .decisions import Decision, Event
from .events import emit
from .hand import take_from_hand
from .settling import note_settled, return_floor

__all__ = [
    "amount_given",
    "can_give_face_up",
    "can_give_hand",
    "choose_copies",
    "give_face_up",
    "give_hand",
    "giver_of",
    "lowest_face_up",
]

_GIVE = int(Decision.GIVE)
_TRADE_HAND, _TRADE_FACE_UP = int(Event.TRADE_HAND), int(Event.TRADE_FACE_UP)


@compiled
def giver_of(game, side):
    """The seat that gives on a side: 0 the proposer, 1 the partner."""
    return int(game.proposer) if side == 0 else int(game.partner)


@compiled
def amount_given(game, side, bean):
    """Cards of a bean that a side gives in the standing proposal."""
    return int(game.offer[bean]) if side == 0 else int(game.request[bean])


@compiled
def _missing(game):
    """Copies of the bean under way still to be chosen."""
    return amount_given(game, game.give_side, game.give_bean) - int(game.give_taken)


@compiled
def _hand_copies_from(game, seat, first):
    """Hand copies of the bean under way at ``first`` or further back."""
    copies = 0
    for i in range(first, game.hand_size[seat]):
        if game.hand[seat, i] == game.give_bean:
            copies += 1
    return copies


@compiled
def _face_up_copies(game, seat):
    """Face-up copies of the bean under way that the seat may still choose."""
    copies = 0
    if seat == game.active:
        for i in range(game.face_up_size):
            if game.face_up[i] == game.give_bean and game.chosen_face_up[i] == 0:
                copies += 1
    return copies


@compiled
def lowest_face_up(game):
    """The lowest face-up position with a copy of the bean under way that was not chosen."""
    for i in range(game.face_up_size):
        if game.face_up[i] == game.give_bean and game.chosen_face_up[i] == 0:
            return i
    return -1


@compiled
def can_give_hand(game, seat, position):
    """Positions rise, and what is still missing must be there behind this one (R32)."""
    if position < game.give_from or game.hand[seat, position] != game.give_bean:
        return False
    behind = _hand_copies_from(game, seat, position + 1) + _face_up_copies(game, seat)
    return behind >= _missing(game) - 1


@compiled
def can_give_face_up(game, seat):
    """Face-up copies come last, so they must do for all that is missing (R32)."""
    copies = _face_up_copies(game, seat)
    return copies > 0 and copies >= _missing(game)


@compiled
def give_hand(game, position):
    """The giver chooses a hand copy."""
    game.chosen_hand[game.give_side, position] = 1
    game.give_taken += 1
    game.give_from = position + 1


@compiled
def give_face_up(game, position):
    """The giver chooses a face-up copy; hand copies may not follow."""
    game.chosen_face_up[position] = 1
    game.give_taken += 1
    game.give_from = game.hand_size[game.active]


@compiled
def _take_face_up_copies(game, seat):
    while _missing(game) > 0 and _face_up_copies(game, seat) > 0:
        game.chosen_face_up[lowest_face_up(game)] = 1
        game.give_taken += 1


@compiled
def _take_hand_copies(game, seat):
    for i in range(game.give_from, game.hand_size[seat]):
        if _missing(game) == 0:
            return
        if game.hand[seat, i] == game.give_bean:
            game.chosen_hand[game.give_side, i] = 1
            game.give_taken += 1


@compiled
def _needs_a_choice(rules, game, seat):
    """Take what leaves no choice of the bean under way; returns whether a choice remains."""
    if rules.compact != 0:
        _take_face_up_copies(game, seat)  # face-up first, then nearest the front (R35)
        _take_hand_copies(game, seat)
        return False
    copies = _hand_copies_from(game, seat, game.give_from) + _face_up_copies(game, seat)
    only_face_up = _hand_copies_from(game, seat, game.give_from) == 0
    if copies > _missing(game) and not only_face_up:
        return True
    _take_hand_copies(game, seat)
    _take_face_up_copies(game, seat)
    return False


@compiled
def choose_copies(rules, game, log):
    """Ask for the next choice of copies, the proposer's first, bean by bean; or do the deal."""
    while game.give_side < 2:
        seat = giver_of(game, game.give_side)
        while game.give_bean < rules.beans:
            if _missing(game) > 0 and _needs_a_choice(rules, game, seat):
                game.decision = _GIVE
                game.to_act = seat
                return
            game.give_bean += 1
            game.give_taken = 0
            game.give_from = 0
        game.give_side += 1
        game.give_bean = 0
    game.give_side = 0
    _deal(rules, game, log)


@compiled
def _note_hand_cards(game, log, side, giver, taker, bean):
    for i in range(game.hand_size[giver]):
        if game.chosen_hand[side, i] != 0 and game.hand[giver, i] == bean:
            emit(game, log, _TRADE_HAND, giver, taker, bean, 1, -1, i)


@compiled
def _note_side(rules, game, log, side, giver, taker):
    """The event of one direction: positions before the deal, in the order of R32."""
    for bean in range(rules.beans):
        _note_hand_cards(game, log, side, giver, taker, bean)
        if giver != game.active:
            continue
        for i in range(game.face_up_size):
            if game.chosen_face_up[i] != 0 and game.face_up[i] == bean:
                emit(game, log, _TRADE_FACE_UP, giver, taker, bean, 1, -1, -1)


@compiled
def _move_hand_cards(game, side, giver, taker):
    for i in range(int(game.hand_size[giver]) - 1, -1, -1):
        if game.chosen_hand[side, i] != 0:
            game.chosen_hand[side, i] = 0
            bean = take_from_hand(game, giver, i)
            game.set_aside[taker, bean] += 1


@compiled
def _move_face_up_cards(game, taker):
    left = 0
    for i in range(game.face_up_size):
        bean = int(game.face_up[i])
        if game.chosen_face_up[i] != 0:
            game.chosen_face_up[i] = 0
            game.face_up_beans[bean] -= 1
            game.set_aside[taker, bean] += 1
        else:
            game.face_up[left] = bean
            left += 1
    for i in range(left, game.face_up_size):
        game.face_up[i] = -1
    game.face_up_size = left


@compiled
def _deal(rules, game, log):
    """All cards of a settled deal move at once, to be set aside by the receivers (R10)."""
    proposer, partner = int(game.proposer), int(game.partner)
    _note_side(rules, game, log, 0, proposer, partner)
    _note_side(rules, game, log, 1, partner, proposer)
    _move_hand_cards(game, 0, proposer, partner)
    _move_hand_cards(game, 1, partner, proposer)
    _move_face_up_cards(game, partner if proposer == game.active else proposer)
    note_settled(rules, game)
    game.settled_fresh = game.settled_count
    return_floor(game)
