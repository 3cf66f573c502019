"""What a player may see or remember (section 9 of the rules)."""

from typing import Any

from .state import GameState


def counted(game: GameState, beans: list[str]) -> dict[str, int]:
    """How many of each of the edition's beans there are among `beans`."""
    return {bean: beans.count(bean) for bean in game.rules["beans"]}


def fresh(value: Any) -> Any:
    """A copy of dictionaries and lists within each other; much faster than ``deepcopy``."""
    if isinstance(value, dict):
        return {key: fresh(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [fresh(inner) for inner in value]
    return value


def learn_holding(game: GameState, seat: int, beans: dict[str, int]) -> None:
    """Section 9: who offers or accepts shows to hold these, the active player partly face-up."""
    for bean, number in beans.items():
        shown = game.face_up.count(bean) if seat == game.active else 0
        game.known[seat][bean] = max(game.known[seat][bean], number - shown)


def copy_left_hand(game: GameState, seat: int, bean: str) -> None:
    """Section 9: what is known of a hand is lowered when a copy leaves it."""
    game.known[seat][bean] = max(0, game.known[seat][bean] - 1)


def public_proposal(game: GameState, proposal: dict[str, Any] | None) -> dict[str, Any] | None:
    """R31: a proposal with its answers once all are given."""
    if proposal is None:
        return None
    shown = fresh(proposal)
    if game.decision == "respond" and proposal is game.standing:
        shown["answers"] = []
    return shown


def own_copies(game: GameState, seat: int) -> dict[str, list[int]] | None:
    """R32: the copies that `seat` has chosen to give; until they move nobody else sees them."""
    if game.giving is None or game.standing is None:
        return None
    for giver, chosen in zip(
        (game.standing["proposer"], game.giving["taker"]), game.giving["chosen"], strict=True
    ):
        if giver == seat:
            return fresh(chosen)
    return None


def facts(game: GameState, seat: int) -> dict[str, Any]:
    """Everything that section 9 lets `seat` know."""
    players = game.players
    price = game.rules["field_price"] or 0
    composing = game.draft is not None and game.draft["proposer"] == seat
    return {
        "seat": seat,
        "hand": list(players[seat].hand),
        "hand_sizes": [len(player.hand) for player in players],
        "fields": [fresh(player.fields) for player in players],
        "fields_gained": [player.fields_gained for player in players],
        "set_aside": [counted(game, player.set_aside) for player in players],
        "coins": [counted(game, player.coins) for player in players],
        "coin_top": [player.coins[-price:] if price else [] for player in players],
        "face_up": list(game.face_up),
        "offer": list(game.offer),
        "deck_size": len(game.deck),
        "exhaustions": game.exhaustions,
        "exhaustions_to_come": game.rules["final_exhaustion"] - game.exhaustions,
        "phase_4_follows": not game.final_reached and not game.over,
        "discard": counted(game, game.discard),
        "discard_pile": list(game.discard),
        "removed": counted(game, game.removed),
        "start": game.start,
        "turn": game.turn,
        "active": game.active,
        "decision": game.decision,
        "to_act": game.to_act,
        "planted": game.planted,
        "standing": public_proposal(game, game.standing),
        "settled": fresh(game.settled),
        "proposals_left": list(game.proposals_left),
        "round_held": game.round_held,
        "round_under_way": game.round_under_way,
        "passed": list(game.passed),
        "draft": fresh(game.draft) if composing else None,
        "copies": own_copies(game, seat),
        "deck_at_shuffle": dict(game.deck_at_shuffle),
        "turned_up": dict(game.turned_up),
        "drawn_since": list(game.drawn_since),
        "known": fresh(game.known),
    }
