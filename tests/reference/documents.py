"""Positions: a game written as plain data and read back."""

from collections import Counter
from copy import deepcopy
from typing import Any

from .cards import in_table_order
from .editions import edition_rules
from .piles import note_new_deck
from .state import GameState

FORMAT = "bohnanza-position/1"

# State that stands in a position under the name of its attribute.
TABLE_KEYS = ["start", "decision", "active", "to_act", "planted", "exhaustions", "shuffles"]
PILE_KEYS = ["face_up", "offer", "removed"]
TURN_KEYS = [
    "turn",
    "stopped",
    "winners",
    "proposals_left",
    "round_held",
    "round_under_way",
    "passed",
    "submitted_in_round",
    "pass_closed",
    "opener",
    "draft",
    "standing",
    "settled",
    "giving",
]
KNOWLEDGE_KEYS = ["deck_at_shuffle", "turned_up", "drawn_since", "known"]


def rules_of(position: dict[str, Any]) -> dict[str, Any]:
    """The rules of a position: an edition with players and overrides, or all fields."""
    given = dict(position["rules"])
    if "edition" not in given:
        return given
    rules = edition_rules(given.pop("edition"), given["players"])
    unknown = sorted(set(given) - set(rules))
    if unknown:
        raise ValueError(f"unknown rule fields: {', '.join(unknown)}")
    rules.update(given)
    return rules


def write_position(game: GameState) -> dict[str, Any]:
    """The game as plain data."""
    position: dict[str, Any] = {"format": FORMAT, "rules": game.rules}
    for key in TABLE_KEYS:
        position[key] = getattr(game, key)
    position["deck"] = game.deck
    position["discard"] = game.discard
    for key in PILE_KEYS:
        position[key] = getattr(game, key)
    position["players"] = [
        {
            "hand": player.hand,
            "fields": player.fields,
            "coins": player.coins,
            "set_aside": player.set_aside,
            "fields_gained": player.fields_gained,
        }
        for player in game.players
    ]
    position["over"] = game.over
    for key in TURN_KEYS + KNOWLEDGE_KEYS:
        position[key] = getattr(game, key)
    return deepcopy(position)


def read_position(game: GameState, position: dict[str, Any]) -> None:
    """Fill a fresh game; missing keys mean empty, zero or the start of the decision."""
    position = deepcopy(position)
    game.active = position.get("active", 0)
    game.decision = position.get("decision", "plant")
    game.phase = game.decision
    game.to_act = None if game.over else position.get("to_act", game.active)
    game.planted = position.get("planted", 0)
    game.exhaustions = position.get("exhaustions", 0)
    game.shuffles = position.get("shuffles", 0)
    for key in PILE_KEYS:
        setattr(game, key, position.get(key, []))
    read_players(game, position.get("players", []))
    read_piles(game, position)
    note_new_deck(game)
    game.forget_trading()
    for key in TURN_KEYS + KNOWLEDGE_KEYS:
        if key in position:
            setattr(game, key, position[key])


def read_players(game: GameState, players: list[dict[str, Any]]) -> None:
    """What lies before each player; more fields than at the start were gained."""
    for player, given in zip(game.players, players, strict=False):
        player.hand = list(given.get("hand", []))
        player.fields = deepcopy(given.get("fields", player.fields))
        player.coins = list(given.get("coins", []))
        player.set_aside = in_table_order(given.get("set_aside", []))
        extra_fields = max(0, len(player.fields) - game.rules["fields"])
        player.fields_gained = given.get("fields_gained", extra_fields)


def read_piles(game: GameState, position: dict[str, Any]) -> None:
    """A pile left out is what remains; cards that the position does not place are shuffled."""
    deck, top, discard = (position.get(key) for key in ("deck", "deck_top", "discard"))
    remaining = cards_left(game, (deck or []) + (top or []) + (discard or []))
    if deck is not None:
        game.deck = deck
        game.discard = remaining if discard is None else discard
        placed_all = discard is None or not remaining
    else:
        game.deck = (top or []) + list(game.shuffle(game.shuffles, remaining))
        game.shuffles += 1
        game.discard = discard or []
        placed_all = True
    if not placed_all:
        raise ValueError(f"cards in no place: {', '.join(remaining)}")


def cards_left(game: GameState, in_piles: list[str]) -> list[str]:
    """R2: the edition's cards that lie nowhere else, in table order."""
    placed = Counter(in_piles + game.face_up + game.offer + game.removed)
    for player in game.players:
        placed.update(player.hand + player.coins + player.set_aside)
        for planted in player.fields:
            if planted is not None:
                placed[planted["bean"]] += planted["count"]
    left = Counter(game.rules["beans"])
    left.subtract(placed)
    too_many = [bean for bean, cards in left.items() if cards < 0]
    if too_many:
        raise ValueError(f"more cards than the edition has: {', '.join(too_many)}")
    return in_table_order(left.elements())
