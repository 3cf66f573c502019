"""Reading a position, first part: keys and types. What fits together is checked afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bohnanza_env.engine.decisions import Answer, Decision, Event
from bohnanza_env.engine.limits import DECK_CAPACITY, EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import EVENT_COLUMNS, NOBODY, TABLE

from .faults import Faults
from .position_model import FORMAT, Copies, Position, Proposal, Seat
from .rules_key import read_rules

__all__ = ["parse_position"]

POSITION_KEYS = (
    "format rules seed shuffles start turn decision active to_act planted exhaustions stopped "
    "deck deck_top discard face_up offer removed players round draft standing settled "
    "deck_at_shuffle turned_up over winners event_count events"
).split()
PLAYER_KEYS = "hand fields coins set_aside proposals_left passed drawn_since known".split()
ROUND_KEYS = "held open submitted pass_blocked".split()
DRAFT_KEYS = "proposer to offer request counter".split()
SETTLED_KEYS = [*DRAFT_KEYS, "answers", "partner"]
STANDING_KEYS = [*SETTLED_KEYS, "copies"]
COPIES_KEYS = "proposer partner face_up".split()

_DECISIONS = {decision.text: decision for decision in Decision}
_ANSWERS = {answer.text: answer for answer in Answer if answer != Answer.NONE}
_EVENTS = {event.name.lower(): event for event in Event}
_LARGEST = 2**62  # counters that only grow: far beyond any game


def parse_position(data: object) -> tuple[Position | None, Faults]:
    """The values of a position document and the faults found in reading them.

    ``None`` where the rules cannot be read: nothing else means anything then.
    """
    faults = Faults()
    keys = faults.mapping("", data, POSITION_KEYS)
    if not isinstance(data, Mapping):
        return None, faults
    if keys.get("format") != FORMAT:
        faults.expect("format", repr(FORMAT), keys.get("format"))
    rules = read_rules(faults, keys)
    if rules is None:
        return None, faults
    faults.beans = {name: number for number, name in enumerate(rules.bean_names)}
    return _Parser(rules, keys, faults).position(), faults


class _Parser:
    def __init__(self, rules: Rules, keys: dict[str, Any], faults: Faults) -> None:
        self.rules, self.keys, self.faults = rules, keys, faults
        self.seats = rules.players
        self.most = rules.deck_size

    def position(self) -> Position:
        position = Position(self.rules, self._players())
        self._place_in_the_game(position)
        self._piles(position)
        self._talks(position)
        self._public_memory(position)
        return position

    def _whole(self, key: str, high: int, default: int = 0) -> int:
        return self.faults.whole(key, self.keys.get(key, default), 0, high)

    def _seat(self, place: str, value: object) -> int:
        return self.faults.whole(place, value, 0, self.seats - 1)

    def _place_in_the_game(self, position: Position) -> None:
        keys, faults = self.keys, self.faults
        position.seed = self._whole("seed", 2**64 - 1)
        position.shuffles = self._whole("shuffles", _LARGEST)
        position.start = self._whole("start", self.seats - 1)
        position.active = self._whole("active", self.seats - 1)
        if "turn" in keys:
            position.turn = self._whole("turn", _LARGEST)
            position.turn_given = True
        position.planted = self._whole("planted", 1)
        position.exhaustions = self._whole("exhaustions", self.rules.final_exhaustion)
        position.stopped = faults.flag("stopped", keys.get("stopped", False))
        over = faults.flag("over", keys.get("over", False))
        default = "over" if over else "plant"
        name = faults.name("decision", keys.get("decision", default), _DECISIONS, default)
        position.decision = _DECISIONS[name]
        is_over = position.decision == Decision.OVER
        if "over" in keys and over != is_over:
            faults.add("over", f"{str(over).lower()}, but the decision is {name!r}")
        if keys.get("to_act") is not None:
            position.to_act = self._seat("to_act", keys["to_act"])
            position.to_act_given = True
        if "winners" in keys:
            seats = faults.sequence("winners", keys["winners"], self.seats)
            position.winners = [self._seat(f"winners[{i}]", seat) for i, seat in enumerate(seats)]

    # Cards --------------------------------------------------------------------------------

    def _piles(self, position: Position) -> None:
        for key in ("deck", "deck_top", "discard"):
            if key in self.keys:
                setattr(position, key, self.faults.cards(key, self.keys[key]))
        for key in ("face_up", "offer", "removed"):
            setattr(position, key, self.faults.cards(key, self.keys.get(key, [])))

    def _players(self) -> list[Seat]:
        given = self.faults.sequence("players", self.keys.get("players", []), self.seats)
        players = [self._player(f"players[{i}]", player) for i, player in enumerate(given)]
        missing = self.seats - len(players)
        return players + [self._player("players", {}) for _ in range(missing)]

    def _player(self, place: str, data: object) -> Seat:
        faults = self.faults
        keys = faults.mapping(place, data, PLAYER_KEYS)
        seat = Seat(
            hand=faults.cards(f"{place}.hand", keys.get("hand", [])),
            fields=self._fields(f"{place}.fields", keys.get("fields")),
            coins=faults.cards(f"{place}.coins", keys.get("coins", [])),
            set_aside=faults.cards(f"{place}.set_aside", keys.get("set_aside", [])),
            passed=faults.flag(f"{place}.passed", keys.get("passed", False)),
            known=faults.counts(f"{place}.known", keys.get("known", {}), self.most),
        )
        drawn = keys.get("drawn_since", 0)
        seat.drawn_since = faults.whole(f"{place}.drawn_since", drawn, 0, self.most)
        if "proposals_left" in keys:
            most = max(self.rules.proposals, self.rules.other_proposals)
            left = keys["proposals_left"]
            seat.proposals_left = faults.whole(f"{place}.proposals_left", left, 0, most)
        return seat

    def _fields(self, place: str, value: object) -> list[tuple[int, int] | None]:
        least, most = self.rules.fields, self.rules.field_positions
        if value is None:
            return [None] * least
        given = self.faults.sequence(place, value)
        if not least <= len(given) <= most:
            numbers = f"{least} or {most}" if most > least else str(least)
            self.faults.add(place, f"expected {numbers} fields, got {len(given)}")
            given = (given + [None] * least)[:most]
        return [self._field(f"{place}[{i}]", entry) for i, entry in enumerate(given)]

    def _field(self, place: str, data: object) -> tuple[int, int] | None:
        if data is None:
            return None
        keys = self.faults.mapping(place, data, ("bean", "count"))
        for key in ("bean", "count"):
            if key not in keys and isinstance(data, Mapping):
                self.faults.add(f"{place}.{key}", "missing")
        if len(keys) < 2:
            return None
        bean = self.faults.bean(f"{place}.bean", keys["bean"])
        count = self.faults.whole(f"{place}.count", keys["count"], 1, self.most, 1)
        return None if bean is None else (bean, count)

    # Phase 2 ------------------------------------------------------------------------------

    def _talks(self, position: Position) -> None:
        faults, keys = self.faults, self.keys
        talks = faults.mapping("round", keys.get("round", {}), ROUND_KEYS)
        position.round_held = faults.flag("round.held", talks.get("held", False))
        if "open" in talks:
            position.round_open = faults.flag("round.open", talks["open"])
        if "submitted" in talks:
            position.round_submitted = faults.flag("round.submitted", talks["submitted"])
        position.pass_blocked = faults.flag("round.pass_blocked", talks.get("pass_blocked", False))
        if keys.get("draft") is not None:
            position.draft = self._proposal("draft", keys["draft"], DRAFT_KEYS)
        if keys.get("standing") is not None:
            position.standing = self._proposal("standing", keys["standing"], STANDING_KEYS)
        settled = faults.sequence("settled", keys.get("settled", []), self.rules.settled_positions)
        position.settled = [
            self._proposal(f"settled[{i}]", entry, SETTLED_KEYS) for i, entry in enumerate(settled)
        ]

    def _proposal(self, place: str, data: object, allowed: list[str]) -> Proposal:
        faults = self.faults
        keys = faults.mapping(place, data, allowed)
        for key in ("proposer", "to"):
            if key not in keys:
                faults.add(f"{place}.{key}", "missing")
        to = keys.get("to", 0)
        partner = keys.get("partner")
        return Proposal(
            proposer=self._seat(f"{place}.proposer", keys.get("proposer", 0)),
            to=TABLE if to is None else self._seat(f"{place}.to", to),
            offer=faults.counts(f"{place}.offer", keys.get("offer", {}), self.most),
            request=faults.counts(f"{place}.request", keys.get("request", {}), self.most),
            counter=faults.flag(f"{place}.counter", keys.get("counter", False)),
            answers=self._answers(f"{place}.answers", keys.get("answers")),
            partner=NOBODY if partner is None else self._seat(f"{place}.partner", partner),
            copies=self._copies(f"{place}.copies", keys.get("copies", {})),
        )

    def _answers(self, place: str, value: object) -> list[int]:
        answers = [int(Answer.NONE)] * self.seats
        if value is None:
            return answers
        given = self.faults.sequence(place, value)
        if len(given) != self.seats:
            self.faults.add(place, f"expected {self.seats} entries, one a seat, got {len(given)}")
        for seat, text in enumerate(given[: self.seats]):
            if text is not None:
                name = self.faults.name(f"{place}[{seat}]", text, _ANSWERS, "reject")
                answers[seat] = int(_ANSWERS[name])
        return answers

    def _copies(self, place: str, data: object) -> Copies:
        keys = self.faults.mapping(place, data, COPIES_KEYS)
        return Copies(
            **{key: self._positions(f"{place}.{key}", value) for key, value in keys.items()}
        )

    def _positions(self, place: str, value: object) -> list[int]:
        given = self.faults.sequence(place, value, self.most)
        read = [self.faults.whole(f"{place}[{i}]", p, 0, self.most) for i, p in enumerate(given)]
        if len(set(read)) < len(read):
            self.faults.add(place, "a position is given twice")
        return sorted(read)

    # What everybody remembers -------------------------------------------------------------

    def _public_memory(self, position: Position) -> None:
        faults, keys = self.faults, self.keys
        if "deck_at_shuffle" in keys:
            counts = faults.counts("deck_at_shuffle", keys["deck_at_shuffle"], self.most)
            position.deck_at_shuffle = counts
        position.turned_up = faults.counts("turned_up", keys.get("turned_up", {}), self.most)
        if "event_count" in keys:
            position.event_count = self._whole("event_count", _LARGEST)
        events = faults.sequence("events", keys.get("events", []), EVENT_CAPACITY)
        position.events = [self._event(f"events[{i}]", event) for i, event in enumerate(events)]

    def _event(self, place: str, value: object) -> list[int]:
        entries = self.faults.sequence(place, value)
        if len(entries) != EVENT_COLUMNS:
            self.faults.add(place, f"expected {EVENT_COLUMNS} entries, got {len(entries)}")
            return [0] * EVENT_COLUMNS
        kind, seat, other, bean, amount, detail = entries
        number = None if bean is None else self.faults.bean(f"{place}[3]", bean)
        return [
            int(_EVENTS[self.faults.name(f"{place}[0]", kind, _EVENTS, "end")]),
            self.faults.whole(f"{place}[1]", seat, NOBODY, self.seats - 1),
            self.faults.whole(f"{place}[2]", other, -2, TABLE),
            NOBODY if number is None else number,
            self.faults.whole(f"{place}[4]", amount, -1, DECK_CAPACITY),
            self.faults.whole(f"{place}[5]", detail, -1, DECK_CAPACITY),
        ]
