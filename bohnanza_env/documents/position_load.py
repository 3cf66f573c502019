"""Reading a position, last part: the record of the game, and the door to all of it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from bohnanza_env.actions import Action, ActionSpace
from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.random import new_generator, shuffle
from bohnanza_env.engine.state import GAME_DTYPE, NOBODY, TABLE

from .faults import DocumentError, Faults
from .json_files import load_json
from .position_check import check_position, fill_in, remaining_cards
from .position_model import Position, Proposal
from .position_parse import parse_position

__all__ = ["PositionError", "read_position"]

_ACCEPT, _NONE = int(Answer.ACCEPT), int(Answer.NONE)


class PositionError(DocumentError):
    """A position that cannot be. The message lists every fault with its place."""

    what = "position"


def read_position(source: Mapping[str, Any] | str | os.PathLike[str], *, log: bool = False) -> Game:
    """The game at a position (``bohnanza-position/1``), given as data or as the path of a file.

    Args:
        source: the position.
        log: as for :class:`~bohnanza_env.engine.game.Game`.

    Raises:
        PositionError: a position that cannot be; nothing is loaded then.
        OSError: the file cannot be read.
    """
    if isinstance(source, str | os.PathLike):
        try:
            data = load_json(source)
        except ValueError as error:
            raise PositionError([f"{os.fspath(source)}: {error}"]) from None
    else:
        data = source
    position, faults = parse_position(data)
    if position is not None:
        fill_in(position)
        check_position(position, faults)
    if position is None or faults.found:
        raise PositionError(faults.found)
    return _load(position, log)


def _load(position: Position, log: bool) -> Game:
    faults = Faults()
    state = _record(position)
    if position.decision == Decision.GIVE:
        state = _with_copies(position, state, faults)
    if faults.found:
        raise PositionError(faults.found)
    game = Game.from_state(position.rules, state, log=log)
    if not game.over and not game.mask.any():
        raise PositionError([f"decision: nothing is legal at {position.decision.text}"])
    return game


# The record ---------------------------------------------------------------------------------


def _record(position: Position) -> np.ndarray:
    array = np.zeros(1, GAME_DTYPE)
    state: Any = array[0]
    for name in ("field_bean", "hand", "deck", "discard", "coin_stack", "face_up"):
        state[name][:] = NOBODY
    for name in ("proposer", "recipient", "partner", "draft_recipient"):
        state[name] = NOBODY
    for name in (
        "seed shuffles start turn active to_act planted exhaustions stopped round_held round_open "
        "round_submitted pass_blocked"
    ).split():
        state[name] = getattr(position, name)
    state["decision"] = position.decision
    _put_piles(position, state)
    for seat in range(position.rules.players):
        _put_player(position, state, seat)
    _put_talks(position, state)
    _put_memory(position, state)
    return array


def _count(counts: np.ndarray, cards: list[int]) -> None:
    for bean in cards:
        counts[bean] += 1


def _put_piles(position: Position, state: Any) -> None:
    remaining = [b for b, n in enumerate(remaining_cards(position)) for _ in range(max(0, n))]
    if position.deck is None:
        # The rest is shuffled as a whole deck would be: in table order from the bottom.
        rest = np.array(remaining, np.int8)
        shuffle(new_generator(position.seed, position.shuffles), rest, len(rest))
        deck = [*rest.tolist(), *reversed(position.deck_top or [])]
        discard = position.discard or []
        state["shuffles"] += 1
    else:
        deck = position.deck[::-1]
        discard = remaining if position.discard is None else position.discard
    state["deck_size"], state["discard_size"] = len(deck), len(discard)
    state["deck"][: len(deck)] = deck
    state["discard"][: len(discard)] = discard
    _count(state["discard_beans"], discard)
    shown = position.face_up
    state["face_up_size"] = len(shown)
    if not position.rules.duel:
        state["face_up"][: len(shown)] = shown
    _count(state["face_up_beans"], shown)
    _count(state["duel_offer"], position.offer)
    _count(state["removed"], position.removed)


def _put_player(position: Position, state: Any, seat: int) -> None:
    player = position.seats[seat]
    state["hand_size"][seat] = len(player.hand)
    state["hand"][seat, : len(player.hand)] = player.hand
    _count(state["hand_beans"][seat], player.hand)
    state["coins"][seat] = len(player.coins)
    state["coin_stack"][seat, : len(player.coins)] = player.coins
    _count(state["coin_beans"][seat], player.coins)
    _count(state["set_aside"][seat], player.set_aside)
    state["field_slots"][seat] = len(player.fields)
    state["field_gained"][seat] = len(player.fields) > position.rules.fields
    for i, planted in enumerate(player.fields):
        if planted is not None:
            state["field_bean"][seat, i], state["field_count"][seat, i] = planted
    state["known"][seat, : len(player.known)] = player.known
    state["drawn_since"][seat] = player.drawn_since
    state["passed"][seat] = player.passed
    state["proposals_left"][seat] = position.left(seat)


def _put_talks(position: Position, state: Any) -> None:
    beans = len(position.rules.beans)
    for row, settled in enumerate(position.settled):
        state["settled_proposer"][row] = settled.proposer
        state["settled_recipient"][row] = settled.to
        state["settled_partner"][row] = settled.partner
        state["settled_counter"][row] = settled.counter
        state["settled_offer"][row, :beans] = settled.offer
        state["settled_request"][row, :beans] = settled.request
        state["settled_answers"][row, : len(settled.answers)] = settled.answers
        if settled.partner != NOBODY:  # cards have moved
            state["settled_fresh"] = row + 1
    state["settled_count"] = len(position.settled)
    current = position.draft or position.standing
    if current is not None:
        state["countering"] = current.counter
    if position.draft is not None:
        state["draft_recipient"] = position.draft.to
        state["draft_offer"][:beans] = position.draft.offer
        state["draft_request"][:beans] = position.draft.request
    if position.standing is not None:
        _put_standing(position, state, position.standing)
    state["asked"] = _asked(position, current)


def _put_standing(position: Position, state: Any, standing: Proposal) -> None:
    beans = len(position.rules.beans)
    state["standing"] = 1
    state["proposer"] = standing.proposer
    state["recipient"] = standing.to
    state["partner"] = standing.partner
    state["offer"][:beans] = standing.offer
    state["request"][:beans] = standing.request
    # While a table proposal is being answered nobody sees the answers (R31).
    hidden = position.decision == Decision.RESPOND
    state["pending_answers" if hidden else "answers"][: len(standing.answers)] = standing.answers


def _asked(position: Position, current: Proposal | None) -> int:
    """Who was last asked in a round or window, as steps from the active player.

    In a round the seat that opened an exchange is the one of the two that is not active.
    """
    if position.decision == Decision.WINDOW or (position.round_open and current is None):
        last = position.to_act
    elif position.round_open and current is not None:
        active = current.proposer == position.active
        last = current.to if active else current.proposer
    else:
        last = position.active
    return 0 if last is None else (last - position.active) % position.rules.players


def _put_memory(position: Position, state: Any) -> None:
    beans = len(position.rules.beans)
    if position.deck_at_shuffle is None:
        _count(state["deck_at_shuffle"], state["deck"][: state["deck_size"]].tolist())
    else:
        state["deck_at_shuffle"][:beans] = position.deck_at_shuffle
    state["turned_up"][:beans] = position.turned_up
    for seat in position.winners or []:
        state["winners"][seat] = 1
    count = position.event_count or 0
    state["event_count"] = count
    for row, event in enumerate(position.events, count - len(position.events)):
        state["events"][row % EVENT_CAPACITY] = event
    if state["shuffles"] > 0:
        # What the last shuffle left of its generator. The next one starts afresh: this only
        # makes the record the same byte by byte.
        size = int(state["deck_at_shuffle"].sum())
        generator = new_generator(position.seed, int(state["shuffles"]) - 1)
        shuffle(generator, np.zeros(size, np.int8), size)
        state["generator"] = generator


# Copies -------------------------------------------------------------------------------------


def _with_copies(position: Position, state: np.ndarray, faults: Faults) -> np.ndarray:
    """Choose the given copies step by step from the acceptance on, as the rules do (R32).

    So what leaves no choice is filled in, and what could never be chosen is found.
    """
    standing = position.standing
    assert standing is not None
    trial = Game.from_state(position.rules, _before_acceptance(standing, state))
    space = ActionSpace.of(position.rules)
    if standing.to == TABLE:
        steps = (standing.partner - standing.proposer) % position.rules.players
        trial.step(space.encode(Action("choose", (steps,))))
    else:
        trial.step(space.encode(Action("accept")))
    given = standing.copies
    wanted = {standing.proposer: given.proposer, standing.partner: given.partner}
    while trial.decision == Decision.GIVE:
        seat = trial.to_act
        choices = [*(Action("give_hand", (p,)) for p in wanted[seat])]
        if seat == position.active:
            choices += [Action("give_face_up", (p,)) for p in given.face_up]
        steps_now = [i for i in (_index(space, c) for c in choices) if i >= 0 and trial.mask[i]]
        if not steps_now:
            break
        trial.step(steps_now[0])
    _compare_copies(position, standing, trial, faults)
    if not faults.found:
        for (
            name
        ) in "to_act chosen_hand chosen_face_up give_side give_bean give_taken give_from".split():
            state[name] = trial.state[name]
    return state


def _before_acceptance(standing: Proposal, state: np.ndarray) -> np.ndarray:
    trial = state.copy()
    record: Any = trial[0]
    record["partner"] = NOBODY
    if standing.to == TABLE:
        record["decision"], record["to_act"] = Decision.CHOOSE, standing.proposer
    else:
        record["decision"], record["to_act"] = Decision.RESPOND, standing.to
        record["answers"][:] = _NONE
    return trial


def _index(space: ActionSpace, action: Action) -> int:
    try:
        return space.encode(action)
    except KeyError:
        return -1


def _compare_copies(position: Position, standing: Proposal, trial: Game, faults: Faults) -> None:
    place = "standing.copies"
    if trial.decision != Decision.GIVE:
        faults.add(place, "no choice of copies is left (R32)")
        return
    asked = position.to_act if position.to_act_given else trial.to_act
    if asked != trial.to_act:
        faults.add("to_act", f"player {trial.to_act} chooses copies now (R32)")
    chosen = trial.state["chosen_hand"][0]
    given = standing.copies
    for key, taken in (
        ("proposer", chosen[0]),
        ("partner", chosen[1]),
        ("face_up", trial.state["chosen_face_up"][0]),
    ):
        strange = set(getattr(given, key)) - set(np.flatnonzero(taken).tolist())
        for copy in sorted(strange):
            faults.add(f"{place}.{key}", f"{copy} cannot be chosen at this point (R32)")
