"""A game from the deal to the end (R3–R5, R13, R21–R23)."""

from __future__ import annotations

from .duel import duel_turn
from .floor import Floor
from .phases import draw, plant_from_hand, plant_set_aside, windows
from .play import Play
from .stream import Log, Stream
from .terms import Terms


def judge(terms: Terms, stream: Stream, log: Log) -> None:
    """Judge a game; its faults go to the log.

    Raises:
        StopError: the rest of the game cannot be judged.
    """
    play = Play(terms, stream, log)
    _deal(play)
    active = terms.start
    take_turn = duel_turn if terms.duel else _turn
    while not take_turn(play, active):
        active = (active + 1) % terms.players
    _finish(play)


def _deal(play: Play) -> None:
    """R3, R5: whole hands, clockwise from the start player, from the top of the deck."""
    table = play.table
    for seat, size in zip(
        play.terms.clockwise(play.terms.start), play.terms.first_hands, strict=True
    ):
        event = play.expect("deal", "R3", seat)
        hand = table.deck[:size]
        if event["beans"] != hand:
            play.log.stop("R3", f"the first hand is {hand}, not {event['beans']}")
        del table.deck[:size]
        table.hands[seat] = hand


def _turn(play: Play, active: int) -> bool:
    """R13: a turn; returns whether the game ends with it."""
    play.expect("turn", "R13", active)
    plant_from_hand(play, active)
    is_last = play.from_deck("reveal", play.terms.reveal)
    Floor(play, active).run()
    plant_set_aside(play, active)
    if is_last:  # R21: no phase 4, and so no window (R34)
        return True
    windows(play, active)
    return draw(play, active)


def _finish(play: Play) -> None:
    """R22, R23: final harvests in order, scores and winners; nothing comes after."""
    table, log = play.table, play.log
    for seat in range(play.terms.players):
        for number, field in enumerate(table.fields[seat]):
            if not field:
                continue
            event = play.expect("harvest", "R22", seat)
            if event["field"] != number:
                log.stop("R22", f"field {number} is due, not field {event['field']}")
            table.harvest(event, final=True)
    end = play.expect("end", "R22")
    table.audit()
    scores = [len(stack) for stack in table.coins]
    if end["scores"] != scores:
        log.fault("R22", f"the coins are {scores}, not {end['scores']}")
    winners = _winners(play, scores)
    if end["winners"] != winners:
        log.fault("R23", f"the winners are {winners}, not {end['winners']}")
    if end["exhaustions"] != table.exhaustions:
        text = f"the deck ran out {table.exhaustions} times, not {end['exhaustions']}"
        log.fault("R19", text)
    extra = play.stream.line_after()
    if extra is not None:
        log.line = extra
        log.fault("R22", "something comes after the end")


def _winners(play: Play, scores: list[int]) -> list[int]:
    terms = play.terms
    tied = [seat for seat, score in enumerate(scores) if score == max(scores)]
    if terms.tie == "last_clockwise":
        return [max(tied, key=terms.clockwise(terms.start).index)]
    most = max(len(play.table.hands[seat]) for seat in tied)
    return [seat for seat in tied if len(play.table.hands[seat]) == most]
