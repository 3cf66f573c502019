"""Playing the PettingZoo environments in tests."""

from __future__ import annotations

import numpy as np

from bohnanza_env import Game, bohnanza_v0

MINI = {"edition": "mini", "players": 3}
AMIGO = {"edition": "amigo", "players": 4}
DUEL = {"edition": "duel", "players": 2}
COMPACT = {"edition": "rio_grande", "players": 6, "protocol": "compact"}


def fresh(seed: int = 0, **arguments):
    env = bohnanza_v0.env(**arguments)
    env.reset(seed=seed)
    return env


def choose(env, observation: dict, rng: np.random.Generator) -> int | None:
    """A legal action, ``None`` for an agent whose game is over."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def same_record(one: Game, other: Game) -> bool:
    """Whether all fields are equal."""
    names = one.state.dtype.names
    assert names is not None
    return all((one.state[name] == other.state[name]).all() for name in names)


def trace(env, rng: np.random.Generator, most: int = 10**6) -> list[tuple]:
    """Play on; everything that is handed out on the way."""
    rows = []
    for agent in env.agent_iter(most):
        seen, *others = env.last()
        action = choose(env, seen, rng)
        arrays = seen["observation"].tobytes(), seen["action_mask"].tobytes()
        rows.append((agent, *arrays, *others, action, env.steps))
        env.step(action)
        rows.append((tuple(env.agents), dict(env.rewards), env.state().tobytes()))
    return rows


def advance(env, steps: int, rng: np.random.Generator) -> None:
    trace(env, rng, steps)
