"""Small helpers of the tests: tables set up in one line, played and read as text."""

from __future__ import annotations

from collections import Counter
from typing import Any

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.position import read_position

__all__ = ["Table", "seat", "table"]


def seat(hand: str = "", fields: str = "", coins: str = "", set_aside: str = "") -> dict[str, Any]:
    """What lies before one player, as in ``seat("blue chili", "blue*2 -", coins="soy soy")``.

    Fields are ``bean*count`` or ``-`` for an empty one; none given: all are empty. One more than at
    the start of the game is the field that was bought or gained.
    """
    keys: dict[str, Any] = {"hand": hand.split(), "coins": coins.split()}
    keys["set_aside"] = set_aside.split()
    if fields:
        keys["fields"] = [_field(text) for text in fields.split()]
    return keys


def _field(text: str) -> dict[str, Any] | None:
    if text == "-":
        return None
    bean, _, count = text.partition("*")
    return {"bean": bean, "count": int(count or 1)}


def table(*seats: dict[str, Any], rules: Rules | None = None, **keys: Any) -> Table:
    """A game that stands as described (keys as in a position); other seats hold nothing.

    ``deck``, ``deck_top``, ``discard``, ``face_up`` and ``offer`` may be texts. Without rules:
    ``amigo`` with four players.
    """
    rules = rules or Rules.of("amigo", 4)
    for pile in ("deck", "deck_top", "discard", "face_up", "offer"):
        if isinstance(keys.get(pile), str):
            keys[pile] = keys[pile].split()
    others = [seat() for _ in range(rules.players - len(seats))]
    position = {"format": "bohnanza-position/1", "rules": rules.to_dict(), "seed": 1}
    return Table(read_position({**position, "players": [*seats, *others], **keys}))


class Table:
    """A game, played and read as text."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.space = ActionSpace.of(game.rules)

    @classmethod
    def new(cls, edition: str, players: int, seed: int = 1, **overrides: Any) -> Table:
        """A game from its first deal."""
        start = overrides.pop("start", 0)
        return cls(Game(Rules.of(edition, players, **overrides), seed, start))

    # Playing

    def play(self, *steps: str) -> Table:
        """Play ``seat: action`` one after another; each seat must be the one to act."""
        for step in steps:
            who, action = step.split(": ")
            assert self.to_act == int(who), f"{step}: {self.decision} is asked of {self.to_act}"
            self.game.step(self.space.index(action, self.to_act))
        return self

    @property
    def legal(self) -> set[str]:
        """The legal actions of the seat to act."""
        return set(self.space.texts(self.game.mask, self.to_act))

    def legal_words(self, word: str) -> set[str]:
        """The legal actions that begin with a word."""
        return {text for text in self.legal if text.split()[0] == word}

    # Reading

    @property
    def record(self) -> Any:
        return self.game.state[0]

    @property
    def asked(self) -> tuple[str, int]:
        """The decision and the seat."""
        return self.decision, self.to_act

    @property
    def decision(self) -> str:
        return self.game.decision.text

    @property
    def to_act(self) -> int:
        return self.game.to_act

    def _names(self, numbers: Any) -> str:
        return " ".join(self.game.rules.bean_names[n] for n in numbers)

    def _by_bean(self, counts: Any) -> str:
        names = self.game.rules.bean_names
        return " ".join(name for name, n in zip(names, counts, strict=False) for _ in range(n))

    def hand(self, who: int) -> str:
        """Front first."""
        return self._names(self.record.hand[who, : self.record.hand_size[who]])

    def fields(self, who: int) -> str:
        """As ``seat`` takes them, with the count always written."""
        texts = []
        for field in range(self.record.field_slots[who]):
            count = int(self.record.field_count[who, field])
            bean = self.game.rules.bean_names[self.record.field_bean[who, field]]
            texts.append(f"{bean}*{count}" if count else "-")
        return " ".join(texts)

    def coins(self, who: int) -> str:
        """Bottom to top."""
        return self._names(self.record.coin_stack[who, : self.record.coins[who]])

    def set_aside(self, who: int) -> str:
        """In table order."""
        return self._by_bean(self.record.set_aside[who])

    def known(self, who: int) -> str:
        """What the hand is publicly known to hold at least."""
        return self._by_bean(self.record.known[who])

    @property
    def face_up(self) -> str:
        """In table order."""
        return self._by_bean(self.record.face_up_beans)

    @property
    def offer(self) -> str:
        """A duel's offer to the next player."""
        return self._by_bean(self.record.duel_offer)

    @property
    def deck(self) -> str:
        """Top first."""
        return self._names(self.record.deck[: self.record.deck_size][::-1])

    @property
    def discard(self) -> str:
        """Bottom first."""
        return self._names(self.record.discard[: self.record.discard_size])

    @property
    def removed(self) -> str:
        """Coins that left the game."""
        return self._by_bean(self.record.removed)

    @property
    def exhaustions(self) -> int:
        return int(self.record.exhaustions)

    def all_cards(self) -> Counter[str]:
        """Every card of the game, wherever it lies (R2)."""
        words = [self.face_up, self.offer, self.deck, self.discard, self.removed]
        cards: Counter[str] = Counter()
        for who in range(self.game.rules.players):
            words += [self.hand(who), self.coins(who), self.set_aside(who)]
            for text in self.fields(who).split():
                bean, _, count = text.partition("*")
                cards[bean] += int(count or 0)
        cards.update(" ".join(words).split())
        del cards["-"]
        return cards
