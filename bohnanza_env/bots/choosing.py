"""All compiled bots behind one function, which loops and Python call alike."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.kernels import sample_from_mask
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.view import VIEW_DTYPE

from .greedy import choose_greedily
from .memory import MEMORY_DTYPE
from .steps import GREEDY, RANDOM
from .trader import choose_as_trader

__all__ = ["choose", "choose_kernel"]


@compiled(shared=True)
def choose(rules, view, mask, number, generator, memory):
    """The decision of the bot of this number (see ``steps``)."""
    if number == RANDOM:
        return sample_from_mask(mask, generator)
    if number == GREEDY:
        return choose_greedily(rules, view, mask, generator, memory)
    return choose_as_trader(rules, view, mask, generator, memory)


@compiled
def choose_kernel(rules_bytes, view_bytes, mask, number, generator, memory_bytes):
    """``choose`` from Python (byte arrays, see ``engine.kernels``)."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    memory = memory_bytes.view(MEMORY_DTYPE)[0]
    return choose(rules, view, mask, number, generator, memory)
