"""The turn of a duel (R28)."""

from __future__ import annotations

from collections import Counter

from .phases import draw, plant_from_hand
from .play import Play


def duel_turn(play: Play, active: int) -> bool:
    """Returns whether the game ends with this turn."""
    play.expect("turn", "R13", active)
    _take_offer_in(play, active)
    plant_from_hand(play, active)
    _discard_from_hand(play, active)
    is_last = play.from_deck("reveal", play.terms.reveal)
    _take_from_discard(play, active)
    _plant_face_up(play, active)
    return is_last or draw(play, active)


def _take_offer_in(play: Play, active: int) -> None:
    """(1) Each card of the offer is planted or discarded."""
    table = play.table
    while table.offer:
        if play.is_side_move():
            play.side_move(active, table.offer, "R28")
            continue
        event = play.look()
        if event["type"] == "discard":
            play.expect("discard", "R28", active)
            _check_source(play, event["from"], "offer")
            if event["position"] is not None:
                play.log.fault("format", "a card of the offer has no position")
            if event["bean"] not in table.offer:
                play.log.stop("R28", f"there is no {event['bean']} in the offer")
            table.offer.remove(event["bean"])
            table.discard.append(event["bean"])
        else:
            play.expect("plant", "R28", active)
            _check_source(play, event["from"], "offer")
            table.plant(event, table.offer)


def _discard_from_hand(play: Play, active: int) -> None:
    """(2) After phase 1, one card from anywhere in the hand, if the player likes."""
    hand = play.table.hands[active]
    if not hand:
        return
    while play.is_side_move():
        play.side_move(active, rule="R28")
    if play.look()["type"] != "discard":
        return
    event = play.expect("discard", "R28", active)
    _check_source(play, event["from"], "hand")
    position = event["position"]
    if position is None or position >= len(hand) or hand[position] != event["bean"]:
        play.log.stop("R28", f"there is no {event['bean']} at position {position}")
    play.table.discard.append(hand.pop(position))


def _take_from_discard(play: Play, active: int) -> None:
    """(3) While the top of the discard pile is one of the beans turned up, it is taken."""
    table = play.table
    while table.discard and table.discard[-1] in table.face_up:
        event = play.expect("take", "R28", active)
        if event["bean"] != table.discard[-1]:
            text = f"{table.discard[-1]} lies on the discard pile, not {event['bean']}"
            play.log.stop("R28", text)
        table.face_up.append(table.discard.pop())


def _plant_face_up(play: Play, active: int) -> None:
    """(3) Any of these are planted, the rest is the offer to the opponent."""
    table = play.table
    while table.face_up:
        if play.is_side_move():
            play.side_move(active, table.face_up, "R28")
            continue
        event = play.look()
        if event["type"] == "offer":
            play.expect("offer", "R28", active)
            if Counter(event["beans"]) != Counter(table.face_up):
                play.log.stop("R28", f"{table.face_up} are left, not {event['beans']}")
            table.offer, table.face_up = table.face_up, []
        else:
            play.expect("plant", "R28", active)
            _check_source(play, event["from"], "face_up")
            table.plant(event, table.face_up)


def _check_source(play: Play, source: str, expected: str) -> None:
    if source != expected:
        play.log.stop("R28", f"cards of {expected} are dealt with here, not of {source}")
