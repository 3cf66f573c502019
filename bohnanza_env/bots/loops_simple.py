"""Compiled loops of whole games between ``random`` and ``greedy``.

Apart from ``loops_all``, so that whoever needs only these need not compile the others.
"""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.kernels import sample_from_mask
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

from .greedy import choose_greedily
from .memory import MEMORY_DTYPE
from .steps import RANDOM, do_action

__all__ = ["advance_simple", "advance_simple_kernel", "choose_simple"]


@compiled
def choose_simple(rules, game, view, mask, number, generator, memory):
    """The decision of the seat ``to_act``, whose bot has this number."""
    if number == RANDOM:
        return sample_from_mask(mask, generator)
    write_view(rules, game, view, game.to_act)
    return choose_greedily(rules, view, mask, generator, memory)


@compiled
def advance_simple(
    rules, game, log, view, mask, numbers, generators, memory, learner, most_steps, tallies
):
    """Play until the seat ``learner`` decides, the game is over or the steps are used up.

    ``numbers[seat]`` are bots, ``generators[seat]`` their generators, ``memory[seat]`` their
    memory. ``learner`` -1 plays to the end. Leaves the mask of the next decider in ``mask``.
    """
    write_legal_actions(rules, game, mask)
    for steps in range(most_steps):
        seat = int(game.to_act)
        if seat < 0 or seat == learner:
            return steps
        action = choose_simple(
            rules, game, view, mask, numbers[seat], generators[seat], memory[seat]
        )
        do_action(rules, game, log, action, mask, tallies)
    return most_steps


@compiled
def advance_simple_kernel(
    rules_bytes,
    game_bytes,
    log_bytes,
    view_bytes,
    mask,
    numbers,
    generators,
    memory_bytes,
    learner,
    most_steps,
    tallies,
):
    """``advance_simple`` from Python (byte arrays, see ``engine.kernels``)."""
    return advance_simple(
        rules_bytes.view(RULES_DTYPE)[0],
        game_bytes.view(GAME_DTYPE)[0],
        log_bytes.view(LOG_DTYPE)[0],
        view_bytes.view(VIEW_DTYPE)[0],
        mask,
        numbers,
        generators,
        memory_bytes.view(MEMORY_DTYPE),
        learner,
        most_steps,
        tallies,
    )
