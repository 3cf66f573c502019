"""Bots called from Python: byte arrays instead of records (see ``engine.kernels``)."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.view import VIEW_DTYPE

from .greedy import choose_greedily
from .memory import MEMORY_DTYPE
from .trader import choose_as_trader
from .uniform import choose_uniformly

__all__ = ["greedy_entry", "trader_entry", "uniform_entry"]


@compiled
def uniform_entry(rules_bytes, view_bytes, mask, generator, memory_bytes):
    """``random`` from Python."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    return choose_uniformly(rules, view, mask, generator, memory_bytes.view(MEMORY_DTYPE)[0])


@compiled
def greedy_entry(rules_bytes, view_bytes, mask, generator, memory_bytes):
    """``greedy`` from Python."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    return choose_greedily(rules, view, mask, generator, memory_bytes.view(MEMORY_DTYPE)[0])


@compiled
def trader_entry(rules_bytes, view_bytes, mask, generator, memory_bytes):
    """``trader`` and its relatives from Python."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    return choose_as_trader(rules, view, mask, generator, memory_bytes.view(MEMORY_DTYPE)[0])
