"""Compiled loops of whole games between any bots."""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.view import VIEW_DTYPE, write_view

from .loops_simple import choose_simple
from .memory import MEMORY_DTYPE
from .steps import TRADER, do_action
from .trader import choose_as_trader

__all__ = ["advance_all", "advance_all_kernel", "choose_any"]


@compiled
def choose_any(rules, game, view, mask, number, generator, memory):
    """The decision of the seat ``to_act``, whose bot has this number."""
    if number < TRADER:
        return choose_simple(rules, game, view, mask, number, generator, memory)
    write_view(rules, game, view, game.to_act)
    return choose_as_trader(rules, view, mask, generator, memory)


@compiled
def advance_all(
    rules, game, log, view, mask, numbers, generators, memory, learner, most_steps, tallies
):
    """``loops_simple.advance_simple`` with any bots."""
    write_legal_actions(rules, game, mask)
    for steps in range(most_steps):
        seat = int(game.to_act)
        if seat < 0 or seat == learner:
            return steps
        action = choose_any(rules, game, view, mask, numbers[seat], generators[seat], memory[seat])
        do_action(rules, game, log, action, mask, tallies)
    return most_steps


@compiled
def advance_all_kernel(
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
    """``advance_all`` from Python (byte arrays, see ``engine.kernels``)."""
    return advance_all(
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
