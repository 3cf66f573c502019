"""A recorded game as readable text, for all eyes, those of one seat, or open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from .record_read import Record, replay
from .record_table import Table

__all__ = ["replay_text"]

Event = dict[str, Any]


def replay_text(
    record: Record, seat: int | None = None, *, open_hands: bool = False
) -> Iterator[str]:
    """The game line by line: what happens, and the table at the beginning of each turn.

    Args:
        record: the game.
        seat: whose hand is shown; ``None`` shows what an onlooker sees.
        open_hands: show all hands and decks.
    """
    teller = _Teller(record, seat, open_hands)
    rules = record.rules
    yield f"{rules.edition}, {rules.players} players, {rules.protocol}, seed {record.seed}"
    for number, name in enumerate(record.players):
        yield f"  player {number}: {name}"
    for event, table in replay(record):
        yield from teller.lines(event, table)


def _cards(beans: Iterable[str]) -> str:
    """Beans in their order, equal neighbours together."""
    parts: list[tuple[str, int]] = []
    for bean in beans:
        if parts and parts[-1][0] == bean:
            parts[-1] = (bean, parts[-1][1] + 1)
        else:
            parts.append((bean, 1))
    return " ".join(bean if number == 1 else f"{bean}×{number}" for bean, number in parts) or "-"


def _counts(counts: dict[str, int] | Counter[str]) -> str:
    return " ".join(b if n == 1 else f"{b}×{n}" for b, n in counts.items() if n) or "nothing"


def _plural(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


class _Teller:
    def __init__(self, record: Record, seat: int | None, open_hands: bool) -> None:
        self.record, self.seat, self.open = record, seat, open_hands

    def lines(self, event: Event, table: Table) -> Iterator[str]:
        if event["type"] == "turn":
            yield ""
            yield f"Turn {table.turn + 1}: {self.who(event['player'])}"
            yield from self.table(table)
            return
        yield "  " + _TEXTS[event["type"]](self, event)

    def who(self, seat: int) -> str:
        return f"{seat} {self.record.players[seat]}"

    def sees(self, seat: int) -> bool:
        return self.open or seat == self.seat

    def table(self, table: Table) -> Iterator[str]:
        deck = _cards(table.deck) if self.open else _plural(len(table.deck), "card")
        yield f"    deck {deck}; discard {_plural(len(table.discard), 'card')}; " + (
            f"exhaustions {table.exhaustions} of {table.rules.final_exhaustion}"
        )
        if table.offer:
            yield f"    left as an offer: {_cards(table.offer)}"
        for number, seat in enumerate(table.seats):
            fields = " | ".join("-" if f is None else f"{f[0]}×{f[1]}" for f in seat.fields)
            hand = _cards(seat.hand) if self.sees(number) else _plural(len(seat.hand), "card")
            coins = _plural(len(seat.coins), "coin")
            yield f"    {self.who(number)}: {coins}; fields {fields}; hand {hand}"

    # One text a type of event ---------------------------------------------------------------

    def dealt(self, event: Event) -> str:
        verb = "is dealt" if event["type"] == "deal" else "draws"
        if not event["beans"]:
            return f"{self.who(event['player'])} {verb} nothing"
        seen = self.sees(event["player"])
        cards = _cards(event["beans"]) if seen else _plural(len(event["beans"]), "card")
        return f"{self.who(event['player'])} {verb} {cards}"

    def plant(self, event: Event) -> str:
        source = "" if event["from"] == "hand" else f" (from {event['from']})"
        return f"{self.who(event['player'])} plants {event['bean']} in {event['field']}{source}"

    def harvest(self, event: Event) -> str:
        earned = _plural(event["coins"], "coin")
        if event.get("field_gained", False):
            earned = "a field"
        cards = f"{event['bean']}×{event['count']}"
        return f"{self.who(event['player'])} harvests {cards} from {event['field']}: {earned}"

    def buy_field(self, event: Event) -> str:
        return f"{self.who(event['player'])} buys a field for {_cards(event['paid'])}"

    def reveal(self, event: Event) -> str:
        return f"face up: {_cards(event['beans'])}"

    def propose(self, event: Event) -> str:
        to = "all" if event["to"] is None else self.who(event["to"])
        sides = f"gives {_counts(event['offer'])}, gets {_counts(event['request'])}"
        return f"{self.who(event['player'])} proposes to {to}: {sides}"

    def withdraw(self, event: Event) -> str:
        return f"{self.who(event['player'])} withdraws a proposal"

    def answer(self, event: Event) -> str:
        return f"{self.who(event['player'])} answers: {event['answer']}"

    def choose(self, event: Event) -> str:
        return f"{self.who(event['player'])} deals with {self.who(event['chosen'])}"

    def trade(self, event: Event) -> str:
        hand = [
            f"{bean} ({position})" if self.sees(event["giver"]) else bean
            for position, bean in event["gave_hand"]
        ]
        cards = " ".join([*hand, *(f"{bean} (face up)" for bean in event["gave_face_up"])])
        return f"{self.who(event['giver'])} gives {self.who(event['taker'])} {cards}"

    def end_trading(self, event: Event) -> str:
        return "trading ends"

    def reshuffle(self, event: Event) -> str:
        deck = _cards(event["deck"]) if self.open else _plural(len(event["deck"]), "card")
        return f"exhaustion {event['exhaustions']}: the new deck is {deck}"

    def discard(self, event: Event) -> str:
        return f"{self.who(event['player'])} discards {event['bean']} (from {event['from']})"

    def take(self, event: Event) -> str:
        return f"{self.who(event['player'])} takes {event['bean']} from the discard pile"

    def offer(self, event: Event) -> str:
        return f"{self.who(event['player'])} leaves {_cards(event['beans'])}"

    def end(self, event: Event) -> str:
        scores = ", ".join(map(str, event["scores"]))
        winners = ", ".join(self.who(seat) for seat in event["winners"])
        return f"end: {scores} coins; {winners} won"


_TEXTS: dict[str, Callable[[_Teller, Event], str]] = {
    "deal": _Teller.dealt,
    "plant": _Teller.plant,
    "harvest": _Teller.harvest,
    "buy_field": _Teller.buy_field,
    "reveal": _Teller.reveal,
    "propose": _Teller.propose,
    "withdraw": _Teller.withdraw,
    "answer": _Teller.answer,
    "choose": _Teller.choose,
    "trade": _Teller.trade,
    "end_trading": _Teller.end_trading,
    "draw": _Teller.dealt,
    "reshuffle": _Teller.reshuffle,
    "discard": _Teller.discard,
    "take": _Teller.take,
    "offer": _Teller.offer,
    "end": _Teller.end,
}
