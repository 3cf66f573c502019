"""Positions set up by hand for the reference model."""

import random
from typing import Any

from reference import ReferenceGame
from reference.editions import PLAYERS_OF_EDITION

TABLES = [
    (edition, players) for edition, numbers in PLAYERS_OF_EDITION.items() for players in numbers
]


def keep_order(number: int, cards: list[str]) -> list[str]:
    return list(cards)


def seeded_shuffle(seed: int):
    def shuffle(number: int, cards: list[str]) -> list[str]:
        return random.Random(f"{seed}-{number}").sample(cards, len(cards))

    return shuffle


def position_with(
    seats: list[dict[str, Any]], edition: str = "amigo", players: int = 3, **keys: Any
) -> dict[str, Any]:
    """A position in which seats not described hold nothing."""
    rules = {"edition": edition, "players": players, **keys.pop("overrides", {})}
    return {"format": "bohnanza-position/1", "rules": rules, "players": seats, **keys}


def game_at(*seats: dict[str, Any], **keys: Any) -> ReferenceGame:
    return ReferenceGame.from_position(position_with(list(seats), **keys), keep_order)


def play(game: ReferenceGame, *actions: str) -> None:
    for action in actions:
        game.apply(action)


def fields(*contents: tuple[str, int] | None) -> list[dict[str, Any] | None]:
    return [None if one is None else {"bean": one[0], "count": one[1]} for one in contents]


def event_types(game: ReferenceGame) -> list[str]:
    return [event["type"] for event in game.events]
