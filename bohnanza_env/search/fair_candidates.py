"""What is worth trying for a player who sees no more than a view: bots' choices, likely deals."""

from __future__ import annotations

from bohnanza_env.bots.memory import MEMORY_DTYPE
from bohnanza_env.bots.pricing import other_gain, own_gain, price_cards
from bohnanza_env.bots.trader import choose_as_trader
from bohnanza_env.engine.blocks import first_bean
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.settling import was_answered
from bohnanza_env.engine.state import TABLE
from bohnanza_env.view import VIEW_DTYPE

from .candidates import CANDIDATES_DTYPE, add_candidate, deal_action, start_candidates
from .rollout import only_action

__all__ = ["candidates_kernel"]

_FLOOR, _COMPOSE = int(Decision.FLOOR), int(Decision.COMPOSE)
_RESPOND = int(Decision.RESPOND)
_SURE = 1000
_ALWAYS_TRIED = 1 << 40  # score of what is no deal
_DOUBT = 300  # thousandths of a coin: the other side's gain is known no better than that


@compiled
def _own_choice(rules, view, mask, generator, memory, candidates, most):
    """What the bot does; of a proposal that it would compose, the cards as well."""
    action = choose_as_trader(rules, view, mask, generator, memory)
    give, get = -1, -1
    proposes = view.decision == _FLOOR and action not in (rules.pass_at, rules.end_trading_at)
    if proposes and rules.compact == 0:
        give = first_bean(memory.best_offer) - 1
        get = first_bean(memory.best_request) - 1
    start_candidates(candidates, action, give, get, most)


@compiled
def _belief(other):
    """How likely a side accepts that is thought to gain this much, in thousandths."""
    return max(0, min(_SURE, (_SURE * (other + _DOUBT)) // (2 * _DOUBT)))


@compiled
def _score_of_deal(rules, view, memory, other, give, get):
    """Own gain times the chance that the deal is made; 0 for a deal that may not be proposed."""
    chance = _SURE if get < 0 else memory.chance[other, get]
    if give >= 0:
        memory.offer[give] = 1
    if get >= 0:
        memory.request[get] = 1
    score = 0
    if not was_answered(rules, view, view.seat, other, memory.offer, memory.request):
        own = own_gain(rules, view, memory, memory.offer, memory.request)
        if own > 0 and chance > 0:
            gain = other_gain(rules, view, memory, other, memory.request, memory.offer)
            score = own * chance // _SURE * _belief(gain) // _SURE
    if give >= 0:
        memory.offer[give] = 0
    if get >= 0:
        memory.request[get] = 0
    return score


@compiled
def _may_give(view, bean):
    if bean < 0 or view.hand_beans[bean] > 0:
        return True
    return view.seat == view.active and view.face_up_beans[bean] > 0


@compiled
def _add_deals_with(rules, view, mask, memory, candidates, other, countering):
    for bean in range(rules.beans):
        memory.offer[bean] = 0
        memory.request[bean] = 0
    for give in range(-1, rules.beans):
        if not _may_give(view, give):
            continue
        for get in range(-1, rules.beans):
            if give == get:
                continue
            action = deal_action(rules, view.seat, other, give, get)
            if countering:
                action = rules.counter_at
            if mask[action] == 0:
                continue
            score = _score_of_deal(rules, view, memory, other, give, get)
            if score > 0 and rules.compact != 0:
                add_candidate(candidates, action, -1, -1, score)
            elif score > 0:
                add_candidate(candidates, action, give, get, score)


@compiled
def _add_deals(rules, view, mask, memory, candidates):
    """Deals with everybody whom the seat may ask."""
    seat = int(view.seat)
    price_cards(rules, view, memory, TABLE if seat == view.active else view.active)
    for other in range(rules.players):
        if other != seat:  # the mask tells whom the seat may ask
            _add_deals_with(rules, view, mask, memory, candidates, other, False)


@compiled
def _add_single_actions(rules, view, mask, candidates):
    """All legal actions; of those in phase 2 the ones that are no deal and no harvest."""
    if view.decision == _FLOOR:
        if mask[rules.pass_at] != 0:
            add_candidate(candidates, rules.pass_at, -1, -1, _ALWAYS_TRIED)
        if mask[rules.end_trading_at] != 0:
            add_candidate(candidates, rules.end_trading_at, -1, -1, _ALWAYS_TRIED)
    elif view.decision == _RESPOND:
        if mask[rules.accept_at] != 0:
            add_candidate(candidates, rules.accept_at, -1, -1, _ALWAYS_TRIED)
        add_candidate(candidates, rules.reject_at, -1, -1, _ALWAYS_TRIED)
    else:
        for action in range(len(mask)):
            if mask[action] != 0:
                add_candidate(candidates, action, -1, -1, 0)


@compiled
def candidates_kernel(
    rules_bytes, view_bytes, mask, generator, memory_bytes, candidates_bytes, most
):
    """Write at most ``most`` candidates, the bot's own choice first.

    Records come as bytes (see ``engine.kernels``); the memory is of one seat.
    """
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    memory = memory_bytes.view(MEMORY_DTYPE)[0]
    candidates = candidates_bytes.view(CANDIDATES_DTYPE)[0]
    action = only_action(mask)
    if action >= 0:
        start_candidates(candidates, action, -1, -1, 1)
        return
    _own_choice(rules, view, mask, generator, memory, candidates, most)
    if view.decision == _COMPOSE:  # other deals were tried on the floor
        return
    _add_single_actions(rules, view, mask, candidates)
    if view.decision == _FLOOR and view.proposals_left[view.seat] > 0:
        _add_deals(rules, view, mask, memory, candidates)
    elif view.decision == _RESPOND and rules.compact == 0 and mask[rules.counter_at] != 0:
        price_cards(rules, view, memory, view.proposer)
        _add_deals_with(rules, view, mask, memory, candidates, view.proposer, True)
