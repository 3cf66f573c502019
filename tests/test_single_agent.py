"""``Bohnanza-v0``: one learner among other policies."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

import bohnanza_env  # noqa: F401 - registers the environment
from bohnanza_env.bots import BotPolicy
from bohnanza_env.engine.errors import IllegalActionError, RulesError
from bohnanza_env.engine.rules import Rules
from bohnanza_env.single_agent import BohnanzaEnv
from bohnanza_env.tallies import Tally

MINI = {"edition": "mini", "players": 3, "opponents": "random"}


def some_action(env: BohnanzaEnv, generator: np.random.Generator) -> int:
    return int(generator.choice(np.flatnonzero(env.action_masks())))


def play(env: BohnanzaEnv, seed: int, **options: object) -> list[tuple]:
    """A random episode: (observation, mask, reward) at each step."""
    generator = np.random.default_rng(seed)
    observation, _ = env.reset(seed=seed, options=options)
    steps = [(observation, env.action_masks(), 0.0)]
    done = False
    while not done:
        observation, reward, terminated, truncated, _ = env.step(some_action(env, generator))
        steps.append((observation, env.action_masks(), reward))
        done = terminated or truncated
    return steps


def same(one: list[tuple], other: list[tuple]) -> bool:
    return len(one) == len(other) and all(
        np.array_equal(a[0], b[0]) and np.array_equal(a[1], b[1]) and a[2] == b[2]
        for a, b in zip(one, other, strict=True)
    )


class FirstLegal:
    """A policy from outside the package."""

    name = "first"

    def reset(self, rules, seat, seed):
        self.seat = seat

    def act(self, view, mask):
        assert view["seat"][0] == view["to_act"][0] == self.seat
        return int(np.flatnonzero(mask)[0])


class Forgiving(BohnanzaEnv):
    """For checkers, which sample without masks: the first legal action stands in then."""

    def step(self, action):
        mask = self.action_masks()
        return super().step(action if mask[action] else int(np.argmax(mask)))


@pytest.mark.parametrize("check", [check_env, check_env_of_sb3])
def test_the_checkers_of_gymnasium_and_sb3_pass(check: Callable) -> None:
    env = Forgiving(players=3, opponents="greedy", protocol="compact", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on style, not faults
        check(env)


def test_make_passes_fields_of_the_rules() -> None:
    env = gymnasium.make("Bohnanza-v0", edition="classic", players=5, protocol="compact")
    assert env.unwrapped.rules == Rules.of("classic", 5, protocol="compact")
    assert env.unwrapped.metadata["render_modes"] == ["ansi", "human"]


def test_equal_seeds_give_equal_episodes_and_others_differ() -> None:
    one, two = BohnanzaEnv(**MINI), BohnanzaEnv(**MINI)
    assert same(play(one, 5), play(two, 5))
    assert not same(play(one, 5), play(two, 6))


def test_a_reset_without_seed_goes_on_with_the_stream() -> None:
    decks = []
    for _ in range(2):
        env = BohnanzaEnv(**MINI)
        env.reset(seed=9)
        seeds = []
        for _ in range(3):
            env.reset()
            seeds.append(int(env.game.state["seed"][0]))
        decks.append(seeds)
    assert decks[0] == decks[1]
    assert len(set(decks[0])) == 3


@pytest.mark.parametrize("reward", ["margin", "coins", "win", "rank"])
def test_rewards_that_fall_due_on_others_turns_reach_the_learner(reward: str) -> None:
    env = BohnanzaEnv(players=3, opponents="greedy", protocol="compact", reward=reward)
    total = sum(step[2] for step in play(env, 3, learner_seat=2, start=0))
    coins = np.array(env.game.scores, float)
    others = np.delete(coins, 2)
    won = 2 in env.game.winners
    expected = {
        "margin": coins[2] - others.mean(),
        "coins": coins[2],
        "win": won / len(env.game.winners),
    }
    if reward == "rank":  # of three seats: first 1, second 0, last -1; ties share
        behind = sum(c < coins[2] for c in others) - sum(c > coins[2] for c in others)
        assert total == 1.0 if won else total <= behind / 2
    else:
        assert total == pytest.approx(expected[reward])


def test_reward_scale_multiplies() -> None:
    table = {"players": 3, "opponents": "greedy", "protocol": "compact", "reward": "margin"}
    plain, scaled = (play(BohnanzaEnv(**table, reward_scale=k), 4) for k in (1.0, 0.25))
    assert [0.25 * s[2] for s in plain] == pytest.approx([s[2] for s in scaled])
    assert any(s[2] != 0 for s in plain)


def test_the_learner_seat_and_then_the_start_rotate() -> None:
    env = BohnanzaEnv(**MINI, learner_seat="rotate", start="rotate")
    seen = []
    env.reset(seed=1)
    for _ in range(9):
        seen.append((env.learner_seat, int(env.game.state["start"][0])))
        env.reset()
    assert seen == [(seat, start) for start in range(3) for seat in range(3)]


def test_forced_decisions_are_passed_over_or_asked() -> None:
    asked = play(BohnanzaEnv(**MINI, pass_forced=False), 2)
    passed = play(BohnanzaEnv(**MINI), 2)
    assert any(np.count_nonzero(mask) == 1 for _, mask, _ in asked[:-1])
    assert all(np.count_nonzero(mask) > 1 for _, mask, _ in passed[:-1])


def test_masks_are_never_empty_before_the_end_and_empty_then() -> None:
    steps = play(BohnanzaEnv(players=4, opponents="greedy", protocol="compact"), 8)
    assert all(mask.any() for _, mask, _ in steps[:-1])
    assert not steps[-1][1].any()


def test_a_limit_of_decisions_truncates() -> None:
    env = BohnanzaEnv(players=3, opponents="greedy", max_decisions=3)
    generator = np.random.default_rng(0)
    env.reset(seed=0)
    flags = [env.step(some_action(env, generator))[2:4] for _ in range(3)]
    assert flags == [(False, False), (False, False), (False, True)]


@pytest.mark.parametrize("opponents", ["greedy", [FirstLegal(), "greedy"]])
def test_copies_and_pickles_have_the_same_future(opponents: object) -> None:
    env = BohnanzaEnv(players=3, opponents=opponents, protocol="compact")
    generator = np.random.default_rng(1)
    env.reset(seed=1)
    for ply in range(60):
        action = some_action(env, generator)
        if ply % 6 == 0:
            twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
            states = [twin.step(action)[0] for twin in twins]
        observation, _, terminated, _, _ = env.step(action)
        if ply % 6 == 0:
            assert all(np.array_equal(state, observation) for state in states)
            assert all(np.array_equal(t.game.state, env.game.state) for t in twins)
        if terminated:
            env.reset()


def test_bots_in_the_loop_and_bots_from_python_play_the_same() -> None:
    table = {"players": 3, "protocol": "compact"}
    loop = BohnanzaEnv(**table, opponents="greedy")
    python = BohnanzaEnv(**table, opponents=[BotPolicy("greedy"), BotPolicy("greedy")])
    assert same(play(loop, 6), play(python, 6))
    counted = slice(Tally.DECISIONS)  # all columns before it
    assert np.array_equal(loop.tallies[:, counted], python.tallies[:, counted])
    assert loop.tallies[loop.learner_seat, Tally.PROPOSALS] > 0


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = BohnanzaEnv(players=3, opponents="greedy")
    env.reset(seed=1)
    before = pickle.dumps(env.game.state.tobytes())
    wrong = int(np.flatnonzero(~env.action_masks())[0])
    for action in (wrong, -1, 10_000, 1.5, None, "pass"):
        with pytest.raises(IllegalActionError, match="plant"):
            env.step(action)  # type: ignore[arg-type]
        assert pickle.dumps(env.game.state.tobytes()) == before


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"edition": "skat"}, RulesError, "unknown edition 'skat'; known editions: amigo"),
        ({"players": 6}, RulesError, "amigo is for 3, 4, 5 players, not 6"),
        ({"opponents": "nobody"}, ValueError, "nobody.*random.*greedy.*trader"),
        ({"opponents": ["random"]}, ValueError, "expected one for all or 3"),
        ({"opponents": [1, 2, 3]}, TypeError, "names or policies"),
        ({"learner_seat": 4}, ValueError, "learner_seat: expected a seat 0 to 3"),
        ({"start": "left"}, ValueError, "start: expected a seat"),
        ({"reward": "gold"}, ValueError, "unknown reward 'gold'; known rewards: margin"),
        ({"render_mode": "rgb"}, ValueError, "render_mode"),
        ({"max_decisions": 0}, ValueError, "max_decisions"),
        ({"protokol": "compact"}, TypeError, "protokol: unknown argument"),
        ({"protocol": "fast"}, RulesError, "protocol: expected one of staged, compact"),
    ],
)
def test_bad_arguments_are_one_clear_error(arguments: dict, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        BohnanzaEnv(**arguments)


def test_policies_are_not_told_the_seed_of_the_deck() -> None:
    class Curious(FirstLegal):
        def reset(self, rules, seat, seed):
            super().reset(rules, seat, seed)
            self.seed = seed

    policy = Curious()
    env = BohnanzaEnv("mini", 2, opponents=[policy])
    seeds = []
    for deck in (0, 1, np.uint64(2**64 - 1), 1):
        env.reset(options={"deck_seed": deck})
        assert env.game.state["seed"][0] == deck
        seeds.append(policy.seed)
    assert seeds[1] == seeds[3]
    assert len({*seeds, 0, 1, 2**64 - 1}) == 6


class Cheat(FirstLegal):
    """Answers what is not legal and tampers with its mask."""

    def act(self, view, mask):
        mask[:] = 1
        return len(mask) - 1


def test_a_failing_policy_is_named_and_its_mask_is_not_shown() -> None:
    env = BohnanzaEnv(opponents=[Cheat(), "greedy", "greedy"], pass_forced=False)
    env.reset(seed=1)
    generator = np.random.default_rng(0)

    def play_on() -> None:
        for _ in range(1000):
            env.step(some_action(env, generator))

    with pytest.raises(RuntimeError, match=r"policy 'first'.*is not legal"):
        play_on()
    assert env.game.to_act != env.learner_seat
    assert not env.action_masks().any()
    state = env.game.state.tobytes()
    with pytest.raises(RuntimeError, match="seat 1 failed: call reset"):
        env.step(int(env.game.legal_actions()[0]))
    assert env.game.state.tobytes() == state


def test_shallow_copies_are_whole_copies_and_spaces_are_not_shared() -> None:
    env = BohnanzaEnv("mini", 3, opponents="greedy")
    env.reset(seed=1)
    twin = copy.copy(env)
    state = env.game.state.tobytes()
    twin.step(int(twin.game.legal_actions()[0]))
    assert env.game.state.tobytes() == state
    other = BohnanzaEnv("mini", 3, opponents="greedy")
    for one in (twin, other):
        for name in ("action_space", "observation_space"):
            assert getattr(one, name) == getattr(env, name)
            assert getattr(one, name) is not getattr(env, name)
    env.action_space.seed(3)
    samples = copy.deepcopy(env).action_space.sample(), env.action_space.sample()
    assert samples[0] == samples[1]


def test_bad_options_of_reset_leave_the_episode_alone() -> None:
    env = BohnanzaEnv(players=3, opponents="greedy")
    env.reset(seed=1)
    state = env.game.state.copy()
    with pytest.raises(ValueError, match="options: unknown"):
        env.reset(options={"seat": 1})
    with pytest.raises(ValueError, match="learner_seat"):
        env.reset(options={"learner_seat": 7})
    for deck in (-1, 2**64, None, True, 1.5):
        with pytest.raises(ValueError, match="deck_seed"):
            env.reset(seed=3, options={"deck_seed": deck, "learner_seat": 2})
    assert env.learner_seat == 0
    assert np.array_equal(env.game.state, state)


def test_calls_before_reset_say_so() -> None:
    with pytest.raises(RuntimeError, match="call reset"):
        BohnanzaEnv(players=3, opponents="greedy").action_masks()


def test_the_text_shows_the_learners_hand_and_no_other() -> None:
    env = BohnanzaEnv(players=3, opponents="greedy", render_mode="ansi")
    env.reset(seed=1, options={"learner_seat": 1})
    shown = env.render()
    assert shown is not None
    for other in (0, 2):  # hands of others in another order: the text stays the same
        size = int(env.game.state["hand_size"][0, other])
        env.game.state["hand"][0, other, :size] = env.game.state["hand"][0, other, :size][::-1]
    assert env.render() == shown
