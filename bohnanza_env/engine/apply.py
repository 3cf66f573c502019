"""What an action does. Callers check legality first: these functions trust their argument."""

from __future__ import annotations

from .compilation import compiled
from .copies import choose_copies, give_face_up, give_hand
from .decisions import Answer, Decision, Event, Source, Stage
from .deck import discard, shuffle_first_deck
from .events import emit
from .fields import buy_field, harvest, has_harvest, plant
from .flow import after_planting, begin_reveal, draw_first_hands, run_flow
from .hand import take_from_hand
from .seats import seat_after
from .state import NOBODY, TABLE
from .swaps import swap_parts
from .trading import (
    answer,
    choose_partner,
    open_round,
    pass_in_round,
    propose,
    submit,
    swap,
    withdraw,
)

__all__ = ["apply_action", "start_game"]

_PLANT, _FLOOR = int(Decision.PLANT), int(Decision.FLOOR)
_COMPOSE, _RESPOND = int(Decision.COMPOSE), int(Decision.RESPOND)
_CHOOSE, _GIVE = int(Decision.CHOOSE), int(Decision.GIVE)
_PLANT_SET_ASIDE, _WINDOW = int(Decision.PLANT_SET_ASIDE), int(Decision.WINDOW)
_OFFER_IN, _DISCARD = int(Decision.OFFER_IN), int(Decision.DISCARD)
_FACEUP = int(Decision.FACEUP)
_ACCEPT, _REJECT, _COUNTER = int(Answer.ACCEPT), int(Answer.REJECT), int(Answer.COUNTER)
_TURN, _PHASE_ONE = int(Stage.TURN), int(Stage.PHASE_ONE)
_PHASE_THREE, _WINDOWS = int(Stage.PLANT_SET_ASIDE), int(Stage.WINDOWS)
_NEXT_WINDOW, _END_TRADING = int(Stage.NEXT_WINDOW), int(Stage.END_TRADING)
_FROM_HAND, _FROM_SET_ASIDE = int(Source.HAND), int(Source.SET_ASIDE)
_FROM_OFFER, _FROM_FACE_UP = int(Source.OFFER), int(Source.FACE_UP)
_DISCARD_HAND, _DISCARD_OFFER = int(Event.DISCARD_HAND), int(Event.DISCARD_OFFER)
_LEAVE_OFFER = int(Event.LEAVE_OFFER)


@compiled
def _set_nobody(game):
    """The values that stand for nothing in a zeroed record."""
    game.proposer = NOBODY
    game.recipient = NOBODY
    game.partner = NOBODY
    game.draft_recipient = NOBODY
    game.turn = -1
    game.field_bean[:, :] = -1
    game.hand[:, :] = -1
    game.deck[:] = -1
    game.discard[:] = -1
    game.coin_stack[:, :] = -1
    game.face_up[:] = -1


@compiled(shared=True)
def start_game(rules, game, log, start):
    """Deal a new game into a zeroed record whose ``seed`` is set; stops at the first decision."""
    _set_nobody(game)
    game.start = start
    game.active = start
    for seat in range(rules.players):
        game.field_slots[seat] = rules.fields
    shuffle_first_deck(rules, game)
    draw_first_hands(rules, game, log)
    game.stage = _TURN
    run_flow(rules, game, log)


@compiled
def _plant_front(rules, game, log, field):
    seat = int(game.to_act)
    plant(game, log, seat, field, take_from_hand(game, seat, 0), _FROM_HAND)
    game.planted += 1
    if game.planted == 2 or game.hand_size[seat] == 0:
        after_planting(rules, game)


@compiled
def _plant_card(rules, game, log, bean, field):
    seat = int(game.to_act)
    if game.decision == _PLANT:
        _plant_front(rules, game, log, field)
    elif game.decision == _PLANT_SET_ASIDE:
        game.set_aside[seat, bean] -= 1
        plant(game, log, seat, field, bean, _FROM_SET_ASIDE)
        game.stage = _PHASE_THREE
    elif game.decision == _OFFER_IN:
        game.duel_offer[bean] -= 1
        plant(game, log, seat, field, bean, _FROM_OFFER)
        _go_on_with_offer(rules, game)
    else:
        game.face_up_beans[bean] -= 1
        game.face_up_size -= 1
        plant(game, log, seat, field, bean, _FROM_FACE_UP)
        if game.face_up_size == 0:
            game.stage = _WINDOWS


@compiled
def _go_on_with_offer(rules, game):
    """Each card of the offer is planted or discarded (R28)."""
    for bean in range(rules.beans):
        if game.duel_offer[bean] > 0:
            return
    game.stage = _PHASE_ONE


@compiled
def _leave_offer(rules, game, log):
    """What is still face up in a duel is the offer to the opponent (R28)."""
    for bean in range(rules.beans):
        amount = int(game.face_up_beans[bean])
        if amount > 0:
            emit(game, log, _LEAVE_OFFER, game.active, -1, bean, amount, -1, -1)
        game.duel_offer[bean] = amount
        game.face_up_beans[bean] = 0
    game.face_up_size = 0
    game.stage = _WINDOWS


@compiled
def _pass(rules, game, log):
    if game.decision == _PLANT:
        after_planting(rules, game)
    elif game.decision == _FLOOR:
        if game.to_act == game.active:
            open_round(rules, game)
        else:
            pass_in_round(game)
    elif game.decision == _WINDOW:
        game.stage = _NEXT_WINDOW
    elif game.decision == _DISCARD:
        begin_reveal(game)
    else:
        _leave_offer(rules, game, log)


@compiled
def _harvest_field(rules, game, log, field):
    harvest(rules, game, log, int(game.to_act), field, False)
    if game.decision == _WINDOW and not has_harvest(rules, game, game.to_act):
        game.stage = _NEXT_WINDOW


@compiled
def _apply_to_proposal(rules, game, log, action):
    """Actions of a staged proposal: begin, compose, submit, withdraw (R30)."""
    seat = int(game.to_act)
    if action == rules.submit_at:
        submit(rules, game, log)
    elif action == rules.withdraw_at:
        withdraw(rules, game, log)
    elif action == rules.propose_table_at:
        propose(rules, game, TABLE)
    elif action < rules.propose_table_at:
        propose(rules, game, seat_after(rules, seat, action - rules.propose_at + 1))
    elif action < rules.request_at:
        game.draft_offer[action - rules.offer_at] += 1
    else:
        game.draft_request[action - rules.request_at] += 1


@compiled
def _apply_swap(rules, game, log, action):
    player, give, get = swap_parts(rules, action)
    swap(rules, game, log, seat_after(rules, game.to_act, player), give - 1, get - 1)


@compiled
def _apply_answer(rules, game, log, action):
    """Answers and what follows from them (R31, R32)."""
    if action == rules.accept_at:
        answer(rules, game, log, _ACCEPT)
    elif action == rules.reject_at:
        answer(rules, game, log, _REJECT)
    elif action == rules.counter_at:
        answer(rules, game, log, _COUNTER)
    elif action < rules.give_hand_at:
        seat = seat_after(rules, game.to_act, action - rules.choose_at + 1)
        choose_partner(rules, game, log, seat)
    else:
        if action < rules.give_face_up_at:
            give_hand(game, action - rules.give_hand_at)
        else:
            give_face_up(game, action - rules.give_face_up_at)
        choose_copies(rules, game, log)


@compiled
def _apply_discard(rules, game, log, action):
    """Discards of a duel (R28)."""
    seat = int(game.to_act)
    if action >= rules.discard_hand_at:
        position = action - rules.discard_hand_at
        bean = take_from_hand(game, seat, position)
        discard(game, bean)
        emit(game, log, _DISCARD_HAND, seat, -1, bean, 1, -1, position)
        begin_reveal(game)
    else:
        bean = action - rules.discard_at
        game.duel_offer[bean] -= 1
        discard(game, bean)
        emit(game, log, _DISCARD_OFFER, seat, -1, bean, 1, -1, -1)
        _go_on_with_offer(rules, game)


@compiled
def _apply_in_trading(rules, game, log, action):
    if game.decision == _RESPOND or game.decision == _CHOOSE or game.decision == _GIVE:
        _apply_answer(rules, game, log, action)
    elif rules.compact != 0:
        _apply_swap(rules, game, log, action)
    else:
        _apply_to_proposal(rules, game, log, action)


@compiled(shared=True)
def apply_action(rules, game, log, action):
    """Do a legal action and go on to the next decision."""
    if action < rules.harvest_at:
        place = action - rules.plant_at
        bean, field = place // rules.field_positions, place % rules.field_positions
        _plant_card(rules, game, log, bean, field)
    elif action < rules.harvest_at + rules.field_positions:
        _harvest_field(rules, game, log, action - rules.harvest_at)
    elif action == rules.buy_field_at:
        buy_field(rules, game, log, int(game.to_act))
    elif action == rules.pass_at:
        _pass(rules, game, log)
    elif action == rules.end_trading_at:
        game.stage = _END_TRADING
    elif game.decision == _OFFER_IN or game.decision == _DISCARD:
        _apply_discard(rules, game, log, action)
    else:
        _apply_in_trading(rules, game, log, action)
    run_flow(rules, game, log)
