"""The table rebuilt from the events of a record alone, card by card; no game is played.

Every event is checked against the table: a record in which a card comes from nowhere is no record.
Who may do what when is not checked: that takes the rules of the decisions, see docs/formats.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bohnanza_env.engine.cards import FIELD_BEAN, bean
from bohnanza_env.engine.game import winners_of
from bohnanza_env.engine.rules import Rules

__all__ = ["ImpossibleEvent", "Table", "TableSeat"]


class ImpossibleEvent(ValueError):  # noqa: N818 - read as a sentence: an impossible event
    """An event that cannot happen on this table."""


def _need(right: bool, text: str) -> None:
    if not right:
        raise ImpossibleEvent(text)


@dataclass
class TableSeat:
    """What lies before one player."""

    hand: list[str] = field(default_factory=list)  # the front card first
    fields: list[tuple[str, int] | None] = field(default_factory=list)  # bean and cards
    coins: list[str] = field(default_factory=list)  # the top one last
    set_aside: Counter[str] = field(default_factory=Counter)


class Table:
    """All cards of a recorded game at one moment.

    Attributes:
        rules: the rules.
        seats: hand, fields, coins and set-aside cards of each player.
        deck: top first.
        discard: bottom first.
        face_up: cards turned up and not yet gone.
        offer: cards left to the opponent (duel).
        removed: coins that left the game (R26).
        start: the start player.
        turn: 0 for the first turn, -1 before it.
        active: the active player.
        exhaustions: of the deck, so far.
        proposal: the ``propose`` event under discussion, or ``None``.
        winners: the winners, ``None`` before the end.
    """

    def __init__(self, rules: Rules, start: int, deck: list[str]) -> None:
        self.rules = rules
        self.start = start
        self.seats = [TableSeat(fields=[None] * rules.fields) for _ in range(rules.players)]
        _need(Counter(deck) == Counter(rules.beans), "deck: not the cards of these rules")
        self.deck = list(deck)
        self.discard: list[str] = []
        self.face_up: list[str] = []
        self.offer: list[str] = []
        self.removed: list[str] = []
        self.turn = -1
        self.active = start
        self.exhaustions = 0
        self.proposal: dict[str, Any] | None = None
        self.winners: list[int] | None = None
        self._dealt = 0

    @property
    def scores(self) -> list[int]:
        """Coins by seat."""
        return [len(seat.coins) for seat in self.seats]

    def apply(self, event: dict[str, Any]) -> None:
        """Carry out an event of the right form.

        Raises:
            ImpossibleEvent: it cannot happen here.
        """
        kind = event["type"]
        _need(self.winners is None, "the game is over")
        if kind != "deal":
            _need(self._dealt == self.rules.players, "hands are dealt first")
            _need(self.turn >= 0 or kind == "turn", "a turn begins first")
        _EVENTS[kind](self, event)

    # Cards --------------------------------------------------------------------------------

    def _from_deck(self, beans: list[str]) -> None:
        _need(beans == self.deck[: len(beans)], f"the deck's top is {self.deck[: len(beans)]}")
        del self.deck[: len(beans)]
        if beans and not self.deck:
            self.exhaustions += 1

    def _deal(self, event: dict[str, Any]) -> None:
        _need(self._dealt < self.rules.players, "all hands are dealt")
        seat = (self.start + self._dealt) % self.rules.players
        _need(event["player"] == seat, f"player {seat} is dealt cards now")
        size = self.rules.hands[self._dealt]
        _need(len(event["beans"]) == size, f"the first hand has {size} cards")
        self._from_deck(event["beans"])
        self.seats[seat].hand += event["beans"]
        self._dealt += 1

    def _turn(self, event: dict[str, Any]) -> None:
        right = self.start if self.turn < 0 else (self.active + 1) % self.rules.players
        _need(event["player"] == right, f"it is the turn of player {right}")
        _need(not self.face_up, "cards are still face up")
        aside = any(seat.set_aside.total() for seat in self.seats)
        _need(not aside, "cards are still set aside")
        self.turn += 1
        self.active = right
        self.proposal = None

    def _is_active(self, event: dict[str, Any]) -> None:
        _need(event["player"] == self.active, f"player {self.active} is active")

    def _plant(self, event: dict[str, Any]) -> None:
        seat, name, source = self.seats[event["player"]], event["bean"], event["from"]
        if source != "set_aside":
            self._is_active(event)
        if source == "hand":
            _need(seat.hand[:1] == [name], f"the front card is {(seat.hand or ['none'])[0]}")
            del seat.hand[0]
        elif source == "set_aside":
            _need(seat.set_aside[name] > 0, f"no {name} is set aside")
            seat.set_aside[name] -= 1
        else:
            pile = self.offer if source == "offer" else self.face_up
            _need(name in pile, f"no {name} lies there")
            pile.remove(name)
        place = event["field"]
        _need(place < len(seat.fields), f"there are {len(seat.fields)} fields")
        planted = seat.fields[place] or (name, 0)
        _need(planted[0] == name, f"{planted[0]} grows there")
        seat.fields[place] = (name, planted[1] + 1)

    def _harvest(self, event: dict[str, Any]) -> None:
        seat, place, name = self.seats[event["player"]], event["field"], event["bean"]
        count, coins = event["count"], event["coins"]
        planted = seat.fields[place] if place < len(seat.fields) else None
        _need(planted == (name, count), f"in field {place} lie {planted}")
        if event.get("field_gained", False):
            rules = self.rules
            gains = rules.field_beans and name == FIELD_BEAN and count == 2 and coins == 0
            _need(gains and len(seat.fields) == rules.fields, "no field is gained so (R27)")
            seat.fields.append(None)
        else:
            right = bean(name).coins(count)
            _need(coins == right, f"{count} {name} earn {right} coins")
        seat.fields[place] = None
        seat.coins += [name] * coins
        self.discard += [name] * (count - coins)

    def _buy_field(self, event: dict[str, Any]) -> None:
        seat, rules = self.seats[event["player"]], self.rules
        price, paid = rules.field_price, event["paid"]
        _need(price > 0, "no field is sold")
        _need(len(seat.fields) == rules.fields, "the one extra field is there already (R24)")
        _need(len(seat.coins) >= price, f"the price is {price} coins")
        top = seat.coins[: -price - 1 : -1]
        _need(paid == top, f"the top coins are {top}")
        del seat.coins[-price:]
        (self.removed if rules.coins_leave_game else self.discard).extend(paid)
        seat.fields.append(None)

    def _reveal(self, event: dict[str, Any]) -> None:
        self._from_deck(event["beans"])
        self.face_up += event["beans"]
        _need(self.rules.duel or len(self.face_up) <= self.rules.reveal, "too many cards")

    def _draw(self, event: dict[str, Any]) -> None:
        self._from_deck(event["beans"])
        self.seats[event["player"]].hand += event["beans"]

    def _reshuffle(self, event: dict[str, Any]) -> None:
        _need(not self.deck, "the deck is not exhausted")
        _need(Counter(event["deck"]) == Counter(self.discard), "not the cards of the discard pile")
        right = self.exhaustions
        _need(event["exhaustions"] == right, f"the deck was exhausted {right} times")
        _need(right < self.rules.final_exhaustion, "the last exhaustion is over")
        self.deck, self.discard = list(event["deck"]), []

    # Talks --------------------------------------------------------------------------------

    def _propose(self, event: dict[str, Any]) -> None:
        sides = (event["player"], event["to"])
        _need(self.active in sides, "the active player is on neither side")
        _need(event["player"] != event["to"], "a player proposes to others")
        _need(bool(event["offer"] or event["request"]), "no card is offered or requested")
        self.proposal = event

    def _withdraw(self, event: dict[str, Any]) -> None:
        pass

    def _answer(self, event: dict[str, Any]) -> None:
        proposal, player = self.proposal, event["player"]
        _need(proposal is not None, "nothing is proposed")
        assert proposal is not None
        asked = proposal["to"] in (None, player) and player != proposal["player"]
        _need(asked, f"player {player} is not asked")

    def _choose(self, event: dict[str, Any]) -> None:
        proposal = self.proposal
        _need(proposal is not None, "nothing is proposed")
        assert proposal is not None
        own = event["player"] == proposal["player"] != event["chosen"]
        _need(own and proposal["to"] is None, "there is no choice")

    def _trade(self, event: dict[str, Any]) -> None:
        giver, taker = event["giver"], event["taker"]
        _need(giver != taker, "the giver and the taker are the same")
        _need(self.active in (giver, taker), "the active player is on neither side")
        hand = self.seats[giver].hand
        given = event["gave_hand"]
        _need(bool(given or event["gave_face_up"]), "no card is given")
        for position, name in given:
            held = hand[position] if position < len(hand) else "no card"
            _need(held == name, f"at position {position} lies {held}")
        for position in sorted((position for position, _ in given), reverse=True):
            del hand[position]
        for name in event["gave_face_up"]:
            _need(giver == self.active and name in self.face_up, f"no {name} is face up")
            self.face_up.remove(name)
        received = [*(name for _, name in given), *event["gave_face_up"]]
        self.seats[taker].set_aside.update(received)

    def _end_trading(self, event: dict[str, Any]) -> None:
        self._is_active(event)
        self.seats[self.active].set_aside.update(self.face_up)
        self.face_up = []
        self.proposal = None

    # Duels and the end --------------------------------------------------------------------

    def _discard(self, event: dict[str, Any]) -> None:
        self._is_active(event)
        name, position = event["bean"], event["position"]
        if event["from"] == "offer":
            _need(name in self.offer, f"no {name} was left")
            self.offer.remove(name)
        else:
            hand = self.seats[self.active].hand
            there = position is not None and hand[position : position + 1] == [name]
            _need(there, f"no {name} at position {position}")
            del hand[position]
        self.discard.append(name)

    def _take(self, event: dict[str, Any]) -> None:
        self._is_active(event)
        name = event["bean"]
        _need(self.discard[-1:] == [name], "it is not the top of the discard pile")
        _need(name in self.face_up, f"no {name} was turned up")
        self.face_up.append(self.discard.pop())

    def _offer(self, event: dict[str, Any]) -> None:
        self._is_active(event)
        _need(Counter(event["beans"]) == Counter(self.face_up), "not the cards face up")
        self.offer, self.face_up = self.face_up, []

    def _end(self, event: dict[str, Any]) -> None:
        _need(not any(any(seat.fields) for seat in self.seats), "a field is not harvested (R22)")
        _need(event["scores"] == self.scores, f"the scores are {self.scores}")
        right = self.exhaustions
        _need(event["exhaustions"] == right, f"the deck was exhausted {right} times")
        hands = [len(seat.hand) for seat in self.seats]
        winners = winners_of(self.rules, self.start, self.scores, hands)
        _need(event["winners"] == winners, f"by R23 {winners} win")
        self.winners = winners


_EVENTS: dict[str, Callable[[Table, dict[str, Any]], None]] = {
    "deal": Table._deal,
    "turn": Table._turn,
    "plant": Table._plant,
    "harvest": Table._harvest,
    "buy_field": Table._buy_field,
    "reveal": Table._reveal,
    "propose": Table._propose,
    "withdraw": Table._withdraw,
    "answer": Table._answer,
    "choose": Table._choose,
    "trade": Table._trade,
    "end_trading": Table._end_trading,
    "draw": Table._draw,
    "reshuffle": Table._reshuffle,
    "discard": Table._discard,
    "take": Table._take,
    "offer": Table._offer,
    "end": Table._end,
}
