"""Positions and actions of traders' games, to be played again by a vector.

Random play proposes nonsense; whoever measures only that measures a game that nobody plays. Here
traders play some games; each is cut into stretches of equal length, and game i of a vector begins
where the i-th stretch begins and does the traders' actions. So a vector passes through openings,
middles and ends at the same time, and meets each position once a pass.
"""

from __future__ import annotations

from copy import copy

import numpy as np

from bohnanza_env.bots import BotPolicy, policy_seed
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.vector import AutoresetMode, GameVector
from bohnanza_env.view import view_of

__all__ = ["TraderPlay", "shares_of_random_play"]


class TraderPlay:
    """Stretches of traders' games.

    Args:
        rules: the rules.
        games: how many games they play.
        stretches: into how many pieces each is cut.

    Attributes:
        starts: (games * stretches,), ``GAME_DTYPE``: where each stretch begins.
        actions: int64, (steps, games * stretches): what is done there.
        shares: decision -> its share of all decisions of these games.
        length: decisions a game, the mean.
    """

    def __init__(self, rules: Rules, games: int = 16, stretches: int = 16) -> None:
        self.rules = rules
        played = [_play(rules, seed) for seed in range(games)]
        kinds = np.concatenate([kinds for _, kinds in played])
        self.shares = _shares(np.bincount(kinds, minlength=len(Decision)))
        self.length = len(kinds) / games
        steps = min(len(actions) for actions, _ in played) // stretches
        starts, columns = [], []
        for seed, (actions, _) in enumerate(played):
            game = Game(rules, seed)
            for at, action in enumerate(actions):
                number, inside = divmod(at, steps)
                if inside == 0 and number < stretches:
                    starts.append(game.state.copy())
                    columns.append(actions[at : at + steps])
                game.step(action)
        self.starts: np.ndarray = np.concatenate(starts)
        self.actions = np.array(columns, np.int64).T.copy()

    def first(self, count: int) -> TraderPlay:
        """The same with the first stretches only."""
        other = copy(self)
        other.starts, other.actions = self.starts[:count], self.actions[:, :count].copy()
        return other

    def vector(self, observations: bool = True) -> GameVector:
        """A vector of as many games as there are stretches; see :meth:`rewind`."""
        vector = GameVector(self.rules, len(self.starts), observations=observations)
        vector.reset()
        self._saved = vector.save()
        self._saved["games"] = self.starts.view(np.uint8).reshape(-1).copy()
        assert self._saved["games"].size == len(self.starts) * GAME_DTYPE.itemsize
        return vector

    def rewind(self, vector: GameVector) -> None:
        """Put every game of the vector where its stretch begins."""
        vector.restore(self._saved)


def _play(rules: Rules, seed: int) -> tuple[list[int], np.ndarray]:
    """One game of traders: actions, and what each was asked."""
    game, players = Game(rules, seed), []
    for seat in range(rules.players):
        players.append(BotPolicy("trader"))
        players[seat].reset(rules, seat, policy_seed(seed))
    actions, kinds = [], []
    while not game.over:
        seat = game.to_act
        kinds.append(int(game.decision))
        actions.append(players[seat].act(view_of(game, seat), game.mask))
        game.step(actions[-1])
    return actions, np.array(kinds)


def shares_of_random_play(rules: Rules, games: int = 256) -> tuple[dict[Decision, float], float]:
    """Decisions by type in uniform legal play, as shares, and decisions a game; whole games."""
    vector = GameVector(rules, games, observations=False, autoreset=AutoresetMode.DISABLED)
    vector.reset()
    counts, generator = np.zeros(len(Decision), np.int64), new_generator(1)
    while (under_way := vector.current_player >= 0).any():
        counts += np.bincount(vector.games["decision"][under_way], minlength=len(Decision))
        vector.step(vector.random_actions(generator))
    return _shares(counts), float(counts.sum() / games)


def _shares(counts: np.ndarray) -> dict[Decision, float]:
    pairs = sorted(enumerate(counts / counts.sum()), key=lambda pair: -pair[1])
    return {Decision(kind): float(share) for kind, share in pairs if share > 0}
