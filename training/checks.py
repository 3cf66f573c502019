"""What can be checked of a run before anything slow is imported or begun."""

from __future__ import annotations

import sys
from pathlib import Path

from bohnanza_env.arena.players import Player, check_players, load_player
from bohnanza_env.bots import bot
from bohnanza_env.checkpoints import CheckpointError
from bohnanza_env.engine.rules import Rules
from bohnanza_env.single_agent import BohnanzaEnv
from training.config import ConfigError, TrainingConfig
from training.runs import latest_checkpoint

__all__ = [
    "RESUMABLE",
    "check_config",
    "check_folder",
    "check_overrides",
    "make_environment",
    "opponents_of",
    "rules_of",
    "say",
]

# What may change when a run is resumed; the rest is in the checkpoint.
RESUMABLE = ("steps", "minutes", "checkpoint_every", "torch_threads", "evaluation")


def say(text: str) -> None:
    """A line on stderr, at once."""
    print(text, file=sys.stderr, flush=True)


def rules_of(config: TrainingConfig) -> Rules:
    """The rules of a configuration."""
    environment = config.environment
    return Rules.of(environment.edition, environment.players, **environment.rules)


def opponents_of(config: TrainingConfig, rules: Rules) -> list[Player]:
    """Who sits in the other seats, clockwise from the learner; each seat has a policy of its own.

    Raises:
        ConfigError: unknown ones, too many or too few, or networks made for other rules.
    """
    wanted, others = config.environment.opponents, rules.players - 1
    listed = [wanted] * others if isinstance(wanted, str) else wanted
    if len(listed) != others:
        raise ConfigError(
            f"environment.opponents: expected one for all or {others}, got {len(listed)}"
        )
    try:
        named = [load_player(text) for text in listed]
        return [check_players({name: player}, rules)[name] for name, player in named]
    except (ValueError, TypeError) as problem:
        raise ConfigError(f"environment.opponents: {problem}") from None


def make_environment(config: TrainingConfig) -> BohnanzaEnv:
    """One environment of a configuration."""
    environment, rules = config.environment, rules_of(config)
    return BohnanzaEnv(
        rules=rules,
        opponents=opponents_of(config, rules),
        learner_seat=environment.learner_seat,
        start="rotate",
        reward=environment.reward,
        reward_scale=environment.reward_scale,
    )


def check_config(config: TrainingConfig) -> None:
    """Raise ``ValueError`` for rules, policies, rewards or seats that do not exist."""
    bot(config.warm_start.bot)
    make_environment(config)


def check_folder(run: Path, resume: bool) -> None:
    """Raise where a run would overwrite something, or has nothing to go on from."""
    checkpoint = latest_checkpoint(run)
    if resume and checkpoint is None:
        raise CheckpointError(f"{run}: no checkpoint to resume from")
    if not resume and checkpoint is not None:
        raise FileExistsError(f"{run}: holds a run already; resume it or name another folder")
    if not resume and run.exists() and any(run.iterdir()):
        raise FileExistsError(f"{run}: is not empty and holds no run; name another folder")


def check_overrides(overrides: list[str]) -> None:
    """With ``--resume`` only what takes effect may be given."""
    for override in overrides:
        if override.partition("=")[0].partition(".")[0] not in RESUMABLE:
            raise ConfigError(
                f"{override!r}: cannot change when a run is resumed; {', '.join(RESUMABLE)} can"
            )
