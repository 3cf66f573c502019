"""The pieces of the flat observation: the one list from which all else comes (DESIGN §4).

The kernel in ``kernels`` writes them in this order; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import prod

import numpy as np
import numpy.typing as npt

from bohnanza_env.engine.cards import bean
from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.rules import Rules

__all__ = ["Axis", "Piece", "largest_turn", "pieces_of", "player_names", "tier_bounds"]

Bound = int | npt.NDArray[np.int16]


@dataclass(frozen=True)
class Axis:
    """One axis of a piece: what it runs over, and a label for each place on it."""

    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Piece:
    """A named part of the flat observation.

    Attributes:
        name: unique; also the key of ``ObservationLayout.split``.
        group: heading under which texts show it.
        kind: ``"count"`` (a number on a scale), ``"flag"`` (0 or 1) or ``"category"`` (a small
            code without order, see ``values``).
        meaning: in words.
        axes: one for each dimension; none for a single number.
        start: index of its first number in the flat vector.
        low, high: bounds of each number, arrays of ``shape``, read-only.
        values: of a category, what each code from 0 stands for.
    """

    name: str
    group: str
    kind: str
    meaning: str
    axes: tuple[Axis, ...]
    start: int
    low: npt.NDArray[np.int16]
    high: npt.NDArray[np.int16]
    values: tuple[str, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape."""
        return tuple(len(axis.labels) for axis in self.axes)

    @property
    def size(self) -> int:
        """Numbers in it."""
        return prod(self.shape)

    @property
    def stop(self) -> int:
        """One past its last index in the flat vector."""
        return self.start + self.size


@dataclass(frozen=True)
class _Draft:
    """A piece that has no place yet."""

    name: str
    kind: str
    meaning: str
    axes: tuple[Axis, ...] = ()
    high: Bound = 1
    low: int = 0
    values: tuple[str, ...] = ()


def largest_turn(rules: Rules) -> int:
    """The highest number that a turn can have.

    Every turn but the last takes the cards of its reveal and its draws off the deck, and the deck
    is filled at most ``final_exhaustion`` times with at most all cards (R19, R20).
    """
    return rules.deck_size * rules.final_exhaustion // rules.cards_a_turn


def player_names(rules: Rules) -> tuple[str, ...]:
    """Players as an observation sees them: you, then steps clockwise."""
    return ("you", *(f"+{k}" for k in range(1, rules.players)))


def pieces_of(rules: Rules) -> tuple[Piece, ...]:
    """The pieces of these rules, in order, without gaps; what cannot occur is absent."""
    pieces: list[Piece] = []
    start = 0
    for group, drafts in _Builder(rules).groups():
        for draft in drafts:
            shape = tuple(len(axis.labels) for axis in draft.axes)
            if prod(shape) == 0:
                continue
            low, high = (np.broadcast_to(np.int16(b), shape) for b in (draft.low, draft.high))
            piece = Piece(
                draft.name, group, draft.kind, draft.meaning, draft.axes, start, low, high,
                draft.values,
            )  # fmt: skip
            pieces.append(piece)
            start = piece.stop
    return tuple(pieces)


class _Builder:
    """Makes the pieces of some rules."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        names = rules.bean_names
        self.staged = rules.trading and rules.protocol == "staged"
        self.cards = np.array([rules.beans[n] for n in names], np.int16)
        self.most_cards = int(self.cards.max())
        self.player = Axis("player", player_names(rules))
        self.bean = Axis("bean", names)
        self.field = _numbered("field", rules.field_positions)
        self.position = _numbered("position", rules.hand_positions)
        self.row = _numbered("row", rules.settled_positions)
        self.bean_codes = ("none", *names)
        self.player_codes = ("nobody", *self.player.labels)
        self.recipient_codes = self.player_codes
        if self.staged:
            self.recipient_codes = (*self.player_codes, "table")
        self.answers = tuple(a.text for a in Answer)
        # What one side of a proposal can hold of each bean (R30, R33, R35).
        side = 1 if rules.protocol == "compact" else rules.trade_limit or rules.deck_size
        self.side = np.minimum(self.cards, side).astype(np.int16)

    def groups(self) -> Iterator[tuple[str, list[_Draft]]]:
        """Headings and pieces; those that can change without a public event come first."""
        if self.rules.trading:
            yield "trading", self.trading_state()
        if self.staged:
            yield "own draft and copies", self.own_choices()
        yield "situation", self.situation()
        yield "own hand", self.own_hand()
        yield "players", self.players()
        yield "fields", self.fields()
        yield "cards of players", self.cards_of_players()
        yield "piles", self.piles()
        if self.rules.trading:
            yield "standing proposal", self.standing()
            yield "settled proposals", self.settled()

    def category(
        self,
        name: str,
        meaning: str,
        values: tuple[str, ...],
        *axes: Axis,
        low: int = 0,
    ) -> _Draft:
        return _Draft(name, "category", meaning, axes, len(values) - 1, low, values)

    def situation(self) -> list[_Draft]:
        rules, players = self.rules, self.player_codes
        drafts = [
            self.category(
                "decision",
                "what is asked now, whoever is asked",
                tuple(d.text for d in Decision),
            ),
            self.category("decider", "who decides; nobody when the game is over", players),
            self.category("active", "the active player", players, low=1),
            self.category("start", "the start player (R4)", players, low=1),
            _Draft("turn", "count", "number of the turn, from 0", (), largest_turn(rules)),
            _Draft(
                "exhaustions", "count", "exhaustions of the deck so far (R19)", (),
                rules.final_exhaustion,
            ),
            _Draft("stopped", "flag", "a reveal or draw found both piles empty (R20)"),
            _Draft("phase_four", "flag", "phase 4 follows in this turn, as things stand (R21)"),
            _Draft("planted", "count", "cards planted in phase 1, while it lasts (R7)", (), 1),
            _Draft("deck_size", "count", "cards in the deck", (), rules.deck_size),
            _Draft("discard_size", "count", "cards in the discard pile", (), rules.deck_size),
        ]  # fmt: skip
        if not rules.duel and (self.rules.trading or rules.window != "off"):
            meaning = "who was last asked in the round or window; the active player before"
            drafts.append(self.category("last_asked", meaning, players, low=1))
        return drafts

    def own_hand(self) -> list[_Draft]:
        return [
            self.category("hand", "own hand, front first", self.bean_codes, self.position),
            _Draft("hand_beans", "count", "own hand by bean", (self.bean,), self.cards),
        ]

    def players(self) -> list[_Draft]:
        rules, player = self.rules, (self.player,)
        drafts = [
            _Draft("hand_size", "count", "cards in hand", player, rules.hand_positions),
            _Draft("coins", "count", "coins", player, rules.deck_size),
            _Draft(
                "drawn_since", "count",
                "cards drawn since the last shuffle, dealt hands included", player,
                rules.deck_size,
            ),
            _Draft("winners", "flag", "has won; all 0 before the end (R23)", player),
        ]  # fmt: skip
        if rules.field_positions > rules.fields:
            drafts.append(_Draft("field_gained", "flag", "has the extra field (R24)", player))
        return drafts

    def fields(self) -> list[_Draft]:
        axes = (self.player, self.field)
        most_coins, most_missing = tier_bounds(self.rules)
        return [
            self.category("field_bean", "bean in the field", self.bean_codes, *axes),
            _Draft("field_count", "count", "cards in the field", axes, self.most_cards),
            _Draft("field_coins", "count", "coins a harvest would earn now", axes, most_coins),
            _Draft(
                "next_coins", "count",
                "coins of the next tier; 0: field empty or no higher tier", axes, most_coins,
            ),
            _Draft("next_missing", "count", "cards missing to that tier", axes, most_missing),
            _Draft("protected", "flag", "bean protection forbids its harvest (R16)", axes),
        ]  # fmt: skip

    def cards_of_players(self) -> list[_Draft]:
        rules, axes = self.rules, (self.player, self.bean)
        drafts = [_Draft("coin_beans", "count", "coins by the bean they were", axes, self.cards)]
        if not rules.duel:
            drafts.append(_Draft("set_aside", "count", "set-aside cards (R10)", axes, self.cards))
        if self.rules.trading:
            meaning = "cards the hand is publicly known to hold at least"
            drafts.append(_Draft("known", "count", meaning, axes, self.cards))
        if rules.field_price:
            paying = _numbered("coin", rules.field_price)
            meaning = "the coins that would pay for a field, top first (R25)"
            drafts.append(self.category("coin_top", meaning, self.bean_codes, self.player, paying))
        return drafts

    def piles(self) -> list[_Draft]:
        rules, axes, cards = self.rules, (self.bean,), self.cards
        drafts = [
            _Draft(
                "unseen", "count", "cards in the deck and in other hands, together", axes, cards
            ),
            _Draft("discard_beans", "count", "the discard pile by bean", axes, cards),
            _Draft("deck_at_shuffle", "count", "the deck at the last shuffle", axes, cards),
            _Draft("turned_up", "count", "cards turned up from it since", axes, cards),
        ]
        if self.rules.trading:
            shown = np.minimum(cards, rules.reveal).astype(np.int16)
            drafts.append(_Draft("face_up_beans", "count", "face-up cards by bean", axes, shown))
            places = _numbered("position", rules.reveal)
            meaning = "face-up cards, in their order"
            drafts.append(self.category("face_up", meaning, self.bean_codes, places))
        if rules.duel:
            pile = _numbered("position", rules.deck_size)
            drafts += [
                _Draft("face_up_beans", "count", "face-up cards by bean", axes, cards),
                _Draft("duel_offer", "count", "offer left to the next player (R28)", axes, cards),
                self.category("discard", "the discard pile, top first", self.bean_codes, pile),
            ]
        if rules.coins_leave_game:
            drafts.append(_Draft("removed", "count", "coins that left the game (R26)", axes, cards))
        return drafts

    def trading_state(self) -> list[_Draft]:
        rules, player = self.rules, (self.player,)
        most = max(rules.proposals, rules.other_proposals)
        return [
            _Draft("round_held", "flag", "a round has been completed in this turn (R29)"),
            _Draft("round_open", "flag", "a round is under way"),
            _Draft("round_submitted", "flag", "that round, or the last one, saw a submission"),
            _Draft("pass_blocked", "flag", "the active player may not pass until one comes"),
            _Draft("passed", "flag", "passed in this round, or in the turn's last one", player),
            _Draft("proposals_left", "count", "proposals left in this turn (R33)", player, most),
        ]

    def standing(self) -> list[_Draft]:
        bean, players = (self.bean,), self.player_codes
        drafts = [
            _Draft("offer", "count", "what the proposer gives", bean, self.side),
            _Draft("request", "count", "what the proposer asks for", bean, self.side),
            _Draft("standing", "flag", "a proposal stands"),
            self.category("proposer", "who made it", players),
            self.category("recipient", "to whom", self.recipient_codes),
        ]
        if not self.staged:
            return drafts
        meaning = "a counter to the newest settled proposal is made or stands (R31)"
        return [
            self.category("answers", "answers that all can see", self.answers, self.player),
            *drafts,
            _Draft("countering", "flag", meaning),
            self.category("partner", "who accepted, once that is settled", players),
        ]

    def own_choices(self) -> list[_Draft]:
        rules, bean = self.rules, (self.bean,)
        places = _numbered("position", rules.reveal)
        taken = self.most_cards
        return [
            self.category("draft_recipient", "to whom you compose", self.recipient_codes),
            _Draft("draft_offer", "count", "what your draft offers so far", bean, self.side),
            _Draft("draft_request", "count", "what it requests so far", bean, self.side),
            self.category(
                "own_answer",
                "your answer to a table proposal that others still have to answer",
                self.answers[: Answer.REJECT + 1],  # a table proposal is never countered (R31)
            ),
            self.category("give_bean", "the bean whose copies you choose (R32)", self.bean_codes),
            _Draft("give_taken", "count", "copies of it chosen so far", (), taken),
            _Draft(
                "give_from", "count", "the first hand position that may still be chosen", (),
                rules.hand_positions,
            ),
            _Draft("chosen_hand", "flag", "this hand card leaves", (self.position,)),
            _Draft("chosen_face_up", "flag", "this face-up card leaves", (places,)),
        ]  # fmt: skip

    def settled(self) -> list[_Draft]:
        row, rows = self.row, self.rules.settled_positions
        drafts = [
            _Draft("settled_count", "count", "proposals answered in this turn", (), rows),
            _Draft(
                "settled_since", "count",
                "those of them after the last movement of cards: the first rows (R30)", (), rows,
            ),
            self.category("settled_proposer", "who made it, newest first", self.player_codes, row),
            self.category("settled_recipient", "to whom", self.recipient_codes, row),
        ]  # fmt: skip
        if not self.staged:
            reply = self.answers[: Answer.REJECT + 1]
            return [
                *drafts,
                self.category("settled_give", "the bean offered", self.bean_codes, row),
                self.category("settled_get", "the bean asked for", self.bean_codes, row),
                self.category("settled_answer", "the answer", reply, row),
            ]
        by_player, by_bean = (row, self.player), (row, self.bean)
        return [
            *drafts,
            self.category("settled_partner", "whose acceptance counted", self.player_codes, row),
            self.category("settled_answers", "the answers", self.answers, *by_player),
            _Draft("settled_counter", "flag", "counters the proposal in the next row", (row,)),
            _Draft("settled_offer", "count", "what was offered", by_bean, self.side),
            _Draft("settled_request", "count", "what was asked for", by_bean, self.side),
        ]


def _numbered(name: str, size: int) -> Axis:
    return Axis(name, tuple(map(str, range(size))))


def tier_bounds(rules: Rules) -> tuple[int, int]:
    """The most coins of a harvest, and the most cards that a field can lack to a next tier."""
    meters = [bean(name).beanometer for name in rules.bean_names]
    most_coins = max(c for meter in meters for c, need in enumerate(meter, 1) if need)
    most_missing = 1
    for meter in meters:
        steps = [1, *(need for need in meter if need)]  # a field with cards holds one at least
        most_missing = max(most_missing, *(b - a for a, b in pairwise(steps)))
    return most_coins, most_missing
