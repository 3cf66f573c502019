"""The project's own generator and its shuffles."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from support import seat, table

from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator, next_word, random_below, shuffle
from bohnanza_env.engine.rules import Rules


def test_published_words_of_xoshiro128_plus_plus():
    generator = np.array([1, 2, 3, 4], np.uint32)
    assert [next_word(generator) for _ in range(10)] == [
        *(641, 1573767, 3222811527, 3517856514, 836907274),
        *(4247214768, 3867114732, 1355841295, 495546011, 621204420),
    ]


def test_seed_and_stream_make_the_generator():
    words = {tuple(new_generator(seed, stream)) for seed in range(40) for stream in range(25)}
    assert len(words) == 1000
    assert tuple(new_generator(2**63 + 1)) != tuple(new_generator(1))  # the upper half counts
    assert np.array_equal(new_generator(7, 3), new_generator(7, 3))
    assert all(new_generator(seed).any() for seed in range(1000))


def test_random_below_reaches_every_number_evenly():
    generator = new_generator(1)
    counts = np.bincount([random_below(generator, 7) for _ in range(14_000)], minlength=7)
    assert len(counts) == 7
    assert np.sum((counts - 2000) ** 2 / 2000) < 22.5  # chi-squared, 6 degrees: p about 0.001


def test_random_below_one():
    generator = new_generator(1)
    assert [random_below(generator, 1) for _ in range(5)] == [0] * 5


def test_every_order_is_equally_likely():
    generator = new_generator(2)
    seen: Counter[tuple[int, ...]] = Counter()
    for _ in range(12_000):
        cards = np.arange(4, dtype=np.int8)
        shuffle(generator, cards, 4)
        seen[tuple(cards.tolist())] += 1
    assert set(seen) == set(permutations(range(4)))
    assert sum((n - 500) ** 2 / 500 for n in seen.values()) < 49.8  # 23 degrees: p about 0.001


def test_shuffle_leaves_the_rest_alone():
    cards = np.arange(10, dtype=np.int8)
    shuffle(new_generator(3), cards, 5)
    assert sorted(cards[:5].tolist()) == [0, 1, 2, 3, 4]
    assert cards[5:].tolist() == [5, 6, 7, 8, 9]


def deck_of(rules: Rules, seed: int, start: int = 0) -> list[int]:
    game = Game(rules, seed, start)
    return game.state["deck"][0, : game.state["deck_size"][0]].tolist()


def test_first_deck_depends_on_the_seed_alone():
    rules = Rules.of("amigo", 4)
    assert deck_of(rules, 5) == deck_of(rules, 5, start=2)
    assert deck_of(rules, 5) == deck_of(Rules.of("amigo", 4, trading=False), 5)
    assert len({tuple(deck_of(rules, seed)) for seed in range(200)}) == 200


def reshuffled(seed: int, shuffles: int, **rules: Any) -> str:
    """The deck after the last card was drawn and all other cards were shuffled."""
    game = table(
        seat("", set_aside="garden"),
        seat("chili"),  # decides before the next reveal
        rules=Rules.of("amigo", 4, draw=("active", 1), window="off", **rules),
        decision="plant_set_aside",
        seed=seed,
        shuffles=shuffles,
        exhaustions=1,
        deck="blue",
    )
    discard = game.discard.split()
    game.play("0: plant garden 0")
    numbers = np.array([list(game.game.rules.beans).index(bean) for bean in discard], np.int8)
    shuffle(new_generator(seed, shuffles), numbers, len(numbers))
    assert game.record["deck"][: len(numbers)].tolist() == numbers.tolist()
    return game.deck


@pytest.mark.parametrize("seed", [0, 5, 2**64 - 1])
def test_shuffle_k_is_drawn_from_seed_and_k_alone(seed: int):
    assert reshuffled(seed, 1) == reshuffled(seed, 1, trade_limit=1, tie="most_hand_cards")
    assert len({reshuffled(seed, 1), reshuffled(seed, 2), reshuffled(seed ^ 2**40, 1)}) == 3
