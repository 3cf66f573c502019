"""MaskablePPO (sb3-contrib) on ``Bohnanza-v0``: model, environments, checkpoints, evaluations."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import gymnasium
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback, CallbackList
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv, VecMonitor

from bohnanza_env.arena import CheckpointPolicy
from bohnanza_env.bots import BOTS
from bohnanza_env.checkpoints import load_policy, save_policy
from bohnanza_env.engine.rules import Rules
from bohnanza_env.networks import ScaledFeatures
from bohnanza_env.sb3 import BohnanzaVecEnv
from training.checks import (
    check_config,
    check_folder,
    make_environment,
    opponents_of,
    rules_of,
    say,
)
from training.config import TrainingConfig
from training.evaluation import model_chooser, play_in_chair
from training.imitation import collect_demonstrations, imitate
from training.runs import latest_checkpoint

__all__ = ["environments_of", "learn", "make_model", "train", "vector_environment"]


_SECONDS_OF_SILENCE = 30.0  # without a terminal there is no progress bar


def vector_environment(make: Callable[[], gymnasium.Env], count: int, seed: int) -> VecEnv:
    """``count`` environments in this process, seeded, with episode statistics."""
    environments = VecMonitor(DummyVecEnv([make] * count))
    environments.seed(seed)
    return environments


def environments_of(config: TrainingConfig, rules: Rules) -> VecEnv:
    """The environments of a configuration: one vector, in which compiled bots play on and each
    saved network decides for many tables at once. Other policies play in single environments.
    """
    environment = config.environment
    opponents = opponents_of(config, rules)
    networks = [opponent for opponent in opponents if isinstance(opponent, CheckpointPolicy)]
    bots = [opponent for opponent in opponents if isinstance(opponent, str) and opponent in BOTS]
    if len(networks) + len(bots) < len(opponents):
        return vector_environment(
            lambda: make_environment(config), environment.environments, config.seed
        )
    for seat, network in enumerate(networks):
        network.reset(rules, seat, config.seed)
    vector = BohnanzaVecEnv(
        environment.environments,
        rules=rules,
        opponents=opponents,
        learner_seat=environment.learner_seat,
        start="rotate",
        reward=environment.reward,
        reward_scale=environment.reward_scale,
    )
    environments = VecMonitor(vector)
    environments.seed(config.seed)
    return environments


def make_model(
    environments: VecEnv, config: TrainingConfig, log_folder: Path | None, **policy: object
) -> MaskablePPO:
    """A fresh MaskablePPO; ``policy`` are further ``policy_kwargs``."""
    layers = {"pi": config.policy.actor, "vf": config.policy.critic}
    arguments = config.ppo.model_dump()
    arguments["batch_size"] = min(
        arguments["batch_size"], config.ppo.n_steps * environments.num_envs
    )
    return MaskablePPO(
        "MlpPolicy",
        environments,
        policy_kwargs={"net_arch": layers, **policy},
        tensorboard_log=None if log_folder is None else str(log_folder),
        seed=config.seed,
        device="cpu",
        **arguments,
    )


class Milestones(BaseCallback):
    """Checkpoints, evaluations on fixed decks, the limit of time, and signs of life."""

    def __init__(self, config: TrainingConfig, rules: Rules, run: Path) -> None:
        super().__init__()
        self.config, self.rules, self.run = config, rules, run
        self.next_checkpoint = self.next_evaluation = 0
        self.started = self.said = 0.0

    def _on_training_start(self) -> None:
        self.started = self.said = time.monotonic()
        steps = self.num_timesteps
        every = self.config.checkpoint_every
        self.next_checkpoint = (steps // every + 1) * every
        every = self.config.evaluation.every
        self.next_evaluation = (steps // every + 1) * every

    def _on_step(self) -> bool:
        limit = self.config.minutes
        return limit is None or time.monotonic() - self.started < 60 * limit

    def _on_rollout_end(self) -> None:
        if not sys.stderr.isatty() and time.monotonic() - self.said > _SECONDS_OF_SILENCE:
            self.said = time.monotonic()
            say(f"  {self.num_timesteps:,} steps")
        if self.num_timesteps >= self.next_checkpoint:
            self.next_checkpoint += self.config.checkpoint_every
            save_checkpoint(self.model, self.rules, self.run)
        if self.num_timesteps >= self.next_evaluation:
            self.next_evaluation += self.config.evaluation.every
            self.evaluate()

    def evaluate(self) -> None:
        """Play the fixed decks and log the means."""
        results = play_in_chair(
            model_chooser(self.model),
            self.rules,
            opponents_of(self.config, self.rules),
            self.config.evaluation.decks,
            seed=1,
        )
        self.logger.record("evaluation/coins", results.coins.mean())
        self.logger.record("evaluation/win_rate", results.wins.mean())
        self.logger.record("evaluation/own_deals", results.own_deals.mean())


def save_checkpoint(model: BaseAlgorithm, rules: Rules, run: Path) -> Path:
    """Save the policy under its number of steps; returns the file."""
    path = run / "checkpoints" / f"policy_{model.num_timesteps}.zip"
    save_policy(model, rules, path)
    return path


def learn(model: MaskablePPO, steps: int, callbacks: list[BaseCallback], fresh: bool) -> bool:
    """Train up to ``steps`` steps in all, with a progress bar; returns whether Ctrl-C ended it."""
    rest = steps if fresh else steps - model.num_timesteps
    if rest <= 0:
        return False
    try:
        model.learn(
            rest,
            callback=CallbackList(callbacks),
            reset_num_timesteps=fresh,
            progress_bar=sys.stderr.isatty(),
            tb_log_name="ppo",
        )
    except KeyboardInterrupt:
        say("\nInterrupted: keeping what there is.")
        return True
    return False


def train(config: TrainingConfig, run: Path, resume: bool = False) -> MaskablePPO:
    """Run a configuration in a folder; what there is at the end, or at Ctrl-C, is saved there.

    Raises:
        CheckpointError: nothing to resume, or a checkpoint of other rules.
        FileExistsError: the folder holds something already and ``resume`` is off.
        ValueError: rules, bots or rewards that do not exist; nothing was written then.
    """
    if config.torch_threads is not None:
        torch.set_num_threads(config.torch_threads)
    rules = rules_of(config)
    check_config(config)
    check_folder(run, resume)
    checkpoint = latest_checkpoint(run)
    environments = environments_of(config, rules)
    say(f"run: {run}")
    if checkpoint is not None:
        model = load_policy(checkpoint, rules, env=environments, device="cpu")
        say(f"resuming from {checkpoint}")
    else:
        features = {
            "features_extractor_class": ScaledFeatures,
            "features_extractor_kwargs": {"rules": rules.to_dict()},
        }
        model = make_model(environments, config, run / "tensorboard", **features)
    run.mkdir(parents=True, exist_ok=True)
    (run / "config.yaml").write_text(config.to_yaml())
    if checkpoint is None:
        save_policy(model, rules, run / "untrained.zip")
        _warm_start(model, config, rules)
        save_policy(model, rules, run / "warm_start.zip")
        save_checkpoint(model, rules, run)
    limit = "" if config.minutes is None else f" or {config.minutes:g} minutes"
    say(f"PPO: up to {config.steps:,} steps{limit}")
    learn(model, config.steps, [Milestones(config, rules, run)], checkpoint is None)
    say(f"PPO: {model.num_timesteps:,} steps, {model._n_updates:,} passes over rollouts")
    save_checkpoint(model, rules, run)
    save_policy(model, rules, run / "policy.zip")
    return model


def _warm_start(model: MaskablePPO, config: TrainingConfig, rules: Rules) -> None:
    start = config.warm_start
    if start.games == 0:
        return
    say(f"warm start: imitating {start.bot}, {start.games} games, {start.epochs} passes")
    began = time.monotonic()
    try:
        agreement = imitate(model, collect_demonstrations(config, rules), config)
    except KeyboardInterrupt:
        say("\nInterrupted: going on without the rest of the warm start; again to stop.")
        return
    seconds = time.monotonic() - began
    say(f"warm start: {seconds:.0f} s; decides as {start.bot} does in {agreement:.1%} of choices")
