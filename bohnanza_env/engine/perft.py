"""Walks over everything that can happen: for tests of the rules, not for play.

``perft`` counts the sequences of legal actions by length; ``walk_states`` visits each distinct
state that can follow, once. Both keep a stack of records and know nothing of the rules beyond the
legal actions and what an action does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .apply import apply_action
from .blocks import copy_array
from .compilation import compiled
from .game import Game
from .legal import write_legal_actions
from .rules_record import RULES_DTYPE, rules_array
from .state import GAME_DTYPE, LOG_DTYPE

__all__ = ["Walk", "perft", "walk_states"]

_MASK = 0xFFFFFFFF
_Stack = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
# Rows of what a walk counts.
_STATES, _ENDS, _STEPS, _EMPTY, _AGAIN, _FULL, _SAMPLED, _COUNTED = range(8)


@compiled
def _enter(rules_bytes, records, masks, following, level):
    """Begin with the actions of the record at ``level``; returns how many are legal."""
    rules = rules_bytes.view(RULES_DTYPE)[0]
    write_legal_actions(rules, records[level].view(GAME_DTYPE)[0], masks[level])
    following[level] = 0
    legal = 0
    for i in range(rules.actions):
        legal += int(masks[level, i])
    return legal


@compiled
def _next_action(masks, following, level):
    """The next legal action not yet tried at ``level``, -1 after the last."""
    for action in range(following[level], masks.shape[1]):
        if masks[level, action] != 0:
            following[level] = action + 1
            return action
    return -1


@compiled
def _do(rules_bytes, records, log_bytes, level, action):
    """The record that follows goes one level up the stack."""
    copy_array(records[level + 1], records[level])
    rules, game = rules_bytes.view(RULES_DTYPE)[0], records[level + 1].view(GAME_DTYPE)[0]
    log = log_bytes.view(LOG_DTYPE)[0]
    log.written = 0
    apply_action(rules, game, log, action)


@compiled
def _perft(rules_bytes, records, log_bytes, masks, following, counts):
    """``counts[d]`` becomes the number of sequences of d legal actions from ``records[0]``."""
    level = 0
    counts[0] = 1
    counts[1] = _enter(rules_bytes, records, masks, following, level)
    while level >= 0:
        action = -1
        if level + 2 < len(counts):
            action = _next_action(masks, following, level)
        if action < 0:
            level -= 1
            continue
        _do(rules_bytes, records, log_bytes, level, action)
        level += 1
        counts[level + 1] += _enter(rules_bytes, records, masks, following, level)


def perft(game: Game, depth: int) -> list[int]:
    """How many sequences of 0, 1, … ``depth`` legal actions there are; ended games have none."""
    counts = np.zeros(depth + 1, np.int64)
    if depth > 0:
        _perft(*_stack(game, depth), counts)
    counts[0] = 1
    return counts.tolist()


def _stack(game: Game, levels: int) -> _Stack:
    """Rules as bytes, records, the log as bytes, masks, and by level the next action to try."""
    # As words of eight bytes (records are aligned to them): copied and compared faster than bytes.
    records = np.zeros((levels, GAME_DTYPE.itemsize // 8), np.int64)
    records[0] = game.state.view(np.int64)
    log_bytes = np.zeros(1, LOG_DTYPE).view(np.uint8)
    masks = np.zeros((levels, len(game.mask)), np.int8)
    following = np.zeros(levels, np.int64)
    return rules_array(game.rules).view(np.uint8), records, log_bytes, masks, following


# All distinct states ----------------------------------------------------------------------


@compiled
def _forget_history(record):
    """What says how a state came about and decides nothing."""
    game = record.view(GAME_DTYPE)[0]
    game.events[:, :] = 0
    game.event_count = 0


@compiled
def _mixed(h, word):
    h = ((h ^ word) * 0x2C1B3C6D) & _MASK
    h = ((h ^ (h >> 12)) * 0x297A2D39) & _MASK
    return h ^ (h >> 15)


@compiled
def _key(words, first):
    """62 bits that stand for a record; places where it is as the first one was say nothing."""
    low, high = 1, 2
    for i in range(len(words)):
        if words[i] != first[i]:
            word = int(words[i])
            low = _mixed(_mixed(low ^ (i << 4), word & _MASK), (word >> 32) & _MASK)
            high = _mixed(_mixed(high ^ low, (word >> 32) & _MASK), word & _MASK)
    return ((high & 0x3FFFFFFF) << 32) | low | 1  # never 0, which marks a free slot


@compiled
def _slot(keys, key):
    """Where a key is or would be."""
    slot = (key >> 1) % len(keys)
    while keys[slot] != 0 and keys[slot] != key:
        slot = slot + 1 if slot + 1 < len(keys) else 0
    return slot


@compiled
def _note_state(records, level, legal, samples, every, counted):
    game = records[level].view(GAME_DTYPE)[0]
    if counted[_STATES] % every == 0 and counted[_SAMPLED] < len(samples):
        copy_array(samples[counted[_SAMPLED]], records[level])
        counted[_SAMPLED] += 1
    counted[_STATES] += 1
    if game.to_act < 0:
        counted[_ENDS] += 1
    elif legal == 0:
        counted[_EMPTY] += 1


@compiled(allocates=True)
def _walk(
    rules_bytes,
    records,
    log_bytes,
    masks,
    following,
    slots,
    keys,
    lengths,
    capacity,
    samples,
    every,
):
    """Depth first. The states on the stack have their keys in ``slots``. ``lengths`` of a key are
    -1 while it is on the stack, then the most actions that can follow; an action that leads back to
    a state on the stack would be a game without end.
    """
    counted = np.zeros(_COUNTED, np.int64)
    first = records[0].copy()
    level = 0
    slots[0] = _slot(keys, 1)
    keys[slots[0]] = 1
    lengths[slots[0]] = -1
    longest = np.zeros(len(records), np.int64)  # by level
    legal = _enter(rules_bytes, records, masks, following, level)
    _note_state(records, level, legal, samples, every, counted)
    while level >= 0:
        action = _next_action(masks, following, level)
        if action < 0:
            lengths[slots[level]] = longest[level]
            level -= 1
            if level >= 0:
                longest[level] = max(longest[level], longest[level + 1] + 1)
            continue
        counted[_STEPS] += 1
        _do(rules_bytes, records, log_bytes, level, action)
        _forget_history(records[level + 1])
        key = _key(records[level + 1], first)
        slot = _slot(keys, key)
        if keys[slot] == key:
            counted[_AGAIN] += lengths[slot] < 0
            longest[level] = max(longest[level], int(lengths[slot]) + 1)
            continue
        if level + 2 == len(records) or counted[_STATES] == capacity:
            counted[_FULL] += 1
            break
        level += 1
        keys[slot] = key
        lengths[slot] = -1
        slots[level] = slot
        longest[level] = 0
        legal = _enter(rules_bytes, records, masks, following, level)
        _note_state(records, level, legal, samples, every, counted)
    return counted, longest[0]


class Walk(NamedTuple):
    """What a walk over all states found.

    Attributes:
        states: distinct states, the first one and ended ones included.
        ends: those in which the game is over.
        steps: pairs of a state and a legal action in it.
        longest: the most actions before a game is over.
        without_actions: states, not over, with no legal action.
        returns: steps back to an earlier state of the same game.
        samples: some of the records, shape (n,), dtype ``GAME_DTYPE``, without history.
    """

    states: int
    ends: int
    steps: int
    longest: int
    without_actions: int
    returns: int
    samples: np.ndarray


def walk_states(
    game: Game, *, capacity: int, longest: int, samples: int = 0, every: int = 1
) -> Walk:
    """Visit all states that can follow (the present one counts as the first).

    States are the same if their records are, field by field, leaving out ``events`` and
    ``event_count``, which only tell how a state came about. ``capacity`` bounds their number,
    ``longest`` the number of actions. Of every ``every`` states one is kept, up to ``samples``.

    Raises:
        ValueError: a bound was too small.
    """
    stack = _stack(game, longest + 2)  # the last row takes the one that is too much
    records = stack[1]
    _forget_history(records[0])
    slots = np.zeros(len(records), np.int64)
    keys = np.zeros(4 * capacity // 3 + 4, np.int64)
    lengths = np.zeros(len(keys), np.int16)
    kept = np.zeros((samples, records.shape[1]), np.int64)
    counted, most = _walk(*stack, slots, keys, lengths, capacity, kept, every)
    if counted[_FULL] or most > longest:
        raise ValueError(f"more than {capacity} states or {longest} actions")
    return Walk(
        states=int(counted[_STATES]),
        ends=int(counted[_ENDS]),
        steps=int(counted[_STEPS]),
        longest=int(most),
        without_actions=int(counted[_EMPTY]),
        returns=int(counted[_AGAIN]),
        samples=kept[: counted[_SAMPLED]].view(GAME_DTYPE).reshape(-1),
    )
