"""Playing on: a candidate is done, then ``trader`` or a relative decides for every seat.

Each kernel called from Python is compiled with all that it reaches, and here that is the whole
game. So there is one kernel for all, and loops over simulated games are in Python: one of them
takes a hundred times as long as a call.
"""

from __future__ import annotations

from bohnanza_env.bots.memory import MEMORY_DTYPE
from bohnanza_env.bots.steps import do_action
from bohnanza_env.bots.trader import choose_as_trader
from bohnanza_env.engine.blocks import copy_array
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

from .candidates import next_of_deal

__all__ = ["MOST_ACTIONS", "only_action", "simulate_kernel"]

MOST_ACTIONS = 6  # of a candidate: propose, a card of each side, submit, accept
_COMPOSE, _RESPOND = int(Decision.COMPOSE), int(Decision.RESPOND)


@compiled
def only_action(mask):
    """The legal action if there is just one, else -1."""
    found = -1
    for action in range(len(mask)):
        if mask[action] != 0:
            if found >= 0:
                return -1
            found = action
    return found


@compiled
def _of_candidate(rules, game, mask, candidate, seat, count):
    """The action of a candidate after ``count`` of its actions, -1 when it is done."""
    action, give, get, agreed = candidate[0], candidate[1], candidate[2], candidate[3]
    if count == 0:
        return action
    deal = give >= 0 or get >= 0
    if deal and game.decision == _COMPOSE and game.to_act == seat:
        return next_of_deal(rules, game, mask, give, get)
    if agreed != 0 and game.decision == _RESPOND and mask[rules.accept_at] != 0:
        return rules.accept_at if game.to_act != seat else -1
    return -1


@compiled
def simulate_kernel(
    rules_bytes,
    source_bytes,
    game_bytes,
    log_bytes,
    view_bytes,
    mask,
    generator,
    memory_bytes,
    tallies,
    candidate,
    last_turn,
    done,
):
    """Copy a game, do a candidate in it and play on; returns the actions of the candidate.

    They are those that ``done`` then begins with. Play ends before the first decision of a turn
    later than ``last_turn``, or with the game.

    Records come as bytes (see ``engine.kernels``): the game to begin with and the one to be
    overwritten, a view, and ``trader``'s memory for each seat. ``tallies`` (``tallies.Tally``) are
    counted on. ``candidate`` is action (-1 for none), give, get, agreed (1: the other side accepts
    the deal where it can). ``mask`` is then that of the decider.
    """
    rules, log = rules_bytes.view(RULES_DTYPE)[0], log_bytes.view(LOG_DTYPE)[0]
    view, memory = view_bytes.view(VIEW_DTYPE)[0], memory_bytes.view(MEMORY_DTYPE)
    copy_array(game_bytes, source_bytes)
    game = game_bytes.view(GAME_DTYPE)[0]
    write_legal_actions(rules, game, mask)
    count, seat, deciding = 0, int(game.to_act), candidate[0] >= 0
    while game.to_act >= 0 and (deciding or game.turn <= last_turn):
        action = -1
        if deciding:
            action = _of_candidate(rules, game, mask, candidate, seat, count)
            if action < 0:
                deciding = False
                continue
            done[count] = action
            count += 1
        else:
            action = only_action(mask)
            if action < 0:
                write_view(rules, game, view, game.to_act)
                action = choose_as_trader(rules, view, mask, generator, memory[game.to_act])
        do_action(rules, game, log, action, mask, tallies)
    return count
