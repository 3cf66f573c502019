"""A step of a game and all that its next decider sees, in one call from Python.

A file of its own, so that editing the environments does not compile anything anew.
"""

from __future__ import annotations

from .engine.apply import apply_action
from .engine.compilation import compiled
from .engine.legal import write_legal_actions
from .engine.rules_record import RULES_DTYPE
from .engine.state import GAME_DTYPE, LOG_DTYPE
from .observation import observe_on, what_is_shown
from .view import VIEW_DTYPE

__all__ = ["step_and_observe"]


@compiled
def _coins_changed(rules, game, before):  # type: ignore[no-untyped-def]
    changed = False
    for seat in range(rules.players):
        if game.coins[seat] != before[seat]:
            changed = True
    return changed


@compiled
def step_and_observe(  # type: ignore[no-untyped-def]
    rules_bytes, game_bytes, log_bytes, action, before, mask, view_bytes, observation
):
    """Do a legal action, then write the mask and the observation of the next decider.

    Args:
        rules_bytes: the rules, as bytes (see ``engine.kernels``), like the three records below.
        game_bytes: the game.
        log_bytes: its log.
        action: a legal action.
        before: coins by seat before the step, shape (players,).
        mask: overwritten; all zeros when the game is over.
        view_bytes: scratch.
        observation: that of the decider; that of the next one after the step, or as it was when
            the game is over.

    Returns:
        The seat that decides now (-1 when the game is over), the decision, and whether any coins
        differ from ``before``.
    """
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    log = log_bytes.view(LOG_DTYPE)[0]
    log.written = 0
    shown = what_is_shown(game)
    apply_action(rules, game, log, action)
    write_legal_actions(rules, game, mask)
    if game.to_act >= 0:
        view = view_bytes.view(VIEW_DTYPE)[0]
        observe_on(rules, game, view, shown, observation)
    return game.to_act, game.decision, _coins_changed(rules, game, before)
