"""What the PettingZoo environments refuse, and that nothing changes then."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from aec_play import MINI, advance, fresh, trace
from gymnasium.error import ResetNeeded

from bohnanza_env import IllegalActionError, Rules, RulesError, bohnanza_v0


def illegal_actions(env) -> list:
    mask = env.last()[0]["action_mask"]
    wrong, right = int(np.flatnonzero(mask == 0)[0]), int(np.flatnonzero(mask)[0])
    return [
        *(wrong, -1, len(mask), 10**30, np.int64(wrong), np.int8(-1), np.array(wrong)),
        *(None, True, False, np.True_, float(right), np.float32(right), str(right), [right]),
    ]


def test_illegal_actions_are_refused_and_change_nothing():
    env = fresh(2, **MINI)
    rng = np.random.default_rng(4)
    while not any(env.terminations.values()):
        before = pickle.dumps(env)
        for action in illegal_actions(env):
            with pytest.raises(IllegalActionError) as error:
                env.step(action)
            decision = env.infos[env.agent_selection]["decision"]
            assert f"decision {decision} of {env.agent_selection}: " in str(error.value)
            named = int(action) if isinstance(action, np.integer | np.ndarray) else action
            assert f"action {named!r}" in str(error.value)
            assert "; legal: " in str(error.value)
        assert pickle.dumps(env) == before
        advance(env, 1, rng)


def test_whole_numbers_of_any_type_are_actions():
    states = []
    for kind in (int, np.int8, np.int64, np.uint16, np.array):
        env = fresh(2, **MINI)
        env.step(kind(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        states.append(env.state().tolist())
    assert all(state == states[0] for state in states)


def test_use_out_of_order_is_refused():
    env = bohnanza_v0.env(**MINI, render_mode="ansi")
    for use in (
        lambda: env.step(0),
        lambda: env.last(),
        lambda: env.agent_iter(),
        lambda: env.observe("player_0"),
        lambda: env.state(),
        lambda: env.view("player_0"),
        lambda: env.game,
        lambda: env.render(),
    ):
        with pytest.raises(ResetNeeded, match=r"reset\(\)"):
            use()
    env.reset(seed=1)
    for agent in ("player_3", 0, None):
        with pytest.raises(KeyError, match="agents: player_0, player_1, player_2"):
            env.observe(agent)
    trace(env, np.random.default_rng(0))
    with pytest.raises(ResetNeeded):
        env.step(None)
    env.close()
    env.close()
    env.reset(seed=1)
    assert len(env.agents) == 3


def test_a_finished_agent_can_only_leave():
    env = fresh(1, **MINI, max_steps=3)
    advance(env, 3, np.random.default_rng(0))
    before = pickle.dumps(env)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    assert pickle.dumps(env) == before
    env.step(None)
    assert env.agents == ["player_1", "player_2"]


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"edition": "ruby"}, RulesError, "unknown edition 'ruby'; known editions: amigo"),
        ({"players": 6}, RulesError, "players: amigo is for 3, 4, 5 players, not 6"),
        ({"reward": "profit"}, ValueError, "known rewards: margin, coins, win, rank"),
        ({"render_mode": "rgb_array"}, ValueError, "render_mode: .*None, 'ansi', 'human'"),
        ({"encoding": "picture"}, ValueError, "encoding: .*'flat'"),
        ({"protocol": "loud"}, RulesError, "protocol: expected one of staged, compact"),
        ({"colour": 1}, TypeError, "colour: unknown argument; .*max_steps.*protocol"),
        ({"max_steps": 0}, ValueError, "max_steps"),
        ({"max_steps": 1.5}, ValueError, "max_steps"),
        ({"start": 4}, ValueError, "start: expected a seat 0 to 3.*'rotate'"),
        ({"start": "player_x"}, ValueError, "start: expected a seat"),
        ({"render_seat": "everything"}, ValueError, "render_seat: .*'open'"),
        ({"rules": "amigo"}, TypeError, "rules: expected Rules"),
        ({"rules": Rules.of("mini", 2), "window": "off"}, TypeError, "rules: give either"),
        ({"rules": Rules.of("mini", 2), "players": 3}, TypeError, "rules: give either"),
    ],
    ids=str,
)
@pytest.mark.parametrize("make", [bohnanza_v0.env, bohnanza_v0.parallel_env])
def test_arguments_that_cannot_be_used_are_named(make, arguments, error, text):
    with pytest.raises(error, match=text):
        make(**arguments)


def test_rules_can_be_given_in_each_way():
    rules = Rules.of("amigo", 3, protocol="compact")
    for env in (
        bohnanza_v0.env("amigo", 3, protocol="compact"),
        bohnanza_v0.env(rules=rules),
        bohnanza_v0.raw_env(rules=rules, edition="amigo", players=3),
    ):
        assert env.rules == rules
        assert env.num_agents == 0
        assert env.max_num_agents == 3
