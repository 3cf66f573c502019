"""Games with few enough states to visit each of them, and how many there are.

The edition ``mini_exact`` and variations of it. Expected numbers were not copied from the engine:
the reference model, which shares no code with it, finds the same (``test_every_state``), except
where it says otherwise.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any, NamedTuple

from comparison import engine_shuffle

from bohnanza_env.engine.rules import Rules

# No proposals by the player whose turn it is not: they answer and counter only.
_ONE_PROPOSAL = {"other_proposals": 0}

VARIATIONS: dict[str, dict[str, Any]] = {
    "edition": {},
    # With two fields and harvests at any time: where to plant, what to sell, protected fields.
    "farming": {"fields": 2, "harvest": "any_time", **_ONE_PROPOSAL},
    # With longer hands, too: a second card to plant or keep, copies to choose. One turn.
    "hands": {"first_hands": (2, 2), "fields": 2, "harvest": "any_time", **_ONE_PROPOSAL},
    # What was sold is shuffled once, and the game goes on.
    "reshuffle": {"final_exhaustion": 2, **_ONE_PROPOSAL},
    # The deck of the others runs out in a draw, that of seven cards in a reveal.
    "seven": {"beans": {"red": 4, "garden": 3}},
}


class Counts(NamedTuple):
    """Of all decks together; states of different decks are different."""

    states: int
    ends: int  # states in which the game is over
    steps: int  # pairs of a state and a legal action in it


# (variation, protocol) -> of all decks
COUNTS = {
    ("edition", "compact"): Counts(27_999, 6_192, 30_055),
    ("edition", "staged"): Counts(1_504_496, 300_955, 1_842_669),
    ("farming", "compact"): Counts(29_429, 2_495, 69_808),
    ("farming", "staged"): Counts(298_706, 21_577, 687_897),
    ("hands", "compact"): Counts(4_418, 944, 8_573),
    ("hands", "staged"): Counts(54_271, 9_391, 109_999),
    ("reshuffle", "compact"): Counts(5_428, 1_153, 5_774),
    ("reshuffle", "staged"): Counts(55_374, 9_821, 68_905),
    ("seven", "compact"): Counts(228_469, 43_611, 252_287),
    ("seven", "staged"): Counts(12_232_007, 2_112_670, 15_341_081),  # the engine's alone
}


def smallest_rules(variation: str, protocol: str) -> Rules:
    return Rules.of("mini_exact", 2, protocol=protocol, **VARIATIONS[variation])


def deck_seeds(rules: Rules) -> list[int]:
    """The first seed of each distinct order of the deck."""
    cards = [bean for bean, number in rules.beans.items() for _ in range(number)]
    wanted = set(permutations(cards))
    seeds = []
    seed = 0
    while wanted:
        order = tuple(engine_shuffle(rules, seed)(0, cards))
        if order in wanted:
            wanted.remove(order)
            seeds.append(seed)
        seed += 1
    return seeds
