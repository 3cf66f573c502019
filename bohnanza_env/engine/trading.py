"""Proposals and answers (R29, R30, R31, R35): what the actions of phase 2 do."""

from __future__ import annotations

from .compilation import compiled
from .copies import choose_copies
from .decisions import Answer, Decision, Event, Stage
from .events import emit
from .knowledge import shown_to_hold
from .seats import seat_after
from .settling import note_settled, return_floor
from .state import NOBODY, TABLE

__all__ = [
    "answer",
    "choose_partner",
    "open_round",
    "pass_in_round",
    "propose",
    "submit",
    "swap",
    "withdraw",
]

_COMPOSE, _RESPOND = int(Decision.COMPOSE), int(Decision.RESPOND)
_CHOOSE = int(Decision.CHOOSE)
_NEXT_IN_ROUND = int(Stage.NEXT_IN_ROUND)
_NONE, _ACCEPT, _REJECT = int(Answer.NONE), int(Answer.ACCEPT), int(Answer.REJECT)
_COUNTER = int(Answer.COUNTER)
_PROPOSE, _OFFER, _REQUEST = int(Event.PROPOSE), int(Event.OFFER), int(Event.REQUEST)
_WITHDRAW, _ANSWER_EVENT = int(Event.WITHDRAW), int(Event.ANSWER)
_CHOOSE_EVENT = int(Event.CHOOSE)


@compiled
def open_round(rules, game):
    """The active player passes: everybody else gets the floor once (R29)."""
    game.round_open = 1
    game.round_submitted = 0
    for seat in range(rules.players):
        game.passed[seat] = 0
    game.asked = 0
    game.stage = _NEXT_IN_ROUND


@compiled
def pass_in_round(game):
    """A seat of the round lets its turn to speak go by."""
    game.passed[game.to_act] = 1
    game.stage = _NEXT_IN_ROUND


@compiled
def _clear_draft(rules, game):
    for bean in range(rules.beans):
        game.draft_offer[bean] = 0
        game.draft_request[bean] = 0
    game.draft_recipient = NOBODY


@compiled
def _begin_draft(rules, game, recipient):
    _clear_draft(rules, game)
    game.draft_recipient = recipient
    game.decision = _COMPOSE


@compiled
def propose(rules, game, recipient):
    """A proposal is begun; it is counted now (R33)."""
    game.proposals_left[game.to_act] -= 1
    _begin_draft(rules, game, recipient)


@compiled
def withdraw(rules, game, log):
    """The draft is given up, unseen; the exchange is over (R30)."""
    emit(game, log, _WITHDRAW, game.to_act, -1, -1, -1, -1, -1)
    _clear_draft(rules, game)
    game.countering = 0
    return_floor(game)


@compiled
def submit(rules, game, log):
    """The draft becomes the standing proposal, for all to see."""
    proposer, recipient = int(game.to_act), int(game.draft_recipient)
    emit(game, log, _PROPOSE, proposer, recipient, -1, -1, -1, -1)
    for bean in range(rules.beans):
        game.offer[bean] = game.draft_offer[bean]
        game.request[bean] = game.draft_request[bean]
        if game.offer[bean] > 0:
            emit(game, log, _OFFER, proposer, recipient, bean, game.offer[bean], -1, -1)
            shown_to_hold(game, proposer, bean, game.offer[bean])
    for bean in range(rules.beans):
        if game.request[bean] > 0:
            emit(game, log, _REQUEST, proposer, recipient, bean, game.request[bean], -1, -1)
    _clear_draft(rules, game)
    for seat in range(rules.players):
        game.answers[seat] = _NONE
        game.pending_answers[seat] = _NONE
    game.standing = 1
    game.proposer = proposer
    game.recipient = recipient
    game.partner = NOBODY
    game.pass_blocked = 0
    if game.round_open != 0:
        game.round_submitted = 1
    game.decision = _RESPOND
    game.to_act = seat_after(rules, proposer, 1) if recipient == TABLE else recipient


@compiled
def swap(rules, game, log, recipient, give, get):
    """Propose, offer, request and submit in one action (R35); -1 stands for nothing."""
    propose(rules, game, recipient)
    if give >= 0:
        game.draft_offer[give] = 1
    if get >= 0:
        game.draft_request[get] = 1
    submit(rules, game, log)


@compiled
def answer(rules, game, log, reply):
    """A recipient answers (R31)."""
    seat = int(game.to_act)
    if game.recipient == TABLE:
        game.pending_answers[seat] = reply
        game.to_act = seat_after(rules, seat, 1)
        if game.to_act == game.proposer:
            _all_have_answered(rules, game, log)
        return
    game.answers[seat] = reply
    emit(game, log, _ANSWER_EVENT, seat, -1, -1, -1, reply, -1)
    if reply == _ACCEPT:
        _raise_known(rules, game, seat)
        _accepted_by(rules, game, log, seat)
    elif reply == _REJECT:
        note_settled(rules, game)
        return_floor(game)
    else:
        _begin_counter(rules, game, seat)


@compiled
def _begin_counter(rules, game, seat):
    """The proposal is rejected and its recipient composes one back (R31)."""
    proposer = int(game.proposer)
    note_settled(rules, game)
    game.countering = 1
    _begin_draft(rules, game, proposer)
    game.to_act = seat


@compiled
def _raise_known(rules, game, seat):
    """Accepting shows that one holds what is requested (RULES §9)."""
    for bean in range(rules.beans):
        if game.request[bean] > 0:
            shown_to_hold(game, seat, bean, game.request[bean])


@compiled
def _accepted_by(rules, game, log, seat):
    game.partner = seat
    game.give_side = 0
    game.give_bean = 0
    game.give_taken = 0
    game.give_from = 0
    choose_copies(rules, game, log)


@compiled
def _all_have_answered(rules, game, log):
    """The answers to a table proposal are shown together (R31)."""
    accepted, last = 0, NOBODY
    for k in range(1, rules.players):
        seat = seat_after(rules, game.proposer, k)
        reply = int(game.pending_answers[seat])
        game.answers[seat] = reply
        game.pending_answers[seat] = _NONE
        emit(game, log, _ANSWER_EVENT, seat, -1, -1, -1, reply, -1)
        if reply == _ACCEPT:
            _raise_known(rules, game, seat)
            accepted += 1
            last = seat
    if accepted == 0:
        note_settled(rules, game)
        return_floor(game)
    elif accepted == 1:
        _accepted_by(rules, game, log, last)
    else:
        game.decision = _CHOOSE
        game.to_act = game.proposer


@compiled
def choose_partner(rules, game, log, seat):
    """The proposer of a table proposal chooses among those who accept."""
    emit(game, log, _CHOOSE_EVENT, game.proposer, seat, -1, -1, -1, -1)
    _accepted_by(rules, game, log, seat)
