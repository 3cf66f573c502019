"""Names for the small numbers that records hold: decisions, answers, events, stages."""

from __future__ import annotations

from enum import IntEnum

__all__ = ["Answer", "Decision", "Event", "Source", "Stage"]


class Decision(IntEnum):
    """What the seat ``to_act`` is asked (RULES §8)."""

    PLANT = 0
    FLOOR = 1
    COMPOSE = 2
    RESPOND = 3
    CHOOSE = 4
    GIVE = 5
    PLANT_SET_ASIDE = 6
    WINDOW = 7
    OFFER_IN = 8
    DISCARD = 9
    FACEUP = 10
    OVER = 11

    @property
    def text(self) -> str:
        """The name in files and texts."""
        return self.name.lower()


class Answer(IntEnum):
    """An answer to a proposal (R31)."""

    NONE = 0
    ACCEPT = 1
    REJECT = 2
    COUNTER = 3

    @property
    def text(self) -> str:
        """The name in files and texts."""
        return self.name.lower()


class Event(IntEnum):
    """What can happen. The columns not named are -1; ``amount`` counts cards."""

    DEAL = 0  # seat (hidden: bean)
    TURN = 1  # seat
    PLANT = 2  # seat, bean, detail field, other source (Source)
    HARVEST = 3  # seat, bean, amount, detail field, other coins (-2: gained a field, R27)
    BUY_FIELD = 4  # seat
    PAY = 5  # seat, bean: one coin of the price, top first
    REVEAL = 6  # seat, bean; bean -1: stopped before the first card (R20)
    PROPOSE = 7  # seat, other recipient; followed by its OFFER and REQUEST events
    OFFER = 8  # seat, bean, amount
    REQUEST = 9  # seat, bean, amount
    WITHDRAW = 10  # seat
    ANSWER = 11  # seat, detail Answer
    CHOOSE = 12  # seat, other the chosen one
    TRADE_HAND = 13  # seat the giver, other the taker, bean (hidden: position)
    TRADE_FACE_UP = 14  # seat the giver, other the taker, bean
    END_TRADING = 15  # seat
    DRAW = 16  # seat (hidden: bean); amount 0: stopped before the first card (R20)
    RESHUFFLE = 17  # amount: cards in the new deck, detail: exhaustions so far
    DISCARD_HAND = 18  # seat, bean (hidden: position)
    DISCARD_OFFER = 19  # seat, bean
    TAKE = 20  # seat, bean: taken from the discard pile (R28)
    LEAVE_OFFER = 21  # seat, bean, amount: left to the opponent (R28)
    END = 22


class Source(IntEnum):
    """Where a planted card came from."""

    HAND = 0
    SET_ASIDE = 1
    OFFER = 2
    FACE_UP = 3

    @property
    def text(self) -> str:
        """The name in files and texts."""
        return self.name.lower()


class Stage(IntEnum):
    """Where the flow goes on by itself until the next decision."""

    DECIDE = 0
    TURN = 1
    PHASE_ONE = 2
    REVEAL = 3
    OPEN_FLOOR = 4
    NEXT_IN_ROUND = 5
    END_TRADING = 6
    PLANT_SET_ASIDE = 7
    WINDOWS = 8
    NEXT_WINDOW = 9
    DRAW = 10
    END = 11
