"""The search for the deal to propose: at most one card against at most one, gifts included."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.settling import was_answered
from bohnanza_env.engine.state import TABLE

from .pricing import other_gain, own_gain

__all__ = ["clear_best", "find_deal"]

_SLACK = 1200  # by how much single prices may underrate a deal


@compiled
def clear_best(memory):
    """No deal is found yet."""
    memory.best_score = 0
    memory.best_recipient = -1


@compiled
def _held(view, bean):
    held = int(view.hand_beans[bean])
    if view.seat == view.active:
        held += int(view.face_up_beans[bean])
    return held


@compiled
def _agrees(memory, own, other):
    """Whether both sides can be expected to want a deal of these gains."""
    if own * 1000 < memory.share * other or other * 1000 < memory.grant * own:
        return False
    return other >= memory.need and own + memory.kindness * other // 1000 >= memory.margin


@compiled
def _belief(memory, other):
    """How likely a side accepts that is thought to gain this much, in thousandths."""
    if other >= memory.sure:
        return 1000
    return 500 + 500 * max(0, other) // memory.sure


@compiled
def _chance_of(rules, memory, seat):
    """That a seat holds all that is requested."""
    chance = 1000
    for bean in range(rules.beans):
        for _ in range(memory.request[bean]):
            chance = chance * memory.chance[seat, bean] // 1000
    return chance


@compiled
def _score(rules, view, memory, recipient):
    """Gain of the deal under examination times the chance that it is made."""
    own = own_gain(rules, view, memory, memory.offer, memory.request)
    if own < memory.margin and memory.kindness == 0:
        return -1
    fails, score = 1000, 0
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            chance = _chance_of(rules, memory, seat)
            if chance > 0:
                other = other_gain(rules, view, memory, seat, memory.request, memory.offer)
                if _agrees(memory, own, other):
                    made = fails * chance * _belief(memory, other) // 1000000
                    score += made * (own + memory.kindness * other // 1000) // 1000
                    fails -= made
    return score if 1000 - fails >= memory.least_chance else -1


@compiled
def _keep_if_best(rules, view, memory, recipient):
    """Note the deal under examination if it is the best so far."""
    score = _score(rules, view, memory, recipient)
    if score <= memory.best_score:
        return
    if was_answered(rules, view, view.seat, recipient, memory.offer, memory.request):
        return
    memory.best_score = score
    memory.best_recipient = recipient
    for bean in range(rules.beans):
        memory.best_offer[bean] = memory.offer[bean]
        memory.best_request[bean] = memory.request[bean]


@compiled
def _could_be_best(rules, view, memory, recipient, give, get):
    """A look at the prices of single cards, to save the examination of most deals."""
    own = (memory.own_give[give] if give >= 0 else 0) + (memory.own_get[get] if get >= 0 else 0)
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            other = memory.other_get[seat, give] if give >= 0 else 0
            chance = 1000
            if get >= 0:
                other += memory.other_give[seat, get]
                chance = memory.chance[seat, get]
            best = own + _SLACK + memory.kindness * other // 1000
            best = best * (1000 if recipient == TABLE else chance) // 1000
            if other + _SLACK >= memory.need and best > memory.best_score:
                return True
    return False


@compiled
def _try_deal(rules, view, memory, recipient, give, get):
    if not _could_be_best(rules, view, memory, recipient, give, get):
        return
    if give >= 0:
        memory.offer[give] = 1
    if get >= 0:
        memory.request[get] = 1
    _keep_if_best(rules, view, memory, recipient)
    if give >= 0:
        memory.offer[give] = 0
    if get >= 0:
        memory.request[get] = 0


@compiled
def find_deal(rules, view, memory, recipient):
    """Look for a deal with ``recipient`` (a seat or ``TABLE``) better than the best so far."""
    for bean in range(rules.beans):
        memory.offer[bean] = 0
        memory.request[bean] = 0
    for give in range(-1, rules.beans):
        if give >= 0 and _held(view, give) == 0:
            continue
        for get in range(-1, rules.beans):
            if get != give:
                _try_deal(rules, view, memory, recipient, give, get)
