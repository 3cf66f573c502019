"""All cards and where they lie, and the rules of planting, harvests and purchases."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from .cards import payout
from .stream import Log
from .terms import Terms

Event = dict[str, Any]


class Table:
    """The whole state of the cards. Piles are lists: the deck from the top, the rest from below.

    Attributes:
        fields: by player and field, the beans planted there.
        gained: whether a player has an extra field already (R24).
        exhaustions: how often the deck ran out (R19).
    """

    def __init__(self, terms: Terms, log: Log) -> None:
        self.terms = terms
        self.log = log
        seats = range(terms.players)
        self.hands: list[list[str]] = [[] for _ in seats]
        self.fields: list[list[list[str]]] = [[[] for _ in range(terms.fields)] for _ in seats]
        self.coins: list[list[str]] = [[] for _ in seats]
        self.set_aside: list[list[str]] = [[] for _ in seats]
        self.gained = [False for _ in seats]
        self.face_up: list[str] = []
        self.offer: list[str] = []
        self.deck = list(terms.deck)
        self.discard: list[str] = []
        self.removed: list[str] = []
        self.exhaustions = 0
        self._all_cards = Counter(terms.beans)

    def audit(self) -> None:
        """R2: all cards are there, bean by bean."""
        piles = [self.deck, self.discard, self.face_up, self.offer, self.removed]
        piles += [*self.hands, *self.coins, *self.set_aside]
        piles += [field for fields in self.fields for field in fields]
        if Counter(chain.from_iterable(piles)) != self._all_cards:
            self.log.stop("R2", "the cards are no longer those of the deck")

    # What is legal

    def fits(self, player: int, bean: str) -> bool:
        """R8: whether some field of the player takes the bean."""
        return any(not field or field[0] == bean for field in self.fields[player])

    def can_harvest(self, player: int) -> bool:
        """Whether the player has a field to harvest. R16 never protects all of them."""
        return any(self.fields[player])

    def can_buy(self, player: int) -> bool:
        """R24."""
        price = self.terms.field_price
        return price > 0 and not self.gained[player] and len(self.coins[player]) >= price

    # Moves

    def plant(self, event: Event, source: list[str]) -> None:
        """R8: from a pile or hand, whose first such card leaves, into a field."""
        player, bean = event["player"], event["bean"]
        field = self._field(event, "R8")
        if bean not in source:
            self.log.stop("R2", f"there is no {bean} to plant")
        if field and field[0] != bean:
            self.log.stop("R8", f"{bean} cannot go into a field of {field[0]}")
        source.remove(bean)
        self.fields[player][event["field"]].append(bean)

    def harvest(self, event: Event, final: bool = False) -> None:
        """R1, R2, R15, R16, R27; ``final`` for those of R22."""
        player = event["player"]
        field = self._field(event, "R15")
        if not field:
            self.log.stop("R15", f"field {event['field']} of player {player} is empty")
        bean, count = field[0], len(field)
        if not final and count == 1 and any(len(other) > 1 for other in self.fields[player]):
            self.log.fault("R16", f"the single {bean} of player {player} is protected")
        if (event["bean"], event["count"]) != (bean, count):
            said = f"{event['count']} {event['bean']}"
            self.log.fault("R15", f"the field holds {count} {bean}, not {said}")
        coins = payout(bean, count)
        if event["coins"] != coins:
            self.log.fault("R1", f"{count} {bean} earn {coins} coins, not {event['coins']}")
        gains = not final and self._gains_field(player, bean, count)
        if event.get("field_gained", False) != gains:
            verb = "gains a" if gains else "gains no"
            self.log.fault("R27", f"player {player} {verb} field by {count} {bean}")
        self.discard += [bean] * (count - coins)
        self.coins[player] += [bean] * coins
        field.clear()
        if gains:
            self.gained[player] = True
            self.fields[player].append([])

    def _gains_field(self, player: int, bean: str, count: int) -> bool:
        return (
            self.terms.field_beans
            and (bean, count) == ("field", 2)
            and len(self.fields[player]) == 2
            and not self.gained[player]
        )

    def buy_field(self, event: Event) -> None:
        """R24, R25, R26."""
        player, price = event["player"], self.terms.field_price
        if price == 0:
            self.log.stop("R24", "no field is sold in this game")
        if self.gained[player]:
            self.log.stop("R24", f"player {player} has an extra field already")
        stack = self.coins[player]
        if len(stack) < price:
            self.log.stop("R24", f"player {player} has {len(stack)} coins, a field costs {price}")
        paid = [stack.pop() for _ in range(price)]
        if event["paid"] != paid:
            self.log.fault("R25", f"the top coins are {paid}, not {event['paid']}")
        if self.terms.coins_leave_game:
            self.removed += paid
        else:
            self.discard += paid
        self.gained[player] = True
        self.fields[player].append([])

    def _field(self, event: Event, rule: str) -> list[str]:
        owned = self.fields[event["player"]]
        if event["field"] >= len(owned):
            text = f"player {event['player']} has no field {event['field']}"
            self.log.stop(rule, text)
        return owned[event["field"]]
