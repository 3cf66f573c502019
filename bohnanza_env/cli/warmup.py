"""Everything that is made for this machine on first use, used once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

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

    for encoding in ("flat", "tokens"):
        env = raw_env("mini", 2, encoding=encoding)
        env.reset(seed=0)
        observation = env.observe(env.agent_selection)
        env.step(int(observation["action_mask"].argmax()))
        env.last()
        env.state()


def _single_agent() -> None:
    from bohnanza_env.single_agent import BohnanzaEnv

    env = BohnanzaEnv("mini", 2)
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))


_PARTS: dict[str, Callable[[], None]] = {
    "rules and games": _engine,
    "positions": _positions,
    "views": _views,
    "re-deals": _redeals,
    "bots": _bots,
    "search": _search,
    "environments for many agents": _environments,
    "environment for one": _single_agent,
}


def warm_up() -> Iterator[tuple[str, float]]:
    """Use each part once; yields its name and the seconds it took."""
    for name, use in _PARTS.items():
        begun = time.perf_counter()
        use()
        yield name, time.perf_counter() - begun
