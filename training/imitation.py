"""Warm start: imitate a bot before reinforcement learning goes on from there."""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from tqdm import tqdm

from bohnanza_env.bots import BotPolicy
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import observe
from bohnanza_env.rewards import reward_function
from bohnanza_env.view import view_of
from training.checks import say
from training.config import TrainingConfig

__all__ = ["Demonstrations", "collect_demonstrations", "imitate"]


@dataclass(frozen=True)
class Demonstrations:
    """Decisions of a bot that had a choice.

    Attributes:
        observations: int16, (decisions, observation size).
        masks: bool, (decisions, actions).
        actions: int64, (decisions,).
        returns: float32, (decisions,): discounted rewards from there to the end of the game.
    """

    observations: np.ndarray
    masks: np.ndarray
    actions: np.ndarray
    returns: np.ndarray


def collect_demonstrations(config: TrainingConfig, rules: Rules) -> Demonstrations:
    """Let the bot of ``config.warm_start`` play itself, all seats recorded."""
    columns: tuple[list, list, list, list] = ([], [], [], [])
    _say_without_bar(f"demonstrations: {config.warm_start.games} games")
    for number in tqdm(
        range(config.warm_start.games), desc="demonstrations", unit="game", disable=None
    ):
        for column, part in zip(columns, _one_game(config, rules, number), strict=True):
            column.append(part)
    return Demonstrations(*(np.concatenate(column) for column in columns))


def _say_without_bar(text: str) -> None:
    """A sign of life where no terminal shows the bars."""
    if not sys.stderr.isatty():
        say(f"  {text}")


def _one_game(config: TrainingConfig, rules: Rules, number: int) -> tuple[np.ndarray, ...]:
    seats = range(rules.players)
    reward_of = reward_function(config.environment.reward)
    scale, gamma = config.environment.reward_scale, config.ppo.gamma
    game = Game(rules, seed=config.seed * 1_000_003 + number, start=number % rules.players)
    policies = [BotPolicy(config.warm_start.bot) for _ in seats]
    for seat in seats:
        policies[seat].reset(rules, seat, config.seed * 1_000_003 + number)
    steps: list[list] = [[] for _ in seats]  # by seat: [observation, mask, action, reward]
    while not game.over:
        seat, before = game.to_act, game.state.copy()
        view = view_of(game, seat)
        action = policies[seat].act(view, game.mask)
        if np.count_nonzero(game.mask) > 1:
            steps[seat].append([observe(rules, view), game.mask.astype(bool), action, 0.0])
        game.step(action)
        for other, reward in enumerate(reward_of(rules, before, game.state)):
            if steps[other]:
                steps[other][-1][3] += scale * reward
    rows = []
    for of_seat in steps:
        value = 0.0
        for row in reversed(of_seat):
            value = row[3] = row[3] + gamma * value
        rows += of_seat
    observations, masks, actions, returns = zip(*rows, strict=True)
    return (
        np.stack(observations),
        np.stack(masks),
        np.asarray(actions, np.int64),
        np.asarray(returns, np.float32),
    )


def imitate(model: MaskablePPO, shown: Demonstrations, config: TrainingConfig) -> float:
    """Fit actor (log-likelihood) and critic (squared error of returns) to the demonstrations.

    Returns the share of decisions in the last pass in which the likeliest action was the bot's.
    """
    start, policy = config.warm_start, model.policy
    optimiser = torch.optim.Adam(policy.parameters(), lr=start.learning_rate, eps=1e-5)
    order = np.random.default_rng(config.seed)
    policy.set_training_mode(True)
    agreed, seen = 0, 0
    for epoch in range(start.epochs):
        agreed, seen = 0, 0
        _say_without_bar(f"imitation, pass {epoch + 1} of {start.epochs}")
        batches = np.array_split(
            order.permutation(len(shown.actions)),
            max(1, len(shown.actions) // start.batch_size),
        )
        for rows in tqdm(
            batches, desc=f"imitation {epoch + 1}/{start.epochs}", leave=False, disable=None
        ):
            rows = np.sort(rows)
            observations = torch.from_numpy(shown.observations[rows])
            actions = torch.as_tensor(shown.actions[rows])
            features = policy.extract_features(observations)
            latent_actor, latent_critic = policy.mlp_extractor(features)
            distribution = policy._get_action_dist_from_latent(latent_actor)
            distribution.apply_masking(shown.masks[rows])
            error = policy.value_net(latent_critic).flatten() - torch.as_tensor(shown.returns[rows])
            loss = -distribution.log_prob(actions).mean() + 0.5 * error.square().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
            optimiser.step()
            agreed += int((distribution.mode() == actions).sum())
            seen += len(rows)
    return agreed / max(1, seen)
