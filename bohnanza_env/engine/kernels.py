"""Entry points from Python. They take records as plain byte arrays: Numba looks up the type of a
structured array or record anew at every call, which costs more than a move of the game.
"""

from __future__ import annotations

import numpy as np

from .apply import apply_action, start_game
from .blocks import count_eight, nth_of_eight
from .compilation import compiled
from .ending import mark_winners
from .legal import write_legal_actions
from .random import random_below
from .rules_record import RULES_DTYPE
from .state import GAME_DTYPE, LOG_DTYPE

__all__ = [
    "legal_kernel",
    "play_randomly_kernel",
    "sample_from_mask",
    "start_kernel",
    "step_kernel",
    "winners_kernel",
]


@compiled
def start_kernel(rules_bytes, game_bytes, log_bytes, start):
    """Deal a new game into a zeroed record whose seed is set."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    log = log_bytes.view(LOG_DTYPE)[0]
    log.written = 0
    start_game(rules, game, log, start)


@compiled
def legal_kernel(rules_bytes, game_bytes, mask):
    """Write the mask of the decider."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    write_legal_actions(rules, game, mask)


@compiled
def step_kernel(rules_bytes, game_bytes, log_bytes, action, mask):
    """Do ``action``, which must be legal, then write the mask of the next decider."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    log = log_bytes.view(LOG_DTYPE)[0]
    log.written = 0
    apply_action(rules, game, log, action)
    write_legal_actions(rules, game, mask)


@compiled
def winners_kernel(rules_bytes, game_bytes):
    """Mark the winners by what a record says of coins, hand sizes and the start player."""
    mark_winners(rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0])


@compiled
def sample_from_mask(mask, generator):
    """A legal action drawn uniformly from ``mask``; -1 from an empty one.

    No branch depends on which action it is: a wrong guess would cost more than all the rest.
    """
    eights, legal = len(mask) - len(mask) % 8, 0
    for at in range(0, eights, 8):
        legal += count_eight(mask, at)
    for i in range(eights, len(mask)):
        legal += int(mask[np.uint64(i)])
    if legal == 0:
        return -1
    skip, so_far = random_below(generator, legal), 0
    before, first = 0, 0  # legal actions in the eights before the one with it, and where that is
    for at in range(0, eights, 8):
        so_far += count_eight(mask, at)
        before = so_far if so_far <= skip else before
        first = at + 8 if so_far <= skip else first
    if first < eights:
        return first + nth_of_eight(mask, first, skip - before)
    for i in range(eights, len(mask)):
        before += int(mask[np.uint64(i)])
        if before > skip:
            break
    return i


@compiled
def play_randomly_kernel(rules_bytes, game_bytes, log_bytes, mask, generator, most_steps):
    """Uniform random legal play for at most ``most_steps`` steps; returns the steps made."""
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    log = log_bytes.view(LOG_DTYPE)[0]
    for steps in range(most_steps):
        write_legal_actions(rules, game, mask)
        action = sample_from_mask(mask, generator)
        if action < 0:
            return steps
        log.written = 0
        apply_action(rules, game, log, action)
    return most_steps
