"""Capacities of the fixed-size records, each with its reason.

Numba reads out of range silently, so every array of a record is as large as the rules can ever
need; :class:`~bohnanza_env.engine.rules.Rules` refuses what would not fit.
"""

from __future__ import annotations

__all__ = [
    "BEAN_CAPACITY",
    "DECK_CAPACITY",
    "EVENT_CAPACITY",
    "FACE_UP_CAPACITY",
    "FIELD_CAPACITY",
    "LOG_CAPACITY",
    "PRICE_CAPACITY",
    "PROPOSAL_CAPACITY",
    "SEAT_CAPACITY",
    "SETTLED_CAPACITY",
]

SEAT_CAPACITY = 7  # the largest edition
BEAN_CAPACITY = 12  # rows of the card table
DECK_CAPACITY = 160  # all cards ever printed are 157; hands, piles and stacks cannot hold more
FIELD_CAPACITY = 4  # three to start with and one extra (R24)
FACE_UP_CAPACITY = 4  # cards turned up for trading; two in print, three in a duel
PRICE_CAPACITY = 5  # coins for a field; three in print
PROPOSAL_CAPACITY = 20  # proposals of all seats in one turn; 18 for seven players by R33
SETTLED_CAPACITY = 2 * PROPOSAL_CAPACITY  # each can bring one counter (R31)
EVENT_CAPACITY = 64  # public events remembered for the token observation (DESIGN §4)
# Events of one step: a deal moves at most every card (160); the final harvest, a window's and
# every draw of the last turn are at most 28 + 63 more; turns that follow without a decision
# show at most the rest of the deck.
LOG_CAPACITY = 640
