"""What a bot owns while it decides: its settings and its scratch memory, one record.

Kernels allocate nothing. A bot remembers nothing from one decision to the next: everything below
the settings is written anew in each decision before it is read.

Worth is counted in thousandths of a coin, in whole numbers, so that a bot decides the same on
every machine.
"""

from __future__ import annotations

import numpy as np

from bohnanza_env.engine.limits import BEAN_CAPACITY, DECK_CAPACITY, FIELD_CAPACITY, SEAT_CAPACITY
from bohnanza_env.engine.state import record_dtype

__all__ = ["COIN", "COUNT_CAPACITY", "DEFAULT_SETTINGS", "MEMORY_DTYPE", "new_memory"]

COIN = 1000
COUNT_CAPACITY = 16  # cards of a field that are told apart; no beanometer goes beyond 12

# name -> value unless a bot says otherwise. What they mean is in docs/bots.md.
DEFAULT_SETTINGS: dict[str, int] = {
    "horizon": 25,  # cards that still come while a field stands
    "flow": 0,  # of 1000 cards in other hands, those that reach who grows them
    "keep": 900,  # a loss that lies one turn ahead counts this many thousandths
    "slot": 100,  # worth of an empty field
    "margin": 60,  # least own gain for which a deal is made
    "accept": 20,  # least own gain for which a proposal is accepted
    "share": 0,  # own gain asked for, in thousandths of the other side's
    "grant": 0,  # the other side's gain in own proposals, in thousandths of the own, at least
    "kindness": 0,  # thousandths of the other side's gain that count as own
    "need": 60,  # least gain for which the other side is believed to accept
    "sure": 300,  # gain of the other side from which on its acceptance is believed certain
    "relief": 30,  # worth to others of losing a hand card that they do not grow
    "table": 1,  # 1: proposals to the whole table are made
    "least_chance": 150,  # least chance, in thousandths, for which a card is asked for
}

MEMORY_DTYPE = record_dtype(
    [
        # -- settings of the bot, fixed for a game
        *[(name, "i8") for name in DEFAULT_SETTINGS],
        # -- what the view says, in the form in which it is used
        ("unseen", "i8", (BEAN_CAPACITY,)),  # cards in the deck or in other hands
        ("unseen_total", "i8"),
        ("to_come", "i8"),  # cards that are turned up or drawn before the game ends
        ("turns_left", "i8"),  # own turns still to come, this one included before planting
        ("supply", "i8", (BEAN_CAPACITY,)),  # expected cards in the horizon, thousandths
        ("coins", "i8", (BEAN_CAPACITY, COUNT_CAPACITY)),  # for that many cards harvested now
        # Expected coins of a field of that many cards, for each seat.
        ("worth", "i8", (SEAT_CAPACITY, BEAN_CAPACITY, COUNT_CAPACITY)),
        # -- a position to be judged: fields, cards to be planted now, the hand in order
        ("seat", "i8"),
        ("slots", "i8"),
        ("field_bean", "i8", (FIELD_CAPACITY,)),
        ("field_count", "i8", (FIELD_CAPACITY,)),
        ("due", "i8", (BEAN_CAPACITY,)),
        ("face", "i8", (BEAN_CAPACITY,)),  # those of them that may still be traded
        ("hand", "i8", (DECK_CAPACITY,)),
        ("hand_size", "i8"),
        ("planted", "i8"),  # cards planted in phase 1, if the seat is in it, else 0
        ("wait", "i8"),  # turns until the seat plants from the hand
        # -- the same while it is played out
        ("roll_bean", "i8", (FIELD_CAPACITY,)),
        ("roll_count", "i8", (FIELD_CAPACITY,)),
        ("roll_due", "i8", (BEAN_CAPACITY,)),
        # -- prices of single cards, in thousandths of a coin
        ("own_base", "i8"),  # the own outlook without a deal
        ("own_give", "i8", (BEAN_CAPACITY,)),  # gain by giving one card away
        ("own_get", "i8", (BEAN_CAPACITY,)),  # gain by getting one
        ("other_base", "i8", (SEAT_CAPACITY,)),
        ("other_give", "i8", (SEAT_CAPACITY, BEAN_CAPACITY)),
        ("other_get", "i8", (SEAT_CAPACITY, BEAN_CAPACITY)),
        ("chance", "i8", (SEAT_CAPACITY, BEAN_CAPACITY)),  # that a seat holds one, thousandths
        # -- the deal under examination, and the best one so far
        ("offer", "i8", (BEAN_CAPACITY,)),
        ("request", "i8", (BEAN_CAPACITY,)),
        ("best_offer", "i1", (BEAN_CAPACITY,)),
        ("best_request", "i1", (BEAN_CAPACITY,)),
        ("best_recipient", "i8"),
        ("best_score", "i8"),
    ]
)


def new_memory(seats: int = 1, **settings: int) -> np.ndarray:
    """Memory for some seats, shape (seats,), dtype ``MEMORY_DTYPE``, with these settings."""
    memory = np.zeros(seats, MEMORY_DTYPE)
    for name, value in {**DEFAULT_SETTINGS, **settings}.items():
        memory[name] = value
    return memory
