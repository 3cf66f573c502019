"""The hidden cards: a first consistent arrangement, mixed by random exchanges."""

from __future__ import annotations

from typing import Any

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.random import random_below, shuffle
from bohnanza_env.engine.state import NOBODY

from .conditions import (
    bean_of_choice,
    can_be,
    copies_for_a_choice,
    count_hidden,
    has_a_choice,
    is_bound,
    lay_out,
)

__all__ = ["sample_cards"]

_GIVE = int(Decision.GIVE)

_EXCHANGES = 8  # tried for each card in another hand
_REPAIRS = 7  # times as many again, at most, to reach condition (c)


@compiled
def _fill_pool(rules: Any, game: Any, work: Any, generator: Any) -> None:
    """All cards but the known ones: first those for the deck, then those for the hands."""
    place = 0
    for bean in range(rules.beans):
        rest = int(work.hidden[bean])
        for seat in range(rules.players):
            rest -= work.least[seat, bean]
        work.in_deck[bean] = rest  # for the moment: cards not yet laid down
        for _ in range(min(rest, int(work.deck_most[bean]))):
            work.pool[place] = bean
            place += 1
    shuffle(generator, work.pool, place)
    if not work.bound:
        return
    for bean in range(rules.beans):  # too many for the deck
        for _ in range(int(work.in_deck[bean]) - work.deck_most[bean]):
            work.pool[place] = bean
            place += 1
    shuffle(generator, work.pool[game.deck_size :], place - game.deck_size)


@compiled
def _lay_first(rules: Any, view: Any, game: Any, work: Any, generator: Any) -> None:
    """A first arrangement that keeps all conditions but perhaps (c)."""
    _fill_pool(rules, game, work, generator)
    work.in_deck[:] = 0
    for i in range(game.deck_size):
        work.bean[work.in_hands + i] = work.pool[i]
        work.in_deck[work.pool[i]] += 1
    left = int(game.deck_size)
    for seat in range(rules.players):
        if seat == view.seat:
            continue
        place = int(work.first[seat])
        stop = place + game.hand_size[seat]
        for bean in range(rules.beans):
            for _ in range(work.least[seat, bean]):
                work.bean[place] = bean
                place += 1
        while place < stop:
            work.bean[place] = work.pool[left]
            place += 1
            left += 1
        if work.bound:
            shuffle(generator, work.bean[work.first[seat] :], game.hand_size[seat])
    for place in range(work.in_hands):
        game.hand_beans[work.seat[place], work.bean[place]] += 1
        work.in_old[work.bean[place]] += work.old[place]


@compiled
def _move(game: Any, work: Any, bean: Any, away: Any, to: Any) -> None:
    """A card changes its place; only the counters are kept here."""
    if work.seat[away] != NOBODY:
        game.hand_beans[work.seat[away], bean] -= 1
    else:
        work.in_deck[bean] -= 1
    if work.seat[to] != NOBODY:
        game.hand_beans[work.seat[to], bean] += 1
    else:
        work.in_deck[bean] += 1
    work.in_old[bean] += int(work.old[to]) - work.old[away]


@compiled
def _may_move(game: Any, work: Any, bean: Any, away: Any, to: Any) -> bool:
    """(a) and (b) for one of the two cards of an exchange."""
    if work.seat[away] == work.seat[to]:
        return True
    seat = work.seat[away]
    if seat != NOBODY and game.hand_beans[seat, bean] <= work.least[seat, bean]:
        return False
    return work.seat[to] != NOBODY or work.in_deck[bean] < work.deck_most[bean]


@compiled
def _stays_old_enough(work: Any, leaves: Any, comes: Any) -> bool:
    """(c), or no more of it broken than before, when old places lose and gain a bean."""
    worse = 1 if work.in_old[comes] >= work.old_most[comes] else 0
    better = 1 if work.in_old[leaves] > work.old_most[leaves] else 0
    return worse <= better


@compiled
def _exchange(rules: Any, game: Any, work: Any, one: Any, other: Any) -> None:
    """Exchange the cards of two places if no condition breaks."""
    bean, second = int(work.bean[one]), int(work.bean[other])
    if bean == second:
        return
    if not (_may_move(game, work, bean, one, other) and _may_move(game, work, second, other, one)):
        return
    if work.old[one] != work.old[other]:
        leaves = bean if work.old[one] != 0 else second
        if not _stays_old_enough(work, leaves, bean + second - leaves):
            return
    _move(game, work, bean, one, other)
    _move(game, work, second, other, one)
    if work.giver != NOBODY and not has_a_choice(rules, game, work.giver):
        _move(game, work, bean, other, one)
        _move(game, work, second, one, other)
        return
    work.bean[one] = second
    work.bean[other] = bean


@compiled
def _is_old_enough(rules: Any, work: Any) -> bool:
    """Condition (c)."""
    for bean in range(rules.beans):  # noqa: SIM110 - kernels cannot use all()
        if work.in_old[bean] > work.old_most[bean]:
            return False
    return True


@compiled
def _mix(rules: Any, game: Any, work: Any, generator: Any) -> None:
    """Random exchanges; the uniform distribution is theirs."""
    if work.in_hands == 0:
        return
    for repair in range(1 + _REPAIRS):
        if repair > 0 and _is_old_enough(rules, work):
            return
        for _ in range(_EXCHANGES * work.in_hands):
            one = random_below(generator, work.in_hands)
            _exchange(rules, game, work, one, random_below(generator, work.places))


@compiled
def _lay_down(rules: Any, view: Any, game: Any, work: Any, generator: Any) -> None:
    """Hands and deck into the record, each part of a hand in random order."""
    for seat in range(rules.players):
        if seat == view.seat:
            continue
        first, olds = int(work.first[seat]), int(work.olds[seat])
        size = int(game.hand_size[seat])
        if work.bound:
            shuffle(generator, work.bean[first:], olds)
            shuffle(generator, work.bean[first + olds :], size - olds)
        for i in range(size):
            game.hand[seat, i] = work.bean[first + i]
    for i in range(game.deck_size):
        game.deck[i] = work.bean[work.in_hands + i]


@compiled
def sample_cards(rules: Any, view: Any, game: Any, work: Any, generator: Any) -> bool:
    """The other hands and the deck; false if nothing is consistent with the view."""
    count_hidden(rules, view, game, work)
    lay_out(rules, view, game, work)
    if not can_be(rules, game, work):
        return False
    work.giver = NOBODY
    if game.decision == _GIVE and game.to_act != view.seat:
        work.giver = game.to_act
    work.bound = is_bound(rules, work)
    if work.giver == NOBODY:
        _lay_first(rules, view, game, work, generator)
    else:
        bean = bean_of_choice(rules, game, work, generator)
        if bean < 0:
            return False
        known = work.least[work.giver, bean]
        copies = copies_for_a_choice(game, work.giver, bean)
        work.least[work.giver, bean] = max(int(known), copies)
        _lay_first(rules, view, game, work, generator)
        work.least[work.giver, bean] = known
    if work.bound:
        _mix(rules, game, work, generator)
    _lay_down(rules, view, game, work, generator)
    return True
