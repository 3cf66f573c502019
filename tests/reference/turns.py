"""The turn: its phases in order, windows, the end of the game."""

from collections.abc import Callable

from .duel import begin_discard, begin_duel_reveal, begin_offer_in
from .farming import harvest, harvestable_fields, plant, plant_actions
from .floor import begin_floor
from .knowledge import copy_left_hand
from .piles import draw_to_hand, turn_up
from .state import GameState


def run_phases(game: GameState) -> None:
    """Go on until somebody has to decide or the game is over."""
    while game.decision is None:
        BEGINNINGS[game.phase](game)


def begin_turn(game: GameState) -> None:
    """R4, R13: a new active player."""
    game.record("turn", player=game.active)
    game.forget_trading()
    game.planted = 0
    game.go_to("offer_in" if game.rules["duel"] else "plant")


def after_plant(game: GameState) -> str:
    """R28: in a duel a discard follows phase 1."""
    return "discard" if game.rules["duel"] else "reveal"


def begin_plant(game: GameState) -> None:
    """R7: at most two cards from the front; over with the hand empty."""
    if game.planted < 2 and game.players[game.active].hand:
        game.ask("plant", game.active)
    else:
        game.planted = 0
        game.go_to(after_plant(game))


def plant_decision_actions(game: GameState) -> list[str]:
    """R7: the front card must be planted, the next one may be."""
    player = game.players[game.active]
    actions = plant_actions(player, player.hand[:1])
    return [*actions, "pass"] if game.planted else actions


def apply_plant(game: GameState, words: list[str]) -> None:
    """R7: plant the front card or stop."""
    if words[0] == "pass":
        game.planted = 0
        game.go_to(after_plant(game))
        return
    bean = game.players[game.active].hand.pop(0)
    copy_left_hand(game, game.active, bean)
    plant(game, game.active, bean, int(words[2]), "hand")
    begin_plant(game)


def begin_reveal(game: GameState) -> None:
    """R9: the active player turns up cards."""
    if game.rules["duel"]:
        begin_duel_reveal(game)
    else:
        turn_up(game, game.rules["reveal"])
        game.go_to("floor")


def begin_plant_set_aside(game: GameState) -> None:
    """R12: the active player first, then clockwise, each until all is planted."""
    for seat in game.clockwise_from(game.active):
        if game.players[seat].set_aside:
            game.ask("plant_set_aside", seat)
            return
    game.planted = 0
    begin_windows(game)


def plant_set_aside_actions(game: GameState) -> list[str]:
    """R12: any of the cards set aside."""
    player = game.players[game.to_act]
    return plant_actions(player, player.set_aside)


def apply_plant_set_aside(game: GameState, words: list[str]) -> None:
    """R12: plant one card."""
    seat = game.to_act
    game.players[seat].set_aside.remove(words[1])
    plant(game, seat, words[1], int(words[2]), "set_aside")
    begin_plant_set_aside(game)


def cards_of_phase_4(game: GameState) -> int:
    """R13: how many cards phase 4 takes."""
    who, number = game.rules["draw"]
    return number * (game.rules["players"] if who == "everyone" else 1)


def windows_are_held(game: GameState) -> bool:
    """R34: whether harvests are offered between phases 3 and 4."""
    if game.final_reached or game.rules["duel"] or game.rules["window"] == "off":
        return False
    if game.rules["window"] == "always":
        return True
    soon_empty = len(game.deck) <= cards_of_phase_4(game) + game.rules["reveal"]
    not_final = game.exhaustions + 1 < game.rules["final_exhaustion"]
    return soon_empty and (not_final or not game.deck)


def begin_windows(game: GameState) -> None:
    """R34: each player clockwise from the active one who has a legal harvest."""
    if windows_are_held(game):
        ask_windows(game, game.clockwise_from(game.active))
    else:
        game.go_to("draw")


def ask_windows(game: GameState, seats: list[int]) -> None:
    """R34: the first of `seats` who has a legal harvest is asked."""
    for seat in seats:
        if harvestable_fields(game, "window", seat):
            game.ask("window", seat)
            return
    game.go_to("draw")


def seats_after(game: GameState, seat: int) -> list[int]:
    """The seats that come after `seat` in this turn's order."""
    order = game.clockwise_from(game.active)
    return order[order.index(seat) + 1 :]


def apply_window(game: GameState, words: list[str]) -> None:
    """R34: the player passes."""
    ask_windows(game, seats_after(game, game.to_act))


def after_farming(game: GameState) -> None:
    """R34: a window closes when no harvest is left."""
    if game.decision == "window" and not harvestable_fields(game, "window", game.to_act):
        ask_windows(game, seats_after(game, game.to_act))


def begin_draw(game: GameState) -> None:
    """R13, R21: draw, then the player to the left is active; the final exhaustion ends all."""
    who, number = game.rules["draw"]
    drawers = game.clockwise_from(game.active) if who == "everyone" else [game.active]
    for seat in drawers:
        if not game.final_reached:
            draw_to_hand(game, seat, number)
    if game.final_reached:
        end_game(game)
        return
    game.active = game.clockwise_from(game.active)[1]
    game.turn += 1
    game.go_to("turn")


def end_game(game: GameState) -> None:
    """R22: all fields are harvested, seat 0 first, fields rising."""
    for seat, player in enumerate(game.players):
        for place, planted in enumerate(player.fields):
            if planted is not None:
                harvest(game, seat, place, at_the_end=True)
    scores = [len(player.coins) for player in game.players]
    hand_sizes = [len(player.hand) for player in game.players]
    game.winners = winning_seats(scores, hand_sizes, game.rules["tie"], game.start)
    game.decision = "over"
    game.to_act = None
    game.record("end", scores=scores, winners=list(game.winners), exhaustions=game.exhaustions)


def winning_seats(scores: list[int], hand_sizes: list[int], tie: str, start: int) -> list[int]:
    """R22, R23: most coins; then the farthest clockwise from the start, or most hand cards."""
    tied = [seat for seat, coins in enumerate(scores) if coins == max(scores)]
    if tie == "last_clockwise":
        return [max(tied, key=lambda seat: (seat - start) % len(scores))]
    most_cards = max(hand_sizes[seat] for seat in tied)
    return [seat for seat in tied if hand_sizes[seat] == most_cards]


BEGINNINGS: dict[str, Callable[[GameState], None]] = {
    "turn": begin_turn,
    "offer_in": begin_offer_in,
    "plant": begin_plant,
    "discard": begin_discard,
    "reveal": begin_reveal,
    "floor": begin_floor,
    "plant_set_aside": begin_plant_set_aside,
    "draw": begin_draw,
}
