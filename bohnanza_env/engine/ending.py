"""The end of the game: final harvest and winners (R22, R23)."""

from __future__ import annotations

from .compilation import compiled
from .decisions import Decision, Event, Stage
from .events import emit
from .fields import harvest
from .seats import seat_after

__all__ = ["end_game", "mark_winners"]

_OVER, _DECIDE, _END = int(Decision.OVER), int(Stage.DECIDE), int(Event.END)


@compiled
def _final_harvest(rules, game, log):
    """All fields, seat 0 first, fields rising; protection does not apply (R22)."""
    for seat in range(rules.players):
        for field in range(game.field_slots[seat]):
            if game.field_count[seat, field] > 0:
                harvest(rules, game, log, seat, field, True)


@compiled
def mark_winners(rules, game):
    """Most coins; ties by R23, what is still tied then shares the win."""
    most_coins, most_cards = -1, -1
    for seat in range(rules.players):
        most_coins = max(most_coins, int(game.coins[seat]))
    for seat in range(rules.players):
        if game.coins[seat] == most_coins:
            most_cards = max(most_cards, int(game.hand_size[seat]))
    last = -1
    for k in range(rules.players):
        seat = seat_after(rules, game.start, k)
        if game.coins[seat] == most_coins:
            last = seat
            if rules.tie_by_hand != 0 and game.hand_size[seat] == most_cards:
                game.winners[seat] = 1
    if rules.tie_by_hand == 0:
        game.winners[last] = 1


@compiled
def end_game(rules, game, log):
    """Sell everything, find the winners, ask nobody any more."""
    _final_harvest(rules, game, log)
    mark_winners(rules, game)
    emit(game, log, _END, -1, -1, -1, -1, game.exhaustions, -1)
    game.decision = _OVER
    game.to_act = -1
    game.stage = _DECIDE
