"""The one generator of legal actions: masks, validation, bots and texts all come from it."""

from __future__ import annotations

import numpy as np

from .compilation import compiled
from .copies import can_give_face_up, can_give_hand, lowest_face_up
from .decisions import Answer, Decision
from .fields import can_buy_field, can_harvest, is_room
from .legal_trading import held, legal_compose, legal_floor
from .seats import seat_after

__all__ = ["write_legal_actions"]

_PLANT, _FLOOR = int(Decision.PLANT), int(Decision.FLOOR)
_COMPOSE, _RESPOND = int(Decision.COMPOSE), int(Decision.RESPOND)
_CHOOSE, _GIVE = int(Decision.CHOOSE), int(Decision.GIVE)
_PLANT_SET_ASIDE, _WINDOW = int(Decision.PLANT_SET_ASIDE), int(Decision.WINDOW)
_OFFER_IN, _DISCARD = int(Decision.OFFER_IN), int(Decision.DISCARD)
_FACEUP, _OVER = int(Decision.FACEUP), int(Decision.OVER)
_ACCEPT = int(Answer.ACCEPT)


@compiled
def _allow_planting(rules, game, mask, bean):
    """Fields for one bean (R8); returns how many there are."""
    room = 0
    for field in range(game.field_slots[game.to_act]):
        if is_room(game, game.to_act, field, bean):
            mask[rules.plant_at + bean * rules.field_positions + field] = 1
            room += 1
    return room


@compiled
def _allow_harvests(rules, game, mask):
    for field in range(game.field_slots[game.to_act]):
        if can_harvest(game, game.to_act, field):
            mask[rules.harvest_at + field] = 1


@compiled
def _allow_side_actions(rules, game, mask):
    """Harvests (R14) and a purchase (R24) beside a decision that is not about planting."""
    if rules.harvest_when_needed == 0:
        _allow_harvests(rules, game, mask)
    if can_buy_field(rules, game, game.to_act):
        mask[rules.buy_field_at] = 1


@compiled
def _allow_side_actions_of_planting(rules, game, mask, room):
    """The same beside a planting decision; R36 offers harvests where nothing fits."""
    if rules.harvest_when_needed == 0 or room == 0:
        _allow_harvests(rules, game, mask)
    if can_buy_field(rules, game, game.to_act):
        mask[rules.buy_field_at] = 1


@compiled
def _legal_plant(rules, game, mask):
    """The front card; the second one may be kept (R7)."""
    room = _allow_planting(rules, game, mask, int(game.hand[game.to_act, 0]))
    if game.planted > 0:
        mask[rules.pass_at] = 1
    _allow_side_actions_of_planting(rules, game, mask, room)


@compiled
def _legal_planting_of(rules, game, mask, beans):
    """Any of these cards may be planted next."""
    room = 0
    for bean in range(rules.beans):
        if beans[bean] > 0:
            room += _allow_planting(rules, game, mask, bean)
    _allow_side_actions_of_planting(rules, game, mask, room)


@compiled
def _legal_respond(rules, game, mask):
    """``accept`` exactly where the responder holds what is requested (R31)."""
    seat = game.to_act
    able = True
    for bean in range(rules.beans):
        able &= game.request[np.uint64(bean)] <= held(game, seat, bean)
    if able:
        mask[rules.accept_at] = 1
    mask[rules.reject_at] = 1
    direct = game.recipient == seat
    if direct and rules.compact == 0 and game.countering == 0:
        mask[rules.counter_at] = 1
    _allow_side_actions(rules, game, mask)


@compiled
def _legal_choose(rules, game, mask):
    for k in range(1, rules.players):
        if game.answers[seat_after(rules, game.to_act, k)] == _ACCEPT:
            mask[rules.choose_at + k - 1] = 1


@compiled
def _legal_give(rules, game, mask):
    seat = int(game.to_act)
    for i in range(game.give_from, game.hand_size[seat]):
        if can_give_hand(game, seat, i):
            mask[rules.give_hand_at + i] = 1
    if can_give_face_up(game, seat):
        mask[rules.give_face_up_at + lowest_face_up(game)] = 1


@compiled
def _legal_window(rules, game, mask):
    mask[rules.pass_at] = 1
    _allow_side_actions(rules, game, mask)


@compiled
def _legal_duel(rules, game, mask):
    """The decisions of R28."""
    if game.decision == _OFFER_IN:
        _legal_planting_of(rules, game, mask, game.duel_offer)
        for bean in range(rules.beans):
            if game.duel_offer[bean] > 0:
                mask[rules.discard_at + bean] = 1
    elif game.decision == _FACEUP:
        _legal_planting_of(rules, game, mask, game.face_up_beans)
        mask[rules.pass_at] = 1
    else:
        for i in range(game.hand_size[game.to_act]):
            mask[rules.discard_hand_at + i] = 1
        mask[rules.pass_at] = 1
        _allow_side_actions(rules, game, mask)


@compiled
def _legal_trading(rules, game, mask):
    if game.decision == _FLOOR:
        legal_floor(rules, game, mask)
        _allow_side_actions(rules, game, mask)
    elif game.decision == _COMPOSE:
        legal_compose(rules, game, mask)
    elif game.decision == _RESPOND:
        _legal_respond(rules, game, mask)
    elif game.decision == _CHOOSE:
        _legal_choose(rules, game, mask)
    else:
        _legal_give(rules, game, mask)


@compiled(shared=True)
def write_legal_actions(rules, game, mask):
    """Write 1 for each legal action of the decider into ``mask`` (int8), 0 elsewhere.

    Never all zeros before the game is over.
    """
    for i in range(rules.actions):
        mask[i] = 0
    decision = game.decision
    if decision == _PLANT:
        _legal_plant(rules, game, mask)
    elif decision == _PLANT_SET_ASIDE:
        _legal_planting_of(rules, game, mask, game.set_aside[game.to_act])
    elif decision == _WINDOW:
        _legal_window(rules, game, mask)
    elif decision >= _FLOOR and decision <= _GIVE:
        _legal_trading(rules, game, mask)
    elif decision != _OVER:
        _legal_duel(rules, game, mask)
