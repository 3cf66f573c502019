"""Evaluation in one chair: every seat on the same decks, so that policies can be compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np

from bohnanza_env.arena.intervals import Interval, interval
from bohnanza_env.arena.players import Player
from bohnanza_env.arena.schedule import deck_seed
from bohnanza_env.bots import BotPolicy, begin_game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.rewards import win_share
from bohnanza_env.single_agent import BohnanzaEnv
from bohnanza_env.tallies import Tally
from bohnanza_env.view import view_of

__all__ = ["ChairResults", "Chooser", "Interval", "interval", "model_chooser", "play_in_chair"]

# (observations, masks) of several tables → actions
Chooser = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class ChairResults:
    """What one chair got; each array has the shape (decks, seats).

    Attributes:
        coins: coins at the end.
        wins: share of the win: 1, or part of it where it is shared.
        turns: turns of the game, everybody's.
        deals: accepted deals that the chair was part of and in which both sides gave.
        own_deals: those of them that the chair had proposed.
        gifts: accepted deals of the chair in which one side gave nothing.
    """

    coins: np.ndarray
    wins: np.ndarray
    turns: np.ndarray
    deals: np.ndarray
    own_deals: np.ndarray
    gifts: np.ndarray


def model_chooser(model, deterministic: bool = False) -> Chooser:  # type: ignore[no-untyped-def]
    """A trained policy as a chooser; sampling by default, as it was trained."""

    def choose(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        return model.predict(observations, action_masks=masks, deterministic=deterministic)[0]

    return choose


def play_in_chair(
    player: Chooser | str,
    rules: Rules,
    opponents: str | Sequence[Player] = "trader",
    decks: int = 50,
    seed: int = 0,
) -> ChairResults:
    """Play ``decks`` × players games with one chair taken by a policy, a bot in all others.

    Args:
        player: the policy, or the name of a bot.
        rules: the rules.
        opponents: the bot of the other chairs, or a player for each of them, clockwise.
        decks: each is played once from every seat; the start player changes from deck to deck.
        seed: equal seeds mean equal decks, whoever sits in the chair.
    """
    seats = rules.players
    tables = [
        _Table(rules, opponents, deck, seat, seed, player if isinstance(player, str) else None)
        for deck in range(decks)
        for seat in range(seats)
    ]
    waiting = [table for table in tables if not table.done]
    while waiting:
        if callable(player):
            observations = np.stack([table.observation for table in waiting])
            masks = np.stack([table.env.action_masks() for table in waiting])
            actions = player(observations, masks)
        else:
            actions = np.array([table.bot_action() for table in waiting])
        for table, action in zip(waiting, actions, strict=True):
            table.step(int(action))
        waiting = [table for table in waiting if not table.done]
    columns = np.array([table.results() for table in tables], float).reshape(decks, seats, -1)
    return ChairResults(*np.moveaxis(columns, 2, 0))


class _Table:
    """One game of an evaluation."""

    def __init__(
        self,
        rules: Rules,
        opponents: str | Sequence[Player],
        deck: int,
        seat: int,
        seed: int,
        bot_name: str | None,
    ) -> None:
        own = opponents if isinstance(opponents, str) else [deepcopy(o) for o in opponents]
        self.env = BohnanzaEnv(rules=rules, opponents=own)
        deal = deck_seed(seed, deck)
        options = {"deck_seed": deal, "learner_seat": seat, "start": deck % rules.players}
        self.observation, info = self.env.reset(options=options)
        self.done = "coins" in info
        self._info, self._seat = info, seat
        self._bot = None if bot_name is None else BotPolicy(bot_name)
        if self._bot is not None:
            begin_game(self._bot, rules, seat, deal)

    def bot_action(self) -> int:
        """What the bot in the chair does."""
        assert self._bot is not None
        game = self.env.game
        return self._bot.act(view_of(game, self._seat), game.mask)

    def step(self, action: int) -> None:
        """Go on."""
        self.observation, _, self.done, _, self._info = self.env.step(action)

    def results(self) -> tuple[float, ...]:
        """One row for ``ChairResults``."""
        counts = self.env.tallies[self._seat]
        return (
            float(self._info["coins"][self._seat]),
            win_share(self._seat, self._info["winners"]),
            float(self.env.game.state["turn"][0] + 1),
            float(counts[Tally.DEALS]),
            float(counts[Tally.OWN_DEALS]),
            float(counts[Tally.GIFTS_GIVEN] + counts[Tally.GIFTS_TAKEN]),
        )
