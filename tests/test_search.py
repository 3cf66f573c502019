"""The search bot: legal, deterministic, honest about hidden cards and its budget, and strong."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator

import numpy as np
import pytest

from bohnanza_env.arena import Schedule, load_player, play_schedule
from bohnanza_env.bots import POLICIES, BotPolicy, BotTable, Policy, named_policy
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.redeal import redeal
from bohnanza_env.search import SearchPolicy
from bohnanza_env.search.halving import Race, choose
from bohnanza_env.view import view_of

TABLES = [
    ("amigo", 3, "staged"),
    ("amigo", 5, "compact"),
    ("classic", 4, "staged"),
    ("rio_grande", 3, "compact"),
    ("rio_grande", 7, "staged"),
    ("rio_grande", 7, "compact"),
    ("new_beans", 6, "compact"),
    ("field_beans", 4, "staged"),
    ("duel", 2, "staged"),
    ("duel_three_fields", 2, "staged"),
    ("mini", 3, "compact"),
]
COMPACT = Rules.of("amigo", 4, protocol="compact")
STAGED = Rules.of("amigo", 4, protocol="staged")


def decisions(policy: SearchPolicy, game: Game, seat: int, least: int) -> Iterator[np.ndarray]:
    """Views at the decisions of a seat that has a choice, among traders, until so many are seen."""
    names: list[str | None] = ["trader"] * game.rules.players
    names[seat] = None
    table = BotTable(game.rules, names)
    seen = 0
    while not game.over and seen < least:
        table.play_until(game, seat)
        if game.over:
            return
        if game.mask.sum() > 1:
            seen += 1
            yield view_of(game, seat)
        else:
            game.step(int(game.mask.argmax()))


def started(rules: Rules, seat: int = 1, rollouts: int = 8, seed: int = 5) -> SearchPolicy:
    policy = SearchPolicy(rollouts)
    policy.reset(rules, seat, seed)
    return policy


@pytest.mark.parametrize(("edition", "players", "protocol"), TABLES)
def test_it_plays_legally_under_all_rules(edition, players, protocol):
    rules = Rules.of(edition, players, protocol=protocol)
    game, policy = Game(rules, 3), started(rules)
    kinds = set()
    for view in decisions(policy, game, 1, 25):
        kinds.add(game.decision)
        game.step(policy.act(view, game.mask))  # raises on an illegal action
    assert len(kinds) >= 2


@pytest.mark.parametrize("rules", [COMPACT, STAGED], ids=["compact", "staged"])
def test_hidden_cards_do_not_matter(rules):
    """Re-dealt hands and decks, of which some hand must differ, get the same answers."""
    game, policy = Game(rules, 8), started(rules)
    differ = 0
    for number, view in enumerate(decisions(policy, game, 1, 30)):
        before, mask = view.tobytes(), game.mask.copy()
        other = redeal(rules, view, number)
        differ += bool((other.state["hand"] != game.state["hand"]).any())
        twin = copy.deepcopy(policy)
        action = policy.act(view, mask)
        assert view.tobytes() == before
        assert (mask == game.mask).all()
        assert twin.act(view_of(other, 1), other.mask) == action
        game.step(action)
    assert differ > 20


@pytest.mark.parametrize("rules", [COMPACT, STAGED], ids=["compact", "staged"])
def test_seed_and_copies_decide_the_future(rules):
    def play(policy: SearchPolicy, game: Game, most: int) -> list[int]:
        actions = []
        for view in decisions(policy, game, 1, most):
            actions.append(policy.act(view, game.mask))
            game.step(actions[-1])
        return actions

    runs = []
    for seed in (5, 5, 6):
        policy = started(rules, seed=seed)
        runs.append(play(policy, Game(rules, 2), 25))
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]
    policy, game = started(rules), Game(rules, 2)
    play(policy, game, 8)
    while game.decision != Decision.COMPOSE and rules is STAGED:  # in the middle of a deal
        play(policy, game, 1)
    others = [copy.deepcopy(policy), pickle.loads(pickle.dumps(policy))]
    futures = [play(one, game.copy(), 10) for one in (*others, policy)]
    assert futures[0] == futures[1] == futures[2]
    assert len({one.rollouts_done for one in (*others, policy)}) == 1


@pytest.mark.parametrize("rollouts", [0, 3, 4, 7, 20])
def test_the_budget_is_honoured(rollouts):
    game, policy = Game(COMPACT, 1), started(COMPACT, rollouts=rollouts)
    used, alone = [], BotPolicy("stingy")
    alone.reset(COMPACT, 1, 0)
    for view in decisions(policy, game, 1, 20):
        before = policy.rollouts_done
        action = policy.act(view, game.mask)
        used.append(policy.rollouts_done - before)
        if rollouts < 4:
            assert action == alone.act(view, game.mask)
        game.step(action)
    assert max(used) <= rollouts
    assert (max(used) > 0) == (rollouts >= 4)


# Spending the budget -------------------------------------------------------------------------


def test_a_better_candidate_is_found_and_an_equal_one_is_not():
    def better(alive):
        return [1.0 if i == 2 else 0.0 for i in alive]

    assert choose(4, 32, better, 1.0, 0.5, 2.0) == 2
    assert choose(4, 32, lambda alive: [3.0] * len(alive), 1.0, 0.5, 2.0) == 0


def test_noise_alone_seldom_makes_it_leave_the_first_candidate():
    random = np.random.default_rng(1)
    left = [
        choose(4, 32, lambda alive: random.normal(size=len(alive)).tolist(), 2.0, 0.5, 2.0) > 0
        for _ in range(300)
    ]
    assert np.mean(left) < 0.15


def test_all_candidates_of_a_deal_are_played_and_the_first_one_always():
    seen = []
    choose(5, 23, lambda alive: seen.append(list(alive)) or [0.0] * len(alive), 1.0, 0.5, 2.0)
    assert seen[0] == [0, 1, 2, 3, 4]
    assert all(alive[0] == 0 for alive in seen)
    assert [len(alive) for alive in seen] == sorted((len(a) for a in seen), reverse=True)
    assert sum(len(alive) for alive in seen) <= 23


def test_differences_are_judged_by_their_standard_error():
    race = Race()
    for difference in (1.0, 2.0, 3.0):
        race.note(difference)
    assert race.mean == 2.0
    # Scatter 2 of three, and two deals' worth of a variance of 1: (2 + 2) / (2 + 2) = 1.
    assert race.surely(1.0, 1.0, 2.0) == pytest.approx(2.0 - (1.0 / 3.0) ** 0.5)
    assert Race().surely(1.0, 1.0, 2.0) == 0.0


def test_no_deal_means_the_first_candidate():
    assert choose(3, 30, lambda alive: None, 1.0, 0.5, 2.0) == 0


# By name -------------------------------------------------------------------------------------


def test_names():
    policy = named_policy("search:16")
    assert isinstance(policy, Policy)
    assert isinstance(policy, SearchPolicy)
    assert (policy.name, policy.rollouts) == ("search:16", 16)
    assert policy.version == POLICIES["search"].version
    assert load_player("search")[0] == "search:64"
    assert load_player("deep=search:256")[0] == "deep"
    assert named_policy("trader").name == "trader"
    for text, fault in (
        ("search:many", "expected search:N, N being simulated games a decision"),
        ("search:9999999", "rollouts: expected 0 to 1000000, got 9999999"),
        ("search:16@deterministic", "@deterministic is for networks"),
    ):
        with pytest.raises(ValueError, match=fault):
            load_player(text)
    with pytest.raises(ValueError, match="'search:4' is no compiled bot; as a policy: named"):
        BotTable(Rules.of("mini", 2), ["search:4", "trader"])
    with pytest.raises(ValueError, match="trader takes no number"):
        named_policy("trader:3")
    with pytest.raises(ValueError, match="unknown policy 'clever'; known policies: random"):
        named_policy("clever")
    with pytest.raises(ValueError, match="own: expected trader or a relative of it, got greedy"):
        SearchPolicy(4, own="greedy")
    with pytest.raises(RuntimeError, match="reset"):
        SearchPolicy(4).act(np.zeros(1), np.zeros(1, np.int8))


def test_the_arena_plays_it():
    lineup = ("search:4", "trader", "greedy")
    schedule = Schedule(Rules.of("mini", 3), [lineup], decks=1, seed=1)
    rows = [play_schedule(schedule, {"search:4": SearchPolicy(4)}, workers=1) for _ in range(2)]
    assert rows[0].equals(rows[1])
    assert len(rows[0]) == 3
    assert rows[0]["policy_0"][0] == "search:4"
    assert rows[0]["version_0"][0] == str(SearchPolicy.version)


# Strength ------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("rules", [COMPACT, STAGED], ids=["compact", "staged"])
def test_it_wins_more_than_its_share_among_traders(rules):
    """Duplicate deals: 10 decks, every seat. docs/bots.md has the figures of longer series."""
    shares = []
    for seed in range(10):
        for seat in range(4):
            game, policy = Game(rules, seed), started(rules, seat, rollouts=8, seed=seed)
            for view in decisions(policy, game, seat, 10_000):
                game.step(policy.act(view, game.mask))
            shares.append((seat in game.winners) / len(game.winners))
    by_deck = np.reshape(shares, (10, 4)).mean(axis=1)
    error = by_deck.std(ddof=1) / 10**0.5
    assert by_deck.mean() - 1.96 * error > 0.25
