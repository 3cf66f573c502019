"""Games and positions for the tests of documents."""

import json
from typing import Any

import numpy as np
import pytest

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.position import PositionError, read_position, write_position


def rules_of(edition: str, players: int, protocol: str = "staged", **overrides: Any) -> Rules:
    return Rules.of(edition, players, protocol=protocol, **overrides)


def record_bytes(game: Game) -> bytes:
    """All fields of the record; the gaps between them may hold anything."""
    state = game.state[0]
    return b"".join(np.array(state[name]).tobytes() for name in GAME_DTYPE.names or ())


def through_json(game: Game) -> Game:
    return read_position(json.loads(json.dumps(write_position(game))))


def random_action(game: Game, rng: np.random.Generator) -> int:
    """Random, but seldom composing for long, so that games come to their end soon."""
    legal = game.legal_actions()
    return int(legal[rng.integers(len(legal))])


def play_until(game: Game, decision: Decision, seed: int = 0, most: int = 3000) -> bool:
    rng = np.random.default_rng(seed)
    for _ in range(most):
        if game.over or game.decision == decision:
            break
        game.step(random_action(game, rng))
    return game.decision == decision


def game_at(decision: Decision, edition: str = "amigo", players: int = 4, **overrides: Any) -> Game:
    for seed in range(40):
        game = Game(rules_of(edition, players, **overrides), seed, seed % players)
        if play_until(game, decision, seed):
            return game
    raise AssertionError(f"no {decision.text} in {edition}")


def faults_of(data: Any) -> list[str]:
    with pytest.raises(PositionError) as caught:
        read_position(data)
    assert str(caught.value).startswith("invalid position: ")
    return caught.value.faults


def only_fault(data: Any) -> str:
    faults = faults_of(data)
    assert len(faults) == 1, faults
    return faults[0]


def small(**keys: Any) -> dict[str, Any]:
    """A position of a few keys: 3 players, 12 cards (4 each of soy, red and garden)."""
    data = {"format": "bohnanza-position/1", "rules": {"edition": "mini", "players": 3}}
    return {**data, "players": [{"hand": ["soy", "red"]}, {"hand": ["red"]}], **keys}
