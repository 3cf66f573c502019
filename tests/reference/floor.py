"""Phase 2, the floor: who may speak, rounds, the end of trading (R29, R33)."""

from .farming import farming_actions
from .proposals import may_propose, open_exchange, recipients, submit, swap_actions
from .state import GameState


def may_speak(game: GameState, seat: int) -> bool:
    """R29: whether a round asks this other player."""
    return may_propose(game, seat) or bool(farming_actions(game, "floor", seat))


def begin_floor(game: GameState) -> None:
    """R29: phase 2 starts with the active player; R33: without trading it is a mere reveal."""
    if game.rules["trading"]:
        give_floor_to_active(game)
    else:
        end_phase(game)


def nobody_may_propose(game: GameState) -> bool:
    """R29: whether phase 2 ends by itself."""
    return not any(may_propose(game, seat) for seat in range(game.rules["players"]))


def give_floor_to_active(game: GameState) -> None:
    """R29: the floor is the active player's, unless nobody may propose any more."""
    if nobody_may_propose(game):
        end_phase(game)
    else:
        game.ask("floor", game.active)


def go_on_in_round(game: GameState, seat: int) -> None:
    """R29: the floor goes to the next player after `seat` who may speak, at last to the active."""
    if nobody_may_propose(game):
        end_phase(game)
        return
    for other in game.clockwise_from(seat)[1:]:
        if other == game.active:
            break
        if may_speak(game, other):
            game.ask("floor", other)
            return
    game.round_under_way = False
    game.round_held = True
    game.pass_closed = not game.submitted_in_round
    give_floor_to_active(game)


def return_floor(game: GameState) -> None:
    """R29: after an exchange, to its opener if active, else to the next of the round."""
    opener = game.opener
    game.opener = None
    if opener == game.active:
        give_floor_to_active(game)
    else:
        go_on_in_round(game, opener)


def end_phase(game: GameState) -> None:
    """R10, R12: the untraded face-up cards are set aside by the active player."""
    game.record("end_trading", player=game.active)
    game.players[game.active].put_aside(game.face_up)
    game.face_up = []
    game.round_under_way = False
    game.planted = 0
    game.go_to("plant_set_aside")


def floor_actions(game: GameState) -> list[str]:
    """R29: what the floor holder may do, harvests and purchases apart."""
    seat = game.to_act
    if game.rules["protocol"] == "compact":
        actions = swap_actions(game, seat)
    else:
        actions = [
            "propose table" if recipient is None else f"propose {recipient}"
            for recipient in recipients(game, seat)
        ]
    if seat != game.active:
        return [*actions, "pass"]
    round_could_be = any(may_speak(game, other) for other in game.others_clockwise())
    if game.round_held or not round_could_be:
        actions.append("end_trading")
    if round_could_be and not game.pass_closed:
        actions.append("pass")
    return actions


def apply_floor(game: GameState, words: list[str]) -> None:
    """R29: carry out a floor action."""
    seat = game.to_act
    if words[0] == "end_trading":
        end_phase(game)
    elif words[0] == "pass" and seat == game.active:
        game.round_under_way = True
        game.submitted_in_round = False
        game.passed = []
        go_on_in_round(game, seat)
    elif words[0] == "pass":
        game.passed.append(seat)
        go_on_in_round(game, seat)
    elif words[0] == "swap":
        open_exchange(game, seat, int(words[1]))
        for beans, bean in ((game.draft["offer"], words[2]), (game.draft["request"], words[3])):
            if bean != "-":
                beans[bean] = 1
        submit(game)
    else:
        open_exchange(game, seat, None if words[1] == "table" else int(words[1]))
        game.ask("compose", seat)
