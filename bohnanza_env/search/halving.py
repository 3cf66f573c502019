"""Spending a budget of simulated games on candidates: sequential halving against the first one.

Every sampled deal is played with all candidates that are still in the race, so that what differs
between them is the candidate and not the cards. After each round the worse half of them is out, and
the budget left is spent on fewer. The first candidate never leaves: all others are judged by how
much more they bring than it does in the same deals.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt

__all__ = ["Race", "choose"]

# Values of one sampled deal for these candidates, or None if no deal can be sampled.
Simulate = Callable[[Sequence[int]], Sequence[float] | None]


@dataclass
class Race:
    """How a candidate did against the first one.

    Attributes:
        deals: sampled deals in which both were played.
        total: the sum of differences.
        squares: the sum of their squares.
    """

    deals: int = 0
    total: float = 0.0
    squares: float = 0.0

    def note(self, difference: float) -> None:
        self.deals += 1
        self.total += difference
        self.squares += difference * difference

    @property
    def mean(self) -> float:
        """The mean difference, 0 before the first deal."""
        return self.total / self.deals if self.deals else 0.0

    def surely(self, errors: float, spread: float, weight: float) -> float:
        """The mean less so many standard errors.

        ``spread`` is the standard deviation believed in beforehand, as firmly as if it had been
        seen in ``weight`` deals: with two or three deals their own says little.
        """
        if self.deals == 0:
            return 0.0
        scatter = max(0.0, self.squares - self.total * self.mean)
        variance = (scatter + weight * spread * spread) / (self.deals - 1 + weight)
        return self.mean - errors * sqrt(variance / self.deals)


def choose(
    size: int, rollouts: int, simulate: Simulate, errors: float, spread: float, weight: float
) -> int:
    """The candidate to play: 0 unless another one is better by so many standard errors.

    Args:
        size: number of candidates.
        rollouts: simulated games to spend; never more, and no deal is left half played.
        simulate: plays one more sampled deal.
        errors: see ``Race.surely``, as the next two.
        spread: see there.
        weight: see there.
    """
    races = [Race() for _ in range(size)]
    alive = list(range(size))
    rounds = max(1, ceil(log2(size)))
    for number in range(rounds):
        deals = max(1, rollouts // ((rounds - number) * len(alive)))
        for _ in range(deals):
            if rollouts < len(alive):
                break
            values = simulate(alive)
            if values is None:
                return 0
            rollouts -= len(alive)
            for candidate, value in zip(alive, values, strict=True):
                races[candidate].note(value - values[0])
        rest = sorted(alive[1:], key=lambda candidate: -races[candidate].mean)
        alive = [0, *rest[: max(1, len(rest) // 2)]]
    best = max(alive[1:], key=lambda candidate: races[candidate].mean)
    return best if races[best].surely(errors, spread, weight) > 0 else 0
