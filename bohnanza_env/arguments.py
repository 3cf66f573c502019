"""Checks of arguments that environments take: each error names the argument and what is allowed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np

from .engine.rules import Rules
from .engine.whole import is_whole

__all__ = [
    "check_choice",
    "check_count",
    "check_finite",
    "check_own_seed",
    "check_rules",
    "check_seat",
    "check_seed",
]


def check_rules(
    edition: str,
    players: int,
    rules: Rules | None,
    overrides: Mapping[str, Any],
    arguments: Sequence[str],
) -> Rules:
    """The rules that ``edition``, ``players`` and ``overrides`` make, or ``rules`` where given.

    Raises:
        TypeError: an override that is no field of ``Rules`` (nor one of ``arguments``, which are
            only named in the text), or ``rules`` together with others.
        RulesError: rules that cannot be played.
    """
    known = [field.name for field in fields(Rules) if field.name not in ("players", "edition")]
    unknown = [name for name in overrides if name not in known]
    if unknown:
        raise TypeError(
            f"{', '.join(unknown)}: unknown argument; arguments: {', '.join(arguments)}; "
            f"fields of Rules: {', '.join(known)}"
        )
    if rules is None:
        return Rules.of(edition, players, **overrides)
    if not isinstance(rules, Rules):
        raise TypeError(f"rules: expected Rules, got {type(rules).__name__}")
    if overrides or (edition, players) not in (("amigo", 4), (rules.edition, rules.players)):
        raise TypeError("rules: give either rules, or edition, players and fields")
    return rules


def check_choice(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """Raise ``ValueError`` unless ``value`` is one of ``allowed``."""
    if not any(value is choice or value == choice for choice in allowed):
        names = ", ".join(map(repr, allowed))
        raise ValueError(f"{name}: unknown {name} {value!r}; expected one of {names}")


def check_seat(name: str, value: Any, players: int, others: Sequence[Any] = ()) -> int:
    """A seat from its number or its agent, ``"player_<seat>"``.

    Raises:
        ValueError: no such seat; ``others`` are what else the argument may be.
    """
    if isinstance(value, str) and value.startswith("player_"):
        digits = value.removeprefix("player_")
        seat: Any = int(digits) if digits.isdecimal() else None
    else:
        seat = value
    if is_whole(seat) and 0 <= seat < players:
        return int(seat)
    also = "".join(f", {other!r}" for other in others)
    raise ValueError(
        f"{name}: expected a seat 0 to {players - 1}, 'player_0' to 'player_{players - 1}'{also}; "
        f"got {value!r}"
    )


def _whole_number(name: str, value: Any, least: int, bits: int) -> int:
    if not is_whole(value) or not least <= value < 2**bits:
        raise ValueError(
            f"{name}: expected a whole number from {least} to 2^{bits} - 1, got {value!r}"
        )
    return int(value)


def check_count(name: str, value: Any) -> int:
    """A whole number from 1 to 2^63 - 1, for compiled code; ``ValueError`` if it is none."""
    return _whole_number(name, value, 1, 63)


def check_seed(name: str, value: Any) -> int:
    """The seed of a game: a whole number from 0 to 2^64 - 1; ``ValueError`` if it is none."""
    return _whole_number(name, value, 0, 64)


def check_own_seed(name: str, value: Any) -> int | None:
    """The seed of an environment's own stream: ``None``, or a whole number of any size.

    Raises:
        ValueError: it is neither; names the argument.
    """
    if value is None:
        return None
    if not is_whole(value) or value < 0:
        raise ValueError(f"{name}: expected None or a whole number from 0 up, got {value!r}")
    return int(value)


def check_finite(name: str, value: Any) -> float:
    """A number that is neither infinite nor NaN.

    Raises:
        ValueError: it is none; names the argument.
    """
    number = isinstance(value, int | float | np.integer | np.floating)
    if not number or isinstance(value, bool) or not math.isfinite(value):
        raise ValueError(f"{name}: expected a finite number, got {value!r}")
    return float(value)
