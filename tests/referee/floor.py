"""Phase 2 (R9–R11, R29, R33): who may speak, as far as a record shows it.

Passes leave no trace. So the floor is followed as the set of all states in which it may be; an
event that none of them allows is a fault. (Whether a round was held before ``end_trading`` cannot
be seen: one in which everybody passed always explains it.)
"""

from __future__ import annotations

from typing import NamedTuple

from .exchange import Exchange
from .play import Play


class Holder(NamedTuple):
    """One possible state of the floor.

    Attributes:
        place: whose floor it is, clockwise from the active player's 0.
        spoken: in a round: whether it has had a submission; else whether the active player may
            pass, which takes a submission since the last round began.
    """

    place: int
    spoken: bool


class Floor:
    """The trading of one turn."""

    def __init__(self, play: Play, active: int) -> None:
        terms = play.terms
        self.play = play
        self.active = active
        self.order = terms.clockwise(active)
        self.budget = dict.fromkeys(self.order, terms.other_proposals)
        self.budget[active] = terms.active_proposals
        self.exchange = Exchange(play, active)
        self.holders = {Holder(0, spoken=True)}

    def run(self) -> None:
        """Judge all events up to ``end_trading``; what is left face up is set aside (R12)."""
        play, table = self.play, self.play.table
        if play.terms.trading:
            self._trade()
        play.expect("end_trading", "R29", self.active)
        table.set_aside[self.active] += table.face_up
        table.face_up.clear()

    def _trade(self) -> None:
        play = self.play
        while True:
            event = play.look()
            kind = event["type"]
            if kind == "end_trading":
                return
            if not self._anybody_may_propose():
                rule = "R29/R33" if kind in ("propose", "withdraw") else "R29"
                play.refuse(rule)
            self._pass_on()
            if play.is_side_move():
                self._narrow(event["player"], "R14/R29")
                play.side_move(event["player"])
            elif kind in ("propose", "withdraw"):
                self._proposal(event["player"])
            elif kind == "plant":
                play.refuse("R10")
            else:
                play.refuse("R29")

    def _proposal(self, seat: int) -> None:
        """A player opens an exchange; it is followed until it is settled."""
        log = self.play.log
        if self.budget[seat] == 0:
            log.fault("R33", f"player {seat} has no proposals left in this turn")
        elif not self._may_propose(seat):
            log.fault("R30", f"player {seat} may not propose: no card could move")
        else:
            self._narrow(seat, "R29")
        self.budget[seat] = max(0, self.budget[seat] - 1)
        submitted = self.exchange.run(seat)
        self.holders = {self._settled(holder, submitted) for holder in self.holders}

    # The floor

    def _narrow(self, seat: int, rule: str) -> None:
        """Only the states in which that player has the floor remain."""
        place = self.order.index(seat)
        left = {holder for holder in self.holders if holder.place == place}
        if not left:
            self.play.log.stop(rule, f"player {seat} cannot have the floor here")
        self.holders = left

    def _pass_on(self) -> None:
        """Add what passes may lead to."""
        todo = list(self.holders)
        while todo:
            holder = todo.pop()
            if holder.place == 0 and (not holder.spoken or self._next_place(0) == 0):
                continue
            after = self._after(holder, holder.place > 0 and holder.spoken)
            if after not in self.holders:
                self.holders.add(after)
                todo.append(after)

    def _after(self, holder: Holder, spoken: bool) -> Holder:
        """The floor goes to the next of the round, or back to the active player."""
        return Holder(self._next_place(holder.place), spoken)

    def _next_place(self, place: int) -> int:
        later = range(place + 1, len(self.order))
        return next((p for p in later if self._is_in_round(self.order[p])), 0)

    def _settled(self, holder: Holder, submitted: bool) -> Holder:
        spoken = holder.spoken or submitted
        if holder.place == 0:
            return holder._replace(spoken=spoken)
        return self._after(holder, spoken)

    # Who may speak

    def _is_in_round(self, seat: int) -> bool:
        """R29: whether a round asks that other player now."""
        table = self.play.table
        harvests = self.play.terms.any_time and table.can_harvest(seat)
        return harvests or table.can_buy(seat) or self._may_propose(seat)

    def _may_propose(self, seat: int) -> bool:
        """R29, R30: proposals left, and a card that could move."""
        table = self.play.table
        if self.budget[seat] == 0:
            return False
        others = self.order[1:] if seat == self.active else [seat]
        movable = table.face_up or table.hands[self.active]
        return bool(movable) or any(table.hands[other] for other in others)

    def _anybody_may_propose(self) -> bool:
        return any(self._may_propose(seat) for seat in self.order)
