"""Everything that is made for this machine on first use, used once."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from itertools import chain
from multiprocessing import get_context

__all__ = ["warm_up"]


def _engine() -> None:
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules

    game = Game(Rules.of("mini", 2), log=True)
    game.step(int(game.legal_actions()[0]))


def _positions() -> None:
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.position import read_position, write_position

    read_position(write_position(Game(Rules.of("mini", 2))))


def _views() -> None:
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.view import view_of

    view_of(Game(Rules.of("mini", 2)), 0)


def _redeals() -> None:
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.redeal import redeal
    from bohnanza_env.view import view_of

    rules = Rules.of("mini", 2)
    redeal(rules, view_of(Game(rules), 0), 0)


def _bots() -> None:
    from bohnanza_env.bots import BOTS, BotPolicy, play_games
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.view import view_of

    rules = Rules.of("mini", 2)
    game = Game(rules)
    for name in BOTS:
        policy = BotPolicy(name)
        policy.reset(rules, game.to_act, 0)
        policy.act(view_of(game, game.to_act), game.mask)
        play_games(rules, [name] * 2, [0])


def _search() -> None:
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.search import SearchPolicy, plan_open_handed
    from bohnanza_env.view import view_of

    game = Game(Rules.of("mini", 2))
    policy = SearchPolicy(4)
    policy.reset(game.rules, game.to_act, 0)
    policy.act(view_of(game, game.to_act), game.mask)
    plan_open_handed(game, 0)


def _environments() -> None:
    from bohnanza_env.bohnanza_v0 import raw_env
    from bohnanza_env.engine.game import Game
    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.observed_game import ObservedGame
    from bohnanza_env.rewards import REWARDS

    for encoding in ("flat", "tokens"):
        env = raw_env("mini", 2, encoding=encoding)
        env.reset(seed=0)
        observation = env.observe(env.agent_selection)
        env.step(int(observation["action_mask"].argmax()))
        env.last()
        env.state()
    game = ObservedGame(Game(Rules.of("mini", 2)))
    for reward in REWARDS.values():
        game.rewards(reward)


def _single_agent() -> None:
    from bohnanza_env.single_agent import BohnanzaEnv

    env = BohnanzaEnv("mini", 2)
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))


def _vectors() -> None:
    import numpy as np

    from bohnanza_env.engine.rules import Rules
    from bohnanza_env.seat_vector import SeatVectorEnv
    from bohnanza_env.vector import GameVector

    rules = Rules.of("mini", 2)
    for threads in (1, 2):
        games = GameVector(rules, 2, threads=threads)
        games.reset()
        games.step(games.random_actions(0))
        games.observe(np.zeros(2, np.int64))
        games.close()
    seats = SeatVectorEnv(2, rules=rules)
    seats.reset(seed=0)
    seats.step(seats.action_masks().argmax(axis=1))


_PARTS: dict[str, Callable[[], None]] = {
    "rules and games": _engine,
    "positions": _positions,
    "views": _views,
    "re-deals": _redeals,
    "bots": _bots,
    "search": _search,
    "environments for many agents": _environments,
    "environment for one": _single_agent,
    "vectors": _vectors,
}
# Parts that may be made at the same time, by what they need: each row after the one above, its
# groups side by side.
_ROWS = (
    (("rules and games",),),
    (("bots", "search"), ("views", "positions", "re-deals", "environments for many agents")),
    (("environment for one", "vectors"),),
)


def _use(name: str) -> tuple[str, float]:
    """Use a part; its name and the seconds it took."""
    begun = time.perf_counter()
    _PARTS[name]()
    return name, time.perf_counter() - begun


def _begin_helping() -> None:
    """In a new process: silence, since the first one has said it, and Ctrl-C ends it at once."""
    os.environ["BOHNANZA_QUIET"] = "1"
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else it would go on with the next part


def warm_up(cores: int | None = None) -> Iterator[tuple[str, float]]:
    """Use each part once; yields its name and the seconds it took, as they end.

    With more than one core (``None``: those this process may use), groups of parts that do not need
    each other are made at the same time, each in a process of its own.
    """
    if cores is None:
        known = hasattr(os, "sched_getaffinity")  # not everywhere
        cores = len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1
    for groups in _ROWS:
        if cores == 1 or len(groups) == 1:
            yield from map(_use, chain(*groups))
            continue
        with ExitStack() as stack:
            spawn, ends = get_context("spawn"), []
            for group in groups:
                pool = ProcessPoolExecutor(1, mp_context=spawn, initializer=_begin_helping)
                stack.callback(pool.shutdown, cancel_futures=True)
                ends += [pool.submit(_use, name) for name in group]
            for end in as_completed(ends):
                yield end.result()
