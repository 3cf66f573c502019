"""What there is on the table and what has been said in this turn: data without rules."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .cards import in_table_order

Shuffle = Callable[[int, list[str]], list[str]]
Field = dict[str, Any]  # {"bean": name, "count": cards}; an empty field is None


@dataclass
class Player:
    """What lies before one player."""

    hand: list[str] = field(default_factory=list)  # the front card first
    fields: list[Field | None] = field(default_factory=list)
    coins: list[str] = field(default_factory=list)  # the card earned first at the bottom, first
    set_aside: list[str] = field(default_factory=list)  # in table order
    fields_gained: int = 0

    def put_aside(self, beans: list[str]) -> None:
        """R10: received cards lie in front of the player."""
        self.set_aside = in_table_order([*self.set_aside, *beans])


class GameState:
    """One game. A decision of None means that the phase named by `phase` is about to begin."""

    def __init__(self, rules: dict[str, Any], shuffle: Shuffle, start: int = 0) -> None:
        self.rules = rules
        self.shuffle = shuffle
        self.start = start
        seats = rules["players"]
        self.players = [Player(fields=[None] * rules["fields"]) for _ in range(seats)]

        self.deck: list[str] = []  # top first
        self.discard: list[str] = []  # bottom first
        self.face_up: list[str] = []
        self.offer: list[str] = []  # a duel's cards left for the opponent
        self.removed: list[str] = []  # coins that left the game (R26)
        self.shuffles = 0
        self.exhaustions = 0
        self.stopped = False  # R20: a needed card could not be had

        self.turn = 0
        self.active = start
        self.phase = "turn"
        self.decision: str | None = None
        self.to_act: int | None = None
        self.planted = 0
        self.winners: list[int] = []
        self.events: list[dict[str, Any]] = []

        self.forget_trading()

        self.deck_at_shuffle: dict[str, int] = dict.fromkeys(rules["beans"], 0)
        self.turned_up: dict[str, int] = dict.fromkeys(rules["beans"], 0)
        self.drawn_since = [0] * seats
        self.known: list[dict[str, int]] = [dict.fromkeys(rules["beans"], 0) for _ in range(seats)]

    def forget_trading(self) -> None:
        """The state of talks at the start of a turn; R33: everybody's proposals are renewed."""
        self.proposals_left = [
            self.rules["active_proposals"] if seat == self.active else self.rules["other_proposals"]
            for seat in range(self.rules["players"])
        ]
        self.round_held = False
        self.round_under_way = False
        self.passed: list[int] = []  # who has passed in the round
        self.submitted_in_round = False
        self.pass_closed = False  # after a round without a submission
        self.opener: int | None = None  # who opened the exchange under way
        # A proposal: proposer, recipient (None: the table), offer, request, counters (the place
        # in `settled` of the proposal that it answers, or None), answers ([[seat, answer], …]).
        self.draft: dict[str, Any] | None = None
        self.standing: dict[str, Any] | None = None
        self.settled: list[dict[str, Any]] = []
        # taker; chosen: for the proposer and the taker, {"hand": [places], "face_up": [places]}
        self.giving: dict[str, Any] | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.decision == "over"

    @property
    def final_reached(self) -> bool:
        """R19, R20: whether the game ends with this turn."""
        return self.stopped or self.exhaustions >= self.rules["final_exhaustion"]

    def clockwise_from(self, seat: int) -> list[int]:
        """All seats, `seat` first."""
        seats = self.rules["players"]
        return [(seat + steps) % seats for steps in range(seats)]

    def others_clockwise(self) -> list[int]:
        """All seats but the active one, from its left."""
        return self.clockwise_from(self.active)[1:]

    def record(self, event_type: str, **details: Any) -> None:
        """Write one event."""
        self.events.append({"type": event_type, **details})

    def ask(self, decision: str, seat: int) -> None:
        """Make `seat` the one who decides."""
        self.decision = decision
        self.to_act = seat

    def go_to(self, phase: str) -> None:
        """Leave the present phase for another."""
        self.phase = phase
        self.decision = None
        self.to_act = None
