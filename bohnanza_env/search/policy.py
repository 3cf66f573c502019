"""``search``: samples the hidden cards, plays candidates on, takes one that is clearly better."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bohnanza_env.arguments import check_finite
from bohnanza_env.bots.policy import plain_mask, seat_generator
from bohnanza_env.bots.registry import POLICIES, bot
from bohnanza_env.bots.steps import TRADER
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.whole import whole

from .candidates import next_of_deal
from .halving import choose
from .simulator import Candidate, Simulator

__all__ = ["SearchPolicy"]

_COMPOSE = int(Decision.COMPOSE)
_SETTINGS = ("rollouts", "turns", "candidates", "errors", "own")
# Differences between candidates in one deal, in coins, as believed before any is seen, and as
# firmly as seen in so many deals.
_SPREAD, _SPREAD_DEALS = 0.5, 2.0


class SearchPolicy:
    """A player that looks ahead; a ``bots.Policy``.

    It sees its view and the mask alone, and everything random follows from the seed of ``reset``.
    Copied or pickled in mid-game it has the same future.

    Args:
        rollouts: simulated games a decision, at most; below 4 it plays as ``own``.
        turns: turns that are played on, the one under way included; positions are judged then.
        candidates: actions or deals tried in a decision, at most.
        errors: standard errors by which a candidate has to be better than the choice of ``own``.
        own: the bot whose choice is played unless another is clearly better, and which plays on for
            this seat in simulated games: ``trader`` or a relative. ``trader`` plays for the others.

    Attributes:
        name: ``search:`` and the rollouts.
        version: that of the registry.
        rollouts_done: simulated games since ``reset``.

    Raises:
        ValueError: a number out of range, or a bot that is none of those.
        TypeError: no whole number, or no name.
    """

    version = POLICIES["search"].version

    def __init__(
        self,
        rollouts: int = 64,
        *,
        turns: int = 3,
        candidates: int = 8,
        errors: float = 1.0,
        own: str = "stingy",
    ) -> None:
        self.rollouts = whole("rollouts", rollouts, 0, 1_000_000)
        self.turns = whole("turns", turns, 1, 1_000)
        self.candidates = whole("candidates", candidates, 2, 32)
        self.errors = check_finite("errors", errors)
        if not 0 <= self.errors < 100:
            raise ValueError(f"errors: expected a number from 0 to below 100, got {errors}")
        if bot(own).number != TRADER:
            raise ValueError(f"own: expected trader or a relative of it, got {own}")
        self.own = own
        self.name = f"search:{self.rollouts}"
        self.rollouts_done = 0
        self._simulator: Simulator | None = None
        self._deal: tuple[int, int] | None = None  # being composed: give, get (-1 for nothing)

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self._rules, self._seat = rules, seat
        self._actions = ActionSpace.of(rules).size
        self._record = rules_array(rules)[0]
        self._generator = seat_generator(seed, seat)
        self._simulator = Simulator(rules, seat, self.own, self._generator)
        self._deal = None
        self.rollouts_done = 0

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        if self._simulator is None:
            raise RuntimeError("reset() comes before act()")
        mask = plain_mask(mask, self._actions)
        deal, self._deal = self._deal, None
        if deal is not None and view["decision"][0] == _COMPOSE:
            self._deal = deal
            return int(next_of_deal(self._record, view[0], mask, *deal))
        action, give, get = self._chosen(self._simulator, view, mask)
        if give >= 0 or get >= 0:
            self._deal = give, get
        return action

    def _chosen(self, simulator: Simulator, view: np.ndarray, mask: np.ndarray) -> Candidate:
        # Of fewer than two simulated games for each candidate nothing could be told.
        most = max(1, min(self.candidates, self.rollouts // 2))
        candidates = simulator.candidates(view, mask, most)
        if len(candidates) == 1:
            return candidates[0]
        last_turn = int(view["turn"][0]) + self.turns - 1

        def simulate(alive: Sequence[int]) -> Sequence[float] | None:
            if not simulator.deal(view):
                return None
            self.rollouts_done += len(alive)
            return simulator.leads([candidates[i] for i in alive], last_turn)

        size, budget = len(candidates), self.rollouts
        return candidates[choose(size, budget, simulate, self.errors, _SPREAD, _SPREAD_DEALS)]

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in _SETTINGS}
        state |= {"rollouts_done": self.rollouts_done, "game": None}
        if self._simulator is not None:
            state["game"] = (self._rules, self._seat, self._generator.copy(), self._deal)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        game, done = state.pop("game"), state.pop("rollouts_done")
        self.__init__(**state)  # type: ignore[misc]
        if game is not None:
            rules, seat, generator, deal = game
            self.reset(rules, seat, 0)
            self._generator[:] = generator
            self._deal = deal
        self.rollouts_done = done

    def __repr__(self) -> str:
        settings = ", ".join(f"{name}={getattr(self, name)!r}" for name in _SETTINGS)
        return f"SearchPolicy({settings})"
