"""Every state of a game, visited by the engine and the reference model side by side.

The reference leads: its legal actions are tried, and its own idea of what makes two states the same
says which are new. In each state everything is compared that ``comparison`` compares at a ply, and
after each action the events.
"""

from __future__ import annotations

import hashlib
import pickle

from comparison import (
    DisagreementError,
    compare_all,
    engine_shuffle,
    report,
    sorted_offers,
    unequal,
)
from reference import ReferenceGame
from smallest_games import Counts

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.record import Recorder

_APART = ("rules", "shuffle", "events")  # the same in all states of a walk, or history


def reference_game(rules: Rules, seed: int, start: int = 0) -> ReferenceGame:
    fields = rules.to_dict()
    del fields["edition"]
    return ReferenceGame(fields, engine_shuffle(rules, seed), start)


def copied(game: ReferenceGame) -> ReferenceGame:
    """A copy that has forgotten what has happened."""
    copy = ReferenceGame.__new__(ReferenceGame)
    vars(copy).update(pickle.loads(pickle.dumps(_values(game), pickle.HIGHEST_PROTOCOL)))
    copy.rules, copy.shuffle, copy.events = game.rules, game.shuffle, []
    return copy


def after(game: ReferenceGame, action: str) -> ReferenceGame:
    """A copy in which the action has been done; its events are those of the action."""
    copy = copied(game)
    copy.apply(action)
    return copy


def _values(game: ReferenceGame) -> dict[str, object]:
    return {name: value for name, value in vars(game).items() if name not in _APART}


def reference_key(game: ReferenceGame) -> bytes:
    """Equal for equal states of one walk."""
    values = _values(game)
    # As in ``comparable``: of no account outside of a round, and in phase 3 (only R7 counts).
    values["submitted_in_round"] = game.round_under_way and game.submitted_in_round
    values["planted"] = game.planted if game.decision == "plant" else 0
    return hashlib.blake2b(repr(values).encode(), digest_size=16).digest()


def engine_key(game: Game) -> bytes:
    """Equal for equal records; forgets the public events, which tell how a state came about."""
    game.state["events"] = 0
    game.state["event_count"] = 0
    return hashlib.blake2b(game.state.tobytes(), digest_size=16).digest()


class _EventsOfStep(Recorder):
    """The events of the step just done, as a record would have them."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.events = []
        self._noted = int(game.state["event_count"][0]) - int(game.log["written"][0])
        self.note()


def walk_both(rules: Rules, seed: int, start: int = 0) -> Counts:
    """Visit every state; what the reference has counted.

    Raises:
        DisagreementError: the two differ.
    """
    walk = _Walk(rules, seed, start)
    while walk.waiting:
        walk.visit(*walk.waiting.pop())
    return Counts(len(walk.records), walk.ends, walk.steps)


class _Walk:
    def __init__(self, rules: Rules, seed: int, start: int) -> None:
        self.rules, self.seed, self.start = rules, seed, start
        self.space = ActionSpace.of(rules)
        game, other = Game(rules, seed, start, log=True), reference_game(rules, seed, start)
        # The engine's key by the reference's, and the engine's keys.
        self.records = {reference_key(other): engine_key(game)}
        self.distinct = set(self.records.values())
        self.waiting: list[tuple[Game, ReferenceGame, tuple[str, ...]]] = [(game, other, ())]
        self.ends = self.steps = 0

    def visit(self, game: Game, other: ReferenceGame, line: tuple[str, ...]) -> None:
        """``line`` are the actions that led here."""
        texts = self.space.texts(game.mask, game.to_act) if not game.over else []
        self._check(line, compare_all(game, other, texts, len(self.records) % self.rules.players))
        legal = other.legal()
        self.ends += other.over
        self.steps += len(legal)
        other.events = []
        for text in legal[1:]:
            self._try(game.copy(), copied(other), text, line)
        if legal:
            self._try(game, other, legal[0], line)  # not needed any more: no copies

    def _try(self, game: Game, other: ReferenceGame, text: str, line: tuple[str, ...]) -> None:
        line = (*line, f"{game.to_act}: {text}")
        game.step(self.space.index(text, game.to_act))
        other.apply(text)
        ours = sorted_offers(_EventsOfStep(game).events)
        self._check(line, unequal("events of the last action", ours, sorted_offers(other.events)))
        key, record = reference_key(other), engine_key(game)
        known = self.records.setdefault(key, record)
        if known is not record:
            if known != record:
                self._check(line, ["- one state of the reference is two of the engine"])
            return
        if record in self.distinct:
            self._check(line, ["- one state of the engine is two of the reference"])
        self.distinct.add(record)
        self.waiting.append((game, other, line))

    def _check(self, line: tuple[str, ...], differences: list[str]) -> None:
        if differences:
            raise DisagreementError(
                report(self.rules, self.seed, self.start, list(line), differences)
            )
