"""``greedy``: plants and harvests well, and never trades."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision

from .duel import duel_action
from .planting import best_planting

__all__ = ["choose_greedily", "first_legal"]

_PLANT, _PLANT_SET_ASIDE = int(Decision.PLANT), int(Decision.PLANT_SET_ASIDE)
_FLOOR, _RESPOND = int(Decision.FLOOR), int(Decision.RESPOND)
_COMPOSE, _WINDOW = int(Decision.COMPOSE), int(Decision.WINDOW)
_OFFER_IN, _DISCARD = int(Decision.OFFER_IN), int(Decision.DISCARD)
_FACEUP = int(Decision.FACEUP)


@compiled
def first_legal(mask):
    """The legal action of the lowest number, -1 if there is none."""
    for action in range(len(mask)):
        if mask[action] != 0:
            return action
    return -1


@compiled
def _refuse(rules, view, mask):
    """The way through phase 2 without a deal."""
    if view.decision == _RESPOND:
        return rules.reject_at
    if view.decision == _COMPOSE:
        return rules.withdraw_at
    if view.decision == _FLOOR:
        if mask[rules.end_trading_at] != 0:
            return rules.end_trading_at
        if mask[rules.pass_at] != 0:
            return rules.pass_at
    return first_legal(mask)


@compiled
def choose_greedily(rules, view, mask, generator, memory):
    """The action of ``greedy``."""
    decision = view.decision
    if decision in (_PLANT, _PLANT_SET_ASIDE, _WINDOW, _FACEUP):
        return best_planting(rules, view, mask, memory)
    if decision in (_OFFER_IN, _DISCARD):
        return duel_action(rules, view, mask, memory)
    return _refuse(rules, view, mask)
