"""All policies of the package by name: compiled bots, and those that are more than a kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from .steps import GREEDY, RANDOM, TRADER

__all__ = ["BOTS", "POLICIES", "BotSpec", "PolicySpec", "bot"]

# In which all bots that trade differ from the defaults.
TRADER_SETTINGS = {
    "horizon": 9,
    "flow": 300,
    "keep": 870,
    "slot": 200,
    "margin": 5,
    "accept": 0,
    "need": 40,
    "relief": 60,
    "least_chance": 70,
}


@dataclass(frozen=True)
class BotSpec:
    """A bot.

    Attributes:
        name: its name.
        version: goes up when what it decides changes, not for speed.
        description: what it does, in a line.
        cost: about how long a decision takes, in words (``amigo``, four players).
        number: which kernel decides; see ``choosing.choose``.
        settings: fields of ``memory.DEFAULT_SETTINGS`` in which it differs.
    """

    name: str
    version: int
    description: str
    cost: str
    number: int
    settings: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def __reduce__(self) -> Any:
        return bot, (self.name,)


@dataclass(frozen=True)
class PolicySpec:
    """A policy that is made in Python and takes no part in compiled loops.

    Attributes:
        name: its name; ``name:number`` sets the number that it is made with.
        version: goes up when what it decides changes, not for speed.
        description: what it does, in a line.
        cost: about how long a decision takes, in words (``amigo``, four players).
        home: ``package.module:class``, imported when it is first used.
        number: what the number is.
    """

    name: str
    version: int
    description: str
    cost: str
    home: str
    number: str


def _trader(name: str, description: str, **attitude: int) -> BotSpec:
    """A bot that trades; ``attitude`` is how it splits the value of deals."""
    settings = MappingProxyType({**TRADER_SETTINGS, **attitude})
    return BotSpec(name, 1, description, "20 µs", TRADER, settings)


BOTS: dict[str, BotSpec] = {
    spec.name: spec
    for spec in (
        BotSpec("random", 1, "any legal action, each as likely", "1 µs", RANDOM),
        BotSpec("greedy", 1, "plants and harvests well, never trades", "3 µs", GREEDY),
        _trader("trader", "makes every deal that helps both sides"),
        _trader("stingy", "makes deals of which it gets the larger part", share=1000),
        _trader("fair", "makes deals that help both sides alike", share=500, grant=500),
        _trader("generous", "makes deals that help others, at a small loss too", kindness=400),
    )
}

POLICIES: dict[str, BotSpec | PolicySpec] = {
    **BOTS,
    "search": PolicySpec(
        "search",
        1,
        "samples hidden cards, plays on, takes what leads most",
        "1 to 2 ms a simulated game",
        "bohnanza_env.search:SearchPolicy",
        "simulated games a decision",
    ),
}


def bot(name: str) -> BotSpec:
    """The bot of that name.

    Raises:
        ValueError: no such bot; names those there are.
        TypeError: no name.
    """
    if not isinstance(name, str):
        raise TypeError(f"bot: expected a name, one of {', '.join(BOTS)}; got {name!r}")
    if name in BOTS:
        return BOTS[name]
    if name.partition(":")[0] in POLICIES:
        raise ValueError(f"{name!r} is no compiled bot; as a policy: named_policy({name!r})")
    raise ValueError(f"unknown bot {name!r}; known bots: {', '.join(BOTS)}")
