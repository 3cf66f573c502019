"""One learner a game: compiled code in which bots play on until the learner decides.

A call works through the games of a slice whose lane has something to do (``todo``) and leaves in
it what is missing, if anything: an action from outside, or a seed. ``seat_loops`` has the kernel.
"""

from __future__ import annotations

from bohnanza_env.engine.apply import apply_action
from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.limits import SEAT_CAPACITY
from bohnanza_env.engine.random import seed_generator
from bohnanza_env.engine.state import GAME_DTYPE, record_dtype
from bohnanza_env.observation.kernels import observe_game
from bohnanza_env.rewards import write_reward

from .kernels import SAME_STEP, deal

__all__ = [
    "ACT",
    "ASK",
    "DEAL",
    "EPISODE",
    "IDLE",
    "NEEDS_SEED",
    "OUTPUT_DTYPE",
    "ROTATE",
    "SEAT_LANE_DTYPE",
    "SETTINGS_DTYPE",
    "begin",
    "check_seat_kernel",
    "finish",
    "forced_action",
    "look_at_seat",
]

# Lane.todo. Before a call: what to do; after it: IDLE, ASK or NEEDS_SEED.
IDLE = 0
ACT = 1  # do the action of the row, the learner's or another seat's from outside
EPISODE = 2  # begin the next episode
DEAL = 3  # deal the episode under way anew, with the next seed
ASK = 4  # a seat that is played from outside decides
NEEDS_SEED = 5  # the learner was never asked in this game

ROTATE = -1
LEARNER, OUTSIDE, OVER = 0, 1, 2  # who is to decide

# What the vector knows of each game beside the game.
SEAT_LANE_DTYPE = record_dtype(
    [
        ("todo", "i8"),
        ("learner", "i8"),
        ("start", "i8"),
        ("episodes", "i8"),  # begun since the game was seeded
        ("next_seed", "i8"),
        ("next_bot_seed", "i8"),
        ("used", "i8"),  # 1: these two have been used
        ("bot_seed", "i8"),  # of the bots of this episode
        ("dealing", "i8"),  # 1 until the learner's first decision
        ("pass_forced", "i8"),
        ("decisions", "i8"),  # of the learner in this episode
        ("done", "i8"),  # 1: over or truncated, and not begun anew yet
        ("rewarded", "i2", (SEAT_CAPACITY,)),  # coins that were rewarded
        ("generators", "u4", (SEAT_CAPACITY, 4)),  # of the bots
    ]
)
SETTINGS_DTYPE = record_dtype(
    [
        ("reward", "i8"),
        ("scale", "f8"),
        ("mode", "i8"),
        ("limit", "i8"),  # of the learner's decisions, 0 for none
        ("learner", "i8"),  # a seat or ROTATE
        ("start", "i8"),
        ("pass_forced", "i8"),
        ("bots", "i8", (SEAT_CAPACITY,)),  # clockwise from the learner, -1: from outside
    ]
)
# What a call writes of each game, beside observation and mask.
OUTPUT_DTYPE = record_dtype(
    [
        ("reward", "f8"),
        ("terminated", "i8"),
        ("truncated", "i8"),
        ("seat", "i8"),  # the learner's in the episode that ended last
        ("coins", "i8", (SEAT_CAPACITY,)),  # its final coins
        ("winners", "i8", (SEAT_CAPACITY,)),
    ]
)
_BOT_STREAM = 1 << 16  # ``bots.policy.seat_generator``
_LOW = 0xFFFFFFFF


@compiled
def check_seat_kernel(lanes_bytes, actions, mask):
    """The first game whose action is illegal, -1 if there is none; marks what there is to do."""
    lanes = lanes_bytes.view(SEAT_LANE_DTYPE)
    most = mask.shape[1]
    for i in range(len(lanes)):
        action = actions[i]
        if lanes[i].done == 0 and (action < 0 or action >= most or mask[i, action] == 0):
            return i
    return -1


@compiled
def forced_action(mask):
    """The only legal action, -1 where there are several."""
    legal = 0
    for i in range(len(mask)):
        legal += int(mask[i])
    if legal != 1:
        return -1
    for i in range(len(mask)):
        if mask[i] != 0:
            return i
    return -1


@compiled
def _deal(rules, games_bytes, i, log, lane, mask, seed):
    deal(rules, games_bytes, i, log, seed, lane.start)
    game = games_bytes.view(GAME_DTYPE)[i]
    low, high = lane.bot_seed & _LOW, (lane.bot_seed >> 32) & _LOW
    for seat in range(rules.players):
        lane.rewarded[seat] = 0
        seed_generator(lane.generators[seat], low, high, _BOT_STREAM + seat)
    lane.decisions = 0
    lane.dealing = 1
    lane.done = 0
    write_legal_actions(rules, game, mask)


@compiled
def _new_seed(rules, games_bytes, i, log, lane, settings, mask):
    lane.used = 1
    lane.bot_seed = lane.next_bot_seed
    lane.pass_forced = settings.pass_forced
    _deal(rules, games_bytes, i, log, lane, mask, lane.next_seed)


@compiled
def _new_episode(rules, games_bytes, i, log, lane, settings, mask):
    seat_turn = lane.episodes % rules.players
    start_turn = lane.episodes // rules.players % rules.players
    lane.learner = seat_turn if settings.learner == ROTATE else settings.learner
    lane.start = start_turn if settings.start == ROTATE else settings.start
    lane.episodes += 1
    _new_seed(rules, games_bytes, i, log, lane, settings, mask)


@compiled
def begin(rules, games_bytes, i, log, lane, settings, action, mask):
    """Do what the lane asks for, up to where the others play on."""
    game = games_bytes.view(GAME_DTYPE)[i]
    if lane.todo == ACT:
        if game.to_act == lane.learner:
            lane.decisions += 1
        log.written = 0
        apply_action(rules, game, log, action)
        write_legal_actions(rules, game, mask)
    elif lane.todo == DEAL:
        _new_seed(rules, games_bytes, i, log, lane, settings, mask)
    else:
        _new_episode(rules, games_bytes, i, log, lane, settings, mask)


@compiled
def look_at_seat(rules, games_bytes, i, view, seat, observation):
    """What a seat of game ``i`` sees."""
    observe_game(rules, games_bytes.view(GAME_DTYPE)[i], view, seat, observation)


@compiled
def _settle(rules, game, lane, settings, over, rewards, output):
    """Reward of the learner's decision and the end of the episode; whether it has ended."""
    write_reward(settings.reward, lane.rewarded, game.coins, over, game.winners, rewards)
    output.reward = settings.scale * rewards[lane.learner]
    for seat in range(rules.players):
        lane.rewarded[seat] = game.coins[seat]
    output.terminated = over
    cut = over == 0 and settings.limit > 0 and lane.decisions >= settings.limit
    output.truncated = 1 if cut else 0
    if over == 0 and not cut:
        return False
    lane.done = 1
    output.seat = lane.learner
    for seat in range(rules.players):
        output.coins[seat] = game.coins[seat]
        output.winners[seat] = game.winners[seat]
    return True


@compiled
def finish(
    rules,
    games_bytes,
    i,
    log,
    view,
    lane,
    settings,
    who,
    mask,
    rewards,
    output,
    observation,
    final_observation,
):
    """What follows when the others have played on to ``who``; False: play on once more."""
    game = games_bytes.view(GAME_DTYPE)[i]
    if who == OUTSIDE:
        lane.todo = ASK
        look_at_seat(rules, games_bytes, i, view, game.to_act, observation)
        return True
    if lane.dealing != 0:
        if who == OVER:
            if lane.pass_forced == 0:
                lane.todo = NEEDS_SEED
                return True
            lane.pass_forced = 0  # tiny games: the learner decides where there is no choice
            seed = int(game.seed)
            _deal(rules, games_bytes, i, log, lane, mask, seed)
            return False
        lane.dealing = 0
    else:
        over = 1 if who == OVER else 0
        ended = _settle(rules, game, lane, settings, over, rewards, output)
        if ended and settings.mode == SAME_STEP:
            look_at_seat(rules, games_bytes, i, view, lane.learner, final_observation)
            _new_episode(rules, games_bytes, i, log, lane, settings, mask)
            return False
    lane.todo = IDLE
    look_at_seat(rules, games_bytes, i, view, lane.learner, observation)
    return True
