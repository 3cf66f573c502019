"""Which arrangements of the hidden cards are consistent: the conditions (a) to (d)."""

from __future__ import annotations

from typing import Any

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.copies import amount_given
from bohnanza_env.engine.limits import BEAN_CAPACITY, DECK_CAPACITY, SEAT_CAPACITY
from bohnanza_env.engine.random import random_below
from bohnanza_env.engine.state import NOBODY, record_dtype
from bohnanza_env.view import count_unseen

__all__ = [
    "WORK_DTYPE",
    "bean_of_choice",
    "can_be",
    "copies_for_a_choice",
    "count_hidden",
    "has_a_choice",
    "is_bound",
    "lay_out",
]

# What the functions below share. A place is a position in another hand (seats rising, fronts
# first) or, behind all of these, in the deck.
WORK_DTYPE = record_dtype(
    [
        ("in_hands", "i8"),  # places in hands
        ("places", "i8"),
        ("bean", "i1", (DECK_CAPACITY,)),  # what lies at each place
        ("seat", "i1", (DECK_CAPACITY,)),  # whose hand it is in, NOBODY for the deck
        ("old", "i1", (DECK_CAPACITY,)),  # 1: condition (c) speaks of this place
        ("first", "i2", (SEAT_CAPACITY,)),  # first place of each other hand
        ("olds", "i2", (SEAT_CAPACITY,)),  # places of it that condition (c) speaks of
        ("hidden", "i2", (BEAN_CAPACITY,)),  # hidden cards by bean
        ("least", "i2", (SEAT_CAPACITY, BEAN_CAPACITY)),  # in each other hand, by (a)
        ("deck_most", "i2", (BEAN_CAPACITY,)),  # (b)
        ("in_deck", "i2", (BEAN_CAPACITY,)),
        ("old_most", "i2", (BEAN_CAPACITY,)),  # (c)
        ("in_old", "i2", (BEAN_CAPACITY,)),
        ("giver", "i8"),  # who must have a choice by (d), else NOBODY
        ("bound", "i8"),  # 1: not every arrangement is consistent
        ("pool", "i1", (DECK_CAPACITY,)),
        ("generator", "u4", (4,)),
    ]
)


@compiled
def count_hidden(rules: Any, view: Any, game: Any, work: Any) -> None:
    """Hidden cards by bean, and how many of them may be in the deck and old."""
    count_unseen(rules, view, view.hand_beans, work.hidden)
    for bean in range(rules.beans):
        work.deck_most[bean] = int(game.deck_at_shuffle[bean]) - game.turned_up[bean]
        work.old_most[bean] = rules.bean_cards[bean] - game.deck_at_shuffle[bean]
    for i in range(int(game.hand_size[view.seat]) - game.drawn_since[view.seat]):
        work.old_most[view.hand[i]] -= 1


@compiled
def lay_out(rules: Any, view: Any, game: Any, work: Any) -> None:
    """The places, and which of them condition (c) speaks of."""
    place = 0
    for seat in range(rules.players):
        if seat == view.seat:
            continue
        size = int(game.hand_size[seat])
        work.first[seat] = place
        work.olds[seat] = max(0, size - int(game.drawn_since[seat]))
        for i in range(size):
            work.seat[place] = seat
            work.old[place] = 1 if i < work.olds[seat] else 0
            place += 1
        for bean in range(rules.beans):
            work.least[seat, bean] = game.known[seat, bean]
    work.in_hands = place
    for _ in range(game.deck_size):
        work.seat[place] = NOBODY
        place += 1
    work.places = place


@compiled
def can_be(rules: Any, game: Any, work: Any) -> bool:
    """Whether any arrangement keeps (a) and (b), given the least numbers."""
    free = int(work.in_hands)
    hidden = 0
    for seat in range(rules.players):
        room = int(game.hand_size[seat])
        for bean in range(rules.beans):
            room -= work.least[seat, bean]
            free -= work.least[seat, bean]
        if room < 0:
            return False
    for bean in range(rules.beans):
        rest = int(work.hidden[bean])
        hidden += rest
        for seat in range(rules.players):
            rest -= work.least[seat, bean]
        if rest < 0:
            return False
        free -= max(0, rest - int(work.deck_most[bean]))  # too many for the deck
    return hidden == work.places and free >= 0


@compiled
def copies_for_a_choice(game: Any, giver: Any, bean: Any) -> int:
    """Hand copies with which a giver has a choice of a bean; 0 where it gives none (R32)."""
    amount = amount_given(game, 0 if giver == game.proposer else 1, bean)
    if amount == 0:
        return 0
    face_up = int(game.face_up_beans[bean]) if giver == game.active else 0
    return max(1, amount + 1 - face_up)


@compiled
def has_a_choice(rules: Any, game: Any, giver: Any) -> bool:
    """Condition (d)."""
    for bean in range(rules.beans):
        copies = copies_for_a_choice(game, giver, bean)
        if copies > 0 and game.hand_beans[giver, bean] >= copies:
            return True
    return False


@compiled
def bean_of_choice(rules: Any, game: Any, work: Any, generator: Any) -> int:
    """A bean of which the giver can have a choice, drawn uniformly; -1 if there is none."""
    found, chosen = 0, -1
    for bean in range(rules.beans):
        copies = copies_for_a_choice(game, work.giver, bean)
        if copies == 0:
            continue
        known = work.least[work.giver, bean]
        work.least[work.giver, bean] = max(int(known), copies)
        if can_be(rules, game, work):
            found += 1
            if random_below(generator, found) == 0:
                chosen = bean
        work.least[work.giver, bean] = known
    return chosen


@compiled
def is_bound(rules: Any, work: Any) -> int:
    """Whether there are arrangements that are not consistent."""
    if work.giver != NOBODY:
        return 1
    olds = 0
    for seat in range(rules.players):
        olds += work.olds[seat]
        for bean in range(rules.beans):
            if work.least[seat, bean] > 0:
                return 1
    for bean in range(rules.beans):
        if work.hidden[bean] > work.deck_most[bean]:
            return 1
        if olds > 0 and work.hidden[bean] > work.old_most[bean]:
            return 1
    return 0
