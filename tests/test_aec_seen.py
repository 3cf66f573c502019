"""What agents of the PettingZoo environments see and what they do not."""

from __future__ import annotations

import copy
from itertools import pairwise

import numpy as np
import pytest
from aec_play import AMIGO, DUEL, MINI, advance, choose, fresh

from bohnanza_env import Game, bohnanza_v0
from bohnanza_env.actions import ActionSpace
from bohnanza_env.redeal import redeal


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
