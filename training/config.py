"""The configuration of a training run: YAML, validated, an unknown key is an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

__all__ = ["ConfigError", "EnvironmentConfig", "TrainingConfig", "load_config"]


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names file, key and what is right."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class EnvironmentConfig(_Strict):
    """Arguments of ``gymnasium.make("Bohnanza-v0", …)`` and how many of them run side by side."""

    edition: str = "amigo"
    players: int = Field(default=4, ge=2, le=7)
    rules: dict[str, Any] = Field(default_factory=dict)  # overrides by field name of ``Rules``
    opponents: str | list[str] = "trader"
    learner_seat: int | Literal["rotate"] = "rotate"
    reward: str = "margin"
    reward_scale: float = Field(default=0.1, gt=0)
    environments: int = Field(default=16, ge=1)


class WarmStartConfig(_Strict):
    """Imitation of a bot before reinforcement learning starts; ``games`` 0 leaves it out."""

    bot: str = "trader"
    games: int = Field(default=400, ge=0)
    epochs: int = Field(default=6, ge=1)
    batch_size: int = Field(default=1024, ge=1)
    learning_rate: float = Field(default=1e-3, gt=0)
    critic_epochs: int = Field(default=1, ge=0)


class PolicyConfig(_Strict):
    """Sizes of the hidden layers of actor and critic."""

    actor: list[int] = [256, 256]
    critic: list[int] = [256, 256]


class PpoConfig(_Strict):
    """Arguments of MaskablePPO by their names there."""

    learning_rate: float = Field(default=2.5e-4, gt=0)
    n_steps: int = Field(default=512, ge=2)
    batch_size: int = Field(default=1024, ge=2)
    n_epochs: int = Field(default=4, ge=1)
    gamma: float = Field(default=0.999, gt=0, le=1)
    gae_lambda: float = Field(default=0.95, ge=0, le=1)
    clip_range: float = Field(default=0.2, gt=0)
    ent_coef: float = Field(default=0.003, ge=0)
    vf_coef: float = Field(default=0.5, ge=0)
    max_grad_norm: float = Field(default=0.5, gt=0)
    target_kl: float | None = Field(default=0.03, gt=0)


class EvaluationConfig(_Strict):
    """Periodic evaluation: every so many learner steps, on so many decks in every chair."""

    every: int = Field(default=200_000, ge=1)
    decks: int = Field(default=25, ge=1)


class TrainingConfig(_Strict):
    """A whole run.

    Attributes:
        steps: learner steps in all; a resumed run goes on to this number.
        minutes: stop after so many minutes at the latest, ``None`` for no limit.
        checkpoint_every: learner steps between two checkpoints.
    """

    seed: int = Field(default=1, ge=0)
    steps: int = Field(default=2_000_000, ge=1)
    minutes: float | None = Field(default=None, gt=0)
    checkpoint_every: int = Field(default=200_000, ge=1)
    torch_threads: int | None = Field(default=None, ge=1)
    environment: EnvironmentConfig = EnvironmentConfig()
    warm_start: WarmStartConfig = WarmStartConfig()
    policy: PolicyConfig = PolicyConfig()
    ppo: PpoConfig = PpoConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    def to_yaml(self) -> str:
        """The same configuration as a file."""
        return yaml.safe_dump(self.model_dump(mode="json"), sort_keys=False)


def load_config(path: str | Path, overrides: list[str] | None = None) -> TrainingConfig:
    """Read a configuration file; ``overrides`` are ``key.key=value`` with YAML values.

    Raises:
        ConfigError: unreadable file, unknown key or unfit value: each named with its place.
    """
    path = Path(path)
    try:
        data = yaml.safe_load(path.read_text()) or {}
    except OSError as problem:
        raise ConfigError(f"{path}: cannot be read ({problem.strerror})") from None
    except yaml.YAMLError as problem:
        raise ConfigError(f"{path}: not YAML ({' '.join(str(problem).split())})") from None
    if not isinstance(data, dict):
        raise ConfigError(f"{path}: expected keys and values")
    for override in overrides or []:
        _override(data, override)
    try:
        return TrainingConfig.model_validate(data)
    except ValidationError as problem:
        raise ConfigError(_faults(path, problem)) from None


def _override(data: dict[str, Any], text: str) -> None:
    key, sign, value = text.partition("=")
    if not sign:
        raise ConfigError(f"{text!r}: expected key=value, for example ppo.gamma=0.99")
    *parents, last = key.split(".")
    place = data
    for parent in parents:
        place = place.setdefault(parent, {})
        if not isinstance(place, dict):
            raise ConfigError(f"{text!r}: {parent} has no keys below it")
    place[last] = yaml.safe_load(value)


def _faults(path: Path, problem: ValidationError) -> str:
    lines = []
    for fault in problem.errors():
        place = ".".join(str(part) for part in fault["loc"])
        if fault["type"] == "extra_forbidden":
            lines.append(f"{place}: unknown key; known here: {', '.join(_known(fault['loc']))}")
        else:
            lines.append(f"{place}: {fault['msg']}, got {fault['input']!r}")
    return f"{path}: " + "; ".join(lines)


def _known(place: tuple) -> list[str]:
    model: Any = TrainingConfig
    for part in place[:-1]:
        model = model.model_fields[part].annotation
    return list(model.model_fields)
