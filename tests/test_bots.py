"""Bots: legal, deterministic, honest, and as good as docs/bots.md says."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from bohnanza_env.bots import (
    BOTS,
    COUNTS,
    BotPolicy,
    BotTable,
    Policy,
    begin_game,
    bot,
    play_games,
    policy_seed,
)
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

TABLES = [
    *[("amigo", n) for n in (3, 4, 5)],
    *[("classic", n) for n in (3, 5)],
    *[("rio_grande", n) for n in (3, 4, 6, 7)],
    *[("new_beans", n) for n in (3, 5, 7)],
    ("field_beans", 4),
    ("duel", 2),
    ("duel_three_fields", 2),
    ("mini", 3),
]
PROTOCOLS = ("staged", "compact")


def table_of(rules: Rules, first: int = 0) -> list[str]:
    names = ["trader", "greedy", "random", "stingy", "trader", "generous", "fair"]
    return [names[(first + i) % len(names)] for i in range(rules.players)]


def policies(rules: Rules, names: list[str], seed: int) -> list[BotPolicy]:
    seated = [BotPolicy(name) for name in names]
    for seat, policy in enumerate(seated):
        policy.reset(rules, seat, seed)
    return seated


def play_on(game: Game, seated: list[BotPolicy]) -> list[int]:
    while not game.over:
        game.step(seated[game.to_act].act(view_of(game, game.to_act), game.mask))
    return game.scores


# Legal, deterministic, from the view alone ----------------------------------------------------


@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_whole_games_are_legal_and_the_compiled_table_plays_the_same(edition, players, protocol):
    rules = Rules.of(edition, players, protocol=protocol)
    for seed in range(2):
        names = table_of(rules, seed)
        # ``Game.step`` raises on an illegal action.
        scores = play_on(Game(rules, seed), policies(rules, names, seed))
        coins, counts = play_games(rules, names, [seed])
        assert coins[0].tolist() == scores
        assert counts.shape == (1, len(COUNTS))


def test_rules_that_take_things_away():
    for changes in (
        {"trading": False},
        {"trade_limit": 1},
        {"harvest": "when_needed"},
        {"window": "always"},
        {"active_proposals": 0},
        {"other_proposals": 0},
    ):
        rules = Rules.of("amigo", 4, **changes)
        play_on(Game(rules, 3), policies(rules, ["trader"] * 4, 3))


def test_the_seed_decides():
    rules = Rules.of("amigo", 4)
    names = ["random", "trader", "greedy", "random"]
    one, two = (play_games(rules, names, [5, 6, 5]) for _ in range(2))
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()
    assert (one[1][0] == one[1][2]).all()
    assert (one[1][0] != one[1][1]).any()


def hidden_rearranged(game: Game, seat: int, seed: int) -> Game:
    """The same to ``seat``: deck shuffled, every other hand in another order."""
    rng = np.random.default_rng(seed)
    other = game.copy()
    state = other.state[0]
    rng.shuffle(state["deck"][: state["deck_size"]])
    for s in range(game.rules.players):
        if s != seat:
            rng.shuffle(state["hand"][s, : state["hand_size"][s]])
            mine, deck = state["hand"][s], state["deck"]
            if state["hand_size"][s] and state["deck_size"]:
                a, b = mine[0], deck[0]
                mine[0], deck[0] = b, a
                state["hand_beans"][s, a] -= 1
                state["hand_beans"][s, b] += 1
    return other


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_hidden_cards_do_not_matter(protocol):
    rules = Rules.of("amigo", 4, protocol=protocol)
    seated = policies(rules, ["trader", "greedy", "trader", "trader"], 1)
    game = Game(rules, 1)
    for ply in range(300):
        seat = game.to_act
        view, mask = view_of(game, seat), game.mask.copy()
        before = view.tobytes()
        action = seated[seat].act(view, mask)
        assert view.tobytes() == before
        assert (mask == game.mask).all()
        other = hidden_rearranged(game, seat, ply)
        if game.decision not in (Decision.RESPOND, Decision.COMPOSE, Decision.FLOOR):
            assert (other.mask == mask).all()
        assert seated[seat].act(view_of(other, seat), mask) == action
        game.step(action)
        if game.over:
            break


def test_copies_have_the_same_future():
    rules = Rules.of("amigo", 4)
    names = ["random", "trader", "random", "greedy"]
    game, seated = Game(rules, 2), policies(rules, names, 2)
    table, twin = BotTable(rules, names), Game(rules, 2)
    table.reset(2)
    table.play_until(twin, most_steps=200)
    for _ in range(200):
        game.step(seated[game.to_act].act(view_of(game, game.to_act), game.mask))
    futures = [
        play_on(game.copy(), copy.deepcopy(seated)),
        play_on(game.copy(), pickle.loads(pickle.dumps(seated))),
    ]
    for table_copy in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        other = twin.copy()
        table_copy.play_until(other)
        futures.append(other.scores)
    futures.append(play_on(game, seated))
    assert futures == [futures[0]] * 5


def test_the_table_stops_at_the_learner():
    rules = Rules.of("amigo", 4)
    table = BotTable(rules, ["greedy", None, "trader", "random"])
    game = Game(rules, 4)
    while not game.over:
        table.play_until(game, learner=1)
        if game.over:
            assert not game.mask.any()
            break
        assert game.to_act == 1
        game.step(int(np.flatnonzero(game.mask)[-1]))
        if not game.over and game.to_act == 1:
            assert table.play_until(game, learner=1) == 0


def test_names():
    assert {"random", "greedy", "trader", "stingy", "fair", "generous"} <= set(BOTS)
    with pytest.raises(
        ValueError, match="unknown bot 'clever'; known bots: random, greedy, trader"
    ):
        bot("clever")
    for name, spec in BOTS.items():
        assert spec.name == name
        assert pickle.loads(pickle.dumps(spec)) is spec
        assert isinstance(BotPolicy(name), Policy)
    with pytest.raises(RuntimeError, match="reset"):
        BotPolicy("random").act(np.zeros(1), np.zeros(1, np.int8))
    with pytest.raises(ValueError, match="seats: expected 4 names, got 2"):
        BotTable(Rules.of("amigo", 4), ["random", "random"])


def test_other_policies_are_not_told_the_seed_of_the_game():
    class Other(BotPolicy):
        def reset(self, rules, seat, seed):
            super().reset(rules, seat, seed)
            self.told = seed

    rules, other, own, same = Rules.of("mini", 2), *(c("random") for c in (Other, BotPolicy, Other))
    begin_game(other, rules, 0, 5)
    assert other.told == policy_seed(5) != 5
    begin_game(own, rules, 0, 5)
    same.reset(rules, 0, 5)
    game = Game(rules, 1)
    view = view_of(game, game.to_act)
    assert [own.act(view, game.mask) for _ in range(30)] == [
        same.act(view, game.mask) for _ in range(30)
    ]


# Strength -------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_two_traders_earn_twice_what_two_greedy_ones_earn(protocol):
    rules = Rules.of("amigo", 4, protocol=protocol)
    traders, greedy = [], []
    for names in (["trader", "greedy"] * 2, ["greedy", "trader"] * 2):
        coins, _ = play_games(rules, names, range(60))
        for seat, name in enumerate(names):
            (traders if name == "trader" else greedy).append(coins[:, seat].mean())
    assert np.mean(traders) >= 2 * np.mean(greedy)


def test_four_traders_earn_fourteen_each_and_no_less_in_staged_play():
    means = {}
    for protocol in PROTOCOLS:
        coins, _ = play_games(Rules.of("amigo", 4, protocol=protocol), ["trader"] * 4, range(60))
        means[protocol] = coins.mean()
    assert means["compact"] >= 14
    assert means["staged"] >= 14
    assert means["staged"] >= means["compact"] - 0.3  # within chance of 60 games


UNCOMPILED = """
import sys
from bohnanza_env.bots import play_games
from bohnanza_env.engine.rules import Rules
names = ["trader", "greedy", "generous"]
for protocol in ("staged", "compact"):
    coins, counts = play_games(Rules.of("mini", 3, protocol=protocol), names, [1])
    print(coins.tolist(), counts.tolist())
"""


def test_the_uncompiled_source_plays_the_same():
    printed = [
        subprocess.run(
            [sys.executable, "-c", UNCOMPILED],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert printed[0]


# Misuse ----------------------------------------------------------------------------------------


def test_a_table_takes_no_game_of_other_rules():
    table = BotTable(Rules.of("mini", 2), ["greedy", "greedy"])
    with pytest.raises(ValueError, match="of other rules"):
        table.play_until(Game(Rules.of("mini", 3)))


def test_no_games_are_no_rows():
    coins, counts = play_games(Rules.of("mini", 3), ["random"] * 3, [])
    assert coins.shape == (0, 3)
    assert counts.shape == (0, len(COUNTS))


def test_masks_of_gymnasium_will_do():
    rules = Rules.of("mini", 3)
    game, policy = Game(rules, 1), BotPolicy("greedy")
    policy.reset(rules, 0, 1)
    view = view_of(game, 0)
    assert policy.act(view, game.mask.astype(bool)) == policy.act(view, game.mask)


@pytest.mark.parametrize("name", ["random", "trader"])
def test_a_mask_may_be_a_column_of_an_array_or_say_yes_by_any_number(name):
    rules = Rules.of("amigo", 4, protocol="compact")
    game, policy, beside = Game(rules, 1), BotPolicy(name), np.random.default_rng(0)
    for _ in range(40):
        view, columns = view_of(game, game.to_act), np.zeros((len(game.mask), 2), np.int8)
        columns[:, 0], columns[:, 1] = game.mask, beside.integers(2, size=len(game.mask))
        chosen = []
        others = columns[:, 0], game.mask.astype(np.uint8) * 255, game.mask * np.int8(7), -game.mask
        for mask in (game.mask, *others):
            policy.reset(rules, game.to_act, 1)
            chosen.append(policy.act(view, mask))
        assert chosen == chosen[:1] * 5
        game.step(chosen[0])
