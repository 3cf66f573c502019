"""Random games in which much happens: legal actions drawn by weights of their blocks."""

from collections.abc import Iterator

import numpy as np

from bohnanza_env.engine.action_space import action_blocks
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.editions import EDITIONS, edition_players
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules

# Blocks not named have weight 1. Many deals, table proposals and choices of copies.
WEIGHTS = {
    "accept": 6.0,
    "counter": 2.0,
    "end_trading": 6.0,
    "harvest": 0.3,
    "offer": 1.5,
    "pass": 0.7,
    "propose_table": 4.0,
    "submit": 4.0,
    "withdraw": 0.3,
}
DUELS = ("duel", "duel_three_fields")
TABLES = [(edition, players) for edition in EDITIONS for players in edition_players(edition)]
# Every edition at every number of players; each also with the compact protocol, at its fewest.
ALL_RULES = [Rules.of(edition, players) for edition, players in TABLES] + [
    Rules.of(edition, edition_players(edition)[0], protocol="compact")
    for edition in EDITIONS
    if edition not in DUELS
]


def rules_name(rules: Rules) -> str:
    return f"{rules.edition}-{rules.players}-{rules.protocol}"


def play(rules: Rules, seed: int) -> Iterator[Game]:
    """The game (one object) before each step and at the end."""
    weights = np.concatenate(
        [np.full(block.size, WEIGHTS.get(block.name, 1.0)) for block in action_blocks(rules)]
    )
    generator = np.random.default_rng(seed)
    game = Game(rules, seed, start=seed % rules.players)
    while True:
        yield game
        if game.over:
            return
        shares = np.cumsum(game.mask * weights)
        game.step(int(np.searchsorted(shares, generator.random() * shares[-1], side="right")))


def find(rules: Rules, decision: Decision, condition=lambda game: True) -> Game:
    """A copy of the first game found at a decision where a condition on its record holds."""
    for seed in range(40):
        for game in play(rules, seed):
            if game.decision == decision and condition(game.state[0]):
                return game.copy()
    raise AssertionError(f"no {decision.text} of that kind in 40 games")
