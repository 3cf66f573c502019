"""Turns and phases (RULES §4): what happens by itself between two decisions.

``run_flow`` follows ``game.stage`` until somebody has to decide. Every stage is one function that
sets the next stage, or asks a seat.
"""

from __future__ import annotations

from .compilation import compiled
from .decisions import Decision, Event, Stage
from .deck import after_card, deck_is_final, ready_to_draw, take_top
from .ending import end_game
from .events import emit
from .fields import has_harvest
from .floor import end_trading, next_in_round, open_floor, start_trading
from .hand import put_at_back
from .seats import seat_after

__all__ = ["after_planting", "ask", "begin_reveal", "draw_first_hands", "run_flow"]

_PLANT, _OFFER_IN = int(Decision.PLANT), int(Decision.OFFER_IN)
_DISCARD, _FACEUP = int(Decision.DISCARD), int(Decision.FACEUP)
_PLANT_SET_ASIDE, _WINDOW = int(Decision.PLANT_SET_ASIDE), int(Decision.WINDOW)
_DECIDE, _TURN, _PHASE_ONE = int(Stage.DECIDE), int(Stage.TURN), int(Stage.PHASE_ONE)
_REVEAL, _OPEN_FLOOR = int(Stage.REVEAL), int(Stage.OPEN_FLOOR)
_NEXT_IN_ROUND, _END_TRADING = int(Stage.NEXT_IN_ROUND), int(Stage.END_TRADING)
_PHASE_THREE, _WINDOWS = int(Stage.PLANT_SET_ASIDE), int(Stage.WINDOWS)
_NEXT_WINDOW, _DRAW, _END = int(Stage.NEXT_WINDOW), int(Stage.DRAW), int(Stage.END)
_TURN_EVENT, _DEAL_EVENT = int(Event.TURN), int(Event.DEAL)
_REVEAL_EVENT, _DRAW_EVENT, _TAKE_EVENT = int(Event.REVEAL), int(Event.DRAW), int(Event.TAKE)


@compiled
def ask(game, decision, seat):
    """A seat has to decide."""
    game.decision = decision
    game.to_act = seat
    game.stage = _DECIDE


@compiled
def draw_first_hands(rules, game, log):
    """First hands are dealt whole, clockwise from the start player (R3)."""
    for k in range(rules.players):
        seat = seat_after(rules, game.start, k)
        for _ in range(rules.first_hands[k]):
            bean = take_top(game)
            put_at_back(game, seat, bean)
            game.drawn_since[seat] += 1
            emit(game, log, _DEAL_EVENT, seat, -1, bean, 1, -1, -1)


@compiled
def _begin_turn(rules, game, log):
    game.turn += 1
    game.planted = 0
    emit(game, log, _TURN_EVENT, game.active, -1, -1, -1, -1, -1)
    start_trading(rules, game)
    if rules.duel != 0:
        for bean in range(rules.beans):
            if game.duel_offer[bean] > 0:
                ask(game, _OFFER_IN, game.active)
                return
    game.stage = _PHASE_ONE


@compiled
def _phase_one(game):
    """The front card must be planted; an empty hand skips the phase (R7)."""
    if game.hand_size[game.active] == 0:
        game.stage = _REVEAL
    else:
        ask(game, _PLANT, game.active)


@compiled
def after_planting(rules, game):
    """Phase 1 is over: a duel may discard a card (R28), then cards are turned up."""
    game.planted = 0
    if rules.duel != 0 and game.hand_size[game.active] > 0:
        ask(game, _DISCARD, game.active)
    else:
        game.stage = _REVEAL


@compiled
def begin_reveal(game):
    """Go on with phase 2."""
    game.stage = _REVEAL


@compiled
def _turn_up(rules, game, log, bean, kind):
    if game.face_up_size < len(game.face_up) and rules.duel == 0:
        game.face_up[game.face_up_size] = bean
    game.face_up_size += 1
    game.face_up_beans[bean] += 1
    emit(game, log, kind, game.active, -1, bean, 1, -1, -1)


@compiled
def _take_matching_discards(rules, game, log):
    """A duel: while the top of the discard pile is a bean turned up, it is taken too (R28)."""
    while game.discard_size > 0:
        top = game.discard_size - 1
        bean = int(game.discard[top])
        if game.face_up_beans[bean] == 0:
            return
        game.discard[top] = -1
        game.discard_size = top
        game.discard_beans[bean] -= 1
        _turn_up(rules, game, log, bean, _TAKE_EVENT)


@compiled
def _reveal(rules, game, log):
    """Phase 2 begins: cards are turned up (R9), as many as there are (R20, R21)."""
    shown = 0
    while shown < rules.reveal and ready_to_draw(rules, game, log):
        bean = take_top(game)
        game.turned_up[bean] += 1
        _turn_up(rules, game, log, bean, _REVEAL_EVENT)
        after_card(rules, game, log)
        shown += 1
    if shown == 0:
        emit(game, log, _REVEAL_EVENT, game.active, -1, -1, 0, -1, -1)
    if rules.duel != 0:
        _take_matching_discards(rules, game, log)
        if game.face_up_size > 0:
            ask(game, _FACEUP, game.active)
        else:
            game.stage = _WINDOWS
    elif rules.trading != 0:
        game.stage = _OPEN_FLOOR
    else:
        game.stage = _END_TRADING


@compiled
def _phase_three(rules, game):
    """Set-aside cards are planted, the active player's first, then clockwise (R12)."""
    for k in range(rules.players):
        seat = seat_after(rules, game.active, k)
        for bean in range(rules.beans):
            if game.set_aside[seat, bean] > 0:
                ask(game, _PLANT_SET_ASIDE, seat)
                return
    game.stage = _WINDOWS


@compiled
def _shuffle_may_come(rules, game):
    """Whether a shuffle may come before everybody's next chance to harvest (R34)."""
    if game.deck_size == 0:
        return True
    return game.deck_size <= rules.cards_a_turn and game.exhaustions + 1 < rules.final_exhaustion


@compiled
def _windows(rules, game):
    if deck_is_final(rules, game):
        game.stage = _END
        return
    closed = rules.window_off != 0 or rules.duel != 0
    if closed or (rules.window_always == 0 and not _shuffle_may_come(rules, game)):
        game.stage = _DRAW
        return
    game.asked = -1
    game.stage = _NEXT_WINDOW


@compiled
def _next_window(rules, game):
    """The next seat with a legal harvest is asked; a purchase opens no window (R34)."""
    for k in range(game.asked + 1, rules.players):
        seat = seat_after(rules, game.active, k)
        if has_harvest(rules, game, seat):
            game.asked = k
            ask(game, _WINDOW, seat)
            return
    game.asked = 0
    game.stage = _DRAW


@compiled
def _draw_cards(rules, game, log, seat):
    """One seat draws, one card at a time (R13); returns whether the game goes on."""
    for drawn in range(rules.draw):
        if not ready_to_draw(rules, game, log):
            if drawn == 0:
                emit(game, log, _DRAW_EVENT, seat, -1, -1, 0, -1, -1)
            return False
        bean = take_top(game)
        put_at_back(game, seat, bean)
        game.drawn_since[seat] += 1
        emit(game, log, _DRAW_EVENT, seat, -1, bean, 1, -1, -1)
        after_card(rules, game, log)
        if deck_is_final(rules, game):
            return False
    return True


@compiled
def _draw(rules, game, log):
    """Phase 4, then the player to the left is active (R13); the final exhaustion ends it (R21)."""
    drawers = rules.players if rules.draw_everyone != 0 else 1
    for k in range(drawers):
        if not _draw_cards(rules, game, log, seat_after(rules, game.active, k)):
            game.stage = _END
            return
    game.active = seat_after(rules, game.active, 1)
    game.stage = _TURN


@compiled
def _run_trading_stage(rules, game, log, stage):
    if stage == _OPEN_FLOOR:
        open_floor(rules, game)
    elif stage == _NEXT_IN_ROUND:
        next_in_round(rules, game)
    else:
        end_trading(rules, game, log)


@compiled
def _run_stage(rules, game, log, stage):
    if stage == _TURN:
        _begin_turn(rules, game, log)
    elif stage == _PHASE_ONE:
        _phase_one(game)
    elif stage == _REVEAL:
        _reveal(rules, game, log)
    elif stage == _PHASE_THREE:
        _phase_three(rules, game)
    elif stage == _WINDOWS:
        _windows(rules, game)
    elif stage == _NEXT_WINDOW:
        _next_window(rules, game)
    elif stage == _DRAW:
        _draw(rules, game, log)
    elif stage == _END:
        end_game(rules, game, log)
    else:
        _run_trading_stage(rules, game, log, stage)


@compiled
def run_flow(rules, game, log):
    """Go on until somebody has to decide or the game is over."""
    while game.stage != _DECIDE:
        _run_stage(rules, game, log, int(game.stage))
