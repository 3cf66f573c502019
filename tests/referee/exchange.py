"""From a proposal to the cards that move (R9, R10, R30–R32, R35)."""

from __future__ import annotations

from collections import Counter

from .cards import RANK, in_table_order
from .play import Play
from .table import Event

Proposal = tuple[int, int | None, tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]


class Exchange:
    """The exchanges of one turn, one after another."""

    def __init__(self, play: Play, active: int) -> None:
        self.play = play
        self.active = active
        self.answered: set[Proposal] = set()  # since the last card moved (R30)

    def run(self, opener: int) -> bool:
        """Judge one exchange; returns whether its proposal was submitted."""
        play = self.play
        if play.look()["type"] == "withdraw":
            self._withdraw(opener)
            return False
        event = self._submit(opener)
        if event["to"] is None:
            self._ask_all(event)
        elif self._ask_one(event, may_counter=not play.terms.compact) == "counter":
            self._counter(event)
        return True

    def _counter(self, event: Event) -> None:
        """R31: the responder composes a proposal back, outside all budgets."""
        play, responder = self.play, event["to"]
        if play.look()["type"] == "withdraw":
            self._withdraw(responder)
            return
        if play.look()["type"] != "propose" or play.look()["player"] != responder:
            play.refuse("R31")
        counter = self._submit(responder)
        if counter["to"] != event["player"]:
            play.log.stop("R31", f"a counter goes back to player {event['player']}")
        self._ask_one(counter, may_counter=False)

    def _withdraw(self, seat: int) -> None:
        self.play.expect("withdraw", "R30", seat)
        if self.play.terms.compact:
            self.play.log.fault("R35", "nothing is withdrawn in the compact protocol")

    # R30: submissions

    def _submit(self, proposer: int) -> Event:
        play, log = self.play, self.play.log
        event = play.expect("propose", "R30", proposer)
        to, offer, request = event["to"], event["offer"], event["request"]
        if to == proposer:
            log.stop("R30", f"player {proposer} proposes to themselves")
        if self.active not in (proposer, to):
            log.stop("R9/R29", f"player {proposer} deals with the active player {self.active} only")
        self._check_cards(event)
        self._check_bounds(event)
        if play.terms.compact:
            self._check_compact(event)
        if self._key(event) in self.answered:
            log.fault("R30", "an equal proposal was answered, and no card has moved since")
        if not offer and not request:
            log.fault("R30", "a proposal without cards")
        return event

    def _check_cards(self, event: Event) -> None:
        """What is offered is held."""
        held = self._movable(event["player"])
        for bean, count in event["offer"].items():
            if held[bean] < count:
                text = f"offers {count} {bean}, holds {held[bean]}"
                self.play.log.fault("R30", f"player {event['player']} {text}")

    def _check_bounds(self, event: Event) -> None:
        """What is requested could be there; `trade_limit` (R33)."""
        terms, table, log = self.play.terms, self.play.table, self.play.log
        to, offer, request = event["to"], event["offer"], event["request"]
        others = terms.clockwise(self.active)[1:] if to is None else [to]
        most = max(len(table.hands[seat]) for seat in others)
        if to == self.active:
            most += len(table.face_up)
        if sum(request.values()) > most:
            log.fault("R30", f"{sum(request.values())} cards requested, {most} at most are there")
        for bean, count in request.items():
            if count > terms.beans.get(bean, 0):
                log.fault("R30", f"{count} {bean} requested, more than the edition has")
        limit = terms.trade_limit
        for side in (offer, request):
            if limit is not None and sum(side.values()) > limit:
                log.fault("R33", f"{sum(side.values())} cards on a side, the limit is {limit}")

    def _check_compact(self, event: Event) -> None:
        """R35: a card, or none, for another."""
        log, offer, request = self.play.log, event["offer"], event["request"]
        if event["to"] is None:
            log.fault("R35", "a table proposal in the compact protocol")
        if sum(offer.values()) > 1 or sum(request.values()) > 1:
            log.fault("R35", "more than one card on a side in the compact protocol")
        if offer and offer.keys() == request.keys():
            log.fault("R35", "a bean against itself in the compact protocol")

    def _movable(self, seat: int) -> Counter[str]:
        """R9: hand cards, and for the active player the face-up ones."""
        table = self.play.table
        cards = Counter(table.hands[seat])
        if seat == self.active:
            cards.update(table.face_up)
        return cards

    def _key(self, event: Event) -> Proposal:
        sides = (tuple(sorted(event[side].items())) for side in ("offer", "request"))
        offer, request = sides
        return event["player"], event["to"], offer, request

    # R31: answers

    def _answer(self, seat: int, proposal: Event) -> str:
        event = self.play.expect("answer", "R31", seat)
        answer: str = event["answer"]
        if answer == "accept":
            held = self._movable(seat)
            for bean, count in proposal["request"].items():
                if held[bean] < count:
                    text = f"accepts for {count} {bean}, holds {held[bean]}"
                    self.play.log.stop("R31", f"player {seat} {text}")
        return answer

    def _ask_one(self, proposal: Event, may_counter: bool) -> str:
        """A direct proposal: the answer of its recipient, and the deal if there is one."""
        seat = proposal["to"]
        while self.play.is_side_move():
            self.play.side_move(seat, rule="R14/R31")
        answer = self._answer(seat, proposal)
        if answer == "counter" and not may_counter:
            rule = "R35" if self.play.terms.compact else "R31"
            self.play.log.stop(rule, "this proposal cannot be countered")
        self.answered.add(self._key(proposal))
        if answer == "accept":
            self._deal(proposal, seat)
        return answer

    def _ask_all(self, proposal: Event) -> None:
        """A table proposal: all others answer, clockwise, and nobody sees the others' answers."""
        play = self.play
        others = play.terms.clockwise(proposal["player"])[1:]
        asked = 0
        while play.is_side_move():
            seat = play.look()["player"]
            if seat not in others[asked:]:
                play.log.stop("R14/R31", f"player {seat} is not asked here")
            asked = others.index(seat)
            play.side_move(seat)
        acceptors = []
        for seat in others:
            answer = self._answer(seat, proposal)
            if answer == "counter":
                play.log.stop("R31", "a proposal to the table cannot be countered")
            if answer == "accept":
                acceptors.append(seat)
        self.answered.add(self._key(proposal))
        if len(acceptors) > 1:
            event = play.expect("choose", "R31", proposal["player"])
            if event["chosen"] not in acceptors:
                play.log.stop("R31", f"player {event['chosen']} has not accepted")
            acceptors = [event["chosen"]]
        if acceptors:
            self._deal(proposal, acceptors[0])

    # R32: the cards move

    def _deal(self, proposal: Event, partner: int) -> None:
        """One event for each direction that moves a card, the proposer's first."""
        proposer = proposal["player"]
        sides = ((proposer, partner, "offer"), (partner, proposer, "request"))
        for giver, taker, side in sides:
            if proposal[side]:
                self._move(giver, taker, proposal[side])
        self.answered.clear()

    def _move(self, giver: int, taker: int, beans: dict[str, int]) -> None:
        play, table = self.play, self.play.table
        event = play.expect("trade", "R32")
        if (event["giver"], event["taker"]) != (giver, taker):
            play.log.stop("R32", f"player {giver} gives to player {taker} here")
        positions = [position for position, _ in event["gave_hand"]]
        given = [bean for _, bean in event["gave_hand"]]
        shown = event["gave_face_up"]
        hand = table.hands[giver]
        for position, bean in event["gave_hand"]:
            if position >= len(hand) or hand[position] != bean:
                play.log.stop("R32", f"there is no {bean} at position {position}")
        if len(set(positions)) < len(positions):
            play.log.stop("R32", "the same card is given twice")
        if shown and giver != self.active:
            play.log.stop("R9", f"the face-up cards are not those of player {giver}")
        if any(shown.count(bean) > table.face_up.count(bean) for bean in shown):
            play.log.stop("R2", f"{shown} do not all lie face up")
        if Counter(given) + Counter(shown) != Counter(beans):
            play.log.stop("R32", f"{beans} was agreed, not {given + shown}")
        order = [(RANK[bean], position) for position, bean in event["gave_hand"]]
        if order != sorted(order) or shown != in_table_order(shown):
            play.log.fault("R32", "cards do not leave in the order of the table")
        if play.terms.compact:
            self._check_copies(giver, beans, positions)
        for position in sorted(positions, reverse=True):
            del hand[position]
        for bean in shown:
            table.face_up.remove(bean)
        table.set_aside[taker] += given + shown

    def _check_copies(self, giver: int, beans: dict[str, int], positions: list[int]) -> None:
        """R35: face-up copies first, then those nearest the front."""
        table, due = self.play.table, []
        for bean, count in beans.items():
            shown = table.face_up.count(bean) if giver == self.active else 0
            copies = [place for place, held in enumerate(table.hands[giver]) if held == bean]
            due += copies[: max(0, count - shown)]
        if sorted(due) != sorted(positions):
            self.play.log.fault("R35", f"the hand cards at {due} must leave, not {positions}")
