"""Counting what happens at a table, by seat: proposals, deals, gifts, forced harvests, coins.

Public facts only. ``step_counted`` does an action of a game and counts what it brought.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from .engine.cards import MAX_COINS_PER_HARVEST
from .engine.compilation import compiled
from .engine.decisions import Decision
from .engine.fields import coins_for
from .engine.game import Game
from .engine.limits import SEAT_CAPACITY
from .engine.rules_record import RULES_DTYPE, rules_array
from .engine.state import GAME_DTYPE, NOBODY

__all__ = [
    "TURN_CAPACITY",
    "Tally",
    "coins_by_turn",
    "new_tallies",
    "step_counted",
    "tally_after",
    "tally_before",
    "worth_to",
]

# Turns whose coins are kept. The printed editions end within 78 turns: three decks of 130 cards,
# five cards a turn.
TURN_CAPACITY = 128


class Tally(IntEnum):
    """Columns of a table of tallies.

    *Worth* is counted in thousandths of a coin: of each card what it brings in the best harvest of
    its bean (``worth_of``), whoever grows it.
    """

    PROPOSALS = 0  # proposals of the seat that were answered, counters among them
    ACCEPTED = 1  # those of them that became deals or gifts
    OWN_DEALS = 2  # deals that the seat proposed; in a deal both sides give
    DEALS = 3  # deals of the seat, whoever proposed them
    GIFTS_GIVEN = 4  # accepted proposals in which only this seat gave
    GIFTS_TAKEN = 5  # and those in which only the other one gave
    CARDS_GIVEN = 6
    CARDS_TAKEN = 7
    DECISIONS = 8  # of the seat (kept by loops of bots only)
    FORCED_HARVESTS = 9  # harvests where nothing but harvesting, or buying a field, was legal
    FORCED_FOR_NOTHING = 10  # those of them that paid no coin
    WORTH_GIVEN = 11  # worth of the cards given, in deals and gifts
    WORTH_TAKEN = 12


# Behind them: the worth given to each seat, then the coins at the end of each turn.
_WORTH_TO = len(Tally)
_COINS_AFTER = _WORTH_TO + SEAT_CAPACITY
_COLUMNS = _COINS_AFTER + TURN_CAPACITY

_PROPOSALS, _ACCEPTED = int(Tally.PROPOSALS), int(Tally.ACCEPTED)
_OWN_DEALS, _DEALS = int(Tally.OWN_DEALS), int(Tally.DEALS)
_GIFTS_GIVEN, _GIFTS_TAKEN = int(Tally.GIFTS_GIVEN), int(Tally.GIFTS_TAKEN)
_CARDS_GIVEN, _CARDS_TAKEN = int(Tally.CARDS_GIVEN), int(Tally.CARDS_TAKEN)
_FORCED, _FOR_NOTHING = int(Tally.FORCED_HARVESTS), int(Tally.FORCED_FOR_NOTHING)
_WORTH_GIVEN, _WORTH_TAKEN = int(Tally.WORTH_GIVEN), int(Tally.WORTH_TAKEN)
_OVER, _RESPOND = int(Decision.OVER), int(Decision.RESPOND)


def new_tallies() -> np.ndarray:
    """Zeros, int64 of shape (seats, columns): those of :class:`Tally`, and more behind them."""
    return np.zeros((SEAT_CAPACITY, _COLUMNS), np.int64)


def worth_to(tallies: np.ndarray) -> np.ndarray:
    """The worth that each seat has given to each other: int64 of shape (seats, seats), a window."""
    return tallies[:, _WORTH_TO:_COINS_AFTER]


def coins_by_turn(tallies: np.ndarray, turns: int) -> np.ndarray:
    """Coins of each seat at the end of each turn: int64 of shape (seats, turns), a window.

    The last one of a finished game has the final harvest in it. Of games that are longer than
    ``TURN_CAPACITY`` turns the first ones are kept.
    """
    return tallies[:, _COINS_AFTER : _COINS_AFTER + min(turns, TURN_CAPACITY)]


@compiled
def worth_of(rules, bean):
    """The most that a card of this bean can bring, in thousandths of a coin.

    The best ratio of coins to cards on the beanometer: 400 for blue, 4 coins for 10 cards.
    """
    best = 0
    for tier in range(MAX_COINS_PER_HARVEST):
        need = int(rules.beanometer[bean, tier])
        if need > 0:
            best = max(best, 1000 * (tier + 1) // need)
    return best


@compiled
def _tally_cards(tallies, giver, taker, cards, worth):
    tallies[giver, _CARDS_GIVEN] += cards
    tallies[taker, _CARDS_TAKEN] += cards
    tallies[giver, _WORTH_GIVEN] += worth
    tallies[taker, _WORTH_TAKEN] += worth
    tallies[giver, _WORTH_TO + taker] += worth


@compiled
def _tally_row(rules, game, row, tallies):
    proposer, partner = int(game.settled_proposer[row]), int(game.settled_partner[row])
    tallies[proposer, _PROPOSALS] += 1
    if partner == NOBODY:
        return
    tallies[proposer, _ACCEPTED] += 1
    given, taken, worth_given, worth_taken = 0, 0, 0, 0
    for bean in range(rules.beans):
        given += int(game.settled_offer[row, bean])
        taken += int(game.settled_request[row, bean])
        worth_given += int(game.settled_offer[row, bean]) * worth_of(rules, bean)
        worth_taken += int(game.settled_request[row, bean]) * worth_of(rules, bean)
    _tally_cards(tallies, proposer, partner, given, worth_given)
    _tally_cards(tallies, partner, proposer, taken, worth_taken)
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
def forced_harvest(rules, game, mask, action):
    """Whether an action is a forced harvest: 2 for nothing, 1 for coins, 0 for all else.

    A harvest is forced where nothing but harvests, or buying a field, is legal: a card has to be
    planted and fits nowhere (R18).
    """
    first, stop = int(rules.harvest_at), int(rules.harvest_at) + int(rules.field_positions)
    if action < first or action >= stop:
        return 0
    for other in range(len(mask)):
        if mask[other] != 0 and (other < first or other >= stop) and other != rules.buy_field_at:
            return 0
    field = action - first
    bean = int(game.field_bean[game.to_act, field])
    coins = coins_for(rules, bean, int(game.field_count[game.to_act, field]))
    return 2 if coins == 0 else 1


@compiled
def _tally_coins(rules, game, turn_before, tallies):
    """The coins at the end of the turns that are over since; nobody has decided in later ones."""
    last = int(game.turn) if game.decision == _OVER else int(game.turn) - 1
    for turn in range(max(0, turn_before), min(last, TURN_CAPACITY - 1) + 1):
        for seat in range(rules.players):
            tallies[seat, _COINS_AFTER + turn] = game.coins[seat]


@compiled
def tally_before(rules, game, mask, action):
    """What ``tally_after`` has to know of the position before an action.

    Returns:
        Whole numbers: the decider, the turn, proposals settled in it, what ``forced_harvest``
        says, and who waits for this answer, or nobody.
    """
    asking = int(game.proposer) if game.decision == _RESPOND else NOBODY
    forced = forced_harvest(rules, game, mask, action)
    return int(game.to_act), int(game.turn), int(game.settled_count), forced, asking


@compiled
def tally_after(rules, game, before, tallies):
    """Count what one action brought; ``before`` is what ``tally_before`` said."""
    seat, turn, settled, forced, asking = before
    if forced > 0:
        tallies[seat, _FORCED] += 1
        tallies[seat, _FOR_NOTHING] += forced - 1
    if game.turn == turn:
        for row in range(settled, game.settled_count):
            _tally_row(rules, game, row, tallies)
    elif asking != NOBODY:  # a refusal that ended the turn, whose list is gone
        tallies[asking, _PROPOSALS] += 1
    if game.turn != turn or game.decision == _OVER:
        _tally_coins(rules, game, turn, tallies)


@compiled
def _before_kernel(rules_bytes, game_bytes, mask, action):
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    return tally_before(rules, game, mask, action)


@compiled
def _after_kernel(rules_bytes, game_bytes, before, tallies):
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    tally_after(rules, game, before, tallies)


def step_counted(game: Game, action: int, tallies: np.ndarray) -> None:
    """``game.step(action)``, counted; an illegal action is its error and counts for nothing."""
    rules_bytes, game_bytes = rules_array(game.rules).view(np.uint8), game.state.view(np.uint8)
    whole = int(action) if isinstance(action, int | np.integer) else -1
    before = _before_kernel(rules_bytes, game_bytes, game.mask, whole)
    game.step(action)
    _after_kernel(rules_bytes, game_bytes, before, tallies)
