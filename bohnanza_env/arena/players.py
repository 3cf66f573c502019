"""Who plays: bots by name, policies, and all that can be made into one."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from bohnanza_env.bots import BOTS, POLICIES, BotPolicy, Policy, bot, named_policy
from bohnanza_env.checkpoints import rules_differences
from bohnanza_env.engine.rules import Rules
from bohnanza_env.search import SearchPolicy

from .adapters import SAMPLING, CallablePolicy, CheckpointPolicy, TorchPolicy, is_torch_module

__all__ = [
    "Label",
    "Player",
    "as_player",
    "check_players",
    "label_of",
    "load_player",
    "misfit",
    "source_of",
    "version_of",
]

# A bot's name, or a policy. Policies are copied, one for each seat they take, and pickled.
Player = str | Policy

_KINDS = (
    "a bot's name, a Policy, a torch module from observations to logits, "
    "or a function (observation, mask) -> action"
)


def as_player(name: str, thing: Any, sampling: str = "stochastic") -> Player:
    """A bot's name or a policy as it is; torch modules and functions as policies of that name.

    Raises:
        TypeError: it is none of these.
    """
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Policy) and not isinstance(thing, type):
        return thing
    if is_torch_module(thing):
        return TorchPolicy(thing, name, sampling=sampling)
    if callable(thing) and not isinstance(thing, type) and _arguments(thing) == 2:
        return CallablePolicy(thing, name, str(getattr(thing, "version", "")))
    raise TypeError(f"players: {name}: expected {_KINDS}; got {thing!r}")


def check_players(players: Mapping[str, Any], rules: Rules | None = None) -> dict[str, Player]:
    """The players by name.

    Raises:
        ValueError: an unknown bot, a name that cannot be, or a policy that does not know these
            rules: the message says what differs.
        TypeError: something that cannot play.
    """
    checked: dict[str, Player] = {}
    for name, thing in players.items():
        if not name or any(sign in name for sign in ", \n"):
            raise ValueError(f"players: the name {name!r} is empty or has commas or blanks")
        player = checked[name] = as_player(name, thing)
        if isinstance(player, str):
            bot(player)
        faults = [] if rules is None else misfit(player, rules)
        if faults:
            raise ValueError(f"{name}: made for another game: {'; '.join(faults)}")
    return checked


def misfit(player: Player, rules: Rules) -> list[str]:
    """In which fields the rules that a policy knows differ from these; most know all rules."""
    known = getattr(player, "rules", None)
    return rules_differences(known, rules) if isinstance(known, Rules) else []


def version_of(player: Player) -> str:
    """The version of a bot, or what a policy says of itself (``version``), else nothing."""
    if isinstance(player, BotPolicy):
        return str(player.spec.version)
    return str(bot(player).version if isinstance(player, str) else getattr(player, "version", ""))


class Label(NamedTuple):
    """What the rows tell of a player beside its name."""

    version: str
    source: str

    def __str__(self) -> str:
        return f"{self.source} (version {self.version})" if self.version else self.source


def label_of(player: Player, source: str | None = None) -> Label:
    """The label of a player; ``source`` instead of what it says of itself."""
    return Label(version_of(player), source_of(player) if source is None else source)


def source_of(player: Player, text: str = "") -> str:
    """What a player is, whatever it is called: ``trader``, ``search:16`` (with other settings than
    usual, all of them), ``a saved network`` (its version tells which), else where its code is,
    ``package.module:name``.

    Args:
        player: a bot's name or a policy.
        text: what it was loaded from by :func:`load_player`, if it was: two functions of a module
            may make policies of one class.
    """
    if isinstance(player, str):
        return player
    if isinstance(player, CheckpointPolicy):
        return "a saved network"
    if type(player) is BotPolicy:
        return player.name
    if type(player) is SearchPolicy:
        usual = repr(player) == repr(SearchPolicy(player.rollouts))
        return player.name if usual else repr(player)
    where = _parts(text)[1]
    if where:
        return where
    code: Any = player
    if isinstance(player, CallablePolicy):
        code = player.function
    elif isinstance(player, TorchPolicy):
        code = player.module
    code = code if hasattr(code, "__qualname__") else type(code)
    return f"{code.__module__}:{code.__qualname__}"


def _parts(text: str) -> tuple[str, str, str]:
    """Of a text: the name to be shown, what is meant, and how it samples; each may be empty."""
    shown, _, where = text.strip().rpartition("=")
    where, _, sampling = where.partition("@")
    return shown, where, sampling


def load_player(text: str) -> tuple[str, Player]:
    """A player from a text, with its name.

    ``greedy``: a bot. ``search`` or ``search:16``: with so many simulated games a decision.
    ``runs/first`` or ``policy.zip``, also with ``sb3:`` before it: a policy saved by ``training/``.
    ``package.module:name``: a policy, a torch module, a function of observation and mask, or what
    makes one of these when it is called without arguments; modules are looked for in the working
    directory, too. ``shown_name=`` may stand before, and ``@deterministic`` or ``@stochastic``
    (default) behind networks.

    Raises:
        ValueError: there is nothing of that kind; names the bots there are.
    """
    shown, where, sampling = _parts(text)
    if not where:
        raise ValueError(f"policy {text!r}: it names nothing; known bots: {', '.join(POLICIES)}")
    if sampling and sampling not in SAMPLING:
        raise ValueError(f"policy {where!r}: @{sampling}: expected @{' or @'.join(SAMPLING)}")
    if where in BOTS:
        if sampling:
            raise ValueError(f"policy {where!r}: @{sampling} is for networks, this is a bot")
        return shown or where, where
    if where.partition(":")[0] in POLICIES:
        if sampling:
            raise ValueError(f"policy {where!r}: @{sampling} is for networks")
        own = named_policy(where)
        return shown or own.name, own
    saved = where.removeprefix("sb3:")
    if saved != where or where.endswith(".zip") or Path(where).is_dir():
        policy = CheckpointPolicy(saved, shown, sampling or "stochastic")
        return policy.name, policy
    if ":" not in where:
        raise ValueError(
            f"unknown policy {where!r}; known bots: {', '.join(POLICIES)}; a saved policy: its "
            ".zip or the folder of its run; a policy of your own: package.module:name"
        )
    found = _of_module(where)
    name = shown or str(getattr(found, "name", where.rpartition(":")[2]))
    try:
        return name, as_player(name, found, sampling or "stochastic")
    except TypeError:
        raise ValueError(f"policy {where!r}: expected {_KINDS}; got {found!r}") from None


def _of_module(where: str) -> Any:
    module, _, attribute = where.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"policy {where!r}: {error}") from None
    maker = isinstance(found, type) or not (isinstance(found, Policy) or is_torch_module(found))
    if not maker or not callable(found) or (not isinstance(found, type) and _arguments(found) == 2):
        return found
    try:
        return found()
    except TypeError as error:
        raise ValueError(f"policy {where!r}: cannot be made without arguments ({error})") from None


def _arguments(function: Callable[..., Any]) -> int:
    """How many arguments it has to be given by position; -1 where nobody can tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return -1
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in positional and p.default is p.empty for p in parameters)
