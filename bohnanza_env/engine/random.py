"""Random numbers of the project: a few published lines, the same compiled or not.

- Generator: xoshiro128++ 1.0 by David Blackman and Sebastiano Vigna (2019, public domain).
- Seeding: each word is the MurmurHash3 finaliser (Austin Appleby) folded over the seed and the
  number of the stream.
- Bounded numbers: Daniel Lemire, "Fast Random Integer Generation in an Interval" (2019), unbiased.

A generator is an array of four uint32 words that the caller owns. Arithmetic is on wide integers
with 32-bit masks, so that nothing overflows when the source runs uncompiled.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .compilation import compiled
from .whole import is_whole

__all__ = [
    "generator_of",
    "new_generator",
    "next_word",
    "random_below",
    "seed_generator",
    "shuffle",
]

_MASK = 0xFFFFFFFF


@compiled
def _finalise(h):
    """MurmurHash3 fmix32."""
    h = (h ^ (h >> 16)) & _MASK
    h = (h * 0x85EBCA6B) & _MASK
    h = h ^ (h >> 13)
    h = (h * 0xC2B2AE35) & _MASK
    return h ^ (h >> 16)


@compiled
def seed_generator(generator, seed_low, seed_high, stream):
    """Start ``generator`` from a 64-bit seed, given as two 32-bit halves, and a stream number."""
    some = 0
    for word in range(4):
        h = _finalise((int(seed_low) + 0x9E3779B9 * (word + 1)) & _MASK)
        h = _finalise(h ^ (int(seed_high) & _MASK))
        h = _finalise((h + 0x9E3779B9) ^ (int(stream) & _MASK))
        generator[word] = h
        some |= h
    if some == 0:  # the one state that the generator never leaves
        generator[0] = 1


@compiled
def _rotate(word, by):
    return ((word << by) | (word >> (32 - by))) & _MASK


@compiled
def next_word(generator):
    """The next 32 random bits."""
    a, b = int(generator[0]), int(generator[1])
    c, d = int(generator[2]), int(generator[3])
    word = (_rotate((a + d) & _MASK, 7) + a) & _MASK
    c ^= a
    d ^= b
    generator[1] = b ^ c
    generator[0] = a ^ d
    generator[2] = c ^ ((b << 9) & _MASK)
    generator[3] = _rotate(d, 11)
    return word


@compiled
def random_below(generator, bound):
    """A whole number from 0 to ``bound`` - 1; ``bound`` from 1 to 2^31 - 1."""
    bound = int(bound)
    product = next_word(generator) * bound
    if product & _MASK < bound:
        threshold = (_MASK + 1 - bound) % bound
        while product & _MASK < threshold:
            product = next_word(generator) * bound
    return product >> 32


@compiled
def shuffle(generator, cards, size):
    """Shuffle ``cards[:size]`` in place (Fisher and Yates, from the end)."""
    for last in range(size - 1, 0, -1):
        other = random_below(generator, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


def new_generator(seed: int, stream: int = 0) -> np.ndarray:
    """A generator, shape (4,), uint32. ``seed`` is taken modulo 2^64."""
    generator = np.zeros(4, np.uint32)
    seed_generator(generator, seed & _MASK, (seed >> 32) & _MASK, stream)
    return generator


def generator_of(generator: Any) -> np.ndarray:
    """A generator from itself, or a new one from a seed.

    Raises:
        TypeError: neither; compiled code would write beside an array of another size.
    """
    if is_whole(generator):
        return new_generator(int(generator))
    if (
        isinstance(generator, np.ndarray)
        and generator.shape == (4,)
        and generator.dtype == np.uint32
    ):
        return generator
    raise TypeError("generator: expected engine.random.new_generator(seed), or a seed")
