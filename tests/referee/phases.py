"""The phases of a turn but for the trading: planting, windows, draw (R7, R12, R13, R34)."""

from __future__ import annotations

from .play import Play


def plant_from_hand(play: Play, active: int) -> int:
    """R7: the front card, then perhaps the next; returns how many."""
    hand = play.table.hands[active]
    planted = 0
    while planted < 2 and hand:
        if play.is_side_move():
            play.side_move(active, hand[:1])
            continue
        event = play.look()
        if event["type"] != "plant" and planted:
            break
        event = play.expect("plant", "R7", active)
        if event["from"] != "hand":
            play.log.stop("R7", f"a card from {event['from']} is planted in phase 1")
        if event["bean"] != hand[0]:
            play.log.stop("R7", f"the front card is {hand[0]}, not {event['bean']}")
        play.table.plant(event, hand)
        planted += 1
    return planted


def plant_set_aside(play: Play, active: int) -> None:
    """R12: all set-aside cards, the active player's first, then clockwise."""
    for seat in play.terms.clockwise(active):
        cards = play.table.set_aside[seat]
        while cards:
            if play.is_side_move():
                play.side_move(seat, cards)
                continue
            event = play.expect("plant", "R12", seat)
            if event["from"] != "set_aside":
                play.log.stop("R12", f"a card from {event['from']} is planted in phase 3")
            if event["bean"] not in cards:
                play.log.stop("R12", f"{event['bean']} is not set aside")
            play.table.plant(event, cards)


def windows(play: Play, active: int) -> None:
    """R34: harvests between phases 3 and 4, clockwise, each player's together."""
    terms, table = play.terms, play.table
    order = terms.clockwise(active)
    reached = 0
    while play.is_side_move():
        if not _window_opens(play):
            play.refuse("R34")
        player = play.look()["player"]
        place = order.index(player)
        if place < reached:
            play.log.stop("R34", f"the window of player {player} is over")
        if not table.can_harvest(player):
            play.log.stop("R34", f"player {player} has nothing left to harvest: no window")
        reached = place
        play.side_move(player)


def _window_opens(play: Play) -> bool:
    """R34: "before_reshuffle" asks where the deck may be shuffled before the next chance."""
    terms, table = play.terms, play.table
    if terms.window == "off" or not terms.any_time:
        return False
    if terms.window == "always" or not table.deck:
        return True
    drawn = terms.draw * (terms.players if terms.draw_by_everyone else 1)
    is_final = table.exhaustions + 1 >= terms.final_exhaustion
    return len(table.deck) <= drawn + terms.reveal and not is_final


def draw(play: Play, active: int) -> bool:
    """R13, R21: phase 4; returns whether the game ends in it."""
    order = play.terms.clockwise(active) if play.terms.draw_by_everyone else [active]
    return any(play.from_deck("draw", play.terms.draw, seat) for seat in order)
