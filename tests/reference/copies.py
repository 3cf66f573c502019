"""Which copies move in a trade, and the move itself (R32)."""

from typing import Any

from .cards import in_table_order
from .knowledge import copy_left_hand
from .state import GameState


def next_copies(
    game: GameState, seat: int, bean: str, needed: int, chosen: dict[str, list[int]]
) -> list[str]:
    """R32: the ways to give the next copy of `bean` such that all needed can still be given.

    Hand positions rise; face-up cards come after them, of equal ones the lowest first.
    """
    hand = game.players[seat].hand
    shown = game.face_up if seat == game.active else []
    hand_given = [place for place in chosen["hand"] if hand[place] == bean]
    shown_given = [place for place in chosen["face_up"] if shown[place] == bean]
    still_needed = needed - len(hand_given) - len(shown_given)
    if still_needed == 0:
        return []
    shown_left = [
        place for place, card in enumerate(shown) if card == bean and place not in shown_given
    ]
    hand_left = []
    if not shown_given:
        after = max(hand_given, default=-1)
        hand_left = [place for place, card in enumerate(hand) if card == bean and place > after]
    ways = []
    for number, place in enumerate(hand_left):
        behind = len(hand_left) - number - 1
        if behind + len(shown_left) >= still_needed - 1:
            ways.append(f"hand {place}")
    if len(shown_left) >= still_needed:
        ways.append(f"face_up {shown_left[0]}")
    return ways


def copy_by_rule(ways: list[str]) -> str:
    """R35: a face-up copy if there is one, else the one nearest the front."""
    face_up = [way for way in ways if way.startswith("face_up")]
    return face_up[0] if face_up else ways[0]


def sides(game: GameState) -> list[tuple[int, dict[str, int], dict[str, list[int]]]]:
    """R32: giver, beans to give and copies chosen, the proposer's side first."""
    proposal, giving = game.standing, game.giving
    return [
        (proposal["proposer"], proposal["offer"], giving["chosen"][0]),
        (giving["taker"], proposal["request"], giving["chosen"][1]),
    ]


def ways_now(game: GameState) -> tuple[int, list[str], dict[str, list[int]]] | None:
    """R32: the giver of the next copy, the ways to give it and the copies chosen so far."""
    for seat, beans, chosen in sides(game):
        for bean in in_table_order(beans):
            ways = next_copies(game, seat, bean, beans[bean], chosen)
            if ways:
                return seat, ways, chosen
    return None


def give_actions(game: GameState) -> list[str]:
    """R32: the copies that may be given at this step."""
    _, ways, _ = ways_now(game)
    return [f"give {way}" for way in ways]


def continue_giving(game: GameState) -> bool:
    """R32: ask only where more than one way remains; True when all cards have moved."""
    while (step := ways_now(game)) is not None:
        seat, ways, chosen = step
        if len(ways) > 1 and game.rules["protocol"] == "staged":
            game.ask("give", seat)
            return False
        pile, place = copy_by_rule(ways).split()
        chosen[pile].append(int(place))
    move_cards(game)
    return True


def move_cards(game: GameState) -> None:
    """R9, R10: all cards move at once and are set aside by those who receive them."""
    proposer, taker = game.standing["proposer"], game.giving["taker"]
    transfers: list[dict[str, Any]] = []
    for giver, _, chosen in sides(game):
        hand = game.players[giver].hand
        transfers.append(
            {
                "giver": giver,
                "taker": taker if giver == proposer else proposer,
                "gave_hand": [[place, hand[place]] for place in chosen["hand"]],
                "gave_face_up": [game.face_up[place] for place in chosen["face_up"]],
            }
        )
    for transfer, (giver, _, chosen) in zip(transfers, sides(game), strict=True):
        if not transfer["gave_hand"] and not transfer["gave_face_up"]:
            continue
        game.record("trade", **transfer)
        for place in sorted(chosen["hand"], reverse=True):
            bean = game.players[giver].hand.pop(place)
            copy_left_hand(game, giver, bean)
        for place in sorted(chosen["face_up"], reverse=True):
            game.face_up.pop(place)
        received = [bean for _, bean in transfer["gave_hand"]] + transfer["gave_face_up"]
        game.players[transfer["taker"]].put_aside(received)
