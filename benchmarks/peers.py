"""Other projects' games, measured as ours are; each is optional.

All play uniformly among the legal actions, with the observation and the legal actions of the
decider produced before each decision. Where a library offers several ways, the fastest that was
found is measured: OpenSpiel writes observations into one array, and its list of legal actions
counts as the mask. Pgx and fastcatan play 256 games at a time in one thread.
"""

from __future__ import annotations

import importlib
import os
import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from bohnanza_env.engine.random import new_generator, random_below

from .measuring import CALL, LOOP, Measurement, Play, while_seconds
from .ours import agent_loop

__all__ = ["PEERS", "peers"]

_INSTALL = "`pip install '.[bench-peers]'`"
_BATCH = 256

# One thread each, before anything of theirs is imported; and no greeting of pygame in the tables.
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault(
    "XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
)


def open_spiel(name: str) -> Play:
    """OpenSpiel: chance is drawn, too, but only players' decisions count.

    Where all outcomes of chance are equally likely, they are listed without their probabilities,
    which is much faster.
    """
    import pyspiel
    from open_spiel.python.observation import make_observation

    game, draw = pyspiel.load_game(name), random.Random(0)
    observation = make_observation(game)
    weights = {weight for _, weight in game.new_initial_state().chance_outcomes()}
    uniform = max(weights) - min(weights) < 1e-9

    def chance(state: Any) -> int:
        if uniform:
            outcomes = state.legal_actions()
            return outcomes[int(draw.random() * len(outcomes))]
        outcomes, odds = zip(*state.chance_outcomes(), strict=True)
        return draw.choices(outcomes, odds)[0]

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    state.apply_action(chance(state))
                    continue
                observation.set_from(state, state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(draw.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def rlcard(name: str) -> Play:
    """RLCard: ``step`` returns observation and legal actions."""
    env = importlib.import_module("rlcard").make(name, config={"seed": 0})
    draw = random.Random(0)

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(draw.random() * len(legal))])
                decisions += 1
        return decisions

    return play


def pettingzoo(name: str) -> Play:
    """PettingZoo's classic games, ``env()`` with its usual wrappers."""
    return agent_loop(importlib.import_module(f"pettingzoo.classic.{name}").env)


def pgx(name: str) -> Play:
    """Pgx: many steps of a batch in one compiled scan; games that end begin anew in it."""
    import jax
    import jax.numpy as jnp
    from pgx import make
    from pgx.experimental import auto_reset

    env, steps = make(name), 32
    step = jax.vmap(auto_reset(env.step, env.init))

    def once(carry: tuple[Any, Any], _: Any) -> Any:
        state, key = carry
        key, draw, chance = jax.random.split(key, 3)
        scores = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(draw, scores, axis=-1)
        state = step(state, actions, jax.random.split(chance, _BATCH))
        # Summed up, or the compiler would not make observations that nobody reads.
        return (state, key), state.observation.sum(dtype=jnp.float32)

    roll = jax.jit(lambda state, key: jax.lax.scan(once, (state, key), None, steps))
    begun = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), _BATCH))
    (state, key), sums = roll(begun, jax.random.PRNGKey(1))
    sums.block_until_ready()

    def play(seconds: float) -> int:
        nonlocal state, key
        decisions = 0
        for _ in while_seconds(seconds):
            (state, key), sums = roll(state, key)
            sums.block_until_ready()
            decisions += steps * _BATCH
        return decisions

    return play


@numba.njit(nogil=True)
def _sample_bits(words: Any, generator: Any) -> int:
    """A number of a set bit of ``words`` (uint64), drawn uniformly."""
    legal = 0
    for word in words:
        while word != 0:
            word &= word - np.uint64(1)
            legal += 1
    skip = random_below(generator, legal)
    for at, word in enumerate(words):
        for bit in range(64):
            if (word >> np.uint64(bit)) & np.uint64(1):
                if skip == 0:
                    return at * 64 + bit
                skip -= 1
    return -1


@numba.njit(nogil=True)
def _sample_rows(rows: Any, generator: Any, actions: Any) -> None:
    for i in range(len(rows)):
        actions[i] = _sample_bits(rows[i], generator)


def fastcatan_one() -> Play:
    """One game of fastcatan 1 from Python."""
    import fastcatan

    env, generator = fastcatan.Env(), new_generator(1)
    mask = np.zeros(fastcatan.MASK_WORDS, np.uint64)
    observation = np.zeros(fastcatan.OBS_SIZE, np.float32)

    def play(seconds: float) -> int:
        decisions = 0
        for seed, _ in enumerate(while_seconds(seconds)):
            env.reset(seed)
            done = False
            while not done:
                env.action_mask(mask)
                env.write_obs(env.current_player, observation)
                done = env.step(_sample_bits(mask, generator))[1]
                decisions += 1
        return decisions

    return play


def fastcatan_batch(observations: bool) -> Play:
    """256 games of fastcatan 1 at a time; ended games begin anew."""
    import fastcatan

    env, generator = fastcatan.BatchedEnv(_BATCH, seed=0), new_generator(1)
    env.reset()
    masks = np.zeros((_BATCH, fastcatan.MASK_WORDS), np.uint64)
    seen = np.zeros((_BATCH, fastcatan.OBS_SIZE), np.float32)
    actions, rewards = np.zeros(_BATCH, np.uint32), np.zeros(_BATCH, np.float32)
    ended = np.zeros(_BATCH, np.uint8)

    def play(seconds: float) -> int:
        decisions = 0
        for _ in while_seconds(seconds):
            for _ in range(8):
                env.write_masks(masks)
                if observations:
                    env.write_obs(seen)
                _sample_rows(masks, generator, actions)
                env.step(actions, rewards, ended)
            decisions += 8 * _BATCH
        return decisions

    return play


def _peer(name: str, prepare: Callable[[], Play], unit: str = CALL, extra: str = "") -> Measurement:
    return Measurement(name, prepare, unit, install=extra or _INSTALL)


_PGX = "`pip install '.[bench-pgx]'`"
_CATAN = f"{_INSTALL} with Python 3.12 or newer"

# By distribution: what is measured of it.
PEERS: dict[str, list[Measurement]] = {
    "fastcatan": [
        _peer("fastcatan, one game from Python", fastcatan_one, CALL, _CATAN),
        _peer("fastcatan, batch of 256", lambda: fastcatan_batch(True), LOOP, _CATAN),
        _peer("fastcatan, batch of 256, mask only", lambda: fastcatan_batch(False), LOOP, _CATAN),
    ],
    "pgx": [
        _peer("Pgx on the CPU, leduc, batch of 256", lambda: pgx("leduc_holdem"), LOOP, _PGX),
        _peer("Pgx on the CPU, backgammon, batch of 256", lambda: pgx("backgammon"), LOOP, _PGX),
    ],
    "open_spiel": [
        _peer("OpenSpiel, negotiation", lambda: open_spiel("negotiation")),
        _peer("OpenSpiel, bargaining", lambda: open_spiel("bargaining")),
        _peer("OpenSpiel, hanabi 4 players", lambda: open_spiel("hanabi(players=4)")),
        _peer("OpenSpiel, gin rummy", lambda: open_spiel("gin_rummy")),
    ],
    "rlcard": [
        _peer("RLCard, uno", lambda: rlcard("uno")),
        _peer("RLCard, no-limit hold'em", lambda: rlcard("no-limit-holdem")),
    ],
    "pettingzoo": [
        _peer("PettingZoo classic, tictactoe", lambda: pettingzoo("tictactoe_v3")),
        _peer("PettingZoo classic, connect four", lambda: pettingzoo("connect_four_v3")),
        _peer("PettingZoo classic, leduc", lambda: pettingzoo("leduc_holdem_v4")),
        _peer("PettingZoo classic, texas hold'em", lambda: pettingzoo("texas_holdem_v4")),
    ],
}


def peers() -> list[Measurement]:
    """All of them, whether installed or not."""
    return [measurement for of_one in PEERS.values() for measurement in of_one]
