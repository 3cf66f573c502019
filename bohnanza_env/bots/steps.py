"""What loops of whole games share: a bot's decision in the game, and counting what happens."""

from __future__ import annotations

from bohnanza_env.engine.apply import apply_action
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions

__all__ = ["COUNTS", "do_action"]

# Columns of ``counts``.
COUNTS: tuple[str, ...] = (
    "decisions",
    "turns",
    "proposals",  # submitted ones, counters included
    "deals",
    "gifts",  # deals in which one side gives nothing
    "cards",  # moved by deals
)
_DECISIONS, _TURNS, _PROPOSALS, _DEALS, _GIFTS, _CARDS = range(len(COUNTS))


@compiled
def _count_deal(rules, game, counts):
    row = game.settled_count - 1
    offered, requested = 0, 0
    for bean in range(rules.beans):
        offered += int(game.settled_offer[row, bean])
        requested += int(game.settled_request[row, bean])
    counts[_DEALS] += 1
    counts[_CARDS] += offered + requested
    if offered == 0 or requested == 0:
        counts[_GIFTS] += 1


@compiled
def do_action(rules, game, log, action, mask, counts):
    """Do an action, count it, and write the mask of the next decider."""
    turn, settled, fresh = int(game.turn), int(game.settled_count), int(game.settled_fresh)
    log.written = 0
    apply_action(rules, game, log, action)
    write_legal_actions(rules, game, mask)
    counts[_DECISIONS] += 1
    counts[_TURNS] += game.turn - turn
    if game.turn == turn:
        counts[_PROPOSALS] += game.settled_count - settled
        if game.settled_fresh > fresh:
            _count_deal(rules, game, counts)
