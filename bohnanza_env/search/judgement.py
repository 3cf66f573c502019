"""How good a simulated position is for each seat, by ``trader``'s own judgement."""

from __future__ import annotations

from bohnanza_env.bots.memory import COIN, MEMORY_DTYPE
from bohnanza_env.bots.pricing import price_own_side
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

__all__ = ["standings_kernel"]


@compiled
def standings_kernel(rules_bytes, game_bytes, view_bytes, memory_bytes, standings):
    """Write into ``standings`` what each seat has and may expect, in thousandths of a coin.

    Records come as bytes (see ``engine.kernels``). A winner by R23 has 1 more, for ties.
    """
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    view, memory = view_bytes.view(VIEW_DTYPE)[0], memory_bytes.view(MEMORY_DTYPE)[0]
    for seat in range(rules.players):
        standings[seat] = COIN * int(game.coins[seat]) + game.winners[seat]
        if game.to_act >= 0:
            write_view(rules, game, view, seat)
            price_own_side(rules, view, memory)
            standings[seat] += memory.own_base
