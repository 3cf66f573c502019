"""One seat's simulations: candidates, sampled deals, playing on, judging; all from its view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bohnanza_env.bots.memory import COIN, new_memory
from bohnanza_env.bots.registry import bot
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.redeal import redeal_kernel
from bohnanza_env.tallies import new_tallies
from bohnanza_env.view import VIEW_DTYPE

from .candidates import CANDIDATES_DTYPE
from .fair_candidates import candidates_kernel
from .judgement import standings_kernel
from .rollout import MOST_ACTIONS, simulate_kernel

__all__ = ["Candidate", "Simulator"]

Candidate = tuple[int, int, int]  # action; of a deal to be composed give and get, -1 for nothing


class Simulator:
    """What a seat needs for thinking ahead; it holds no more than scratch memory.

    Args:
        rules: the rules.
        seat: whose simulations these are.
        own: the bot that decides for this seat in them, ``trader`` or a relative; ``trader`` does
            for the others.
        generator: four words (``engine.random``), the caller's own; it goes on.
    """

    def __init__(self, rules: Rules, seat: int, own: str, generator: np.ndarray) -> None:
        self.seat, self._generator = seat, generator
        self._rules = rules_array(rules).view(np.uint8)
        memory = new_memory(rules.players, **bot("trader").settings)
        memory[seat : seat + 1] = new_memory(1, **bot(own).settings)
        self._all = memory.view(np.uint8)
        self._own = memory[seat : seat + 1].view(np.uint8)
        self._candidates = np.zeros(1, CANDIDATES_DTYPE)
        self._view = np.zeros(1, VIEW_DTYPE).view(np.uint8)
        self._dealt = np.zeros(1, GAME_DTYPE).view(np.uint8)
        self._played = np.zeros(1, GAME_DTYPE).view(np.uint8)
        self._mask = np.zeros(int(rules_array(rules)["actions"][0]), np.int8)
        self._log = np.zeros(1, LOG_DTYPE).view(np.uint8)  # takes nothing: not enabled
        self._tallies = new_tallies()
        self._done = np.zeros(MOST_ACTIONS, np.int64)
        self._standings = np.zeros(rules.players, np.int64)

    def candidates(self, view: np.ndarray, mask: np.ndarray, most: int) -> list[Candidate]:
        """What is worth trying, the own bot's choice first."""
        candidates_kernel(
            self._rules,
            view.view(np.uint8),
            mask,
            self._generator,
            self._own,
            self._candidates.view(np.uint8),
            most,
        )
        found = self._candidates[0]
        size = int(found["size"])
        columns = (found[name][:size].tolist() for name in ("action", "give", "get"))
        return list(zip(*columns, strict=True))

    def deal(self, view: np.ndarray) -> bool:
        """Sample the hidden cards for the simulations to come; false if there is no such game."""
        view_bytes = view.view(np.uint8)
        return redeal_kernel(self._rules, view_bytes, self._dealt, self._generator, self._mask)

    def leads(self, candidates: Sequence[Candidate], last_turn: int) -> list[float]:
        """By how many coins this seat leads the others' mean after each candidate.

        Each is done in the game dealt last, which the bots then play on to the end of
        ``last_turn``. Coins and, before the end of the game, expected ones by ``trader``'s
        judgement count.
        """
        return [self._lead(candidate, last_turn) for candidate in candidates]

    def _lead(self, candidate: Candidate, last_turn: int) -> float:
        simulate_kernel(
            self._rules,
            self._dealt,
            self._played,
            self._log,
            self._view,
            self._mask,
            self._generator,
            self._all,
            self._tallies,
            np.array((*candidate, 0), np.int64),
            last_turn,
            self._done,
        )
        standings_kernel(self._rules, self._played, self._view, self._own, self._standings)
        own, all_seats = int(self._standings[self.seat]), int(self._standings.sum())
        others = (all_seats - own) / max(1, len(self._standings) - 1)
        return (own - others) / COIN
