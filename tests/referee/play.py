"""What all phases share: the next event, harvests and purchases, and cards from the deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from .stream import Log, Stream, out_of_place
from .table import Event, Table
from .terms import Terms


class Play:
    """A game under way: its terms, its table, its events."""

    def __init__(self, terms: Terms, stream: Stream, log: Log) -> None:
        self.terms = terms
        self.stream = stream
        self.log = log
        self.table = Table(terms, log)

    def look(self) -> Event:
        """The next event; before the first look at it the cards are counted (R2)."""
        if self.stream.is_fresh:
            self.table.audit()
        return self.stream.look()

    def expect(self, kind: str, rule: str, player: int | None = None) -> Event:
        """Take an event that must come now, by ``rule``, and be that player's."""
        event = self.look()
        if event["type"] != kind:
            broken = "/".join(dict.fromkeys((rule, out_of_place(event))))
            self.log.stop(broken, f"{kind} must come here, not {event['type']}")
        if player is not None and event["player"] != player:
            text = f"{kind} is a matter of player {player}, not of player {event['player']}"
            self.log.stop(rule, text)
        self.stream.take()
        return event

    def refuse(self, rule: str) -> None:
        """Stop at the next event, which may not come here."""
        event = self.look()
        broken = "/".join(dict.fromkeys((rule, out_of_place(event))))
        self.log.stop(broken, f"{event['type']} may not come here")

    # R14: harvests and purchases beside other decisions

    def is_side_move(self) -> bool:
        return self.look()["type"] in ("harvest", "buy_field")

    def side_move(
        self, decider: int, plantable: Collection[str] | None = None, rule: str = "R14"
    ) -> None:
        """The harvest or purchase that comes next, in a decision of ``decider``.

        Args:
            decider: whose decision this is.
            plantable: the beans that the decider may plant; ``None`` if it is about something else.
            rule: what another player's move breaks.
        """
        event = self.look()
        if event["player"] != decider:
            text = f"player {event['player']} moves in a decision of player {decider}"
            self.log.stop(rule, text)
        if event["type"] == "harvest" and not self.terms.any_time:
            if plantable is None:
                self.log.fault("R36", "harvests are for planting decisions only")
            elif any(self.table.fits(decider, bean) for bean in plantable):
                self.log.fault("R36", "a card fits: no harvest is needed")
        self.stream.take()
        if event["type"] == "harvest":
            self.table.harvest(event)
        else:
            self.table.buy_field(event)

    # R19–R21: cards from the deck

    def from_deck(self, kind: str, wanted: int, player: int | None = None) -> bool:
        """A reveal or a seat's draw, with the reshuffles inside it.

        Returns:
            Whether it ends the game: by the final exhaustion (R21), or for want of cards (R20).
        """
        table = self.table
        rule = "R9" if kind == "reveal" else "R13"
        pile = table.face_up if player is None else table.hands[player]
        if not table.deck and table.discard:
            self._reshuffle("R20")
        missing = wanted
        while table.deck and missing:
            cards = table.deck[:missing]
            event = self.expect(kind, rule, player)
            if event["beans"] != cards:
                self._blame_beans(kind, rule, event["beans"], cards)
            del table.deck[: len(cards)]
            pile += cards
            missing -= len(cards)
            if not table.deck:
                table.exhaustions += 1
                if table.exhaustions >= self.terms.final_exhaustion:
                    return True
                if table.discard:
                    self._reshuffle("R19")
        if missing == wanted:  # R20: stopped before the first card
            event = self.expect(kind, "R20", player)
            if event["beans"]:
                self.log.stop("R20", f"there is no card left for this {kind}")
        return missing > 0

    def _blame_beans(self, kind: str, rule: str, found: list[str], cards: list[str]) -> None:
        if len(found) == len(cards):
            self.log.stop("R2", f"the deck's top is {cards}, not {found}")
        self.log.stop(rule, f"{kind} of {len(found)} cards where {len(cards)} are due")

    def _reshuffle(self, rule: str) -> None:
        """The discard pile becomes the deck."""
        table = self.table
        event = self.expect("reshuffle", rule)
        if event["exhaustions"] != table.exhaustions:
            text = f"exhaustion {table.exhaustions}, not {event['exhaustions']}"
            self.log.fault(rule, text)
        if Counter(event["deck"]) != Counter(table.discard):
            self.log.stop(rule, "the new deck is not the discard pile")
        table.deck, table.discard = event["deck"][:], []
