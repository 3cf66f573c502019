"""The search for the deal to propose.

First the best deal of at most one card against at most one; in staged play it then grows, card by
card, as long as that makes it better.
"""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.settling import was_answered
from bohnanza_env.engine.state import TABLE

from .pricing import other_gain, own_gain

__all__ = ["clear_best", "find_deal"]

_FAR = 1 << 40
_MOST_CARDS_MORE = 4  # steps in which a staged proposal grows
_SLACK = 300  # by how much single prices may underrate a deal


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
    wanted = max(memory.margin, memory.share * other // 1000)
    return own >= wanted and other >= memory.need


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
    """Own gain of the deal under examination times the chance that it is made."""
    own = own_gain(rules, view, memory, memory.offer, memory.request)
    if own < memory.margin:
        return -1
    fails = 1000
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            chance = _chance_of(rules, memory, seat)
            if chance > 0:
                other = other_gain(rules, view, memory, seat, memory.request, memory.offer)
                if _agrees(memory, own, other):
                    fails = fails * (1000 - chance) // 1000
    if 1000 - fails < memory.least_chance:
        return -1
    return own * (1000 - fails) // 1000


@compiled
def _keep_if_best(rules, view, memory, recipient):
    score = _score(rules, view, memory, recipient)
    if score <= memory.best_score:
        return False
    if was_answered(rules, view, view.seat, recipient, memory.offer, memory.request):
        return False
    memory.best_score = score
    memory.best_recipient = recipient
    for bean in range(rules.beans):
        memory.best_offer[bean] = memory.offer[bean]
        memory.best_request[bean] = memory.request[bean]
    return True


@compiled
def _could_be_best(rules, view, memory, recipient, give, get):
    """A look at the prices of single cards, to save the examination of most deals."""
    own = (memory.own_give[give] if give >= 0 else 0) + (memory.own_get[get] if get >= 0 else 0)
    if own + _SLACK <= memory.best_score:
        return False
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            other = memory.other_get[seat, give] if give >= 0 else 0
            chance = 1000
            if get >= 0:
                other += memory.other_give[seat, get]
                chance = memory.chance[seat, get]
            best = (own + _SLACK) * (1000 if recipient == TABLE else chance) // 1000
            if other + _SLACK >= memory.need and best > memory.best_score:
                return True
    return False


@compiled
def _try_single(rules, view, memory, recipient, give, get):
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
def _try_singles(rules, view, memory, recipient):
    for give in range(-1, rules.beans):
        if give >= 0 and _held(view, give) == 0:
            continue
        for get in range(-1, rules.beans):
            if get != give:
                _try_single(rules, view, memory, recipient, give, get)


@compiled
def _copy_best(rules, memory):
    for bean in range(rules.beans):
        memory.offer[bean] = memory.best_offer[bean]
        memory.request[bean] = memory.best_request[bean]


@compiled
def _grow_once(rules, view, memory, recipient, most_asked):
    """Try one card more on either side; returns whether the best deal has changed."""
    grown = False
    asked, given = 0, 0
    for bean in range(rules.beans):
        asked += memory.best_request[bean]
        given += memory.best_offer[bean]
    _copy_best(rules, memory)
    before = memory.best_score
    for bean in range(rules.beans):
        base_offer, base_request = memory.offer[bean], memory.request[bean]
        if base_request == 0 and base_offer < _held(view, bean) and given < rules.trade_limit:
            memory.offer[bean] = base_offer + 1
            _keep_if_best(rules, view, memory, recipient)
            memory.offer[bean] = base_offer
        if base_offer == 0 and asked < most_asked and base_request < rules.bean_cards[bean]:
            memory.request[bean] = base_request + 1
            _keep_if_best(rules, view, memory, recipient)
            memory.request[bean] = base_request
    grown = memory.best_score > before
    return grown


@compiled
def _most_asked(rules, view, recipient):
    """How many cards may be asked for in all (R30, R33)."""
    most = 0
    for seat in range(rules.players):
        if seat != view.seat and recipient in (TABLE, seat):
            holds = int(view.hand_size[seat])
            if seat == view.active:
                holds += int(view.face_up_size)
            most = max(most, holds)
    return min(most, int(rules.trade_limit))


@compiled
def find_deal(rules, view, memory, recipient):
    """Look for a deal with ``recipient`` (a seat or ``TABLE``) better than the best so far."""
    before = memory.best_score
    for bean in range(rules.beans):
        memory.offer[bean] = 0
        memory.request[bean] = 0
    if rules.trade_limit > 0:
        _try_singles(rules, view, memory, recipient)
    if rules.compact != 0 or memory.best_score == before:
        return
    most_asked = _most_asked(rules, view, recipient)
    for _ in range(_MOST_CARDS_MORE):
        if not _grow_once(rules, view, memory, recipient, most_asked):
            return
