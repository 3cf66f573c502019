"""One-seat vectors: game by game the same as ``BohnanzaEnv``, for Gymnasium and for SB3."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from sb3_contrib import MaskablePPO
from stable_baselines3.common.vec_env import VecMonitor

import bohnanza_env  # noqa: F401 - registers the environment
from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.sb3 import BohnanzaVecEnv
from bohnanza_env.seat_vector import SeatVectorEnv
from bohnanza_env.single_agent import BohnanzaEnv

SAME, NEXT, OFF = AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED
MINI: dict[str, Any] = {"edition": "mini", "players": 3, "opponents": "random"}
TABLES: dict[str, dict[str, Any]] = {
    "random": MINI,
    "rotating": {**MINI, "learner_seat": "rotate", "start": "rotate", "protocol": "compact"},
    "greedy and random": {**MINI, "opponents": ["greedy", "random"], "learner_seat": 1},
    "trader": {**MINI, "opponents": ["trader", "greedy"], "reward": "rank", "reward_scale": 0.5},
    "all decisions": {**MINI, "pass_forced": False, "start": 2},
    "cut": {**MINI, "max_decisions": 7},
    # Two cards each: often nobody has a choice, and decks are drawn until the learner is asked.
    "tiny": {"edition": "mini", "players": 2, "opponents": "random", "protocol": "compact"},
}


def some_actions(masks: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """A legal action for each row; 0 where there is none."""
    return np.array([generator.choice(np.flatnonzero(m)) if m.any() else 0 for m in masks])


@pytest.mark.parametrize("name", TABLES)
def test_each_game_is_the_single_environment(name: str):
    count, arguments = 3, TABLES[name]
    vector = SeatVectorEnv(count, threads=2, **arguments)
    singles = [BohnanzaEnv(**arguments) for _ in range(count)]
    seen, info = vector.reset(seed=6)
    for i, env in enumerate(singles):
        assert np.array_equal(env.reset(seed=6 + i)[0], seen[i])
    generator, ends = np.random.default_rng(0), 0
    for _ in range(250):
        actions = some_actions(info["action_mask"], generator)
        seen, rewards, terminated, truncated, info = vector.step(actions)
        for i, env in enumerate(singles):
            expected, reward, over, cut, end = env.step(int(actions[i]))
            assert (rewards[i], terminated[i], truncated[i]) == (reward, over, cut)
            if over or cut:
                ends += 1
                assert np.array_equal(info["final_obs"][i], expected)
                final = info["final_info"]
                assert final["seat"][i] == end["seat"]
                assert info["_final_obs"][i]
                assert final["coins"][i].tolist() == env.game.scores
                assert np.flatnonzero(final["winners"][i]).tolist() == env.game.winners
                expected, end = env.reset()
            assert np.array_equal(seen[i], expected)
            assert np.array_equal(info["action_mask"][i], end["action_mask"])
            assert info["seat"][i] == end["seat"]
    assert ends > count


def test_gymnasium_makes_one():
    env = gymnasium.make_vec(
        "Bohnanza-v0", 4, vectorization_mode="vector_entry_point", **MINI, learner_seat=2
    )
    assert isinstance(env.unwrapped, SeatVectorEnv)
    assert env.metadata["autoreset_mode"] is SAME
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert env.action_space.shape == (4,)
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    wrapped.reset(seed=1)
    for _ in range(80):
        *_, info = wrapped.step(some_actions(info["action_mask"], np.random.default_rng(0)))
    assert wrapped.episode_count > 0
    env.close()


def test_the_other_autoreset_modes():
    modes = {mode: SeatVectorEnv(3, **MINI, autoreset=mode) for mode in (SAME, NEXT, OFF)}
    starts = {mode: env.reset(seed=2) for mode, env in modes.items()}
    generator, over = np.random.default_rng(1), np.zeros(3, bool)
    info, never = starts[OFF][1], modes[OFF]
    while not over.all():
        actions = some_actions(info["action_mask"], generator)
        _, rewards, terminated, _, info = never.step(actions)
        assert not rewards[over].any()
        over = terminated
    assert info["coins"].shape == (3, 3)
    _, info = never.reset(options={"reset_mask": np.array([True, False, False])})
    assert info["action_mask"].any(axis=1).tolist() == [True, False, False]

    later, info, over = modes[NEXT], starts[NEXT][1], np.zeros(3, bool)
    seen = starts[NEXT][0]
    for _ in range(100):
        actions = some_actions(info["action_mask"], generator)
        seen, rewards, terminated, _, info = later.step(actions)
        assert not rewards[over].any()
        assert not terminated[over].any()
        over = terminated
    assert seen.any()


class Lowest:
    """A batch policy: the lowest legal action of each row."""

    def __init__(self) -> None:
        self.rows = 0

    def __call__(self, observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        assert len(observation) == len(mask)
        self.rows += len(mask)
        return mask.argmax(axis=1)


class LowestOfOne:
    """The same as a policy of the single environment."""

    name = "lowest"

    def reset(self, rules, seat, seed):
        pass

    def act(self, view, mask):
        return int(mask.argmax())


@pytest.mark.parametrize("pass_forced", [True, False])
def test_a_batch_policy_plays_other_seats(pass_forced: bool):
    rest = {"edition": "mini", "players": 3, "pass_forced": pass_forced, "learner_seat": "rotate"}
    policy = Lowest()
    vector = SeatVectorEnv(3, **rest, opponents=["random", policy])
    singles = [BohnanzaEnv(**rest, opponents=["random", LowestOfOne()]) for _ in range(3)]
    _, info = vector.reset(seed=0)
    for i, env in enumerate(singles):
        env.reset(seed=i)
    generator = np.random.default_rng(0)
    for _ in range(120):
        actions = some_actions(info["action_mask"], generator)
        seen, rewards, terminated, _, info = vector.step(actions)
        for i, env in enumerate(singles):
            expected, reward, over, _, _ = env.step(int(actions[i]))
            assert (reward, over) == (rewards[i], terminated[i])
            assert np.array_equal(seen[i], env.reset()[0] if over else expected)
    assert policy.rows > 100


def test_a_batch_policy_that_chooses_illegally_is_named():
    vector = SeatVectorEnv(2, "mini", 2, opponents=lambda observation, mask: [-1] * len(mask))

    def play() -> None:
        _, info = vector.reset(seed=0)
        for _ in range(100):
            *_, info = vector.step(info["action_mask"].argmax(axis=1))

    with pytest.raises(IllegalActionError, match=r"game \d: .*lambda.* chose -1"):
        play()
    with pytest.raises(RuntimeError, match="reset"):
        vector.step([0, 0])


def test_copies_and_pickles_have_the_same_future():
    vector = SeatVectorEnv(4, **TABLES["rotating"])
    _, info = vector.reset(seed=3)
    generator = np.random.default_rng(0)
    for _ in range(30):
        *_, info = vector.step(some_actions(info["action_mask"], generator))
    others = [copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))]
    for _ in range(100):
        actions = some_actions(info["action_mask"], generator)
        *first, info = vector.step(actions)
        for other in others:
            for a, b in zip(first, other.step(actions)[:4], strict=True):
                assert np.array_equal(a, b)


def test_illegal_actions_change_nothing_and_arguments_are_checked():
    vector = SeatVectorEnv(3, **MINI)
    with pytest.raises(RuntimeError, match="reset"):
        vector.step([0, 0, 0])
    _, info = vector.reset(seed=0)
    before = vector._games.tobytes()
    legal = info["action_mask"].argmax(axis=1)
    with pytest.raises(IllegalActionError, match=r"^game 1: "):
        vector.step([legal[0], 9999, -1])
    assert vector._games.tobytes() == before
    with pytest.raises(TypeError, match="opponents"):
        SeatVectorEnv(2, **{**MINI, "opponents": [3, "random"]})
    with pytest.raises(ValueError, match="opponents"):
        SeatVectorEnv(2, **{**MINI, "opponents": ["random"]})
    with pytest.raises(ValueError, match="reset_mask"):
        vector.reset(options={"deck_seed": 3})
    with pytest.raises(TypeError, match="num_envs"):
        SeatVectorEnv(2, **MINI, games=3)


def test_maskable_ppo_trains_on_it():
    arguments = {**MINI, "protocol": "compact"}
    env = VecMonitor(BohnanzaVecEnv(32, **arguments))
    env.seed(3)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=256, n_epochs=1, seed=0)
    model.learn(2048)
    assert model.num_timesteps == 2048
    assert len(model.ep_info_buffer) > 0
    bare = BohnanzaVecEnv(2, **arguments)
    bare.reset()
    assert bare.has_attr("action_masks")
    assert not bare.has_attr("nothing")
    assert np.array_equal(bare.env_method("action_masks", indices=[1])[0], bare.action_masks()[1])
    done = np.zeros(2, bool)
    while not done.any():
        actions = some_actions(bare.action_masks(), np.random.default_rng(0))
        _, rewards, done, infos = bare.step(actions)
    end = infos[int(np.argmax(done))]
    assert rewards.dtype == np.float32
    assert len(end["coins"]) == 3
    assert end["terminal_observation"] in bare.observation_space


def test_a_seed_that_is_refused_changes_nothing():
    vector = SeatVectorEnv(3, **MINI)
    with pytest.raises(ValueError, match="seed: expected None or a whole number from 0 up, got -1"):
        vector.reset(seed=-1)
    vector.reset()
    assert len({vector.game(i).state["seed"].item() for i in range(3)}) == 3
    vector.reset(seed=np.arange(5, 8))
    seeds = [vector.game(i).state["seed"].item() for i in range(3)]
    with pytest.raises(ValueError, match=r"seed: that of game 2: expected .*, got -3"):
        vector.reset(seed=[1, 2, -3])
    vector.reset(seed=5)
    assert [vector.game(i).state["seed"].item() for i in range(3)] == seeds
    with pytest.raises(IndexError, match="0 to 2"):
        vector.game(-1)
