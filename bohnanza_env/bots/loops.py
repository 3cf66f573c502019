"""Compiled loops of whole games between bots."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

from .choosing import choose
from .memory import MEMORY_DTYPE
from .steps import RANDOM, do_action

__all__ = ["advance_kernel", "choose_in_game"]


@compiled
def choose_in_game(rules, game, view, mask, number, generator, memory):
    """The decision of the seat ``to_act``, whose bot has this number."""
    if number != RANDOM:  # who chooses by the mask alone needs no view
        write_view(rules, game, view, game.to_act)
    return choose(rules, view, mask, number, generator, memory)


@compiled
def advance_kernel(
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
    """Play until the seat ``learner`` decides, the game is over or the steps are used up.

    Records come as bytes (see ``engine.kernels``). ``numbers[seat]`` are bots, ``generators[seat]``
    their generators, the seat's part of ``memory_bytes`` their memory. ``learner`` -1 plays to the
    end. Leaves the mask of the next decider in ``mask``; returns the steps made.
    """
    rules, game = rules_bytes.view(RULES_DTYPE)[0], game_bytes.view(GAME_DTYPE)[0]
    log, view = log_bytes.view(LOG_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    memory = memory_bytes.view(MEMORY_DTYPE)
    write_legal_actions(rules, game, mask)
    for steps in range(most_steps):
        seat = int(game.to_act)
        if seat < 0 or seat == learner:
            return steps
        action = choose_in_game(
            rules, game, view, mask, numbers[seat], generators[seat], memory[seat]
        )
        do_action(rules, game, log, action, mask, tallies)
    return most_steps
