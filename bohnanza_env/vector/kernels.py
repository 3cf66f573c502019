"""Compiled loops over a slice of games: check, apply, reward, autoreset, mask, observation.

All take whole arrays and the slice ``first`` to ``last``, so that threads share no row. Records
come as bytes (see ``engine.kernels``); ``log_bytes`` and ``view_bytes`` are one slice's own.
"""

from __future__ import annotations

from bohnanza_env.engine.apply import apply_action, start_game
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.kernels import sample_from_mask
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.rules_record import RULES_DTYPE
from bohnanza_env.engine.state import (
    GAME_DTYPE,
    LOG_DTYPE,
    record_dtype,
)
from bohnanza_env.observation.kernels import (
    NOTHING_SHOWN,
    observe_game,
    observe_on,
    what_is_shown,
)
from bohnanza_env.rewards import write_reward
from bohnanza_env.view import VIEW_DTYPE

__all__ = [
    "DISABLED",
    "LANE_DTYPE",
    "NEXT_STEP",
    "SAME_STEP",
    "check_kernel",
    "deal",
    "look_kernel",
    "observe_games_kernel",
    "reset_kernel",
    "sample_kernel",
    "step_kernel",
]

SAME_STEP, NEXT_STEP, DISABLED = 0, 1, 2

# What a vector knows of each game beside the game.
LANE_DTYPE = record_dtype(
    [
        ("next_seed", "u8"),  # of the next episode
        ("stride", "u8"),  # from the seed of one episode to the next
        ("steps", "i8"),  # in this episode
        ("done", "i8"),  # 1: over or truncated, and not begun anew yet
    ]
)
_BYTES = GAME_DTYPE.itemsize
_SEED_MASK = 2**64 - 1


@compiled
def deal(rules, games_bytes, i, log, seed, start):
    """Begin a game anew in place ``i``."""
    games_bytes[i * _BYTES : (i + 1) * _BYTES] = 0
    game = games_bytes.view(GAME_DTYPE)[i]
    game.seed = seed
    log.written = 0
    start_game(rules, game, log, start)


@compiled
def _next_episode(rules, games_bytes, i, log, lane):
    deal(rules, games_bytes, i, log, lane.next_seed, 0)
    lane.next_seed = (int(lane.next_seed) + int(lane.stride)) & _SEED_MASK
    lane.steps = 0
    lane.done = 0


@compiled
def _look(rules, game, view, shown, observation, mask):
    """Mask and observation of the decider; zeros where the game is over.

    Without numbers in the observation's row, none is made. ``shown``: see ``observe_on``.
    """
    write_legal_actions(rules, game, mask)
    if len(observation) == 0:
        return
    if game.to_act >= 0:
        observe_on(rules, game, view, shown, observation)
    else:
        observation[:] = 0


@compiled
def check_kernel(lanes_bytes, actions, mask, first, last):
    """The first game of the slice whose action is illegal, -1 if there is none."""
    lanes = lanes_bytes.view(LANE_DTYPE)
    most = mask.shape[1]
    for i in range(first, last):
        if lanes[i].done != 0:
            continue  # its action is not used
        action = actions[i]
        if action < 0 or action >= most or mask[i, action] == 0:
            return i
    return -1


@compiled
def _step_one(rules, game, log, lane, action, reward, before, rewards):
    players = rules.players
    for seat in range(players):
        before[seat] = game.coins[seat]
    log.written = 0
    apply_action(rules, game, log, action)
    lane.steps += 1
    over = 1 if game.to_act < 0 else 0
    changed = over
    for seat in range(players):
        if game.coins[seat] != before[seat]:
            changed = 1
    if changed != 0:
        write_reward(reward, before, game.coins, over, game.winners, rewards)
    else:
        rewards[:] = 0
    return over


@compiled
def step_kernel(
    rules_bytes,
    games_bytes,
    log_bytes,
    view_bytes,
    lanes_bytes,
    settings,
    actions,
    before,
    observation,
    mask,
    current_player,
    rewards,
    terminated,
    truncated,
    final_coins,
    first,
    last,
):
    """Check all actions of the slice, then step its games.

    ``settings``: the reward's number, the autoreset mode, the step limit (0 for none).
    ``before`` is scratch for one coin count a seat.

    Returns the first game whose action is illegal (nothing has changed then), -1 if all are legal.
    """
    wrong = check_kernel(lanes_bytes, actions, mask, first, last)
    if wrong >= 0:
        return wrong
    rules, log = rules_bytes.view(RULES_DTYPE)[0], log_bytes.view(LOG_DTYPE)[0]
    view = view_bytes.view(VIEW_DTYPE)[0]
    games, lanes = games_bytes.view(GAME_DTYPE), lanes_bytes.view(LANE_DTYPE)
    reward, mode, limit = settings[0], settings[1], settings[2]
    for i in range(first, last):
        game, lane = games[i], lanes[i]
        shown = what_is_shown(game)
        if lane.done != 0:
            rewards[i, :] = 0
            if mode == DISABLED:
                continue
            terminated[i] = False
            truncated[i] = False
            _next_episode(rules, games_bytes, i, log, lane)
            shown = NOTHING_SHOWN
        else:
            over = _step_one(rules, game, log, lane, actions[i], reward, before, rewards[i])
            cut = over == 0 and limit > 0 and lane.steps >= limit
            terminated[i] = over != 0
            truncated[i] = cut
            if over != 0 or cut:
                lane.done = 1
                for seat in range(rules.players):
                    final_coins[i, seat] = game.coins[seat]
                if mode == SAME_STEP:
                    _next_episode(rules, games_bytes, i, log, lane)
                    shown = NOTHING_SHOWN
        current_player[i] = game.to_act
        _look(rules, game, view, shown, observation[i], mask[i])
    return -1


@compiled
def reset_kernel(rules_bytes, games_bytes, log_bytes, lanes_bytes, where, first, last):
    """Begin the next episode of the games of the slice that ``where`` marks."""
    rules, log = rules_bytes.view(RULES_DTYPE)[0], log_bytes.view(LOG_DTYPE)[0]
    lanes = lanes_bytes.view(LANE_DTYPE)
    for i in range(first, last):
        if where[i]:
            _next_episode(rules, games_bytes, i, log, lanes[i])


@compiled
def look_kernel(
    rules_bytes, games_bytes, view_bytes, observation, mask, current_player, first, last
):
    """Mask, observation and decider of every game of the slice."""
    rules, games = rules_bytes.view(RULES_DTYPE)[0], games_bytes.view(GAME_DTYPE)
    view = view_bytes.view(VIEW_DTYPE)[0]
    for i in range(first, last):
        current_player[i] = games[i].to_act
        _look(rules, games[i], view, NOTHING_SHOWN, observation[i], mask[i])


@compiled
def observe_games_kernel(rules_bytes, games_bytes, view_bytes, seats, observation):
    """What one seat of each game sees, decider or not."""
    rules, games = rules_bytes.view(RULES_DTYPE)[0], games_bytes.view(GAME_DTYPE)
    view = view_bytes.view(VIEW_DTYPE)[0]
    for i in range(len(games)):
        observe_game(rules, games[i], view, seats[i], observation[i])


@compiled
def sample_kernel(mask, generator, actions):
    """A legal action of each row, drawn uniformly; -1 where there is none."""
    for i in range(mask.shape[0]):
        actions[i] = sample_from_mask(mask[i], generator)
