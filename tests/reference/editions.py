"""The editions: every rule field for a name and a number of players (section 2 of the rules)."""

from typing import Any

from .cards import CARDS

EIGHT_BEANS = ["blue", "chili", "stink", "green", "soy", "black_eyed", "red", "garden"]
THREE_PLAYER_BEANS = [bean for bean in CARDS if bean not in ("cocoa", "field")]
FOUR_TO_FIVE_PLAYER_BEANS = [bean for bean in CARDS if bean not in ("coffee", "field")]
SIX_TO_SEVEN_PLAYER_BEANS = [bean for bean in CARDS if bean not in ("cocoa", "garden", "field")]
FIELD_BEAN_BEANS = ["wax", *EIGHT_BEANS, "field"]
DUEL_BEANS = [bean for bean in CARDS if bean not in ("garden", "cocoa", "field")]

PLAYERS_OF_EDITION = {
    "amigo": range(3, 6),
    "classic": range(3, 6),
    "rio_grande": range(3, 8),
    "new_beans": range(3, 8),
    "field_beans": range(4, 6),
    "duel": range(2, 3),
    "duel_three_fields": range(2, 3),
}


def common_fields(beans: list[str], players: int) -> dict[str, Any]:
    """What most editions share, and the defaults of section 8 (R33, R34, R35, R36)."""
    return {
        "players": players,
        "beans": {bean: CARDS[bean] for bean in beans},
        "fields": 2,
        "first_hands": [5] * players,
        "field_price": 0,
        "coins_leave_game": False,
        "field_beans": False,
        "reveal": 2,
        "draw": ["active", 3],
        "final_exhaustion": 3,
        "tie": "last_clockwise",
        "duel": False,
        "active_proposals": 2 * (players - 1),
        "other_proposals": 1,
        "trade_limit": None,
        "trading": True,
        "window": "before_reshuffle",
        "protocol": "staged",
        "harvest": "any_time",
    }


def amigo(players: int) -> dict[str, Any]:
    """The modern edition with 104 cards."""
    rules = common_fields(EIGHT_BEANS, players)
    rules["fields"] = 3 if players == 3 else 2
    return rules


def classic(players: int) -> dict[str, Any]:
    """The edition of 1997."""
    rules = common_fields(EIGHT_BEANS, players)
    rules["field_price"] = 3
    rules["tie"] = "most_hand_cards"
    return rules


def rio_grande(players: int) -> dict[str, Any]:
    """The edition with 154 cards for three to seven players."""
    if players == 3:
        rules = common_fields(THREE_PLAYER_BEANS, players)
        rules["fields"] = 3
        rules["final_exhaustion"] = 2
    elif players <= 5:
        rules = common_fields(FOUR_TO_FIVE_PLAYER_BEANS, players)
        rules["field_price"] = 3
    else:
        rules = common_fields(SIX_TO_SEVEN_PLAYER_BEANS, players)
        rules["first_hands"] = [3, 4, 5] + [6] * (players - 3)
        rules["field_price"] = 2
        rules["draw"] = ["active", 4]
    rules["tie"] = "most_hand_cards"
    return rules


def new_beans(players: int) -> dict[str, Any]:
    """The variant in which everybody draws one card."""
    rules = rio_grande(players)
    rules["first_hands"] = [5] * players
    rules["field_price"] = 0
    rules["draw"] = ["everyone", 1]
    rules["tie"] = "last_clockwise"
    return rules


def field_beans(players: int) -> dict[str, Any]:
    """The 25-years edition (R27)."""
    rules = common_fields(FIELD_BEAN_BEANS, players)
    rules["field_beans"] = True
    rules["draw"] = ["everyone", 1]
    return rules


def duel_three_fields(players: int) -> dict[str, Any]:
    """The two-player game (R28) in its older wording."""
    rules = common_fields(DUEL_BEANS, players)
    rules["fields"] = 3
    rules["reveal"] = 3
    rules["draw"] = ["active", 2]
    rules["final_exhaustion"] = 1
    rules["tie"] = "most_hand_cards"
    rules["duel"] = True
    return rules


def duel(players: int) -> dict[str, Any]:
    """The two-player game (R28) with a field for sale whose coins leave the game (R26)."""
    rules = duel_three_fields(players)
    rules["fields"] = 2
    rules["field_price"] = 3
    rules["coins_leave_game"] = True
    return rules


EDITIONS = {
    "amigo": amigo,
    "classic": classic,
    "rio_grande": rio_grande,
    "new_beans": new_beans,
    "field_beans": field_beans,
    "duel": duel,
    "duel_three_fields": duel_three_fields,
}


def edition_rules(edition: str, players: int) -> dict[str, Any]:
    """All rule fields of an edition; R3: a number of players that it does not list is an error."""
    if edition not in EDITIONS:
        raise ValueError(f"unknown edition {edition!r}; known: {', '.join(EDITIONS)}")
    if players not in PLAYERS_OF_EDITION[edition]:
        listed = ", ".join(str(number) for number in PLAYERS_OF_EDITION[edition])
        raise ValueError(f"{edition} is for {listed} players, not for {players}")
    return EDITIONS[edition](players)
