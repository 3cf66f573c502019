"""The PettingZoo environments: API, seeds, copies, errors, and what is seen and what is not."""

from __future__ import annotations

import copy
import os
import pickle
import random
import subprocess
import sys
import warnings
from itertools import pairwise

import numpy as np
import pettingzoo
import pytest
from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, parallel_api_test, seed_test

from bohnanza_env import Game, IllegalActionError, Rules, RulesError, bohnanza_v0
from bohnanza_env.actions import ActionSpace
from bohnanza_env.redeal import redeal
from bohnanza_env.rewards import REWARDS

MINI = {"edition": "mini", "players": 3}
AMIGO = {"edition": "amigo", "players": 4}
DUEL = {"edition": "duel", "players": 2}
COMPACT = {"edition": "rio_grande", "players": 6, "protocol": "compact"}


def fresh(seed: int = 0, **arguments):
    env = bohnanza_v0.env(**arguments)
    env.reset(seed=seed)
    return env


def choose(env, observation: dict, rng: np.random.Generator) -> int | None:
    """A legal action, ``None`` for an agent whose game is over."""
    agent = env.agent_selection
    if env.terminations[agent] or env.truncations[agent]:
        return None
    return int(rng.choice(np.flatnonzero(observation["action_mask"])))


def same_record(one: Game, other: Game) -> bool:
    """Whether all fields are equal."""
    names = one.state.dtype.names
    assert names is not None
    return all((one.state[name] == other.state[name]).all() for name in names)


def trace(env, rng: np.random.Generator, most: int = 10**6) -> list[tuple]:
    """Play on; everything that is handed out on the way."""
    rows = []
    for agent in env.agent_iter(most):
        seen, *others = env.last()
        action = choose(env, seen, rng)
        arrays = seen["observation"].tobytes(), seen["action_mask"].tobytes()
        rows.append((agent, *arrays, *others, action, env.steps))
        env.step(action)
        rows.append((tuple(env.agents), dict(env.rewards), env.state().tobytes()))
    return rows


def advance(env, steps: int, rng: np.random.Generator) -> None:
    trace(env, rng, steps)


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


# -- errors -------------------------------------------------------------------------------------


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


# -- what is seen -------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [MINI, DUEL, {**MINI, "encoding": "tokens"}], ids=str)
def test_masks_and_observations(arguments):
    env = fresh(5, **arguments)
    rng = np.random.default_rng(5)
    for agent in env.agent_iter():
        seen, _, ended, _, info = env.last()
        for other in env.possible_agents:
            observation = env.observe(other)
            assert env.observation_space(other).contains(observation)
            assert observation["action_mask"].any() == (other == agent and not ended)
        assert info == ({} if ended else {"decision": env.game.decision.text})
        assert not any(env.infos[other] for other in env.agents if other != agent)
        env.step(choose(env, seen, rng))


def test_spaces():
    env, other = bohnanza_v0.env(**MINI), bohnanza_v0.env(**MINI)
    agents = env.possible_agents
    for space in (env.observation_space, env.action_space):
        assert all(space(agent) is space(agent) for agent in agents)
        assert all(space(a) is not space(b) for a, b in pairwise(agents))
        assert space("player_0") == getattr(other, space.__name__)("player_0")
        assert space("player_0") is not getattr(other, space.__name__)("player_0")
        with pytest.raises(KeyError, match="agents: player_0"):
            space("player_7")
    assert env.action_space("player_1").n == ActionSpace.of(env.rules).size
    assert env.observation_space("player_0")["action_mask"].dtype == np.int8
    # Sampling in one environment leaves the other alone.
    for one in (env, other):
        one.action_space("player_0").seed(1)
    samples = [env.action_space("player_0").sample() for _ in range(5)]
    assert [other.action_space("player_0").sample() for _ in range(5)] == samples


def test_what_is_handed_out_belongs_to_the_caller():
    env = fresh(1, **MINI)
    rng = np.random.default_rng(1)
    kept = []
    for _ in range(30):
        seen, *_, info = env.last()
        rows = [seen["observation"], seen["action_mask"], env.state(), info]
        kept.append((rows, copy.deepcopy(rows)))
        action = choose(env, seen, rng)
        mine = env.last()[0]
        mine["observation"][:], mine["action_mask"][:] = 9, 1
        env.game.step(action)
        env.view(0)["hand"] = 3
        again = env.last()[0]
        assert again["observation"].tolist() == seen["observation"].tolist()
        assert again["action_mask"].tolist() == seen["action_mask"].tolist()
        env.step(action)
    for rows, copies in kept:
        assert repr(rows) == repr(copies)


@pytest.mark.parametrize("arguments", [{**MINI, "encoding": "tokens"}, AMIGO], ids=str)
def test_hidden_cards_make_no_difference(arguments):
    """A seat gets the same of a game that it cannot tell from this one."""
    env = fresh(6, **arguments, render_mode="ansi")
    other = bohnanza_v0.env(**arguments, render_mode="ansi")
    rng = np.random.default_rng(6)
    changed = 0
    for number in range(40):
        advance(env, 1 + 2 * (arguments is AMIGO), rng)
        if any(env.terminations.values()):
            env.reset()
        for seat, agent in enumerate(env.possible_agents):
            other.reset(options={"game": redeal(env.rules, env.view(agent), number)})
            changed += other.state().tolist() != env.state().tolist()
            for key, value in env.observe(agent).items():
                assert other.observe(agent)[key].tolist() == value.tolist()
            assert other.infos == env.infos
            assert other.agent_selection == env.agent_selection
            assert other.render() == env.render()
            for one in (env, other):
                one._render_seat = seat
            assert other.render() == env.render()
            for one in (env, other):
                one._render_seat = None
    assert changed > 40


def test_state():
    env, orders = fresh(8, **AMIGO), fresh(8, **AMIGO, state_deck=True)
    advance(env, 100, np.random.default_rng(1))
    advance(orders, 100, np.random.default_rng(1))
    layout, state, record = env.state_layout, env.state(), env.game.state[0]
    assert env.state_space is env.state_space
    assert env.state_space.contains(state)
    assert orders.state_space.contains(orders.state())
    assert len({piece.name for piece in layout.pieces}) == len(layout.pieces)
    pieces = layout.split(state)
    deck = record.deck[: record.deck_size]
    assert pieces["deck_beans"].tolist() == np.bincount(deck, minlength=8).tolist()
    for seat in range(4):
        hand = pieces["hand" if seat == 0 else f"player_{seat}.hand"]
        size = record.hand_size[seat]
        assert (hand[:size] - 1).tolist() == record.hand[seat, :size].tolist()
    assert "deck" not in pieces
    shown = orders.state_layout.split(orders.state())["deck"]
    assert (shown[: record.deck_size] - 1).tolist() == deck[::-1].tolist()
    # Another order of the deck, another seed: the same state.
    twin = Game.from_state(env.rules, env.game.state)
    twin.state["deck"][0, : record.deck_size] = deck[::-1]
    twin.state["seed"] = 99
    assert layout.state(twin).tolist() == state.tolist()


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


# -- the package --------------------------------------------------------------------------------


def test_importing_the_package_loads_little():
    program = "import sys, bohnanza_env; print([m for m in ('numba', 'torch') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_public_names():
    import bohnanza_env

    for name in bohnanza_env.__all__:
        assert getattr(bohnanza_env, name) is not None
        assert name in dir(bohnanza_env)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bohnanza_env.nothing  # noqa: B018
