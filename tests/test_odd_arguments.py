"""Arguments of odd types and sizes: each is one error that names it and what would be right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from bohnanza_env import bohnanza_v0
from bohnanza_env.bots import BotPolicy, bot
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.redeal import redeal
from bohnanza_env.search import SearchPolicy
from bohnanza_env.seat_vector import SeatVectorEnv
from bohnanza_env.single_agent import BohnanzaEnv
from bohnanza_env.vector import GameVector
from bohnanza_env.view import view_of

MINI = Rules.of("mini", 2, protocol="compact")


def begun(env: Any, **seed: Any) -> Any:
    env.reset(**seed)
    return env


# From a seed to the first game that it makes.
SEEDED: dict[str, Callable[[Any], Game]] = {
    "Game": lambda seed: Game(MINI, seed),
    "GameVector": lambda seed: begun(GameVector(MINI, 2, seed)).game(0),
    "GameVector.reset": lambda seed: begun(GameVector(MINI, 2), seed=seed).game(0),
    "SeatVectorEnv": lambda seed: begun(SeatVectorEnv(2, rules=MINI), seed=seed).game(0),
    "BohnanzaEnv": lambda seed: begun(BohnanzaEnv(rules=MINI), seed=seed).game,
    "AEC": lambda seed: begun(bohnanza_v0.env(rules=MINI), seed=seed).game,
    "parallel": lambda seed: begun(bohnanza_v0.parallel_env(rules=MINI), seed=seed).aec_env.game,
}


@pytest.mark.parametrize("seed", [2.5, -1, "7", True, np.float64(3), (1.5, 2)], ids=repr)
@pytest.mark.parametrize("name", SEEDED)
def test_odd_seeds(name: str, seed: Any) -> None:
    with pytest.raises((ValueError, TypeError), match=r"^seed: .*expected .*, got ") as caught:
        SEEDED[name](seed)
    assert type(caught.value) in (ValueError, TypeError)


def test_seeds_of_numpy_are_seeds() -> None:
    for name, use in SEEDED.items():
        for seed in (np.int64(3), np.uint8(3)):
            assert use(seed).state == use(3).state, name


def test_seeds_that_gymnasium_draws_can_be_given_again() -> None:
    env = BohnanzaEnv(rules=MINI)
    env.reset()
    drawn = env.np_random_seed
    first = env.game.state["seed"].item()
    env.reset(seed=drawn)
    assert env.game.state["seed"].item() == first
    SeatVectorEnv(2, rules=MINI).reset(seed=[drawn, None])


@pytest.mark.parametrize("seed", [2.5, -1, "7", True, 2**64], ids=repr)
def test_odd_seeds_of_decks(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"^deck_seed: expected a whole number from 0 to 2\^64"):
        BohnanzaEnv(rules=MINI).reset(options={"deck_seed": seed})


@pytest.mark.parametrize("seat", [1.5, "1", None, True, np.float32(1)], ids=repr)
def test_odd_seats(seat: Any) -> None:
    with pytest.raises(TypeError, match=r"^seat: expected a whole number 0 to 1, got "):
        view_of(Game(MINI, 1), seat)
    for right in (np.int8(1), np.uint64(1)):
        assert view_of(Game(MINI, 1), right)["seat"][0] == 1


@pytest.mark.parametrize("count", [2**63, 0, -1, 1.5, True, "3"], ids=repr)
def test_odd_counts(count: Any) -> None:
    for name in ("max_steps", "threads", "games"):
        with pytest.raises(ValueError, match=rf"^{name}: expected a whole number from 1 to 2\^63"):
            GameVector(MINI, **{"games": 2, name: count})
    for name, make in (("max_steps", bohnanza_v0.env), ("max_decisions", BohnanzaEnv)):
        with pytest.raises(ValueError, match=rf"^{name}: expected a whole number from 1 to 2\^63"):
            make(rules=MINI, **{name: count})
    with pytest.raises(ValueError, match=r"^max_decisions: expected a whole number from 1"):
        SeatVectorEnv(2, rules=MINI, max_decisions=count)
    GameVector(MINI, 2, max_steps=2**63 - 1).reset()


@pytest.mark.parametrize("scale", [float("nan"), float("inf"), -np.inf, "x", None, True], ids=repr)
@pytest.mark.parametrize("make", [BohnanzaEnv, SeatVectorEnv])
def test_odd_scales(make: Any, scale: Any) -> None:
    with pytest.raises(ValueError, match=r"^reward_scale: expected a finite number, got "):
        make(rules=MINI, reward_scale=scale)
    make(rules=MINI, reward_scale=np.float32(0.5))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"rollouts": True}, TypeError, "rollouts: expected a whole number 0 to 1000000, got True"),
        ({"turns": 2.5}, TypeError, "turns: expected a whole number 1 to 1000, got 2.5"),
        ({"candidates": 1}, ValueError, "candidates: expected 2 to 32, got 1"),
        ({"errors": float("nan")}, ValueError, "errors: expected a finite number, got nan"),
        ({"errors": "1"}, ValueError, "errors: expected a finite number, got '1'"),
        ({"errors": -1}, ValueError, "errors: expected a number from 0 to below 100, got -1"),
        ({"own": 3}, TypeError, "expected a name, one of random, greedy, .*; got 3"),
        ({"own": "random"}, ValueError, "own: expected trader or a relative of it, got random"),
    ],
)
def test_odd_settings_of_search(arguments: dict, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        SearchPolicy(**arguments)


@pytest.mark.parametrize("generator", [np.arange(3), np.zeros(4), 2.5, True, None], ids=repr)
def test_odd_generators(generator: Any) -> None:
    vector = GameVector(MINI, 2)
    vector.reset()
    view = view_of(Game(MINI, 1), 0)
    for use in (vector.random_actions, lambda given: redeal(MINI, view, given)):
        with pytest.raises(TypeError, match=r"^generator: expected .*, or a seed$"):
            use(generator)


def test_a_bot_is_named_by_a_text() -> None:
    with pytest.raises(TypeError, match="bot: expected a name, one of random, greedy"):
        bot(3)  # type: ignore[arg-type]


def policies() -> list[Any]:
    found: list[Any] = [BotPolicy("trader"), SearchPolicy(4)]
    adapters = pytest.importorskip("bohnanza_env.arena.adapters")
    found.append(adapters.CallablePolicy(lambda observation, mask: int(mask.argmax())))
    torch = pytest.importorskip("torch")
    game = Game(MINI, 1)
    size = BohnanzaEnv(rules=MINI).layout.size
    found.append(adapters.TorchPolicy(torch.nn.Linear(size, len(game.mask))))
    return found


def test_masks_of_another_shape() -> None:
    game = Game(MINI, 1)
    view, actions = view_of(game, game.to_act), len(game.mask)
    for policy in policies():
        policy.reset(MINI, game.to_act, 1)
        wrong = (game.mask[:-1], np.ones(actions + 1, np.int8), game.mask[None], game.mask[:1])
        for mask in (*wrong, game.mask.tolist()):
            with pytest.raises(ValueError, match=rf"^mask: .*shape \({actions},\), .*, got ") as e:
                policy.act(view, mask)
            if isinstance(mask, np.ndarray):
                assert str(mask.shape) in str(e.value)
        assert game.mask[policy.act(view, game.mask.copy())]
