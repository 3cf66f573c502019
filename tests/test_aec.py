"""The PettingZoo environments: PettingZoo's own tests, rewards, ends, pictures."""

from __future__ import annotations

import copy
import warnings

import numpy as np
import pettingzoo
import pytest
from aec_play import AMIGO, COMPACT, DUEL, MINI, advance, choose, fresh, trace
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, seed_test

from bohnanza_env import IllegalActionError, bohnanza_v0
from bohnanza_env.rewards import REWARDS

# -- PettingZoo's own tests ---------------------------------------------------------------------


@pytest.fixture
def strict():
    """Every warning of PettingZoo's tests is a failure, but for what masks bring with them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in (
            "Observation is not a NumPy array",
            "Observation space for each agent probably should be",
            "Action mask numpy array is all zeros",  # of an agent whose game is over
        ):
            warnings.filterwarnings("ignore", text, UserWarning)
        yield


@pytest.mark.parametrize(
    "arguments",
    [
        *(MINI, AMIGO, DUEL, COMPACT, {**AMIGO, "encoding": "tokens"}),
        {**MINI, "max_steps": 20, "start": "rotate", "reward": "rank"},
    ],
    ids=str,
)
def test_api(arguments, strict):
    api_test(bohnanza_v0.env(**arguments), num_cycles=60)
    assert bohnanza_v0.raw_env is type(bohnanza_v0.env())


@pytest.mark.parametrize("arguments", [MINI, {**MINI, "max_steps": 20}], ids=str)
def test_parallel_api(arguments, strict):
    parallel_api_test(bohnanza_v0.parallel_env(**arguments), num_cycles=150)


@pytest.mark.parametrize("arguments", [MINI, AMIGO], ids=str)
def test_seeds(arguments, strict):
    seed_test(lambda: bohnanza_v0.env(**arguments), num_cycles=100)


@pytest.mark.parametrize("kind", ["aec", "parallel"])
def test_made_by_name(kind):
    env = pettingzoo.make(kind, "bohnanza_v0", edition="mini", players=2)
    env.reset(seed=1)
    assert env.possible_agents == ["player_0", "player_1"]
    assert str(env.unwrapped) == "bohnanza_v0"


def test_the_parallel_form_plays_the_same_game():
    env, parallel = fresh(4, **MINI), bohnanza_v0.parallel_env(**MINI)
    observations, _ = parallel.reset(seed=4)
    rng, kept = np.random.default_rng(1), []
    while env.agents:
        agent = env.agent_selection
        seen, *_ = env.last()
        action = choose(env, seen, rng)
        if action is None:
            env.step(None)
            continue
        assert [a for a, o in observations.items() if o["action_mask"].any()] == [agent]
        assert observations[agent]["observation"].tolist() == seen["observation"].tolist()
        env.step(action)
        # What the others say does not count.
        observations, rewards, ended, _, infos = parallel.step(
            {a: action if a == agent else 10**6 for a in parallel.agents}
        )
        assert rewards == env.rewards
        assert ended == env.terminations
        kept.append((infos, copy.deepcopy(infos)))
        if parallel.agents:
            assert {info.get("active_agent") for info in infos.values()} == {env.agent_selection}
    assert parallel.agents == []
    assert all(infos == copied for infos, copied in kept)
    with pytest.raises(ResetNeeded):
        parallel.step({})


def test_the_parallel_form_refuses_what_is_illegal():
    env = bohnanza_v0.parallel_env(**MINI)
    with pytest.raises(ResetNeeded):
        env.step({"player_0": 0})
    observations, _ = env.reset(seed=2)
    before = env.state().tolist()
    wrong = int(np.flatnonzero(observations["player_0"]["action_mask"] == 0)[0])
    for actions in ({}, {"player_1": 0}, {"player_0": None}, {"player_0": wrong}):
        with pytest.raises(IllegalActionError, match="player_0"):
            env.step(actions)
    assert env.state().tolist() == before
    assert env.aec_env.infos["player_0"] == {"decision": "plant"}


# -- rewards and ends ---------------------------------------------------------------------------


@pytest.mark.parametrize("reward", REWARDS)
def test_rewards_add_up(reward):
    env = fresh(1, **AMIGO, reward=reward)
    rng = np.random.default_rng(3)
    got, given = (dict.fromkeys(env.possible_agents, 0.0) for _ in range(2))
    for agent in env.agent_iter():
        seen, received, *_ = env.last()
        got[agent] += received
        env.step(choose(env, seen, rng))
        for other, amount in env.rewards.items():
            assert type(amount) is float
            given[other] += amount
        if not env.terminations or not any(env.terminations.values()):
            assert not REWARDS[reward].zero_sum or sum(env.rewards.values()) == pytest.approx(0)
    assert list(got.values()) == pytest.approx(list(given.values()))
    game = env.game
    whole = REWARDS[reward](env.rules, [0] * 4, game.state)
    assert list(got.values()) == pytest.approx(whole.tolist())
    if reward == "margin":
        coins = game.scores
        margins = [c - (sum(coins) - c) / 3 for c in coins]
        assert list(got.values()) == pytest.approx(margins)


def test_truncation_only_at_the_limit():
    env = fresh(1, **MINI, max_steps=10, reward="win")
    rng = np.random.default_rng(0)
    advance(env, 9, rng)
    assert not any(env.truncations.values())
    advance(env, 1, rng)
    assert list(env.truncations.values()) == [True] * 3
    assert list(env.terminations.values()) == [False] * 3
    assert list(env.rewards.values()) == [0.0] * 3
    for agent in env.possible_agents:
        seen, _, ended, cut, _ = env.last()
        assert env.agent_selection == agent
        assert (ended, cut) == (False, True)
        assert not seen["action_mask"].any()
        assert seen["observation"].any()
        env.step(None)
    # A game that ends by itself at the limit has ended.
    env = fresh(1, **MINI)
    trace(env, np.random.default_rng(0))
    exact = fresh(1, **MINI, max_steps=env.steps)
    rng = np.random.default_rng(0)
    advance(exact, env.steps, rng)
    assert list(exact.terminations.values()) == [True] * 3
    assert list(exact.truncations.values()) == [False] * 3


# -- render -------------------------------------------------------------------------------------


def test_render_modes(capsys):
    env = fresh(1, **MINI, render_mode="ansi")
    assert capsys.readouterr().out == ""
    assert "front first" not in env.render()
    for seat, hands in (("player_1", 1), (2, 1), ("open", 3)):
        env = fresh(1, **MINI, render_mode="ansi", render_seat=seat)
        assert env.render().count("front first") == hands
    env = fresh(1, **MINI, render_mode="human")
    assert capsys.readouterr().out.count("Bohnanza · mini") == 1
    advance(env, 1, np.random.default_rng(0))
    assert capsys.readouterr().out.count("Bohnanza · mini") == 1
    assert env.render() is None
    with pytest.warns(UserWarning, match="render_mode"):
        assert fresh(1, **MINI).render() is None
