"""Rewards by name (DESIGN §5): what a step is worth to each seat, from public facts alone.

From Python: ``reward_function("margin")(rules, before, after)``. From compiled code, without
allocation: :func:`write_reward`, or the kernel of one reward, ``kernel(before, coins, over,
winners, out)`` over one game:

- ``before``, ``coins``: coins by seat before and after the step, shape (players,), integer;
- ``over``: whether the game is over now (1 or 0);
- ``winners``: 1 for each seat that wins (R23), shape (players,); all zeros before the end;
- ``out``: float64, shape (players,): where the rewards are written.

Every reward is zero where no coins have changed and the game is not over, so that callers may skip
such steps. It may span several steps, with ``before`` taken at the first one. A game that is cut
off by a step limit has no final places: ``win`` and ``rank`` then pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .engine.compilation import compiled
from .engine.decisions import Decision
from .engine.rules import Rules

__all__ = [
    "REWARDS",
    "Reward",
    "reward_function",
    "reward_number",
    "win_share",
    "write_reward",
]

_OVER = int(Decision.OVER)

RewardKernel = Callable[[Any, Any, Any, Any, Any], None]


@compiled
def _margin(before, coins, over, winners, out):  # type: ignore[no-untyped-def]
    players = len(out)
    total = 0
    for seat in range(players):
        total += int(coins[seat]) - int(before[seat])
    for seat in range(players):
        own = int(coins[seat]) - int(before[seat])
        out[seat] = own - (total - own) / (players - 1)


@compiled
def _coins(before, coins, over, winners, out):  # type: ignore[no-untyped-def]
    for seat in range(len(out)):
        out[seat] = int(coins[seat]) - int(before[seat])


@compiled
def _win(before, coins, over, winners, out):  # type: ignore[no-untyped-def]
    shared = 0
    for seat in range(len(out)):
        shared += int(winners[seat])
    for seat in range(len(out)):
        out[seat] = int(winners[seat]) / shared if over != 0 and shared > 0 else 0.0


@compiled
def _rank(before, coins, over, winners, out):  # type: ignore[no-untyped-def]
    players = len(out)
    for seat in range(players):
        # Twice the number of seats that are behind, less twice those in front: ties count nothing.
        balance = 0
        for other in range(players):
            ahead = int(winners[seat]) - int(winners[other])
            if ahead == 0:
                ahead = int(coins[seat]) - int(coins[other])
            balance += (ahead > 0) - (ahead < 0)
        out[seat] = balance / (players - 1) if over != 0 else 0.0


@dataclass(frozen=True)
class Reward:
    """A named reward.

    Attributes:
        name: the name it is asked for by.
        kernel: the compiled function (see the module's text).
        zero_sum: whether the rewards of all seats add up to zero at every step.
        range: ``range(rules)`` is the lowest and the highest sum over a whole game for one seat.
        meaning: what it is, in words.
    """

    name: str
    kernel: RewardKernel
    zero_sum: bool
    range: Callable[[Rules], tuple[float, float]]
    meaning: str

    def __call__(self, rules: Rules, before: Any, after: np.ndarray) -> npt.NDArray[np.float64]:
        """The rewards of a step, a new array of shape (players,).

        Args:
            rules: the rules.
            before: coins by seat before the step, or a record as it was then.
            after: the record of the game, or of any view of it, after the step: an array of
                shape (1,) and dtype ``GAME_DTYPE`` or ``VIEW_DTYPE``. Only public fields are
                read.
        """
        players = rules.players
        out = np.zeros(players)
        if isinstance(before, np.ndarray) and before.dtype.names is not None:
            before = before["coins"][0, :players]
        coins, winners = after["coins"][0, :players], after["winners"][0, :players]
        over = int(after["decision"][0] == _OVER)
        self.kernel(np.asarray(before, np.int16), coins, over, winners, out)
        return out

    def __reduce__(self) -> tuple[Callable[[str], Reward], tuple[str]]:
        return reward_function, (self.name,)


def _coin_range(rules: Rules) -> tuple[float, float]:
    """Every coin is a card. Nobody ever owes one."""
    return 0.0, float(rules.deck_size)


def _margin_range(rules: Rules) -> tuple[float, float]:
    """At the ends all cards are coins, of this seat alone or of the others alone."""
    return -float(rules.deck_size) / (rules.players - 1), float(rules.deck_size)


REWARDS: dict[str, Reward] = {
    reward.name: reward
    for reward in (
        Reward(
            "margin",
            _margin,
            True,
            _margin_range,
            "At each change of coins, own change minus the mean of the others' changes. "
            "Adds up to the final margin.",
        ),
        Reward(
            "coins",
            _coins,
            False,
            _coin_range,
            "Own change of coins, negative when a field is bought. Adds up to the final coins.",
        ),
        Reward(
            "win",
            _win,
            False,
            lambda rules: (0.0, 1.0),
            "At the end 1, shared equally among the winners (R23); else 0. The seats' rewards "
            "of a finished game add up to 1.",
        ),
        Reward(
            "rank",
            _rank,
            True,
            lambda rules: (-1.0, 1.0),
            "At the end 1 for the first place, -1 for the last, evenly spaced between. Winners "
            "(R23) come first, then the rest by coins; seats that are level get the mean of "
            "their places.",
        ),
    )
}


def reward_function(name: str) -> Reward:
    """The reward of that name.

    Raises:
        ValueError: no such reward; names those there are.
    """
    reward = REWARDS.get(name) if isinstance(name, str) else None
    if reward is None:
        raise ValueError(f"reward: unknown reward {name!r}; known rewards: {', '.join(REWARDS)}")
    return reward


def win_share(seat: int, winners: Sequence[int]) -> float:
    """What a finished game pays by the reward ``win``: 1, shared equally among several winners."""
    return 1 / len(winners) if seat in winners else 0.0


_NUMBERS = {name: number for number, name in enumerate(REWARDS)}
_MARGIN, _COINS, _WIN = _NUMBERS["margin"], _NUMBERS["coins"], _NUMBERS["win"]


@compiled
def write_reward(number, before, coins, over, winners, out):  # type: ignore[no-untyped-def]
    """Reward ``number`` (see :func:`reward_number`), for compiled callers such as vectors."""
    if number == _MARGIN:
        _margin(before, coins, over, winners, out)
    elif number == _COINS:
        _coins(before, coins, over, winners, out)
    elif number == _WIN:
        _win(before, coins, over, winners, out)
    else:
        _rank(before, coins, over, winners, out)


def reward_number(name: str) -> int:
    """The number that stands for a reward in :func:`write_reward`."""
    return _NUMBERS[reward_function(name).name]
