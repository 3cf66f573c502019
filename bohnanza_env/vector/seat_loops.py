"""The loop of one-seat vectors."""

from __future__ import annotations

from bohnanza_env.bots.loops import choose_in_game
from bohnanza_env.bots.memory import MEMORY_DTYPE
from bohnanza_env.engine.apply import apply_action
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.seats import steps_to
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.view import VIEW_DTYPE

from .seat_kernels import (
    IDLE,
    LEARNER,
    OUTPUT_DTYPE,
    OUTSIDE,
    OVER,
    SEAT_LANE_DTYPE,
    SETTINGS_DTYPE,
    begin,
    finish,
    forced_action,
)

__all__ = ["seat_kernel"]


@compiled
def _play_on(rules, game, log, view, mask, lane, settings, memory):
    """Bots decide, and whoever has no choice, until somebody else has to."""
    while game.to_act >= 0:
        seat = int(game.to_act)
        place = steps_to(rules, lane.learner, seat) - 1  # -1: the learner
        bot = settings.bots[place] if place >= 0 else -1
        if bot >= 0:
            action = choose_in_game(
                rules, game, view, mask, bot, lane.generators[seat], memory[place]
            )
        else:
            action = forced_action(mask) if lane.pass_forced != 0 else -1
            if action < 0:
                return LEARNER if place < 0 else OUTSIDE
        log.written = 0
        apply_action(rules, game, log, action)
        write_legal_actions(rules, game, mask)
    return OVER


@compiled
def seat_kernel(
    rules_bytes,
    games_bytes,
    log_bytes,
    view_bytes,
    memory_bytes,
    lanes_bytes,
    settings_bytes,
    output_bytes,
    actions,
    rewards,
    observation,
    final_observation,
    mask,
    first,
    last,
):
    """Do in each game of the slice what its lane asks for.

    Returns how many games now lack an action from outside or have used their seed.
    """
    rules, log = rules_bytes.view(RULES_DTYPE)[0], log_bytes.view(LOG_DTYPE)[0]
    view, memory = view_bytes.view(VIEW_DTYPE)[0], memory_bytes.view(MEMORY_DTYPE)
    games, lanes = games_bytes.view(GAME_DTYPE), lanes_bytes.view(SEAT_LANE_DTYPE)
    settings, outputs = settings_bytes.view(SETTINGS_DTYPE)[0], output_bytes.view(OUTPUT_DTYPE)
    lacking = 0
    for i in range(first, last):
        game, lane = games[i], lanes[i]
        if lane.todo == IDLE:
            continue
        begin(rules, games_bytes, i, log, lane, settings, actions[i], mask[i])
        ready = False
        while not ready:
            who = _play_on(rules, game, log, view, mask[i], lane, settings, memory)
            ready = finish(
                rules,
                games_bytes,
                i,
                log,
                view,
                lane,
                settings,
                who,
                mask[i],
                rewards,
                outputs[i],
                observation[i],
                final_observation[i],
            )
        if lane.todo != IDLE or lane.used != 0:
            lacking += 1
    return lacking
