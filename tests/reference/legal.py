"""The legal actions of the present decision (section 8 of the rules)."""

from collections.abc import Callable

from .copies import give_actions
from .duel import discard_actions, faceup_actions, offer_in_actions
from .exchange import choose_actions, compose_actions, respond_actions
from .farming import farming_actions
from .floor import floor_actions
from .state import GameState
from .turns import plant_decision_actions, plant_set_aside_actions

OWN_ACTIONS: dict[str, Callable[[GameState], list[str]]] = {
    "plant": plant_decision_actions,
    "floor": floor_actions,
    "compose": compose_actions,
    "respond": respond_actions,
    "choose": choose_actions,
    "give": give_actions,
    "plant_set_aside": plant_set_aside_actions,
    "window": lambda game: ["pass"],
    "offer_in": offer_in_actions,
    "discard": discard_actions,
    "faceup": faceup_actions,
}


def legal_actions(game: GameState) -> list[str]:
    """Section 8: what the player to act may do, none when the game is over."""
    if game.over:
        return []
    actions = OWN_ACTIONS[game.decision](game)
    if game.decision not in ("compose", "choose", "give"):
        actions = actions + farming_actions(game, game.decision, game.to_act)
    return actions
