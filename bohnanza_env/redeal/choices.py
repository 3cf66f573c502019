"""What others have chosen unseen: drafts, answers to a table proposal, copies to give."""

from __future__ import annotations

from typing import Any

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.copies import amount_given, give_face_up, give_hand, giver_of
from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.floor import card_could_move
from bohnanza_env.engine.kernels import sample_from_mask
from bohnanza_env.engine.legal import write_legal_actions
from bohnanza_env.engine.random import next_word, random_below, seed_generator
from bohnanza_env.engine.seats import seat_after
from bohnanza_env.engine.state import TABLE

__all__ = ["sample_choices"]

_COMPOSE, _RESPOND, _GIVE = int(Decision.COMPOSE), int(Decision.RESPOND), int(Decision.GIVE)
_ACCEPT, _REJECT = int(Answer.ACCEPT), int(Answer.REJECT)


@compiled
def _sample_recipient(rules: Any, game: Any, generator: Any) -> int:
    """To whom the one who composes may be speaking (R29, R30)."""
    seat = int(game.to_act)
    if game.countering != 0:
        return int(game.settled_proposer[game.settled_count - 1])
    if seat != game.active:
        return int(game.active)
    recipient, possible = TABLE, 1
    for k in range(1, rules.players):
        other = seat_after(rules, seat, k)
        if card_could_move(game, seat, other):
            possible += 1
            if random_below(generator, possible) == 0:
                recipient = other
    return recipient


@compiled
def _sample_draft(rules: Any, game: Any, generator: Any, mask: Any) -> None:
    """Another seat's draft: as many legal additions as a coin shows heads in a row."""
    game.draft_recipient = _sample_recipient(rules, game, generator)
    while random_below(generator, 2) == 0:
        write_legal_actions(rules, game, mask)
        mask[: rules.offer_at] = 0
        mask[rules.submit_at :] = 0
        action = sample_from_mask(mask, generator)
        if action < 0:
            return
        if action < rules.request_at:
            game.draft_offer[action - rules.offer_at] += 1
        else:
            game.draft_request[action - rules.request_at] += 1


@compiled
def _sample_answers(rules: Any, view: Any, game: Any, generator: Any, mask: Any) -> None:
    """Answers to a table proposal that were given but not shown yet (R31)."""
    for k in range(1, rules.players):
        seat = seat_after(rules, game.proposer, k)
        if seat == view.to_act:
            break
        if seat != view.seat:
            game.to_act = seat
            write_legal_actions(rules, game, mask)
            accepts = mask[rules.accept_at] != 0 and random_below(generator, 2) == 0
            game.pending_answers[seat] = _ACCEPT if accepts else _REJECT
    game.to_act = view.to_act


@compiled
def _give_at_random(rules: Any, game: Any, generator: Any, mask: Any, side: Any, stop: Any) -> int:
    """A side chooses its copies until its choice number ``stop``; returns the choices met."""
    game.give_side = side
    game.to_act = giver_of(game, side)
    choices = 0
    for bean in range(rules.beans):
        amount = amount_given(game, side, bean)
        game.give_bean = bean
        game.give_taken = 0
        game.give_from = 0
        while game.give_taken < amount:
            write_legal_actions(rules, game, mask)
            options = 0
            for action in range(rules.give_hand_at, rules.give_face_up_at + rules.reveal):
                options += mask[action]
            if options > 1:
                if choices == stop:
                    return choices
                choices += 1
            action = sample_from_mask(mask, generator)
            if action < 0:  # the side does not hold what it gives: no view of a game shows that
                return choices
            if action < rules.give_face_up_at:
                give_hand(game, action - rules.give_hand_at)
            else:
                give_face_up(game, action - rules.give_face_up_at)
    return choices


@compiled
def _give_in_part(rules: Any, game: Any, work: Any, generator: Any, mask: Any, side: Any) -> None:
    """Another seat is choosing copies: stop at one of the choices that it meets."""
    low, high = next_word(generator), next_word(generator)
    seed_generator(work.generator, low, high, 0)
    choices = _give_at_random(rules, game, work.generator, mask, side, -1)
    game.chosen_hand[side, :] = 0
    if game.to_act == game.active:
        game.chosen_face_up[:] = 0
    seed_generator(work.generator, low, high, 0)
    stop = random_below(generator, max(1, choices))
    _give_at_random(rules, game, work.generator, mask, side, stop)


@compiled
def _sample_copies(rules: Any, view: Any, game: Any, work: Any, generator: Any, mask: Any) -> None:
    """Copies chosen by others (R32); the proposer chooses first."""
    side = 0 if view.to_act == game.proposer else 1
    if side == 1 and game.proposer != view.seat:
        _give_at_random(rules, game, generator, mask, 0, -1)
    if view.to_act != view.seat:
        _give_in_part(rules, game, work, generator, mask, side)
    else:
        game.give_bean = view.give_bean
        game.give_taken = view.give_taken
        game.give_from = view.give_from
    game.give_side = side
    game.to_act = view.to_act


@compiled
def sample_choices(rules: Any, view: Any, game: Any, work: Any, generator: Any, mask: Any) -> None:
    """Whatever others have chosen unseen, given all cards."""
    if game.decision == _COMPOSE and game.to_act != view.seat:
        _sample_draft(rules, game, generator, mask)
    elif game.decision == _RESPOND and game.recipient == TABLE:
        _sample_answers(rules, view, game, generator, mask)
    elif game.decision == _GIVE:
        _sample_copies(rules, view, game, work, generator, mask)
