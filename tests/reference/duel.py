"""The two-player game: the offer left behind, the discard, the cards turned up (R28)."""

from .cards import in_table_order
from .farming import plant, plant_actions
from .knowledge import copy_left_hand
from .piles import turn_up
from .state import GameState


def begin_offer_in(game: GameState) -> None:
    """R28 (1): each card that the opponent left must be planted or discarded."""
    if game.offer:
        game.ask("offer_in", game.active)
    else:
        game.planted = 0
        game.go_to("plant")


def offer_in_actions(game: GameState) -> list[str]:
    """R28 (1): one card at a time, in a chosen order."""
    discards = [f"discard {bean}" for bean in in_table_order(set(game.offer))]
    return plant_actions(game.players[game.active], game.offer) + discards


def apply_offer_in(game: GameState, words: list[str]) -> None:
    """R28 (1): plant or discard one card of the offer."""
    bean = words[1]
    game.offer.remove(bean)
    if words[0] == "plant":
        plant(game, game.active, bean, int(words[2]), "offer")
    else:
        game.discard.append(bean)
        game.record("discard", player=game.active, bean=bean, position=None, **{"from": "offer"})
    begin_offer_in(game)


def begin_discard(game: GameState) -> None:
    """R28 (2): a hand card may be discarded; not asked with an empty hand."""
    if game.players[game.active].hand:
        game.ask("discard", game.active)
    else:
        game.go_to("reveal")


def discard_actions(game: GameState) -> list[str]:
    """R28 (2): one card from anywhere in the hand, or none."""
    places = range(len(game.players[game.active].hand))
    return [f"discard hand {place}" for place in places] + ["pass"]


def apply_discard(game: GameState, words: list[str]) -> None:
    """R28 (2): discard one hand card or none."""
    if words[0] == "discard":
        place = int(words[2])
        bean = game.players[game.active].hand.pop(place)
        copy_left_hand(game, game.active, bean)
        game.discard.append(bean)
        game.record("discard", player=game.active, bean=bean, position=place, **{"from": "hand"})
    game.go_to("reveal")


def take_matching_discards(game: GameState, shown: list[str]) -> None:
    """R28 (3): while the top of the discard pile equals a bean turned up, it is taken too."""
    while game.discard and game.discard[-1] in shown:
        bean = game.discard.pop()
        game.face_up.append(bean)
        game.record("take", player=game.active, bean=bean)


def begin_duel_reveal(game: GameState) -> None:
    """R28 (3): cards are turned up and matching ones taken."""
    game.planted = 0
    shown = turn_up(game, game.rules["reveal"])
    take_matching_discards(game, shown)
    continue_faceup(game)


def continue_faceup(game: GameState) -> None:
    """R28 (3): over by itself when no card is left."""
    if game.face_up:
        game.ask("faceup", game.active)
    else:
        game.go_to("draw")


def faceup_actions(game: GameState) -> list[str]:
    """R28 (3): plant any of the cards turned up or taken, or leave the rest."""
    return [*plant_actions(game.players[game.active], game.face_up), "pass"]


def apply_faceup(game: GameState, words: list[str]) -> None:
    """R28 (3): plant one, or leave the rest as the offer to the opponent."""
    if words[0] == "plant":
        game.face_up.remove(words[1])
        plant(game, game.active, words[1], int(words[2]), "face_up")
        continue_faceup(game)
        return
    game.offer = game.face_up
    game.face_up = []
    game.record("offer", player=game.active, beans=list(game.offer))
    game.go_to("draw")
