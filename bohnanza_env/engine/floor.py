"""The floor of phase 2: who may propose, rounds, and when trading ends (R29, R33)."""

from __future__ import annotations

from .compilation import compiled
from .decisions import Decision, Event, Stage
from .events import emit
from .fields import can_buy_field, has_harvest
from .seats import seat_after

__all__ = [
    "card_could_move",
    "end_trading",
    "may_propose",
    "next_in_round",
    "open_floor",
    "round_could_be",
    "start_trading",
]

_FLOOR, _DECIDE = int(Decision.FLOOR), int(Stage.DECIDE)
_OPEN_FLOOR, _END_TRADING = int(Stage.OPEN_FLOOR), int(Stage.END_TRADING)
_PLANT_SET_ASIDE, _END_EVENT = int(Stage.PLANT_SET_ASIDE), int(Event.END_TRADING)


@compiled
def _forget_settled(rules, game):
    """Clear the settled proposals of the turn before, so that equal games are equal records."""
    for row in range(game.settled_count):
        game.settled_proposer[row] = 0
        game.settled_recipient[row] = 0
        game.settled_partner[row] = 0
        game.settled_counter[row] = 0
        for bean in range(rules.beans):
            game.settled_offer[row, bean] = 0
            game.settled_request[row, bean] = 0
        for seat in range(rules.players):
            game.settled_answers[row, seat] = 0
    game.settled_count = 0
    game.settled_fresh = 0


@compiled
def start_trading(rules, game):
    """A new turn: fresh budgets, nothing settled, no round held (R29, R33)."""
    _forget_settled(rules, game)
    for seat in range(rules.players):
        active = seat == game.active
        game.proposals_left[seat] = rules.active_proposals if active else rules.other_proposals
        if rules.trading == 0:
            game.proposals_left[seat] = 0
        game.passed[seat] = 0
    game.round_held = 0
    game.round_open = 0
    game.round_submitted = 0
    game.pass_blocked = 0
    game.asked = 0


@compiled
def card_could_move(game, proposer, recipient):
    """Whether a deal of these two could move a card, as far as all can see (R30)."""
    if game.hand_size[proposer] > 0 or game.hand_size[recipient] > 0:
        return True
    return game.face_up_size > 0 and (proposer == game.active or recipient == game.active)


@compiled
def may_propose(rules, game, seat):
    """Whether a seat has a proposal left and somebody to make it to (R29, R30)."""
    if game.proposals_left[seat] <= 0:
        return False
    if seat != game.active:
        return card_could_move(game, seat, game.active)
    for k in range(1, rules.players):
        if card_could_move(game, seat, seat_after(rules, seat, k)):
            return True
    return False


@compiled
def _may_speak(rules, game, seat):
    """Whether a round would give this seat the floor (R29)."""
    if may_propose(rules, game, seat) or has_harvest(rules, game, seat):
        return True
    return can_buy_field(rules, game, seat)


@compiled
def round_could_be(rules, game):
    """Whether a round would give anybody the floor."""
    for k in range(1, rules.players):
        if _may_speak(rules, game, seat_after(rules, game.active, k)):
            return True
    return False


@compiled
def _nobody_may_propose(rules, game):
    for seat in range(rules.players):
        if may_propose(rules, game, seat):
            return False
    return True


@compiled
def open_floor(rules, game):
    """The active player has the floor; phase 2 ends when nobody may propose any more."""
    if _nobody_may_propose(rules, game):
        game.stage = _END_TRADING
        return
    game.decision = _FLOOR
    game.to_act = game.active
    game.stage = _DECIDE


@compiled
def next_in_round(rules, game):
    """The next seat of the round has the floor, or the round is over (R29)."""
    if _nobody_may_propose(rules, game):
        game.stage = _END_TRADING
        return
    for k in range(game.asked + 1, rules.players):
        seat = seat_after(rules, game.active, k)
        if _may_speak(rules, game, seat):
            game.asked = k
            game.decision = _FLOOR
            game.to_act = seat
            game.stage = _DECIDE
            return
    game.asked = 0
    game.round_open = 0
    game.round_held = 1
    game.pass_blocked = 0 if game.round_submitted != 0 else 1
    game.stage = _OPEN_FLOOR


@compiled
def end_trading(rules, game, log):
    """Phase 2 is over: what is still face up is set aside by the active player (R12)."""
    emit(game, log, _END_EVENT, game.active, -1, -1, -1, -1, -1)
    for bean in range(rules.beans):
        game.set_aside[game.active, bean] += game.face_up_beans[bean]
        game.face_up_beans[bean] = 0
    for i in range(rules.reveal):
        game.face_up[i] = -1
    game.face_up_size = 0
    game.round_open = 0
    game.asked = 0
    game.stage = _PLANT_SET_ASIDE
