"""The records: one structured value holds a whole game, its fields reached by name.

Layout: ``PUBLIC_FIELDS`` come first, in the game and in a seat's view alike, so that what all
seats may know (RULES §9) is declared once and copied as one block. What follows in the game
record is hidden.

Conventions: beans are numbers into ``Rules.beans``; -1 means none. Scalars but the seed are int64
(one type, so that Numba compiles each function once), arrays of card codes and counts int8 or
int16; kernels widen with ``int(...)`` before arithmetic.
"""

from __future__ import annotations

import numpy as np

from .limits import (
    BEAN_CAPACITY,
    DECK_CAPACITY,
    EVENT_CAPACITY,
    FACE_UP_CAPACITY,
    FIELD_CAPACITY,
    LOG_CAPACITY,
    SEAT_CAPACITY,
    SETTLED_CAPACITY,
)

__all__ = [
    "EVENT_COLUMNS",
    "GAME_DTYPE",
    "LOG_COLUMNS",
    "LOG_DTYPE",
    "NOBODY",
    "PUBLIC_BYTES",
    "PUBLIC_DTYPE",
    "PUBLIC_FIELDS",
    "TABLE",
    "record_dtype",
]

NOBODY = -1
TABLE = SEAT_CAPACITY  # the recipient of a proposal to all others

SEATS, BEANS, SLOTS, DECK = SEAT_CAPACITY, BEAN_CAPACITY, FIELD_CAPACITY, DECK_CAPACITY

# Columns of a public event: kind, seat, other, bean, amount, detail (see
# ``decisions.Event``).
EVENT_COLUMNS = 6
# The same and the position in the hand, which only records may show.
LOG_COLUMNS = 7

PUBLIC_FIELDS: list[tuple] = [
    # -- where the game stands
    ("turn", "i8"),  # 0 for the first turn
    ("start", "i8"),  # start player (R4)
    ("active", "i8"),  # active player
    ("decision", "i8"),  # decisions.Decision
    ("to_act", "i8"),  # who decides, NOBODY when the game is over
    ("planted", "i8"),  # cards planted in phase 1, while it lasts: 0 or 1 between steps
    ("exhaustions", "i8"),  # exhaustions of the deck so far (R19)
    ("stopped", "i8"),  # 1 once a reveal or draw found two empty piles (R20)
    ("deck_size", "i8"),
    ("discard_size", "i8"),
    ("face_up_size", "i8"),  # cards face up, in a duel too
    # -- the floor of phase 2 (R29)
    ("round_held", "i8"),  # 1 once a round has been completed in this turn
    ("round_open", "i8"),  # 1 while a round is under way
    ("round_submitted", "i8"),  # 1 if the round under way or held last has seen a submission
    ("pass_blocked", "i8"),  # 1 after a round without one, until something is submitted
    ("asked", "i8"),  # last in a round or window, as steps from the active player, else 0
    # -- the standing proposal (R30, R31)
    ("standing", "i8"),  # 1 from submission until it is settled
    ("countering", "i8"),  # 1 while a counter to the last settled proposal is made or stands
    ("proposer", "i8"),  # NOBODY without a standing proposal
    ("recipient", "i8"),  # a seat, TABLE or NOBODY
    ("partner", "i8"),  # who accepted (and was chosen), NOBODY before
    ("settled_count", "i8"),  # proposals answered in this turn
    ("settled_fresh", "i8"),  # the first of them after the last movement of cards
    ("event_count", "i8"),  # public events so far, all of them
    # -- by seat
    ("winners", "i1", (SEATS,)),  # 1 for winners, once the game is over
    ("hand_size", "i2", (SEATS,)),
    ("coins", "i2", (SEATS,)),
    ("drawn_since", "i2", (SEATS,)),  # cards drawn since the last shuffle; dealt ones included
    ("proposals_left", "i2", (SEATS,)),
    ("passed", "i1", (SEATS,)),  # 1: passed in the round under way or last held in this turn
    ("answers", "i1", (SEATS,)),  # to the standing proposal, once all are given (decisions.Answer)
    ("field_slots", "i1", (SEATS,)),  # fields owned
    ("field_gained", "i1", (SEATS,)),  # 1 once the one extra field is there (R24)
    ("field_bean", "i1", (SEATS, SLOTS)),  # -1 where the field is empty
    ("field_count", "i1", (SEATS, SLOTS)),
    ("set_aside", "i1", (SEATS, BEANS)),  # cards by bean (R10)
    ("coin_beans", "i1", (SEATS, BEANS)),  # coins by the bean they were
    ("known", "i1", (SEATS, BEANS)),  # cards each hand is publicly known to hold at least
    # -- by bean
    ("discard_beans", "i1", (BEANS,)),
    ("face_up_beans", "i1", (BEANS,)),
    ("duel_offer", "i1", (BEANS,)),  # what the last player left to the next (R28)
    ("removed", "i1", (BEANS,)),  # coins that left the game (R26)
    ("deck_at_shuffle", "i1", (BEANS,)),  # beans of the deck at the last shuffle
    ("turned_up", "i1", (BEANS,)),  # cards turned up from it since
    ("offer", "i1", (BEANS,)),  # the standing proposal gives
    ("request", "i1", (BEANS,)),  # and asks for
    # -- lists
    ("face_up", "i1", (FACE_UP_CAPACITY,)),  # in the order turned up; not used in a duel
    ("settled_proposer", "i1", (SETTLED_CAPACITY,)),
    ("settled_recipient", "i1", (SETTLED_CAPACITY,)),
    ("settled_partner", "i1", (SETTLED_CAPACITY,)),  # whose acceptance was taken, or NOBODY
    ("settled_counter", "i1", (SETTLED_CAPACITY,)),  # 1: counters the entry before it
    ("settled_answers", "i1", (SETTLED_CAPACITY, SEATS)),
    ("settled_offer", "i1", (SETTLED_CAPACITY, BEANS)),
    ("settled_request", "i1", (SETTLED_CAPACITY, BEANS)),
    ("events", "i2", (EVENT_CAPACITY, EVENT_COLUMNS)),  # a ring: event n lies at n % capacity
]

_HIDDEN_FIELDS: list[tuple] = [
    ("seed", "u8"),
    ("shuffles", "i8"),  # shuffles so far; shuffle k is drawn from (seed, k)
    ("generator", "u4", (4,)),  # words of the shuffle under way
    ("stage", "i8"),  # flow.Stage; DECIDE between two steps
    ("deck", "i1", (DECK,)),  # the top is deck[deck_size - 1]
    ("discard", "i1", (DECK,)),  # the top is discard[discard_size - 1]
    ("hand", "i1", (SEATS, DECK)),  # the front is hand[seat, 0]
    ("hand_beans", "i1", (SEATS, BEANS)),  # the same, counted by bean
    ("coin_stack", "i1", (SEATS, DECK)),  # bottom to top (R25)
    # -- the draft of the seat that composes (R30)
    ("draft_recipient", "i8"),
    ("draft_offer", "i1", (BEANS,)),
    ("draft_request", "i1", (BEANS,)),
    ("pending_answers", "i1", (SEATS,)),  # to a table proposal, before all are given (R31)
    # -- choice of copies (R32); side 0 is the proposer, side 1 the partner
    ("give_side", "i8"),
    ("give_bean", "i8"),  # the bean whose copies are being chosen
    ("give_taken", "i8"),  # copies of it chosen so far
    ("give_from", "i8"),  # the first hand position that may still be chosen
    ("chosen_hand", "i1", (2, DECK)),  # 1: this hand position leaves
    ("chosen_face_up", "i1", (FACE_UP_CAPACITY,)),  # 1: this face-up card leaves
]


def record_dtype(fields: list[tuple]) -> np.dtype:
    """An aligned record type; its scalars are ``np.record``, so fields are attributes."""
    return np.dtype((np.record, np.dtype(fields, align=True)))


GAME_DTYPE = record_dtype(PUBLIC_FIELDS + _HIDDEN_FIELDS)
# The public fields alone: what a game's record, or a view's, begins with. The title of the first
# field keeps Numba from taking games and views for such records.
PUBLIC_DTYPE = record_dtype([(("public", "turn"), "i8"), *PUBLIC_FIELDS[1:]])
PUBLIC_BYTES = PUBLIC_DTYPE.itemsize

# What happened in one step, in full, for records; ``enabled`` 0 writes nothing.
LOG_DTYPE = record_dtype(
    [
        ("enabled", "i8"),
        ("written", "i8"),
        ("entries", "i2", (LOG_CAPACITY, LOG_COLUMNS)),
    ]
)
