"""Everything that can happen in very small games, counted, and compared with the reference.

Expected numbers were not copied from the engine: the reference model, which shares no code with
it, counts the same (in the suite as far as is quick, the rest with ``-m long``), except where it
says otherwise. Here it counts sequences of actions; all states, in ``test_every_state``.
"""

from __future__ import annotations

from math import factorial, prod

import numpy as np
import pytest
from reference import ReferenceGame
from side_by_side import after, reference_game
from smallest_games import COUNTS, Counts, deck_seeds, smallest_rules

from bohnanza_env.engine.game import Game
from bohnanza_env.engine.invariants import invariants
from bohnanza_env.engine.perft import Walk, perft, walk_states
from bohnanza_env.engine.rules import Rules

# Node counts by depth ---------------------------------------------------------------------

# (edition, players, protocol, seed, start) -> sequences of 1, 2, … legal actions.
NODES = {
    ("mini", 2, "staged", 1, 1): [2, 8, 32, 134, 614, 2424, 8998, 34002, 126580],
    ("mini", 2, "staged", 2, 0): [2, 6, 24, 104, 490, 2004, 7582, 29284, 112216],
    ("mini", 2, "compact", 1, 1): [2, 8, 74, 298, 1566, 6948, 23374, 81968],
    ("mini", 2, "compact", 2, 0): [2, 6, 58, 254, 1444, 6808, 23216, 84088],
    ("mini", 3, "staged", 1, 1): [2, 8, 38, 190, 924, 3842, 15506, 66026],
    ("mini", 3, "staged", 2, 2): [2, 6, 28, 136, 652, 2740, 10996, 46098],
    ("mini", 3, "compact", 1, 1): [2, 8, 140, 570, 5292, 25318, 182922],
    ("mini", 3, "compact", 2, 2): [2, 6, 88, 404, 3186, 16568, 105900],
    ("amigo", 4, "staged", 1, 1): [2, 8, 44, 426, 3790, 25870, 160222],
    ("amigo", 4, "compact", 1, 1): [2, 8, 884, 3598, 188642, 1013702],
}
QUICK, FEASIBLE = 2_000, 50_000  # positions that the reference reaches to count the next depth


def reference_nodes(game: ReferenceGame, depth: int) -> list[int]:
    counts, games = [], [game]
    for _ in range(depth):
        legal = [game.legal() for game in games]
        counts.append(sum(map(len, legal)))
        if len(counts) < depth:
            games = [
                after(g, text) for g, texts in zip(games, legal, strict=True) for text in texts
            ]
    return counts


def check_nodes(key: tuple, most_positions: int) -> None:
    edition, players, protocol, seed, start = key
    rules = Rules.of(edition, players, protocol=protocol)
    expected = NODES[key]
    assert perft(Game(rules, seed, start), len(expected)) == [1, *expected]
    depth = 1 + sum(nodes <= most_positions for nodes in expected[:-1])
    assert reference_nodes(reference_game(rules, seed, start), depth) == expected[:depth]


@pytest.mark.parametrize("key", NODES, ids=lambda key: "-".join(map(str, key)))
def test_nodes_by_depth(key: tuple):
    check_nodes(key, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("key", NODES, ids=lambda key: "-".join(map(str, key)))
def test_nodes_by_depth_deeper_in_the_reference(key: tuple):
    """All but the last depth of the compact ``amigo``, too many for the reference."""
    check_nodes(key, FEASIBLE)


def test_nodes_of_short_and_ended_games():
    """By hand: with one kind of bean and one field, no trading and nothing to harvest but when
    needed, each decision has one action, but the second planting of a turn may be passed.
    """
    rules = Rules.of(
        "mini", 2, beans={"red": 6}, fields=1, trading=False, harvest="when_needed", window="off",
        final_exhaustion=1,
    )  # fmt: skip
    # Hands of two, deck of two. Plant; plant or pass; two cards are turned up, which is the final
    # exhaustion; both are planted; the game is over.
    assert perft(Game(rules, 1), 6) == [1, 1, 2, 2, 2, 0, 0]
    assert perft(Game(rules, 1), 0) == [1]


# All states -------------------------------------------------------------------------------
#
# Walks begin at each distinct order of the deck. States are the same if their records are, field by
# field, leaving out only the list of public events and their number; all states of one walk share
# the seed. States of different decks are counted for each deck.

LARGEST = ("seven", "staged")  # a minute


def longest_possible(rules: Rules) -> int:
    """No game has more actions: the reason why every smallest game ends.

    Between two shuffles each card is planted once at most, and each harvest empties a field that a
    planting filled: two actions a card. A turn takes two cards from the deck, the last one maybe
    fewer. In a turn, ``pass`` ends phase 1 once. Each of the two may propose once, and what they
    propose is countered once at most: ``propose``, three steps of composing, an answer, three
    steps, an answer and a choice of copies for each side; compact, ``swap`` and the answer. The
    active player's ``pass`` opens a round, again only after a submission: three rounds of two
    floors, and ``end_trading``. A second deck is no larger than the first.
    """
    turns = -(-(rules.deck_size - sum(rules.hands)) // 2)
    exchange = 11 if rules.protocol == "staged" else 2
    deck = 2 * rules.deck_size + turns * (1 + 2 * exchange + 6 + 1)
    return rules.final_exhaustion * deck


def checked_walk(rules: Rules, seed: int, start: int = 0) -> Walk:
    """A walk in which masks are never empty, every game ends, and records are as they must be."""
    most = longest_possible(rules)
    walk = walk_states(
        Game(rules, seed, start), capacity=500_000, longest=most, samples=20, every=701
    )
    assert walk.without_actions == 0
    assert walk.returns == 0
    assert 0 < walk.longest <= most
    assert walk.ends > 0
    for record in walk.samples:
        assert invariants(rules, np.array([record], walk.samples.dtype)) == []
    return walk


@pytest.mark.parametrize(
    ("variation", "protocol"),
    [pytest.param(*key, marks=[pytest.mark.long] * (key == LARGEST)) for key in COUNTS],
)
def test_all_states_of_all_decks(variation: str, protocol: str):
    rules = smallest_rules(variation, protocol)
    seeds = deck_seeds(rules)
    assert len(seeds) == factorial(rules.deck_size) // prod(map(factorial, rules.beans.values()))
    walks = [checked_walk(rules, seed) for seed in seeds]
    found = Counts(*(sum(walk[i] for walk in walks) for i in range(3)))
    longest = max(walk.longest for walk in walks)
    print(f"{variation}, {protocol}: {found}, longest game {longest}")  # noqa: T201 - counts to be seen
    assert found == COUNTS[variation, protocol]


@pytest.mark.parametrize("protocol", ["staged", "compact"])
def test_which_seat_starts_makes_no_difference(protocol: str):
    """But for the orders in which cards may come to lie on the discard pile in the end: the final
    harvest begins with seat 0 (R22).
    """
    rules = smallest_rules("edition", protocol)
    first, second = checked_walk(rules, 2), checked_walk(rules, 2, start=1)
    assert second.states - second.ends == first.states - first.ends
    assert (second.steps, second.longest) == (first.steps, first.longest)


def test_walk_says_when_a_bound_is_too_small():
    game = Game(smallest_rules("farming", "compact"), 2)
    assert walk_states(game, capacity=1851, longest=15).states == 1851
    with pytest.raises(ValueError, match="1000 states"):
        walk_states(game, capacity=1000, longest=15)
    with pytest.raises(ValueError, match="14 actions"):
        walk_states(game, capacity=1851, longest=14)


def test_walk_leaves_the_game_alone():
    game = Game(smallest_rules("farming", "compact"), 2)
    before = game.state.tobytes()
    walk_states(game, capacity=2000, longest=20)
    perft(game, 3)
    assert game.state.tobytes() == before
