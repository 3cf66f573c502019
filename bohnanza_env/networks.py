"""Torch modules that understand the observation layout (needs the extra ``train``).

Raw counts and small codes train badly together: :class:`ScaledFeatures` turns the integer vector
of an environment into the features of ``observation.Scaler`` on the device, so that rollouts can
be stored as small integers.
"""

from __future__ import annotations

import gymnasium
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from .engine.rules import Rules
from .observation import Scaler

__all__ = ["ScaledFeatures"]


class ScaledFeatures(BaseFeaturesExtractor):
    """Features extractor for Stable-Baselines3: ``observation.Scaler`` as a torch module.

    Args:
        observation_space: the flat integer space of ``Bohnanza-v0``.
        rules: the rules as ``Rules.to_dict()`` gives them (plain values, so that a saved policy
            can be loaded anywhere).
    """

    columns: torch.Tensor
    scale: torch.Tensor
    codes: torch.Tensor
    values: torch.Tensor

    def __init__(self, observation_space: gymnasium.Space, rules: dict) -> None:
        scaler = Scaler.of(Rules.from_dict(rules))
        super().__init__(observation_space, scaler.size)
        columns, scale = scaler.numeric_columns, scaler.numeric_scale
        self.register_buffer("columns", torch.tensor(columns))
        self.register_buffer("scale", torch.tensor(scale))
        self.register_buffer("codes", torch.tensor(scaler.category_columns))
        self.register_buffer("values", torch.tensor(scaler.category_values))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Features, float32 of shape (batch, features_dim)."""
        numbers = observations[:, self.columns] * self.scale
        hits = observations[:, self.codes] == self.values
        return torch.cat([numbers, hits.to(numbers.dtype)], dim=1)
