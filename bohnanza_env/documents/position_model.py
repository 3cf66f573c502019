"""A position between its document and the record of a game: plain values, beans by number."""

from __future__ import annotations

from dataclasses import dataclass, field

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import NOBODY

__all__ = ["FORMAT", "Copies", "Position", "Proposal", "Seat"]

FORMAT = "bohnanza-position/1"


@dataclass
class Copies:
    """The copies chosen so far of an accepted deal (R32), as positions."""

    proposer: list[int] = field(default_factory=list)
    partner: list[int] = field(default_factory=list)
    face_up: list[int] = field(default_factory=list)


@dataclass
class Proposal:
    """A draft, the standing proposal or a settled one; ``to`` is a seat or ``TABLE``."""

    proposer: int
    to: int
    offer: list[int]  # cards by bean
    request: list[int]
    counter: bool = False
    answers: list[int] = field(default_factory=list)  # Answer by seat
    partner: int = NOBODY
    copies: Copies = field(default_factory=Copies)


@dataclass
class Seat:
    """What belongs to one player."""

    hand: list[int] = field(default_factory=list)
    fields: list[tuple[int, int] | None] = field(default_factory=list)  # bean and count
    coins: list[int] = field(default_factory=list)
    set_aside: list[int] = field(default_factory=list)
    proposals_left: int | None = None  # None: what the proposals made leave of the budget
    passed: bool = False
    drawn_since: int = 0
    known: list[int] = field(default_factory=list)  # by bean


@dataclass
class Position:
    """A whole position. ``None`` stands for what is worked out from the rest."""

    rules: Rules
    seats: list[Seat]
    seed: int = 0
    shuffles: int = 0
    start: int = 0
    turn: int | None = None
    turn_given: bool = False
    decision: Decision = Decision.PLANT
    active: int = 0
    to_act: int | None = None
    to_act_given: bool = False
    planted: int = 0
    exhaustions: int = 0
    stopped: bool = False
    deck: list[int] | None = None  # top first
    deck_top: list[int] | None = None
    discard: list[int] | None = None  # bottom first
    face_up: list[int] = field(default_factory=list)
    offer: list[int] = field(default_factory=list)
    removed: list[int] = field(default_factory=list)
    round_held: bool = False
    round_open: bool | None = None
    round_submitted: bool | None = None
    pass_blocked: bool = False
    draft: Proposal | None = None
    standing: Proposal | None = None
    settled: list[Proposal] = field(default_factory=list)
    deck_at_shuffle: list[int] | None = None  # by bean
    turned_up: list[int] = field(default_factory=list)  # by bean
    winners: list[int] | None = None
    events: list[list[int]] = field(default_factory=list)
    event_count: int | None = None

    def clockwise(self, first: int) -> list[int]:
        """All seats, ``first`` first."""
        players = self.rules.players
        return [(first + k) % players for k in range(players)]

    @property
    def final(self) -> bool:
        """Whether no phase 4 follows any more (R20, R21)."""
        return self.stopped or self.exhaustions >= self.rules.final_exhaustion

    def budget(self, seat: int) -> int:
        """Proposals that a seat has at the start of the turn (R33)."""
        if not self.rules.trading:
            return 0
        return self.rules.proposals if seat == self.active else self.rules.other_proposals

    def opened(self, seat: int) -> int:
        """Proposals of this turn that the position shows to be opened by a seat."""
        shown = [*self.settled, self.standing, self.draft]
        return sum(1 for p in shown if p is not None and p.proposer == seat and not p.counter)

    def left(self, seat: int) -> int:
        """Proposals that a seat still has in this turn."""
        left = self.seats[seat].proposals_left
        return max(0, self.budget(seat) - self.opened(seat)) if left is None else left

    def held(self, seat: int, bean: int) -> int:
        """Cards of a bean that a seat may give (R9)."""
        shown = self.face_up.count(bean) if seat == self.active else 0
        return self.seats[seat].hand.count(bean) + shown

    def holdings(self, seat: int) -> int:
        """Cards that a seat could be asked for (R30)."""
        return len(self.seats[seat].hand) + (len(self.face_up) if seat == self.active else 0)

    def may_propose(self, seat: int) -> bool:
        """Whether a seat has a proposal left and somebody to make it to (R29, R30)."""
        if self.left(seat) <= 0:
            return False
        others = self.clockwise(seat)[1:] if seat == self.active else [self.active]
        return self.holdings(seat) > 0 or any(self.holdings(other) > 0 for other in others)

    def has_harvest(self, seat: int) -> bool:
        """Whether a seat may harvest outside a planting decision (R14, R36)."""
        return self.rules.harvest == "any_time" and any(self.seats[seat].fields)
