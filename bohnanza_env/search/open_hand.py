"""Planning with open hands: what players who trust each other and see every card can earn.

No fair player can do this: hands, the deck and all future shuffles are known. It is a mark for the
gains from trade that are there to be had, not an opponent.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bohnanza_env.bots.memory import new_memory
from bohnanza_env.bots.registry import bot
from bohnanza_env.engine.game import SILENT_LOG, Game
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.tallies import new_tallies
from bohnanza_env.view import VIEW_DTYPE

from .candidates import CANDIDATE_CAPACITY, CANDIDATES_DTYPE
from .open_hand_kernels import alternatives_kernel
from .rollout import MOST_ACTIONS, simulate_kernel

__all__ = ["OpenHandPlan", "plan_open_handed"]

_STREAM = 1 << 17  # other random numbers than those of bots and shuffles
_TO_THE_END = 1 << 40
_NOTHING = np.array([-1, -1, -1, 0], np.int64)  # no candidate: just play on


@dataclass(frozen=True)
class OpenHandPlan:
    """How a game can go on if everybody works for the table.

    Attributes:
        coins: final coins by seat.
        actions: what was played from the given position to the end; replays with ``Game.step``.
        trader_coins: final coins by seat if ``trader`` plays on in every seat.
        rollouts: games that were played to the end for it.
    """

    coins: list[int]
    actions: list[int]
    trader_coins: list[int]
    rollouts: int


def plan_open_handed(game: Game, budget: int = 8, seed: int = 0) -> OpenHandPlan:
    """Plan the rest of a game for the largest sum of all coins, with every card known.

    For a deck: ``plan_open_handed(Game(rules, seed=deck, start=0)).coins`` are the coins by seat.
    The sum is never below that of ``trader`` in every seat on the same deck (``trader_coins``):
    the plan begins as the game of ``trader`` or of ``generous`` in every seat, whichever brings the
    table more, and a decision departs from it only where the rest of the game, played on by them to
    its end, brings more still. Deals are made if both together gain by them, asked or not.

    Args:
        game: where to begin; it is left as it is. Works with all rules and both protocols.
        budget: alternatives tried in each decision, from 0 to 63; each plays a game to its end.
        seed: breaks ties in the choice of the alternatives.

    Raises:
        ValueError: a budget out of range, or a game that is over.
    """
    budget = operator.index(budget)
    if not 0 <= budget < CANDIDATE_CAPACITY:
        raise ValueError(f"budget: expected 0 to {CANDIDATE_CAPACITY - 1}, got {budget}")
    if game.over:
        raise ValueError("game: is over, there is nothing to plan")
    planner = _Planner(game, budget, seed)
    trader_coins = planner.begin_with("trader")
    planner.begin_with("generous")
    actions = [action for some in planner.decide() for action in some]
    return OpenHandPlan(planner.game.scores, actions, trader_coins, planner.rollouts)


class _Planner:
    """The game as it is planned, and scratch memory for the kernels."""

    def __init__(self, game: Game, budget: int, seed: int) -> None:
        rules = game.rules
        self.game = game.copy()
        self.budget, self.rollouts = budget, 0
        self._rules = rules_array(rules).view(np.uint8)
        self._scratch = np.zeros(1, GAME_DTYPE)
        self._views = np.zeros(rules.players, VIEW_DTYPE).view(np.uint8)
        self._view = self._views[: VIEW_DTYPE.itemsize]
        self._mask = np.zeros_like(game.mask)
        self._memory = new_memory(rules.players)
        self._candidates = np.zeros(1, CANDIDATES_DTYPE)
        self._generator = new_generator(seed, _STREAM)
        self._tallies = new_tallies()
        self._done = np.zeros(MOST_ACTIONS, np.int64)
        self._best = -1

    def begin_with(self, name: str) -> list[int]:
        """Coins by seat if this bot plays on in every seat; the best bot is remembered."""
        memory = new_memory(self.game.rules.players, **bot(name).settings)
        total, _ = self._play_to_the_end(memory, _NOTHING)
        if total > self._best:
            self._best, self._memory = total, memory
        return [int(coins) for coins in self._scratch["coins"][0, : self.game.rules.players]]

    def _play_to_the_end(self, memory: np.ndarray, candidate: np.ndarray) -> tuple[int, list[int]]:
        """The sum of coins after a candidate, and the actions of the candidate."""
        count = simulate_kernel(
            self._rules,
            self.game.state.view(np.uint8),
            self._scratch.view(np.uint8),
            SILENT_LOG.view(np.uint8),
            self._view,
            self._mask,
            self._generator,
            memory.view(np.uint8),
            self._tallies,
            candidate,
            _TO_THE_END,
            self._done,
        )
        self.rollouts += 1
        return int(self._scratch["coins"].sum()), [int(action) for action in self._done[:count]]

    def decide(self) -> Iterator[list[int]]:
        """Decide until the end; yields the actions done."""
        while not self.game.over:
            actions = self._best_actions()
            for action in actions:
                self.game.step(action)
            yield actions

    def _best_actions(self) -> list[int]:
        alternatives_kernel(
            self._rules,
            self.game.state.view(np.uint8),
            self._views,
            self.game.mask,
            self._generator,
            self._memory.view(np.uint8),
            self._candidates.view(np.uint8),
            self.budget,
        )
        found = self._candidates[0]
        actions = [int(found["action"][0])]
        for i in range(1, int(found["size"])):
            deal = found["action"][i], found["give"][i], found["get"][i], 1
            total, tried = self._play_to_the_end(self._memory, np.array(deal, np.int64))
            if total > self._best:
                self._best, actions = total, tried
        return actions
