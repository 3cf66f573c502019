"""Counting what is dealt at a table: proposals, deals and gifts by seat (public facts only)."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from .engine.compilation import compiled
from .engine.game import Game
from .engine.limits import SEAT_CAPACITY
from .engine.rules_record import RULES_DTYPE, rules_array
from .engine.state import GAME_DTYPE, NOBODY

__all__ = ["Tally", "new_tallies", "tally_step", "update_tallies"]


class Tally(IntEnum):
    """Columns of a table of tallies."""

    PROPOSALS = 0  # proposals of the seat that were answered, counters among them
    ACCEPTED = 1  # those of them that became deals or gifts
    OWN_DEALS = 2  # deals that the seat proposed; in a deal both sides give
    DEALS = 3  # deals of the seat, whoever proposed them
    GIFTS_GIVEN = 4  # accepted proposals in which only this seat gave
    GIFTS_TAKEN = 5  # and those in which only the other one gave
    CARDS_GIVEN = 6
    CARDS_TAKEN = 7
    DECISIONS = 8  # of the seat (kept by loops of bots only)


_COLUMNS = len(Tally)
_PROPOSALS, _ACCEPTED = int(Tally.PROPOSALS), int(Tally.ACCEPTED)
_OWN_DEALS, _DEALS = int(Tally.OWN_DEALS), int(Tally.DEALS)
_GIFTS_GIVEN, _GIFTS_TAKEN = int(Tally.GIFTS_GIVEN), int(Tally.GIFTS_TAKEN)
_CARDS_GIVEN, _CARDS_TAKEN = int(Tally.CARDS_GIVEN), int(Tally.CARDS_TAKEN)


def new_tallies() -> np.ndarray:
    """Zeros, int64 of shape (seats, columns of :class:`Tally`)."""
    return np.zeros((SEAT_CAPACITY, _COLUMNS), np.int64)


@compiled
def _tally_cards(tallies, giver, taker, cards):
    tallies[giver, _CARDS_GIVEN] += cards
    tallies[taker, _CARDS_TAKEN] += cards


@compiled
def _tally_row(rules, game, row, tallies):
    proposer, partner = int(game.settled_proposer[row]), int(game.settled_partner[row])
    tallies[proposer, _PROPOSALS] += 1
    if partner == NOBODY:
        return
    tallies[proposer, _ACCEPTED] += 1
    given, taken = 0, 0
    for bean in range(rules.beans):
        given += int(game.settled_offer[row, bean])
        taken += int(game.settled_request[row, bean])
    _tally_cards(tallies, proposer, partner, given)
    _tally_cards(tallies, partner, proposer, taken)
    if given > 0 and taken > 0:
        tallies[proposer, _OWN_DEALS] += 1
        tallies[proposer, _DEALS] += 1
        tallies[partner, _DEALS] += 1
    else:
        giver = proposer if given > 0 else partner
        taker = partner if given > 0 else proposer
        tallies[giver, _GIFTS_GIVEN] += 1
        tallies[taker, _GIFTS_TAKEN] += 1


@compiled
def tally_step(rules, game, turn_before, settled_before, tallies):
    """Count what one step settled; ``turn`` and ``settled_count`` are those before the step."""
    first = settled_before if game.turn == turn_before else 0
    for row in range(first, game.settled_count):
        _tally_row(rules, game, row, tallies)


@compiled
def _tally_kernel(rules_bytes, game_bytes, turn_before, settled_before, tallies):
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    tally_step(rules, game, turn_before, settled_before, tallies)


def update_tallies(game: Game, turn_before: int, settled_before: int, tallies: np.ndarray) -> None:
    """``tally_step`` from Python."""
    rules_bytes = rules_array(game.rules).view(np.uint8)
    _tally_kernel(rules_bytes, game.state.view(np.uint8), turn_before, settled_before, tallies)
