"""What can sit at a table, and bots in that form."""

from __future__ import annotations

import hashlib
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

import numpy as np

from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array

from .choosing import choose_kernel
from .memory import new_memory
from .registry import POLICIES, BotSpec, bot

__all__ = [
    "BotPolicy",
    "Policy",
    "begin_game",
    "named_policy",
    "plain_mask",
    "policy_seed",
    "seat_generator",
]


@runtime_checkable
class Policy(Protocol):
    """Anything that decides for one seat from what that seat may see.

    Attributes:
        name: shown in tables and records.
    """

    name: str

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        """A new game begins; all randomness of the policy follows from ``seed`` and ``seat``.

        ``seed`` should not be the game's own: see :func:`policy_seed`.
        """

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        """A legal action.

        Args:
            view: array of shape (1,), dtype ``VIEW_DTYPE``; to be read only.
            mask: int8, 1 for each legal action.
        """


def policy_seed(seed: int) -> int:
    """The seed for policies in the game of ``seed``, which cannot be worked out from it.

    A policy that knew the seed of the game could deal everybody's hand for itself.
    """
    digest = hashlib.sha256(int(seed).to_bytes(8, "little")).digest()
    return int.from_bytes(digest[:7], "little")  # below 2^56: fits every library's seed


def plain_mask(mask: np.ndarray, actions: int) -> np.ndarray:
    """The mask as compiled code takes it: int8, 0 or 1, without gaps, made of any numbers.

    Raises:
        ValueError: no array with one number for each of the ``actions``.
    """
    if getattr(mask, "shape", None) != (actions,):
        raise ValueError(
            f"mask: expected an array of shape ({actions},), one number for each action of the "
            f"rules, got {_shape_of(mask)}"
        )
    return (mask != 0).view(np.int8)


def _shape_of(thing: Any) -> str:
    shape = getattr(thing, "shape", None)
    return type(thing).__name__ if shape is None else f"shape {shape}"


def seat_generator(seed: int, seat: int) -> np.ndarray:
    """The generator of the bot in a seat: four uint32 words, other streams than the shuffles."""
    return new_generator(seed, (1 << 16) + seat)


def begin_game(policy: Policy, rules: Rules, seat: int, seed: int) -> None:
    """Reset a policy for the game of ``seed``.

    The package's own bots get that seed, so that they play as in ``play_games``; others get
    :func:`policy_seed` of it.
    """
    policy.reset(rules, seat, seed if type(policy) is BotPolicy else policy_seed(seed))


class BotPolicy:
    """A bot as a :class:`Policy`. Copied or pickled in mid-game it has the same future.

    Args:
        spec: a bot or its name.
    """

    def __init__(self, spec: BotSpec | str) -> None:
        self.spec = bot(spec) if isinstance(spec, str) else spec
        self.name = self.spec.name
        self._memory = new_memory(1, **self.spec.settings)
        self._memory_bytes = self._memory.view(np.uint8)
        self._generator = seat_generator(0, 0)
        self._rules: Rules | None = None

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self._rules = rules
        self._actions = ActionSpace.of(rules).size
        self._rules_bytes = rules_array(rules).view(np.uint8)
        self._generator = seat_generator(seed, seat)

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        if self._rules is None:
            raise RuntimeError("reset() comes before act()")
        return choose_kernel(
            self._rules_bytes,
            view.view(np.uint8),
            plain_mask(mask, self._actions),
            self.spec.number,
            self._generator,
            self._memory_bytes,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {"spec": self.spec, "rules": self._rules, "generator": self._generator.copy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["spec"])  # type: ignore[misc]
        if state["rules"] is not None:
            self.reset(state["rules"], 0, 0)
        self._generator = state["generator"].copy()

    def __repr__(self) -> str:
        return f"BotPolicy({self.name!r})"


def named_policy(text: str) -> Policy:
    """The package's own policy of that name: ``trader``, ``search`` or ``search:16``.

    Raises:
        ValueError: no such policy, or a number that it cannot take.
    """
    name, colon, number = text.partition(":")
    spec = POLICIES.get(name)
    if spec is None:
        raise ValueError(f"unknown policy {name!r}; known policies: {', '.join(POLICIES)}")
    if isinstance(spec, BotSpec):
        if colon:
            raise ValueError(f"policy {text!r}: {name} takes no number")
        return BotPolicy(spec)
    module, _, attribute = spec.home.partition(":")
    maker = getattr(import_module(module), attribute)
    if not colon:
        return maker()
    if not (number.isascii() and number.isdigit()):
        raise ValueError(f"policy {text!r}: expected {name}:N, N being {spec.number}")
    try:
        return maker(int(number))
    except ValueError as error:
        raise ValueError(f"policy {text!r}: {error}") from None
