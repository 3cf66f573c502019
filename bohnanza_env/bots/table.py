"""Bots at one table, playing whole games in a compiled loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.tallies import Tally, new_tallies
from bohnanza_env.view import VIEW_DTYPE

from .loops import advance_kernel
from .memory import MEMORY_DTYPE, new_memory
from .policy import seat_generator
from .registry import bot

__all__ = ["COUNTS", "MOST_STEPS", "BotTable", "play_games"]

MOST_STEPS = 1 << 40  # no limit
_NO_BOT = -1


class BotTable:
    """Bots in the seats of a table, one seat of which may be a learner's.

    Copied or pickled in mid-game it has the same future.

    Args:
        rules: the rules.
        seats: a bot's name for each seat, ``None`` for the learner's.

    Attributes:
        numbers: int64, which kernel decides in each seat, -1 for none.
        generators: uint32 of shape (players, 4), one for each bot.
        memory: shape (players,), dtype ``MEMORY_DTYPE``: settings and scratch memory.
        tallies: int64, what happened so far by seat, columns of ``tallies.Tally``.
    """

    def __init__(self, rules: Rules, seats: Sequence[str | None]) -> None:
        if len(seats) != rules.players:
            raise ValueError(f"seats: expected {rules.players} names, got {len(seats)}")
        self.rules, self.seats = rules, tuple(seats)
        specs = [None if name is None else bot(name) for name in seats]
        self.numbers = np.array([_NO_BOT if s is None else s.number for s in specs], np.int64)
        self.memory = np.zeros(rules.players, MEMORY_DTYPE)
        for seat, spec in enumerate(specs):
            self.memory[seat : seat + 1] = new_memory(1, **(spec.settings if spec else {}))
        self.generators = np.zeros((rules.players, 4), np.uint32)
        self.tallies = new_tallies()
        self._rules_bytes = rules_array(rules).view(np.uint8)
        self._memory_bytes = self.memory.view(np.uint8)
        self._view_bytes = np.zeros(1, VIEW_DTYPE).view(np.uint8)
        self.reset(0)

    def reset(self, seed: int) -> None:
        """A new game begins: generators from the seed and the seats, tallies from zero."""
        for seat in range(self.rules.players):
            self.generators[seat] = seat_generator(seed, seat)
        self.tallies[:] = 0

    def play_until(self, game: Game, learner: int = -1, most_steps: int = MOST_STEPS) -> int:
        """Let the bots decide until ``learner`` has to, or to the end; returns the decisions.

        ``game.mask`` is then the learner's mask, all zeros if the game is over.

        Raises:
            ValueError: a game of other rules.
        """
        if game.rules != self.rules:
            raise ValueError(f"game: of other rules ({game.rules}) than the table ({self.rules})")
        return advance_kernel(
            self._rules_bytes,
            game.state.view(np.uint8),
            game.log.view(np.uint8),
            self._view_bytes,
            game.mask,
            self.numbers,
            self.generators,
            self._memory_bytes,
            learner,
            most_steps,
            self.tallies,
        )

    def __getstate__(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "seats": self.seats,
            "generators": self.generators.copy(),
            "tallies": self.tallies.copy(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state["rules"], state["seats"])  # type: ignore[misc]
        self.generators[:] = state["generators"]
        self.tallies[:] = state["tallies"]


# Columns of what ``play_games`` counts.
COUNTS: tuple[str, ...] = (
    "decisions",
    "turns",
    "proposals",  # answered ones, counters included
    "accepted",  # those of them that were, gifts included
    "gifts",  # accepted ones in which one side gives nothing
    "cards",  # that moved
)


def play_games(
    rules: Rules, seats: Sequence[str], seeds: Iterable[int], start: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Play one game for each seed.

    Returns:
        Final coins, int64 of shape (games, players), and what happened, int64 of shape
        (games, len(COUNTS)) with the columns of ``COUNTS``.
    """
    table = BotTable(rules, seats)
    coins, counts = [], []
    for seed in seeds:
        table.reset(seed)
        game = Game(rules, seed, start)
        table.play_until(game)
        coins.append(game.scores)
        counts.append(_counts(game, table.tallies.sum(axis=0)))
    games = len(coins)
    return (
        np.array(coins, np.int64).reshape(games, rules.players),
        np.array(counts, np.int64).reshape(games, len(COUNTS)),
    )


def _counts(game: Game, of_all: np.ndarray) -> list[int]:
    turns = int(game.state["turn"][0])
    columns = (Tally.PROPOSALS, Tally.ACCEPTED, Tally.GIFTS_GIVEN, Tally.CARDS_GIVEN)
    return [int(of_all[Tally.DECISIONS]), turns, *(int(of_all[c]) for c in columns)]
