"""Plans with open hands: they replay, never fall behind the bots, and leave the game as it was."""

from __future__ import annotations

import numpy as np
import pytest

from bohnanza_env.bots import play_games
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.search import plan_open_handed

TABLES = [
    ("mini", 3, "compact"),
    ("mini", 2, "staged"),
    ("classic", 3, "compact"),
    ("rio_grande", 7, "compact"),
    ("field_beans", 4, "staged"),
    ("duel", 2, "staged"),
]


def replayed(game: Game, actions: list[int]) -> Game:
    game = game.copy()
    for action in actions:
        game.step(action)  # raises on an illegal action
    return game


def near_the_end(rules: Rules, seed: int, cards: int = 6) -> Game:
    """A game in its last pass of the deck, with few cards left; random play up to there."""
    game = Game(rules, seed)
    random = np.random.default_rng(seed)
    state = game.state[0]
    while not (state["exhaustions"] + 1 >= rules.final_exhaustion and state["deck_size"] <= cards):
        game.step(int(random.choice(game.legal_actions())))
    assert not game.over
    return game


@pytest.mark.parametrize(("edition", "players", "protocol"), TABLES)
def test_the_plan_replays_to_its_coins_and_is_never_below_traders(edition, players, protocol):
    rules = Rules.of(edition, players, protocol=protocol)
    game = near_the_end(rules, 1)
    before = game.state.tobytes()
    plan = plan_open_handed(game, 3, seed=1)
    assert game.state.tobytes() == before
    end = replayed(game, plan.actions)
    assert end.over
    assert end.scores == plan.coins
    assert sum(plan.coins) >= sum(plan.trader_coins)


def test_without_a_budget_it_is_the_better_of_two_bots():
    rules = Rules.of("amigo", 4, protocol="compact")
    coins = {name: play_games(rules, [name] * 4, range(4))[0] for name in ("trader", "generous")}
    for seed in range(4):
        plan = plan_open_handed(Game(rules, seed), 0)
        assert plan.trader_coins == coins["trader"][seed].tolist()
        assert sum(plan.coins) == max(coins[name][seed].sum() for name in coins)
        assert plan.rollouts == 2


def test_the_seed_decides_and_the_budget_holds():
    game = near_the_end(Rules.of("amigo", 4, protocol="compact"), 3, cards=12)
    one, two = (plan_open_handed(game, 2, seed=5) for _ in range(2))
    assert one == two
    decisions = len(one.actions)  # a deal is one decision, of more than one action
    assert 2 < one.rollouts <= 2 + 2 * decisions


def test_hands_that_can_be_seen_are_worth_coins():
    rules = Rules.of("amigo", 4, protocol="compact")
    gains = []
    for seed in range(6):
        plan = plan_open_handed(near_the_end(rules, seed, cards=20), 4)
        gains.append(sum(plan.coins) - sum(plan.trader_coins))
    assert np.mean(gains) > 0
    assert min(gains) >= 0


def test_faults_are_named():
    game = Game(Rules.of("mini", 3))
    with pytest.raises(ValueError, match="budget: expected 0 to 63, got 64"):
        plan_open_handed(game, 64)
    over = replayed(game, plan_open_handed(game, 0).actions)
    with pytest.raises(ValueError, match="game: is over"):
        plan_open_handed(over)
