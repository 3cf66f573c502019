"""Writing records: the events of ``bohnanza-record/1`` out of the log of each step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from bohnanza_env.engine.decisions import Answer, Event, Source
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import TABLE

from .rules_key import write_rules

__all__ = ["FORMAT", "Recorder"]

FORMAT = "bohnanza-record/1"

Row = list[int]  # one entry of the log: kind, seat, other, bean, amount, detail, position
KIND, SEAT, OTHER, BEAN, AMOUNT, DETAIL, POSITION = range(7)

_FIELD_GAINED = -2  # in place of the coins of a harvest (R27)
_FROM_DECK = (Event.DEAL, Event.REVEAL, Event.DRAW)
_TRADE = (Event.TRADE_HAND, Event.TRADE_FACE_UP)
# Rows that belong to the event before them, and those that go on with their like of one seat.
_PARTS = {
    Event.PAY: (Event.BUY_FIELD,),
    Event.OFFER: (Event.PROPOSE,),
    Event.REQUEST: (Event.PROPOSE,),
}
_RUNS = (Event.DEAL, Event.REVEAL, Event.DRAW, Event.LEAVE_OFFER)


class Recorder:
    """Records one game, from its beginning on.

    Make it right after ``Game(..., log=True)`` and call :meth:`note` once after every step::

        game = Game(rules, seed=7, log=True)
        recorder = Recorder(game, ["ann", "bob", "cid", "dee"])
        while not game.over:
            game.step(...)
            recorder.note()
        file.write(recorder.text())

    Args:
        game: a game that has just been dealt, with its log on.
        players: the players' names, by seat.

    Attributes:
        header: the header of the record.
        events: the events so far.

    Raises:
        ValueError: the log is off, the game has begun already, or the names do not fit.
    """

    def __init__(self, game: Game, players: Sequence[str] | None = None) -> None:
        seats = game.rules.players
        names = [f"player {i}" for i in range(seats)] if players is None else list(players)
        if len(names) != seats or not all(isinstance(name, str) for name in names):
            raise ValueError(f"players: expected {seats} names, got {names!r}")
        log = game.log[0]
        if not log["enabled"]:
            raise ValueError("the game has no log: make it with Game(..., log=True)")
        if log["written"] != game.state[0]["event_count"] or int(game.state[0]["turn"]) < 0:
            raise ValueError("the game has gone on: a record starts with its first deal")
        self.game = game
        self.events: list[dict[str, Any]] = []
        self._noted = 0
        deck = self._take_step()
        self.header: dict[str, Any] = {
            "format": FORMAT,
            "rules": write_rules(game.rules),
            "seed": int(game.state[0]["seed"]),
            "start": int(game.state[0]["start"]),
            "players": names,
            "deck": deck,
        }
        self.events[:0] = self._missing_deals()

    def note(self) -> list[dict[str, Any]]:
        """Take up what the last step did; returns its events.

        Raises:
            ValueError: a step was left out or is noted twice.
        """
        before = len(self.events)
        self._take_step()
        return self.events[before:]

    def lines(self) -> Iterator[str]:
        """The record as JSON texts, one a line of the file."""
        for entry in (self.header, *self.events):
            yield json.dumps(entry, ensure_ascii=False, separators=(", ", ": "))

    def text(self) -> str:
        """The record as the lines of a file, with the last line's end."""
        return "".join(f"{line}\n" for line in self.lines())

    def _take_step(self) -> list[str]:
        """Add the events of the last step; returns the deck that lay there before it."""
        state: Any = self.game.state[0]
        log = self.game.log[0]
        size, count = int(log["written"]), int(state["event_count"])
        if count - size != self._noted:
            raise ValueError("note() is to be called once after every step")
        self._noted = count
        if size == 0:
            return []
        rows: list[Row] = log["entries"][:size].tolist()
        names = self.game.rules.bean_names
        # The top lies last, as in the record of the game.
        deck = [names[bean] for bean in state["deck"][: state["deck_size"]].tolist()]
        before, reshuffled = _decks(rows, deck, names)
        writer = _Writer(self.game, reshuffled)
        self.events += [writer.event(group) for group in _grouped(rows)]
        return before

    def _missing_deals(self) -> list[dict[str, Any]]:
        """Hands of no cards are dealt, too (R3)."""
        rules, start = self.game.rules, self.header["start"]
        deals = [event for event in self.events if event["type"] == "deal"]
        del self.events[: len(deals)]
        hands = {deal["player"]: deal["beans"] for deal in deals}
        seats = [(start + k) % rules.players for k in range(rules.players)]
        return [{"type": "deal", "player": s, "beans": hands.get(s, [])} for s in seats]


def _decks(
    rows: list[Row], deck: list[str], names: Sequence[str]
) -> tuple[list[str], dict[int, list[str]]]:
    """The deck before the step, and that of each reshuffle by its row, all top first.

    The log says only that there was a shuffle: what lies in the deck after the step (``deck``,
    top last) and the cards taken from it, backwards, make the decks.
    """
    pile = list(deck)
    reshuffled = {}
    for place in range(len(rows) - 1, -1, -1):
        row = rows[place]
        if row[KIND] == Event.RESHUFFLE:
            reshuffled[id(row)] = pile[::-1]
            pile = []
        elif row[KIND] in _FROM_DECK and row[BEAN] >= 0 and row[AMOUNT] > 0:
            pile.append(names[row[BEAN]])
    return pile[::-1], reshuffled


def _grouped(rows: list[Row]) -> Iterator[list[Row]]:
    """The rows of each event."""
    group: list[Row] = []
    for row in rows:
        if group and not _belongs(group[-1], group[0], row):
            yield group
            group = []
        group.append(row)
    if group:
        yield group


def _belongs(last: Row, first: Row, row: Row) -> bool:
    kind = row[KIND]
    if kind in _PARTS:
        return first[KIND] in _PARTS[Event(kind)]
    if kind in _TRADE:
        return first[KIND] in _TRADE and first[SEAT] == row[SEAT]
    same = last[KIND] == kind and last[SEAT] == row[SEAT]
    return same and kind in _RUNS and last[BEAN] >= 0 and row[BEAN] >= 0


class _Writer:
    """Turns groups of rows into events."""

    def __init__(self, game: Game, reshuffled: dict[int, list[str]]) -> None:
        self.game = game
        self.rules: Rules = game.rules
        self.names = game.rules.bean_names
        self.reshuffled = reshuffled

    def event(self, group: list[Row]) -> dict[str, Any]:
        name, write = _EVENTS[Event(group[0][KIND])]
        return {"type": name, **write(self, group)}

    def _beans(self, group: list[Row]) -> list[str]:
        return [self.names[row[BEAN]] for row in group if row[BEAN] >= 0]

    def player(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT]}

    def cards(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT], "beans": self._beans(group)}

    def reveal(self, group: list[Row]) -> dict[str, Any]:
        return {"beans": self._beans(group)}

    def plant(self, group: list[Row]) -> dict[str, Any]:
        row = group[0]
        bean, source = self.names[row[BEAN]], Source(row[OTHER]).text
        return {"player": row[SEAT], "bean": bean, "field": row[DETAIL], "from": source}

    def harvest(self, group: list[Row]) -> dict[str, Any]:
        row = group[0]
        gained = row[OTHER] == _FIELD_GAINED
        event = {
            "player": row[SEAT],
            "field": row[DETAIL],
            "bean": self.names[row[BEAN]],
            "count": row[AMOUNT],
            "coins": 0 if gained else row[OTHER],
        }
        return {**event, "field_gained": True} if gained else event

    def buy_field(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT], "paid": self._beans(group[1:])}

    def propose(self, group: list[Row]) -> dict[str, Any]:
        head = group[0]
        sides: dict[int, dict[str, int]] = {Event.OFFER: {}, Event.REQUEST: {}}
        for row in group[1:]:
            sides[row[KIND]][self.names[row[BEAN]]] = row[AMOUNT]
        return {
            "player": head[SEAT],
            "to": None if head[OTHER] == TABLE else head[OTHER],
            "offer": sides[Event.OFFER],
            "request": sides[Event.REQUEST],
        }

    def answer(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT], "answer": Answer(group[0][DETAIL]).text}

    def choose(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT], "chosen": group[0][OTHER]}

    def trade(self, group: list[Row]) -> dict[str, Any]:
        hand = [[r[POSITION], self.names[r[BEAN]]] for r in group if r[KIND] == Event.TRADE_HAND]
        shown = [self.names[r[BEAN]] for r in group if r[KIND] == Event.TRADE_FACE_UP]
        giver, taker = group[0][SEAT], group[0][OTHER]
        return {"giver": giver, "taker": taker, "gave_hand": hand, "gave_face_up": shown}

    def reshuffle(self, group: list[Row]) -> dict[str, Any]:
        row = group[0]
        deck = self.reshuffled[id(row)]
        assert len(deck) == row[AMOUNT]
        return {"exhaustions": row[DETAIL], "deck": deck}

    def discard(self, group: list[Row]) -> dict[str, Any]:
        row = group[0]
        event = {"player": row[SEAT], "bean": self.names[row[BEAN]]}
        if row[KIND] == Event.DISCARD_HAND:
            return {**event, "from": "hand", "position": row[POSITION]}
        return {**event, "from": "offer", "position": None}

    def take(self, group: list[Row]) -> dict[str, Any]:
        return {"player": group[0][SEAT], "bean": self.names[group[0][BEAN]]}

    def offer(self, group: list[Row]) -> dict[str, Any]:
        beans = [self.names[row[BEAN]] for row in group for _ in range(row[AMOUNT])]
        return {"player": group[0][SEAT], "beans": beans}

    def end(self, group: list[Row]) -> dict[str, Any]:
        game = self.game
        return {
            "scores": game.scores,
            "winners": game.winners,
            "exhaustions": int(game.state[0]["exhaustions"]),
        }


_EVENTS: dict[Event, tuple[str, Callable[[_Writer, list[Row]], dict[str, Any]]]] = {
    Event.DEAL: ("deal", _Writer.cards),
    Event.TURN: ("turn", _Writer.player),
    Event.PLANT: ("plant", _Writer.plant),
    Event.HARVEST: ("harvest", _Writer.harvest),
    Event.BUY_FIELD: ("buy_field", _Writer.buy_field),
    Event.REVEAL: ("reveal", _Writer.reveal),
    Event.PROPOSE: ("propose", _Writer.propose),
    Event.WITHDRAW: ("withdraw", _Writer.player),
    Event.ANSWER: ("answer", _Writer.answer),
    Event.CHOOSE: ("choose", _Writer.choose),
    Event.TRADE_HAND: ("trade", _Writer.trade),
    Event.TRADE_FACE_UP: ("trade", _Writer.trade),
    Event.END_TRADING: ("end_trading", _Writer.player),
    Event.DRAW: ("draw", _Writer.cards),
    Event.RESHUFFLE: ("reshuffle", _Writer.reshuffle),
    Event.DISCARD_HAND: ("discard", _Writer.discard),
    Event.DISCARD_OFFER: ("discard", _Writer.discard),
    Event.TAKE: ("take", _Writer.take),
    Event.LEAVE_OFFER: ("offer", _Writer.offer),
    Event.END: ("end", _Writer.end),
}
