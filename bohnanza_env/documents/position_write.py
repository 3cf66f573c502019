"""Writing a position: the record of a game as plain data."""

from __future__ import annotations

from typing import Any

import numpy as np

from bohnanza_env.engine.decisions import Answer, Decision, Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import NOBODY, TABLE

from .position_model import FORMAT
from .rules_key import write_rules

__all__ = ["write_position"]

_WITH_STANDING = (Decision.RESPOND, Decision.CHOOSE, Decision.GIVE)


def write_position(game: Game) -> dict[str, Any]:
    """The game as a position (``bohnanza-position/1``): plain data, ready for ``json.dump``.

    It holds everything needed to go on, hidden cards and the seed included; see docs/formats.md.
    """
    return _Writer(game).document()


class _Writer:
    def __init__(self, game: Game) -> None:
        self.rules: Rules = game.rules
        self.state: Any = game.state[0]
        self.names = game.rules.bean_names
        self.players = game.rules.players
        self.decision = game.decision

    def document(self) -> dict[str, Any]:
        state = self.state
        deck = state["deck"][: state["deck_size"]][::-1]
        return {
            "format": FORMAT,
            "rules": write_rules(self.rules),
            "seed": int(state["seed"]),
            "shuffles": int(state["shuffles"]),
            "start": int(state["start"]),
            "turn": int(state["turn"]),
            "decision": self.decision.text,
            "active": int(state["active"]),
            "to_act": None if state["to_act"] == NOBODY else int(state["to_act"]),
            "planted": int(state["planted"]),
            "exhaustions": int(state["exhaustions"]),
            "stopped": bool(state["stopped"]),
            "deck": self._cards(deck),
            "discard": self._cards(state["discard"][: state["discard_size"]]),
            "face_up": self._face_up(),
            "offer": self._sorted(state["duel_offer"]),
            "removed": self._sorted(state["removed"]),
            "players": [self._player(seat) for seat in range(self.players)],
            "round": {
                "held": bool(state["round_held"]),
                "open": bool(state["round_open"]),
                "submitted": bool(state["round_submitted"]),
                "pass_blocked": bool(state["pass_blocked"]),
            },
            "draft": self._draft(),
            "standing": self._standing(),
            "settled": [self._settled(row) for row in range(state["settled_count"])],
            "deck_at_shuffle": self._counts(state["deck_at_shuffle"]),
            "turned_up": self._counts(state["turned_up"]),
            "over": self.decision == Decision.OVER,
            "winners": [int(seat) for seat in np.flatnonzero(state["winners"])],
            "event_count": int(state["event_count"]),
            "events": self._events(),
        }

    # Cards --------------------------------------------------------------------------------

    def _cards(self, beans: np.ndarray) -> list[str]:
        return [self.names[bean] for bean in beans.tolist()]

    def _sorted(self, counts: np.ndarray) -> list[str]:
        """Cards kept as counts, in table order."""
        return [
            name for name, cards in zip(self.names, counts.tolist(), strict=False) if cards
            for _ in range(cards)
        ]  # fmt: skip

    def _counts(self, counts: np.ndarray) -> dict[str, int]:
        """Beans that are there at all."""
        return {
            name: cards for name, cards in zip(self.names, counts.tolist(), strict=False) if cards
        }

    def _face_up(self) -> list[str]:
        if self.rules.duel:
            return self._sorted(self.state["face_up_beans"])
        return self._cards(self.state["face_up"][: self.state["face_up_size"]])

    def _player(self, seat: int) -> dict[str, Any]:
        state = self.state
        slots = int(state["field_slots"][seat])
        beans, counts = state["field_bean"][seat].tolist(), state["field_count"][seat].tolist()
        return {
            "hand": self._cards(state["hand"][seat, : state["hand_size"][seat]]),
            "fields": [
                {"bean": self.names[beans[i]], "count": counts[i]} if counts[i] else None
                for i in range(slots)
            ],
            "coins": self._cards(state["coin_stack"][seat, : state["coins"][seat]]),
            "set_aside": self._sorted(state["set_aside"][seat]),
            "proposals_left": int(state["proposals_left"][seat]),
            "passed": bool(state["passed"][seat]),
            "drawn_since": int(state["drawn_since"][seat]),
            "known": self._counts(state["known"][seat]),
        }

    # Proposals ----------------------------------------------------------------------------

    def _to(self, recipient: int) -> int | None:
        return None if recipient == TABLE else int(recipient)

    def _answers(self, answers: np.ndarray) -> list[str | None]:
        given = answers[: self.players].tolist()
        return [Answer(answer).text if answer else None for answer in given]

    def _draft(self) -> dict[str, Any] | None:
        state = self.state
        if self.decision != Decision.COMPOSE:
            return None
        return {
            "proposer": int(state["to_act"]),
            "to": self._to(state["draft_recipient"]),
            "offer": self._counts(state["draft_offer"]),
            "request": self._counts(state["draft_request"]),
            "counter": bool(state["countering"]),
        }

    def _standing(self) -> dict[str, Any] | None:
        state = self.state
        if self.decision not in _WITH_STANDING:
            return None
        answering = self.decision == Decision.RESPOND
        partner = int(state["partner"])
        standing: dict[str, Any] = {
            "proposer": int(state["proposer"]),
            "to": self._to(state["recipient"]),
            "offer": self._counts(state["offer"]),
            "request": self._counts(state["request"]),
            "counter": bool(state["countering"]),
            "answers": self._answers(state["pending_answers" if answering else "answers"]),
            "partner": None if partner == NOBODY else partner,
        }
        if self.decision == Decision.GIVE:
            standing["copies"] = {
                "proposer": np.flatnonzero(state["chosen_hand"][0]).tolist(),
                "partner": np.flatnonzero(state["chosen_hand"][1]).tolist(),
                "face_up": np.flatnonzero(state["chosen_face_up"]).tolist(),
            }
        return standing

    def _settled(self, row: int) -> dict[str, Any]:
        state = self.state
        partner = int(state["settled_partner"][row])
        return {
            "proposer": int(state["settled_proposer"][row]),
            "to": self._to(state["settled_recipient"][row]),
            "offer": self._counts(state["settled_offer"][row]),
            "request": self._counts(state["settled_request"][row]),
            "counter": bool(state["settled_counter"][row]),
            "answers": self._answers(state["settled_answers"][row]),
            "partner": None if partner == NOBODY else partner,
        }

    def _events(self) -> list[list[Any]]:
        """The last public events, oldest first."""
        count = int(self.state["event_count"])
        rows = self.state["events"].tolist()
        events = []
        for number in range(max(0, count - EVENT_CAPACITY), count):
            kind, seat, other, bean, amount, detail = rows[number % EVENT_CAPACITY]
            name = None if bean < 0 else self.names[bean]
            events.append([Event(kind).name.lower(), seat, other, name, amount, detail])
        return events
