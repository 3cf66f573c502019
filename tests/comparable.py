"""The engine's records and the reference's facts in the same words (see ``comparison``)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from reference import ReferenceGame
from reference.knowledge import own_copies

from bohnanza_env.engine.decisions import Answer
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import TABLE


class Record:
    """A record of the engine as whole numbers and arrays: unpacked as a whole, which is quicker
    where most of it is read, or each when it is first read.
    """

    def __init__(self, array: np.ndarray, *, whole: bool = False) -> None:
        self._array = array
        if whole:
            vars(self).update(zip(array.dtype.names, array[0].item(), strict=True))

    def __getattr__(self, name: str) -> Any:
        value = self._array[name][0]
        if not isinstance(value, np.ndarray):
            value = value.item()
        setattr(self, name, value)
        return value


def engine_position(game: Game) -> dict[str, Any]:
    """The engine's record in words: everything hidden, every order that matters."""
    record, rules = Record(game.state), game.rules
    names = rules.bean_names

    def cards(row: Any, size: int) -> list[str]:
        return [names[n] for n in row[:size].tolist()]

    players = []
    for seat in range(rules.players):
        players.append(
            {
                "hand": cards(record.hand[seat], record.hand_size[seat]),
                "coins": cards(record.coin_stack[seat], record.coins[seat]),
                "hand_beans": _by_bean(names, record.hand_beans[seat]),
            }
        )
    return {
        "deck": cards(record.deck, record.deck_size)[::-1],
        "discard": cards(record.discard, record.discard_size),
        "players": players,
        "shuffles": int(record.shuffles),
        "stopped": bool(record.stopped),
        "scores": game.scores,
        "winners": game.winners,
        "over": game.over,
        "pass_closed": bool(record.pass_blocked),
        "submitted_in_round": bool(record.round_open and record.round_submitted),
        "pending": [
            [seat, Answer(answer).text]
            for seat, answer in enumerate(record.pending_answers.tolist())
            if answer
        ],
    }


def reference_position(other: ReferenceGame) -> dict[str, Any]:
    names = list(other.rules["beans"])
    standing = other.standing
    answering = other.decision == "respond" and standing["recipient"] is None
    return {
        "deck": other.deck,
        "discard": other.discard,
        "players": [
            {
                "hand": player.hand,
                "coins": player.coins,
                "hand_beans": {b: player.hand.count(b) for b in names if b in player.hand},
            }
            for player in other.players
        ],
        "shuffles": other.shuffles,
        "stopped": other.stopped,
        "scores": other.scores(),
        "winners": other.winners,
        "over": other.over,
        "pass_closed": other.pass_closed,
        "submitted_in_round": other.round_under_way and other.submitted_in_round,
        "pending": sorted(standing["answers"]) if answering else [],
    }


def _by_bean(names: tuple[str, ...], row: Any) -> dict[str, int]:
    return {name: n for name, n in zip(names, row.tolist(), strict=False) if n}


def private(rules: Rules, view: Record) -> dict[str, Any]:
    """What one seat alone knows."""
    names = rules.bean_names
    return {
        "hand": [names[n] for n in view.hand.tolist() if n >= 0],
        "own_beans": _by_bean(names, view.hand_beans),
        "draft": _draft(names, view),
        "copies": _copies(view, view.seat),
    }


def private_facts(other: ReferenceGame, seat: int) -> dict[str, Any]:
    hand = other.players[seat].hand
    composing = other.draft is not None and other.draft["proposer"] == seat
    copies = own_copies(other, seat)
    return {
        "hand": hand,
        "own_beans": dict(Counter(hand)),
        "draft": other.draft if composing else None,
        "copies": copies and {pile: sorted(places) for pile, places in copies.items()},
    }


def facts_of_view(rules: Rules, view: Record) -> dict[str, Any]:
    """A seat's view in the words of the reference's facts; zeros of counts left out."""
    names, players = rules.bean_names, rules.players
    over = view.to_act < 0
    final = view.stopped or view.exhaustions >= rules.final_exhaustion
    facts = {
        **private(rules, view),
        "seat": view.seat,
        "hand_sizes": view.hand_size[:players].tolist(),
        "fields": [_fields(names, view, p) for p in range(players)],
        "fields_gained": view.field_gained[:players].tolist(),
        "set_aside": [_by_bean(names, view.set_aside[p]) for p in range(players)],
        "coins": [_by_bean(names, view.coin_beans[p]) for p in range(players)],
        "coin_counts": view.coins[:players].tolist(),
        "face_up": _by_bean(names, view.face_up_beans),
        "face_up_size": view.face_up_size,
        "offer": _by_bean(names, view.duel_offer),
        "deck_size": view.deck_size,
        "exhaustions": view.exhaustions,
        "exhaustions_to_come": rules.final_exhaustion - view.exhaustions,
        "phase_4_follows": not final and not over,
        "discard": _by_bean(names, view.discard_beans),
        "discard_size": view.discard_size,
        "removed": _by_bean(names, view.removed),
        "start": view.start,
        "turn": view.turn,
        "active": view.active,
        "decision": _DECISIONS[view.decision],
        "to_act": None if over else view.to_act,
        "settled": [_settled(names, players, view, i) for i in range(view.settled_count)],
        "standing": _standing(names, players, view),
        "round_held": bool(view.round_held),
        "round_under_way": bool(view.round_open),
        "passed": [p for p in range(players) if view.passed[p]],
        "deck_at_shuffle": _by_bean(names, view.deck_at_shuffle),
        "turned_up": _by_bean(names, view.turned_up),
        "drawn_since": view.drawn_since[:players].tolist(),
        "known": [_by_bean(names, view.known[p]) for p in range(players)],
    }
    if rules.trading:
        facts["proposals_left"] = view.proposals_left[:players].tolist()
        facts["face_up_order"] = [names[n] for n in view.face_up.tolist() if n >= 0]
    if rules.duel:
        facts["discard_pile"] = [names[n] for n in view.discard[: view.discard_size].tolist()]
    if view.decision == 0:  # the rules count planted cards in phase 1 only
        facts["planted"] = view.planted
    if rules.field_price:
        facts["coin_top"] = [
            [names[n] for n in row[: rules.field_price] if n >= 0]
            for row in view.coin_top[:players].tolist()
        ]
    return facts


_DECISIONS = (
    "plant floor compose respond choose give plant_set_aside window offer_in discard faceup over"
).split()


def _fields(names: tuple[str, ...], view: Record, seat: int) -> list[dict[str, Any] | None]:
    slots = int(view.field_slots[seat])
    planted = zip(view.field_bean[seat].tolist(), view.field_count[seat].tolist(), strict=True)
    return [{"bean": names[b], "count": n} if n else None for b, n in planted][:slots]


def _recipient(number: int) -> int | None:
    return None if number == TABLE else number


def _answers(players: int, proposer: int, row: list[int]) -> list[list[Any]]:
    """Answers in the order in which they are asked, clockwise from the proposer."""
    seats = [(proposer + k) % players for k in range(1, players)]
    return [[seat, Answer(row[seat]).text] for seat in seats if row[seat]]


def _standing(names: tuple[str, ...], players: int, view: Record) -> dict[str, Any] | None:
    if not view.standing:
        return None
    proposer = view.proposer
    return {
        "proposer": proposer,
        "recipient": _recipient(view.recipient),
        "offer": _by_bean(names, view.offer),
        "request": _by_bean(names, view.request),
        "counters": view.settled_count - 1 if view.countering else None,
        "answers": _answers(players, proposer, view.answers.tolist()),
    }


def _settled(names: tuple[str, ...], players: int, view: Record, row: int) -> dict[str, Any]:
    proposer = int(view.settled_proposer[row])
    return {
        "proposer": proposer,
        "recipient": _recipient(int(view.settled_recipient[row])),
        "offer": _by_bean(names, view.settled_offer[row]),
        "request": _by_bean(names, view.settled_request[row]),
        "counters": row - 1 if view.settled_counter[row] else None,
        "answers": _answers(players, proposer, view.settled_answers[row].tolist()),
    }


def _draft(names: tuple[str, ...], view: Record) -> dict[str, Any] | None:
    if view.draft_recipient < 0:
        return None
    return {
        "proposer": view.seat,
        "recipient": _recipient(view.draft_recipient),
        "offer": _by_bean(names, view.draft_offer),
        "request": _by_bean(names, view.draft_request),
        "counters": view.settled_count - 1 if view.countering else None,
        "answers": [],
    }


def _copies(view: Record, seat: int) -> dict[str, list[int]] | None:
    """The copies chosen so far, rising (the reference keeps them in the order chosen)."""
    if _DECISIONS[view.decision] != "give" or seat not in (view.proposer, view.partner):
        return None
    return {
        "hand": np.flatnonzero(view.chosen_hand).tolist(),
        "face_up": np.flatnonzero(view.chosen_face_up).tolist(),
    }


def comparable_facts(other: ReferenceGame, seat: int) -> dict[str, Any]:
    """The reference's facts, with zeros left out and orders that mean nothing sorted."""
    facts = {**other.facts(seat), **private_facts(other, seat)}
    rules = other.rules
    facts["coin_counts"] = [sum(coins.values()) for coins in facts["coins"]]
    facts["discard_size"] = len(facts["discard_pile"])
    facts["face_up_size"] = len(facts["face_up"])
    facts["face_up_order"] = facts["face_up"]
    facts["passed"] = sorted(facts["passed"])
    for name in ("set_aside", "coins", "known"):
        facts[name] = [_positive(counts) for counts in facts[name]]
    for name in ("discard", "removed", "deck_at_shuffle", "turned_up"):
        facts[name] = _positive(facts[name])
    for name in ("face_up", "offer"):
        facts[name] = dict(Counter(facts[name]))
    if not rules["trading"]:
        del facts["proposals_left"], facts["face_up_order"]
    if not rules["duel"]:
        del facts["discard_pile"]
    if facts["decision"] != "plant":
        del facts["planted"]
    if not rules["field_price"]:
        del facts["coin_top"]
    return facts


def _positive(counts: dict[str, int]) -> dict[str, int]:
    return {bean: n for bean, n in counts.items() if n}
