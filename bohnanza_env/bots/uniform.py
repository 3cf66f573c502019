"""``random``: any legal action, each as likely."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.kernels import sample_from_mask

__all__ = ["choose_uniformly"]


@compiled
def choose_uniformly(rules, view, mask, generator, memory):
    """A legal action drawn uniformly."""
    return sample_from_mask(mask, generator)
