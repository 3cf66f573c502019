"""Train MaskablePPO (sb3-contrib) on ``Bohnanza-v0``.

    python -m training.sb3_maskable_ppo --config configs/amigo4_compact.yaml --run runs/first
    python -m training.sb3_maskable_ppo --run runs/first --resume

What a run logs (TensorBoard, ``tensorboard --logdir runs``):

- ``rollout/ep_rew_mean``: scaled reward an episode of the learner, against ``opponents``.
- ``rollout/ep_len_mean``: decisions of the learner an episode (forced ones are not counted).
- ``evaluation/coins``, ``evaluation/win_rate``, ``evaluation/own_deals``: on fixed decks, each
  from every seat, sampling from the policy.
- ``imitation/agreement``: share of the bot's decisions that the warm start reproduces.
- ``train/*``: as documented by Stable-Baselines3.
"""

from __future__ import annotations

import argparse
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

from bohnanza_env.bots import bot
from bohnanza_env.engine.errors import RulesError
from bohnanza_env.engine.rules import Rules
from bohnanza_env.networks import ScaledFeatures
from bohnanza_env.single_agent import BohnanzaEnv
from training.config import ConfigError, TrainingConfig, load_config
from training.evaluation import model_chooser, play_in_chair
from training.imitation import collect_demonstrations, imitate
from training.runs import CheckpointError, latest_checkpoint, load_policy, save_policy

__all__ = ["main", "make_model", "rules_of", "train", "vector_environment"]


_SECONDS_OF_SILENCE = 30.0  # without a terminal there is no progress bar
# What may change when a run is resumed; the rest is in the checkpoint.
_RESUMABLE = ("steps", "minutes", "checkpoint_every", "torch_threads", "evaluation")


def say(text: str) -> None:
    """A line on stderr, at once."""
    print(text, file=sys.stderr, flush=True)


def rules_of(config: TrainingConfig) -> Rules:
    """The rules of a configuration."""
    environment = config.environment
    return Rules.of(environment.edition, environment.players, **environment.rules)


def vector_environment(make: Callable[[], gymnasium.Env], count: int, seed: int) -> VecEnv:
    """``count`` environments in this process, seeded, with episode statistics."""
    environments = VecMonitor(DummyVecEnv([make] * count))
    environments.seed(seed)
    return environments


def make_environment(config: TrainingConfig) -> BohnanzaEnv:
    """One environment of a configuration."""
    environment = config.environment
    return BohnanzaEnv(
        rules=rules_of(config),
        opponents=environment.opponents,
        learner_seat=environment.learner_seat,
        start="rotate",
        reward=environment.reward,
        reward_scale=environment.reward_scale,
    )


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
            _opponent(self.config),
            self.config.evaluation.decks,
            seed=1,
        )
        self.logger.record("evaluation/coins", results.coins.mean())
        self.logger.record("evaluation/win_rate", results.wins.mean())
        self.logger.record("evaluation/own_deals", results.own_deals.mean())


def _opponent(config: TrainingConfig) -> str:
    opponents = config.environment.opponents
    return opponents if isinstance(opponents, str) else opponents[0]


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
    bot(config.warm_start.bot)
    checkpoint = latest_checkpoint(run)
    _check_folder(run, resume, checkpoint)
    environments = vector_environment(
        lambda: make_environment(config), config.environment.environments, config.seed
    )
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


def _check_folder(run: Path, resume: bool, checkpoint: Path | None) -> None:
    if resume and checkpoint is None:
        raise CheckpointError(f"{run}: no checkpoint to resume from")
    if not resume and checkpoint is not None:
        raise FileExistsError(f"{run}: holds a run already; resume it or name another folder")
    if not resume and run.exists() and any(run.iterdir()):
        raise FileExistsError(f"{run}: is not empty and holds no run; name another folder")


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


def _check_overrides(overrides: list[str]) -> None:
    """With ``--resume`` only what takes effect may be given."""
    for override in overrides:
        if override.partition("=")[0].partition(".")[0] not in _RESUMABLE:
            raise ConfigError(
                f"{override!r}: cannot change when a run is resumed; {', '.join(_RESUMABLE)} can"
            )


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Train MaskablePPO on Bohnanza-v0.")
    parser.add_argument("--config", type=Path, help="YAML file (see configs/)")
    parser.add_argument("--run", type=Path, required=True, help="folder of the run")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("overrides", nargs="*", help="key.key=value, for example ppo.gamma=0.99")
    given = parser.parse_args(arguments)
    if given.config is None and not given.resume:
        parser.error("--config is needed, except with --resume")
    if given.config is not None and given.resume:
        parser.error("--config and --resume exclude each other: a run has its configuration")
    try:
        if given.resume:
            _check_folder(given.run, True, latest_checkpoint(given.run))
            _check_overrides(given.overrides)
        config = load_config(given.config or given.run / "config.yaml", given.overrides)
        train(config, given.run, given.resume)
    except (ConfigError, CheckpointError, RulesError, FileExistsError, ValueError) as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    print(f"saved {given.run / 'policy.zip'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
