"""A game with its seats rotated."""

from __future__ import annotations

from functools import cache

import numpy as np

from bohnanza_env.engine.decisions import Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.state import GAME_DTYPE

__all__ = ["rotated", "same_but_for_the_final_harvest"]

_SEATS = ("start", "active", "to_act", "proposer", "recipient", "partner", "draft_recipient")
_SETTLED_SEATS = ("settled_proposer", "settled_recipient", "settled_partner")
_NAMES_OTHER = (
    Event.PROPOSE,
    Event.OFFER,
    Event.REQUEST,
    Event.CHOOSE,
    Event.TRADE_HAND,
    Event.TRADE_FACE_UP,
)
# The order of the final harvest (R22) shows in these.
_AFTER_FINAL_HARVEST = {"discard", "events"}


@cache
def _by_seat() -> tuple[str, ...]:
    seats = GAME_DTYPE["winners"].shape
    names = GAME_DTYPE.names or ()
    return tuple(name for name in names if GAME_DTYPE[name].shape[:1] == seats)


def _turned(seats: np.ndarray, by: int, players: int) -> np.ndarray:
    """Numbers of seats rotated; what stands for nobody or the table stays."""
    is_seat = (seats >= 0) & (seats < players)
    return np.where(is_seat, (seats + by) % players, seats)


def rotated_state(game: Game, by: int) -> np.ndarray:
    """The record of the same game with every seat ``by`` further clockwise."""
    players = game.rules.players
    state = game.state.view(np.uint8).copy().view(GAME_DTYPE)
    record = state[0]
    for name in _by_seat():
        record[name][:players] = np.roll(record[name][:players], by, axis=0)
    for name in _SEATS:
        record[name] = _turned(record[name], by, players)
    settled = int(record["settled_count"])
    for name in _SETTLED_SEATS:
        record[name][:settled] = _turned(record[name][:settled], by, players)
    answers = record["settled_answers"][:settled, :players]
    record["settled_answers"][:settled, :players] = np.roll(answers, by, axis=1)
    events = record["events"][: min(int(record["event_count"]), len(record["events"]))]
    events[:, 1] = _turned(events[:, 1], by, players)
    names_other = np.isin(events[:, 0], _NAMES_OTHER)
    events[:, 2] = np.where(names_other, _turned(events[:, 2], by, players), events[:, 2])
    return state


def rotated(game: Game, by: int) -> bytes:
    """The record of the same game with every seat ``by`` further clockwise."""
    return rotated_state(game, by).tobytes()


def same_but_for_the_final_harvest(here: Game, there: Game, by: int) -> bool:
    """Whether finished games are the same, but for the order of the last harvests."""
    state = rotated_state(here, by)
    names = [name for name in GAME_DTYPE.names or () if name not in _AFTER_FINAL_HARVEST]
    return all((state[name] == there.state[name]).all() for name in names)
