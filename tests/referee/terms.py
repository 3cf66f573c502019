"""The header of a record: the rules of the game, checked field by field (R2–R4, R33–R36)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .cards import RANK

FORMAT = "bohnanza-record/1"
HEADER_KEYS = ("format", "rules", "seed", "start", "players", "deck")


@dataclass(frozen=True)
class Terms:
    """What was agreed before the game. Fields as in the rules (R4)."""

    players: int
    beans: dict[str, int]
    fields: int
    first_hands: tuple[int, ...]
    field_price: int
    coins_leave_game: bool
    field_beans: bool
    reveal: int
    draw_by_everyone: bool
    draw: int
    final_exhaustion: int
    tie: str
    duel: bool
    active_proposals: int
    other_proposals: int
    trade_limit: int | None
    trading: bool
    window: str
    protocol: str
    harvest: str
    start: int
    deck: tuple[str, ...]

    @property
    def compact(self) -> bool:
        return self.protocol == "compact"

    @property
    def any_time(self) -> bool:
        return self.harvest == "any_time"

    def clockwise(self, first: int) -> list[int]:
        """All seats, clockwise, from one on."""
        return [(first + step) % self.players for step in range(self.players)]


def is_int(value: Any, low: int = 0, high: int | None = None) -> bool:
    """A whole number (no bool) from ``low`` on."""
    return type(value) is int and value >= low and (high is None or value <= high)


def _one_of(*values: str) -> Any:
    return lambda value: isinstance(value, str) and value in values


def _boolean(value: Any) -> bool:
    return type(value) is bool


def _is_beans(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(bean in RANK and is_int(count, 1, 999) for bean, count in value.items())
    )


def _is_draw(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and value[0] in ("active", "everyone")
        and is_int(value[1], 1)
    )


RULES_FIELDS: dict[str, Any] = {
    "edition": lambda value: isinstance(value, str),
    "players": lambda value: is_int(value, 2, 7),
    "beans": _is_beans,
    "fields": lambda value: is_int(value, 1, 9),
    "first_hands": lambda value: isinstance(value, list) and all(is_int(n) for n in value),
    "field_price": is_int,
    "coins_leave_game": _boolean,
    "field_beans": _boolean,
    "reveal": lambda value: is_int(value, 1),
    "draw": _is_draw,
    "final_exhaustion": lambda value: is_int(value, 1),
    "tie": _one_of("last_clockwise", "most_hand_cards"),
    "duel": _boolean,
    "active_proposals": is_int,
    "other_proposals": is_int,
    "trade_limit": lambda value: value is None or is_int(value, 1),
    "trading": _boolean,
    "window": _one_of("before_reshuffle", "always", "off"),
    "protocol": _one_of("staged", "compact"),
    "harvest": _one_of("any_time", "when_needed"),
}


def read_terms(header: dict[str, Any]) -> tuple[Terms | None, list[str]]:
    """The terms, ``None`` if there are faults; and the faults, each as ``rule: text``."""
    faults = _key_faults(header, HEADER_KEYS, "header")
    rules = header.get("rules")
    if not isinstance(rules, dict):
        return None, [*faults, "format: rules is not an object"]
    faults += _key_faults(rules, tuple(RULES_FIELDS), "rules")
    for key, fits in RULES_FIELDS.items():
        if key in rules and not fits(rules[key]):
            faults.append(f"format: rules: {key} cannot be {rules[key]!r}")
    if faults:
        return None, faults
    faults = _table_faults(header, rules)
    if faults:
        return None, faults
    values = {key: rules[key] for key in RULES_FIELDS if key not in ("edition", "draw")}
    values["first_hands"] = tuple(rules["first_hands"])
    values["draw_by_everyone"] = rules["draw"][0] == "everyone"
    values["draw"] = rules["draw"][1]
    return Terms(**values, start=header["start"], deck=tuple(header["deck"])), []


def _key_faults(data: dict[str, Any], keys: tuple[str, ...], what: str) -> list[str]:
    faults = [f"format: {what}: {key} is missing" for key in keys if key not in data]
    faults += [f"format: {what}: {key!r} is not a key of it" for key in data if key not in keys]
    return faults


def _table_faults(header: dict[str, Any], rules: dict[str, Any]) -> list[str]:
    """What does not fit together, with fields of the right types."""
    faults = []
    players = rules["players"]
    names, deck = header["players"], header["deck"]
    if header["format"] != FORMAT:
        faults.append(f"format: expected {FORMAT}, got {header['format']!r}")
    if not is_int(header["seed"], 0, 2**64 - 1):
        faults.append(f"format: seed cannot be {header['seed']!r}")
    if not is_int(header["start"], 0, players - 1):
        faults.append(f"R4: start cannot be {header['start']!r}")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        faults.append("format: players is not a list of names")
    elif len(names) != players:
        faults.append(f"format: {len(names)} names for {players} players")
    if len(rules["first_hands"]) != players:
        faults.append(f"R3: {len(rules['first_hands'])} first hands for {players} players")
    elif sum(rules["first_hands"]) >= sum(rules["beans"].values()):
        faults.append("R4: the first hands use up the deck")
    if not isinstance(deck, list) or not all(isinstance(bean, str) for bean in deck):
        faults.append("format: deck is not a list of beans")
    elif Counter(deck) != Counter(rules["beans"]):
        faults.append("R2: the deck is not the cards of the rules")
    if rules["duel"] and (players != 2 or rules["trading"]):
        faults.append("R28: a duel is for two players, without trading")
    return faults
