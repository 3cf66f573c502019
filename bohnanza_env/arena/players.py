"""Who plays: bots by name, or policies."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module

from bohnanza_env.bots import BOTS, BotPolicy, Policy, bot

__all__ = ["Player", "check_players", "load_player", "version_of"]

# A bot's name, or a policy. Policies are copied, one for each seat they take, and pickled.
Player = str | Policy


def check_players(players: Mapping[str, Player]) -> dict[str, Player]:
    """The players by name; ``ValueError`` or ``TypeError`` for what cannot play."""
    for name, player in players.items():
        if not name or any(sign in name for sign in ", \n"):
            raise ValueError(f"players: the name {name!r} is empty or has commas or blanks")
        if isinstance(player, str):
            bot(player)
        elif not isinstance(player, Policy):
            raise TypeError(f"players: {name}: expected a bot's name or a Policy, got {player!r}")
    return dict(players)


def version_of(player: Player) -> str:
    """The version of a bot, or what a policy says of itself (``version``), else nothing."""
    if isinstance(player, BotPolicy):
        return str(player.spec.version)
    return str(bot(player).version if isinstance(player, str) else getattr(player, "version", ""))


def load_player(text: str) -> tuple[str, Player]:
    """``greedy``, ``package.module:name`` or ``shown_name=package.module:name`` as name, player.

    What the module has under that name is a policy, or makes one when it is called without
    arguments. Modules are looked for in the working directory, too.

    Raises:
        ValueError: there is nothing of that kind; names the bots there are.
    """
    shown, _, where = text.strip().rpartition("=")
    if ":" not in where:
        if where not in BOTS:
            raise ValueError(
                f"unknown policy {where!r}; known bots: {', '.join(BOTS)}; "
                "a policy of your own: package.module:name"
            )
        return shown or where, where
    module, _, attribute = where.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"policy {where!r}: {error}") from None
    makes_one = isinstance(found, type) or (callable(found) and not isinstance(found, Policy))
    try:
        policy = found() if makes_one else found
    except TypeError as error:
        raise ValueError(f"policy {where!r}: cannot be made without arguments ({error})") from None
    if not isinstance(policy, Policy):
        raise ValueError(f"policy {where!r}: expected a Policy, got {policy!r}")
    return shown or str(policy.name), policy
