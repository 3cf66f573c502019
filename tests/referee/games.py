"""Small games written by hand, for tests of the referee: an event is a line of a few words.

The header's deck is what the events deal, turn up and draw before the first reshuffle. The games
are legal as they stand; tests break them.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

BASE: dict[str, Any] = {
    "edition": "custom",
    "players": 3,
    "beans": {},
    "fields": 2,
    "first_hands": [],
    "field_price": 0,
    "coins_leave_game": False,
    "field_beans": False,
    "reveal": 2,
    "draw": ["active", 1],
    "final_exhaustion": 1,
    "tie": "last_clockwise",
    "duel": False,
    "active_proposals": 4,
    "other_proposals": 1,
    "trade_limit": None,
    "trading": True,
    "window": "before_reshuffle",
    "protocol": "staged",
    "harvest": "any_time",
}

# Each game: changed rules, the start player, its events.
GAMES: dict[str, tuple[dict[str, Any], int, str]] = {}

GAMES["staged"] = (
    {"field_price": 2, "final_exhaustion": 2, "trade_limit": 2},
    1,
    """
    deal 1 blue blue
    deal 2 red soy
    deal 0 soy red
    turn 1
    plant 1 blue 0 hand
    plant 1 blue 0 hand
    reveal red blue
    propose 1 - red / soy
    answer 2 accept
    answer 0 accept
    choose 1 2
    trade 1 2 / red
    trade 2 1 1:soy /
    propose 1 2 blue / red
    answer 2 counter
    propose 2 1 / blue
    answer 1 reject
    withdraw 1
    propose 0 1 soy / blue
    answer 1 reject
    end_trading 1
    plant 1 blue 0 set_aside
    plant 1 soy 1 set_aside
    plant 2 red 0 set_aside
    draw 1 soy
    turn 2
    plant 2 red 0 hand
    reveal soy soy
    propose 2 1 soy soy /
    answer 1 accept
    trade 2 1 / soy soy
    end_trading 2
    plant 1 soy 1 set_aside
    plant 1 soy 1 set_aside
    draw 2 garden
    turn 0
    plant 0 soy 0 hand
    plant 0 red 1 hand
    reveal blue garden
    harvest 1 1 soy 3 1
    propose 1 0 soy / garden
    harvest 0 1 red 1 0
    answer 0 reject
    propose 2 0 garden / blue
    answer 0 accept
    trade 2 0 0:garden /
    trade 0 2 / blue
    end_trading 0
    plant 0 garden 1 set_aside
    plant 0 garden 1 set_aside
    plant 2 blue 1 set_aside
    draw 0 blue
    turn 1
    plant 1 soy 1 hand
    reveal red blue
    end_trading 1
    plant 1 blue 0 set_aside
    harvest 1 0 blue 4 1
    plant 1 red 0 set_aside
    draw 1 blue
    turn 2
    reveal soy red
    buy 1 blue soy
    end_trading 2
    plant 2 red 0 set_aside
    harvest 2 0 red 3 2
    plant 2 soy 0 set_aside
    harvest 2 1 blue 1 0
    harvest 0 1 garden 2 2
    draw 2 garden
    turn 0
    plant 0 blue 1 hand
    reveal blue
    reshuffle 1 soy blue red blue soy soy blue red blue blue
    reveal soy
    end_trading 0
    plant 0 blue 1 set_aside
    plant 0 soy 0 set_aside
    draw 0 blue
    turn 1
    plant 1 blue 2 hand
    reveal red blue
    end_trading 1
    plant 1 red 0 set_aside
    plant 1 blue 2 set_aside
    draw 1 soy
    turn 2
    plant 2 garden 1 hand
    reveal soy blue
    propose 2 0 blue / blue
    answer 0 accept
    trade 2 0 / blue
    trade 0 2 0:blue /
    propose 2 1 soy / soy
    answer 1 accept
    trade 2 1 / soy
    trade 1 2 0:soy /
    end_trading 2
    harvest 2 1 garden 1 0
    plant 2 blue 1 set_aside
    plant 2 soy 0 set_aside
    plant 0 blue 1 set_aside
    plant 1 soy 1 set_aside
    draw 2 red
    turn 0
    reveal blue blue
    end_trading 0
    plant 0 blue 1 set_aside
    plant 0 blue 1 set_aside
    harvest 0 0 soy 2 1
    harvest 0 1 blue 5 1
    harvest 1 0 red 2 1
    harvest 1 1 soy 2 1
    harvest 1 2 blue 2 0
    harvest 2 0 soy 2 1
    harvest 2 1 blue 1 0
    end 4 2 3 / 0 / 2
    """,
)

GAMES["duel"] = (
    {
        "players": 2,
        "field_price": 1,
        "coins_leave_game": True,
        "reveal": 3,
        "draw": ["active", 2],
        "tie": "most_hand_cards",
        "duel": True,
        "trading": False,
    },
    0,
    """
    deal 0 blue red
    deal 1 soy soy
    turn 0
    plant 0 blue 0 hand
    discard 0 red hand 0
    reveal red blue blue
    take 0 red
    plant 0 blue 0 face_up
    plant 0 blue 0 face_up
    offer 0 red red
    draw 0 blue blue
    turn 1
    discard 1 red offer
    plant 1 red 0 offer
    plant 1 soy 1 hand
    plant 1 soy 1 hand
    reveal soy soy blue
    plant 1 soy 1 face_up
    plant 1 soy 1 face_up
    harvest 1 1 soy 4 2
    buy 1 soy
    offer 1 blue
    draw 1 red blue
    turn 0
    plant 0 blue 0 offer
    plant 0 blue 0 hand
    reveal blue red
    plant 0 blue 0 face_up
    offer 0 red
    harvest 0 0 blue 6 2
    harvest 1 0 red 1 0
    end 2 1 / 0 / 1
    """,
)

GAMES["compact"] = (
    {"draw": ["active", 2], "protocol": "compact"},
    0,
    """
    deal 0 blue red blue
    deal 1 red
    deal 2 red blue
    turn 0
    plant 0 blue 0 hand
    reveal red red
    propose 0 1 red /
    answer 1 accept
    trade 0 1 / red
    propose 0 2 blue / red
    answer 2 accept
    trade 0 2 1:blue /
    trade 2 0 0:red /
    end_trading 0
    plant 0 red 1 set_aside
    plant 0 red 1 set_aside
    plant 1 red 0 set_aside
    plant 2 blue 0 set_aside
    draw 0 blue blue
    turn 1
    plant 1 red 0 hand
    reveal blue red
    end_trading 1
    plant 1 red 0 set_aside
    plant 1 blue 1 set_aside
    harvest 0 0 blue 1 0
    harvest 0 1 red 2 1
    harvest 1 0 red 3 2
    harvest 1 1 blue 1 0
    harvest 2 0 blue 1 0
    end 1 2 0 / 1 / 1
    """,
)

GAMES["field_beans"] = (
    {"draw": ["everyone", 1], "field_beans": True},
    0,
    """
    deal 0 field field
    deal 1 blue
    deal 2 blue
    turn 0
    plant 0 field 0 hand
    plant 0 field 0 hand
    reveal blue blue
    harvest 0 0 field 2 0 gains
    end_trading 0
    plant 0 blue 0 set_aside
    plant 0 blue 2 set_aside
    draw 0 field
    draw 1 blue
    draw 2 blue
    harvest 0 0 blue 1 0
    harvest 0 2 blue 1 0
    end 0 0 0 / 2 / 1
    """,
)

# R20: an empty discard pile; the exhaustion is counted, what is discarded later is shuffled in.
GAMES["dry"] = (
    {"draw": ["active", 2], "final_exhaustion": 3},
    0,
    """
    deal 0 blue
    deal 1 blue
    deal 2 red
    turn 0
    plant 0 blue 0 hand
    reveal garden garden
    propose 0 1 garden /
    answer 1 accept
    trade 0 1 / garden
    end_trading 0
    plant 0 garden 1 set_aside
    plant 1 garden 1 set_aside
    draw 0 blue blue
    turn 1
    harvest 1 1 garden 1 0
    plant 1 blue 0 hand
    reshuffle 1 garden
    reveal garden
    end_trading 1
    plant 1 garden 1 set_aside
    harvest 0 0 blue 1 0
    harvest 0 1 garden 1 0
    harvest 1 0 blue 1 0
    harvest 1 1 garden 1 0
    end 0 0 0 / 2 / 2
    """,
)

# R20: nothing at all is left when cards are to be turned up.
GAMES["empty"] = (
    {"draw": ["active", 2], "final_exhaustion": 3, "trading": False},
    0,
    """
    deal 0 blue
    deal 1 blue
    deal 2 red
    turn 0
    plant 0 blue 0 hand
    reveal garden garden
    end_trading 0
    plant 0 garden 1 set_aside
    plant 0 garden 1 set_aside
    draw 0 blue blue
    turn 1
    plant 1 blue 0 hand
    reveal
    end_trading 1
    harvest 0 0 blue 1 0
    harvest 0 1 garden 2 2
    harvest 1 0 blue 1 0
    end 2 0 0 / 0 / 1
    """,
)


def event(text: str) -> dict[str, Any]:
    """An event from its line."""
    kind, *words = text.split()
    numbers = [int(word) for word in words if word.isdigit()]
    data: dict[str, Any] = {"type": {"buy": "buy_field"}.get(kind, kind)}
    if kind in ("reveal", "reshuffle"):
        if kind == "reshuffle":
            data |= {"exhaustions": numbers[0]}
        return data | {"deck" if numbers else "beans": words[len(numbers) :]}
    if kind == "end":
        scores, winners, exhaustions = ([int(n) for n in part.split()] for part in _split(words))
        return data | {"scores": scores, "winners": winners, "exhaustions": exhaustions[0]}
    if kind == "trade":
        hand, face_up = _split(words[2:])
        copies = [pair.split(":") for pair in hand.split()]
        data |= {"giver": numbers[0], "taker": numbers[1]}
        data |= {"gave_hand": [[int(place), bean] for place, bean in copies]}
        return data | {"gave_face_up": face_up.split()}
    data |= {"player": numbers[0]}
    if kind in ("deal", "draw", "offer"):
        data |= {"beans": words[1:]}
    elif kind == "buy":
        data |= {"paid": words[1:]}
    elif kind == "take":
        data |= {"bean": words[1]}
    elif kind == "plant":
        data |= {"bean": words[1], "field": numbers[1], "from": words[3]}
    elif kind == "harvest":
        data |= {"field": numbers[1], "bean": words[2], "count": numbers[2], "coins": numbers[3]}
        data |= {"field_gained": True} if words[-1] == "gains" else {}
    elif kind == "propose":
        offer, request = _split(words[2:])
        data |= {"to": None if words[1] == "-" else int(words[1])}
        data |= {"offer": Counter(offer.split()), "request": Counter(request.split())}
    elif kind == "answer":
        data |= {"answer": words[1]}
    elif kind == "choose":
        data |= {"chosen": numbers[1]}
    elif kind == "discard":
        position = numbers[1] if len(numbers) > 1 else None
        data |= {"bean": words[1], "from": words[2], "position": position}
    return data


def _split(words: list[str]) -> list[str]:
    return " ".join(words).split("/")


def header(name: str) -> dict[str, Any]:
    """The header of a game; its deck is that of the events."""
    changed, start, text = GAMES[name]
    events = [event(line) for line in text.strip().splitlines()]
    deck: list[str] = []
    for data in events:
        if data["type"] == "reshuffle":
            break
        deck += data["beans"] if data["type"] in ("deal", "reveal", "draw") else []
    hands = [len(data["beans"]) for data in events if data["type"] == "deal"]
    rules = {**BASE, **changed, "beans": dict(Counter(deck)), "first_hands": hands}
    names = [f"player {seat}" for seat in range(rules["players"])]
    top = {"format": "bohnanza-record/1", "rules": rules, "seed": 1}
    return top | {"start": start, "players": names, "deck": deck}


def record(top: dict[str, Any], text: str) -> list[str]:
    """The lines of a record."""
    return [json.dumps(data) for data in (top, *map(event, text.strip().splitlines()))]
