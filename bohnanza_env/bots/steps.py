"""What loops of whole games share: numbers of bots, and doing an action, with what it settles."""

from __future__ import annotations

from bohnanza_env.engine.apply import apply_action
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.tallies import Tally, tally_after, tally_before

__all__ = ["GREEDY", "RANDOM", "TRADER", "do_action"]

# Which kernel decides, as ``choosing.choose`` is told.
RANDOM, GREEDY, TRADER = 0, 1, 2

_DECISIONS = int(Tally.DECISIONS)


@compiled
def do_action(rules, game, log, action, mask, tallies):
    """Do an action, count it, and write the mask of the next decider."""
    before = tally_before(rules, game, mask, action)
    tallies[game.to_act, _DECISIONS] += 1
    log.written = 0
    apply_action(rules, game, log, action)
    write_legal_actions(rules, game, mask)
    tally_after(rules, game, before, tallies)
