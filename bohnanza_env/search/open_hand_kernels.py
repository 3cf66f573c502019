"""Alternatives for planning with open hands: whatever is legal, and deals by their joint worth."""

from __future__ import annotations

from bohnanza_env.bots.memory import MEMORY_DTYPE
from bohnanza_env.bots.pricing import own_gain, price_own_side
from bohnanza_env.bots.trader import choose_as_trader
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.legal_trading import held
from bohnanza_env.engine.random import random_below
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.settling import was_answered
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

from .candidates import CANDIDATES_DTYPE, add_candidate, deal_action, start_candidates
from .rollout import only_action

__all__ = ["alternatives_kernel"]

_FLOOR, _COMPOSE = int(Decision.FLOOR), int(Decision.COMPOSE)
_NOISE = 500  # thousandths of a coin by which the worth of a deal is blurred


@compiled
def _price_all(rules, game, views, memory):
    """What every seat holds is worth to it, as it alone can tell."""
    for seat in range(rules.players):
        write_view(rules, game, views[seat], seat)
        price_own_side(rules, views[seat], memory[seat])


@compiled
def _add_deal(rules, game, views, mask, generator, memory, candidates, other, give, get):
    seat = int(game.to_act)
    action = deal_action(rules, seat, other, give, get)
    if mask[action] == 0:
        return
    own = memory[seat]
    if give >= 0:
        own.offer[give] = 1
    if get >= 0:
        own.request[get] = 1
    if rules.compact != 0 or not was_answered(rules, game, seat, other, own.offer, own.request):
        score = own_gain(rules, views[seat], own, own.offer, own.request)
        score += own_gain(rules, views[other], memory[other], own.request, own.offer)
        score += random_below(generator, _NOISE)
        if rules.compact != 0:
            add_candidate(candidates, action, -1, -1, score)
        else:
            add_candidate(candidates, action, give, get, score)
    if give >= 0:
        own.offer[give] = 0
    if get >= 0:
        own.request[get] = 0


@compiled
def _add_deals(rules, game, views, mask, generator, memory, candidates):
    """Deals that both sides can make, those first that are worth most to both together."""
    seat = int(game.to_act)
    _price_all(rules, game, views, memory)
    for bean in range(rules.beans):
        memory[seat].offer[bean] = 0
        memory[seat].request[bean] = 0
    for other in range(rules.players):
        if other == seat:
            continue
        for give in range(-1, rules.beans):
            if give >= 0 and held(game, seat, give) == 0:
                continue
            for get in range(-1, rules.beans):
                if give != get and (get < 0 or held(game, other, get) > 0):
                    _add_deal(
                        rules, game, views, mask, generator, memory, candidates, other, give, get
                    )


@compiled
def _add_others(rules, mask, generator, candidates, floor):
    """Single actions, in random order; of a floor only those that are no proposal."""
    for action in range(len(mask)):
        if mask[action] == 0:
            continue
        if floor and action not in (rules.pass_at, rules.end_trading_at):
            continue
        add_candidate(candidates, action, -1, -1, random_below(generator, _NOISE))


@compiled
def alternatives_kernel(
    rules_bytes, game_bytes, views_bytes, mask, generator, memory_bytes, candidates_bytes, budget
):
    """Write what the bot would do and at most ``budget`` alternatives.

    Records come as bytes (see ``engine.kernels``); there is a view and a memory for each seat.
    """
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    views, memory = views_bytes.view(VIEW_DTYPE), memory_bytes.view(MEMORY_DTYPE)
    candidates = candidates_bytes.view(CANDIDATES_DTYPE)[0]
    seat = int(game.to_act)
    action = only_action(mask)
    if action < 0:
        write_view(rules, game, views[seat], seat)
        action = choose_as_trader(rules, views[seat], mask, generator, memory[seat])
    start_candidates(candidates, action, -1, -1, budget + 1)
    if budget == 0 or game.decision == _COMPOSE:  # other deals were tried on the floor
        return
    floor = game.decision == _FLOOR
    _add_others(rules, mask, generator, candidates, floor)
    if floor and game.proposals_left[seat] > 0:
        _add_deals(rules, game, views, mask, generator, memory, candidates)
