"""The printed editions as data (RULES §2). Adding an edition is adding an entry here."""

from __future__ import annotations

from typing import Any

from .cards import BEANS, FIELD_BEAN

__all__ = ["EDITIONS", "edition_fields", "edition_players"]

_AMIGO = ("blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden")
_ALL = tuple(b.name for b in BEANS if b.name != FIELD_BEAN)


def _deck(names: tuple[str, ...]) -> dict[str, int]:
    return {b.name: b.cards for b in BEANS if b.name in names}


def _without(*names: str) -> tuple[str, ...]:
    return tuple(n for n in _ALL if n not in names)


_COMMON: dict[str, Any] = {"draw": ("active", 3), "final_exhaustion": 3, "tie": "last_clockwise"}
_RIO_DECKS = {
    3: _deck(_without("cocoa")),
    **dict.fromkeys((4, 5), _deck(_without("coffee"))),
    **dict.fromkeys((6, 7), _deck(_without("cocoa", "garden"))),
}


def _amigo(players: int) -> dict[str, Any]:
    return {**_COMMON, "beans": _deck(_AMIGO), "fields": 3 if players == 3 else 2}


def _classic(players: int) -> dict[str, Any]:
    shop = {"fields": 2, "field_price": 3, "tie": "most_hand_cards"}
    return {**_COMMON, "beans": _deck(_AMIGO), **shop}


def _rio_grande(players: int) -> dict[str, Any]:
    fields = {**_COMMON, "beans": _RIO_DECKS[players], "tie": "most_hand_cards"}
    if players == 3:
        return {**fields, "fields": 3, "final_exhaustion": 2}
    if players <= 5:
        return {**fields, "fields": 2, "field_price": 3}
    hands = (3, 4, 5, *[6] * (players - 3))
    return {
        **fields,
        "fields": 2,
        "field_price": 2,
        "first_hands": hands,
        "draw": ("active", 4),
    }


def _new_beans(players: int) -> dict[str, Any]:
    return {
        **_COMMON,
        "beans": _RIO_DECKS[players],
        "fields": 3 if players == 3 else 2,
        "draw": ("everyone", 1),
        "final_exhaustion": 2 if players == 3 else 3,
    }


def _field_beans(players: int) -> dict[str, Any]:
    beans = _deck((*_AMIGO, "wax", FIELD_BEAN))
    return {**_COMMON, "beans": beans, "fields": 2, "field_beans": True, "draw": ("everyone", 1)}


_DUEL: dict[str, Any] = {
    "beans": _deck(_without("garden", "cocoa")),
    "reveal": 3,
    "draw": ("active", 2),
    "final_exhaustion": 1,
    "tie": "most_hand_cards",
    "duel": True,
    "trading": False,
}


def _duel(players: int) -> dict[str, Any]:
    return {**_DUEL, "fields": 2, "field_price": 3, "coins_leave_game": True}


def _duel_three_fields(players: int) -> dict[str, Any]:
    return {**_DUEL, "fields": 3}


def _mini(players: int) -> dict[str, Any]:
    """A dozen cards for tests and quick looks; no printed edition."""
    return {
        "beans": {"soy": 4, "red": 4, "garden": 4},
        "fields": 2,
        "first_hands": (2,) * players,
        "draw": ("active", 2),
        "final_exhaustion": 2,
        "tie": "last_clockwise",
    }


def _mini_exact(players: int) -> dict[str, Any]:
    """Six cards and two turns: every state can be walked, in both protocols; no printed edition.

    Both players plant, propose, counter, trade, harvest and draw, and the deck runs out. A second
    field, harvests at any time, a longer hand or a longer game make four times as many states each.
    """
    return {
        "beans": {"red": 4, "garden": 2},
        "fields": 1,
        "first_hands": (1,) * players,
        "reveal": 1,
        "draw": ("active", 1),
        "final_exhaustion": 1,
        "tie": "last_clockwise",
        "active_proposals": 1,
        "other_proposals": 1,
        "trade_limit": 1,
        "window": "off",
        "harvest": "when_needed",
    }


# name -> (numbers of players, the fields that differ from the defaults of ``Rules``)
EDITIONS: dict[str, tuple[tuple[int, ...], Any]] = {
    "amigo": ((3, 4, 5), _amigo),
    "classic": ((3, 4, 5), _classic),
    "rio_grande": ((3, 4, 5, 6, 7), _rio_grande),
    "new_beans": ((3, 4, 5, 6, 7), _new_beans),
    "field_beans": ((4, 5), _field_beans),
    "duel": ((2,), _duel),
    "duel_three_fields": ((2,), _duel_three_fields),
    "mini": ((2, 3), _mini),
    "mini_exact": ((2,), _mini_exact),
}


def edition_players(edition: str) -> tuple[int, ...]:
    """The numbers of players that an edition lists; ``KeyError`` for an unknown edition."""
    return EDITIONS[edition][0]


def edition_fields(edition: str, players: int) -> dict[str, Any]:
    """The fields of ``Rules`` that make this edition at this number of players."""
    return dict(EDITIONS[edition][1](players))
