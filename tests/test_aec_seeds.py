"""What decides a game of the PettingZoo environments: seeds, start players, games, copies."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
from aec_play import AMIGO, COMPACT, MINI, advance, fresh, same_record, trace

from bohnanza_env import Game, Rules, bohnanza_v0

# -- seeds -----------------------------------------------------------------------------------------

EPISODES = """
import hashlib, sys
import numpy as np
from bohnanza_env import bohnanza_v0
env = bohnanza_v0.env("mini", 3, start="rotate")
rng, digest = np.random.default_rng(5), hashlib.sha256()
for episode in range(4):
    env.reset(seed=1 if episode == 0 else None)
    for agent in env.agent_iter():
        seen, reward, ended, cut, info = env.last()
        action = None if ended or cut else int(rng.choice(np.flatnonzero(seen["action_mask"])))
        digest.update(seen["observation"].tobytes() + repr((agent, reward, info, action)).encode())
        env.step(action)
print(digest.hexdigest())
"""


def test_episodes_repeat_in_any_process_and_under_any_hash_seed(capsys):
    exec(EPISODES, {})
    want = capsys.readouterr().out
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "BOHNANZA_QUIET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", EPISODES], env=environment, capture_output=True, text=True
        )
        assert done.stdout == want, done.stderr


def test_resets_without_a_seed_go_on_from_the_last_seed():
    one, two = fresh(7, **AMIGO), fresh(7, **AMIGO)
    two_games = []
    for env in (one, two):
        if env is two:
            advance(env, 30, np.random.default_rng(0))  # play does not change what is dealt next
        env.reset()
        first = env.state()
        env.reset()
        two_games.append((first.tolist(), env.state().tolist()))
    assert two_games[0] == two_games[1]
    assert two_games[0][0] != two_games[0][1]
    one.reset(seed=7)
    assert same_record(one.game, Game(one.rules, 7))


def test_without_any_seed_games_differ():
    states = []
    for _ in range(2):
        env = bohnanza_v0.env(**AMIGO)
        env.reset()
        states.append(env.state().tolist())
    assert states[0] != states[1]


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, 2**64])
def test_bad_seeds_are_refused(seed):
    with pytest.raises(ValueError, match="seed"):
        bohnanza_v0.env(**MINI).reset(seed=seed)


def test_global_random_state_is_left_alone():
    before = random.getstate(), pickle.dumps(np.random.get_state())  # noqa: NPY002
    env = fresh(1, **MINI)
    trace(env, np.random.default_rng(1))
    bohnanza_v0.env(**MINI).reset()
    assert before == (random.getstate(), pickle.dumps(np.random.get_state()))  # noqa: NPY002


def test_environments_side_by_side_do_not_disturb_each_other():
    alone = [trace(fresh(seed, **MINI), np.random.default_rng(seed)) for seed in (1, 2)]
    envs = [fresh(seed, **MINI) for seed in (1, 2)]
    rngs = [np.random.default_rng(seed) for seed in (1, 2)]
    together: list[list] = [[], []]
    while any(env.agents for env in envs):
        for env, rng, rows in zip(envs, rngs, together, strict=True):
            rows += trace(env, rng, 3)
    assert together == alone


def test_start_player():
    assert [fresh(1, **MINI, start=s).agent_selection for s in (0, 2, "player_1")] == [
        "player_0",
        "player_2",
        "player_1",
    ]
    env = fresh(1, **MINI, start="rotate")
    starts = [env.agent_selection]
    for _ in range(3):
        env.reset()
        starts.append(env.agent_selection)
    assert starts == ["player_0", "player_1", "player_2", "player_0"]
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    env.reset(options={"start": 2})
    assert env.agent_selection == "player_2"
    with pytest.raises(ValueError, match="start: expected a seat 0 to 2"):
        env.reset(options={"start": 3})


def test_a_game_can_be_played_on():
    game = Game(Rules.of("mini", 3), 9)
    for _ in range(10):
        game.step(int(game.legal_actions()[-1]))
    before = game.copy()
    env = bohnanza_v0.env(**MINI)
    env.reset(options={"game": game})
    assert env.agent_selection == f"player_{game.to_act}"
    assert same_record(env.game, game)
    trace(env, np.random.default_rng(0))
    assert same_record(game, before)
    assert not same_record(game, env.game)
    with pytest.raises(ValueError, match="options: game"):
        env.reset(options={"game": Game(Rules.of("mini", 2))})


# -- copies -------------------------------------------------------------------------------------

COPIES = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


def assert_same_future(env, twin) -> None:
    """Both play to the end alike, and deal the same game after it; neither disturbs the other."""
    rows = []
    for one in (env, twin):
        rows.append(trace(one, np.random.default_rng(11)))
        one.reset()
        rows[-1].append(one.state().tobytes())
    assert rows[0] == rows[1]


@pytest.mark.parametrize("way", COPIES)
def test_copies_at_every_ply_have_the_same_future(way):
    env = fresh(3, **MINI)
    rng = np.random.default_rng(8)
    plies = 0
    while env.agents:
        assert_same_future(COPIES[way](env), COPIES[way](env))
        before = pickle.dumps(env)
        trace(COPIES[way](env), rng, 5)
        assert pickle.dumps(env) == before
        advance(env, 1, rng)
        plies += 1
    assert plies > 40  # the last ones are those of agents that leave the finished game


@pytest.mark.parametrize(
    "arguments", [{**AMIGO, "max_steps": 600}, {**COMPACT, "max_steps": 600}], ids=str
)
def test_copies_of_longer_games(arguments):
    env = fresh(3, **arguments)
    for way in COPIES.values():
        advance(env, 150, np.random.default_rng(2))
        assert env.agents
        assert_same_future(way(env), way(env))
        assert_same_future(way(env), copy.deepcopy(way(env)))


def test_copies_before_a_game_and_of_the_parallel_form():
    env = bohnanza_v0.env(**MINI)
    twin = pickle.loads(pickle.dumps(env))
    twin.reset(seed=2)
    env.reset(seed=2)
    assert_same_future(env, twin)
    parallel = bohnanza_v0.parallel_env(**MINI)
    parallel.reset(seed=1)
    for way in COPIES.values():
        twin = way(parallel)
        mask = parallel.aec_env.last()[0]["action_mask"]
        actions = dict.fromkeys(parallel.agents, int(np.flatnonzero(mask)[0]))
        assert repr(twin.step(actions)) == repr(copy.deepcopy(parallel).step(actions))
