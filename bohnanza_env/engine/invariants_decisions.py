"""Invariants of a game record: who is asked what, proposals, the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .decisions import Answer, Decision, Stage
from .invariants_cards import TRADING, Table
from .state import NOBODY, TABLE

_PROPOSED = (Decision.RESPOND, Decision.CHOOSE, Decision.GIVE)
_OF_ACTIVE = (Decision.PLANT, Decision.OFFER_IN, Decision.DISCARD, Decision.FACEUP)
_OF_DUEL = (Decision.OFFER_IN, Decision.DISCARD, Decision.FACEUP)
_STAGED = (Decision.COMPOSE, Decision.CHOOSE, Decision.GIVE)


# Who is asked what ---------------------------------------------------------------------------


def check_stage(t: Table) -> Iterator[str]:
    """Between two steps somebody decides, or the game is over."""
    if t.game.stage != Stage.DECIDE:
        yield f"{t.game.stage}"


def check_turn(t: Table) -> Iterator[str]:
    """Seats are active in turn, from the start player (R13)."""
    if t.game.turn < 0 or t.active != (t.game.start + t.game.turn) % t.rules.players:
        yield f"seat {t.active} active in turn {t.game.turn}"


def check_planted(t: Table) -> Iterator[str]:
    """Cards planted in phase 1 are counted there, up to one before a decision (R7)."""
    planted = int(t.game.planted)
    if planted not in ((0, 1) if t.decision == Decision.PLANT else (0,)):
        yield f"{planted} at {t.decision.text}"


def check_decision(t: Table) -> Iterator[str]:
    """The rules have this decision."""
    if (
        (t.decision in _OF_DUEL and not t.rules.duel)
        or (t.decision in TRADING and not t.rules.trading)
        or (t.decision in _STAGED and t.rules.protocol == "compact")
        or (t.decision == Decision.PLANT_SET_ASIDE and t.rules.duel)
        or (t.decision == Decision.WINDOW and (t.rules.duel or t.rules.window == "off"))
    ):
        yield f"{t.decision.text} under these rules"


def _expected_to_act(t: Table) -> set[int]:
    """Who may be asked this decision."""
    game = t.game
    seats = set(t.seats)
    if t.decision == Decision.OVER:
        return {NOBODY}
    if t.decision in _OF_ACTIVE:
        return {t.active}
    if t.decision == Decision.FLOOR or t.decision == Decision.WINDOW:
        return {(t.active + int(game.asked)) % t.rules.players}
    if t.decision == Decision.RESPOND:
        return seats - {int(game.proposer)} if game.recipient == TABLE else {int(game.recipient)}
    if t.decision == Decision.CHOOSE:
        return {int(game.proposer)}
    if t.decision == Decision.GIVE:
        return {int(game.partner if game.give_side else game.proposer)}
    if t.decision == Decision.PLANT_SET_ASIDE:
        order = [(t.active + k) % t.rules.players for k in t.seats]
        return set([seat for seat in order if game.set_aside[seat].any()][:1])
    return seats  # compose


def check_to_act(t: Table) -> Iterator[str]:
    """Who decides is one whom this decision can fall to."""
    expected = _expected_to_act(t)
    if t.to_act not in expected:
        yield f"seat {t.to_act} at {t.decision.text}, expected {sorted(expected)}"


def check_asked(t: Table) -> Iterator[str]:
    """Steps from the active player, only in a round or window (R29, R34)."""
    game = t.game
    if not 0 <= game.asked < t.rules.players:
        yield f"{game.asked}"
    elif t.decision in TRADING:
        if (game.asked > 0) != bool(game.round_open):
            yield f"{game.asked}, round open: {game.round_open}"
    elif game.asked != 0 and t.decision != Decision.WINDOW:
        yield f"{game.asked} at {t.decision.text}"


def check_round(t: Table) -> Iterator[str]:
    """The flags of the floor fit together (R29)."""
    game = t.game
    flags = [game.round_held, game.round_open, game.round_submitted, game.pass_blocked]
    if any(flag not in (0, 1) for flag in flags) or not np.isin(game.passed, (0, 1)).all():
        yield "a flag that is neither 0 nor 1"
    elif game.round_open and t.decision not in TRADING:
        yield f"open at {t.decision.text}"
    elif game.pass_blocked and not game.round_held:
        yield "pass blocked before a round was held"
    elif game.passed[t.active]:
        yield "the active player passed in a round"


def check_proposals_left(t: Table) -> Iterator[str]:
    """Budgets lie between 0 and the number of R33."""
    for seat in range(len(t.game.proposals_left)):
        of_seat = t.rules.proposals if seat == t.active else t.rules.other_proposals
        budget = of_seat if t.rules.trading and seat in t.seats else 0
        if not 0 <= t.game.proposals_left[seat] <= budget:
            yield f"seat {seat}: {t.game.proposals_left[seat]} of {budget}"


# Proposals -----------------------------------------------------------------------------------


def _right_proposal(t: Table, proposer: int, recipient: int, offer: Any, request: Any) -> bool:
    """Two sides, one of them active; beans of the game within the limit a side (R9, R33)."""
    limit = t.rules.trade_limit or sum(t.cards)
    if proposer not in t.seats or proposer == recipient:
        return False
    if recipient == TABLE:
        if proposer != t.active or t.rules.protocol == "compact":
            return False
    elif recipient not in t.seats or t.active not in (proposer, recipient):
        return False
    sides = np.stack([offer, request])
    inside = (sides >= 0).all() and not sides[:, len(t.beans) :].any()
    return bool(
        inside and (sides[:, : len(t.beans)] <= t.cards).all() and sides.sum(1).max() <= limit
    )


def check_standing(t: Table) -> Iterator[str]:
    """A proposal stands from its submission until it is settled, and both sides can keep it."""
    game = t.game
    seats = [int(game.proposer), int(game.recipient), int(game.partner)]
    if t.decision not in _PROPOSED:
        if game.standing or seats != [NOBODY] * 3 or game.offer.any() or game.request.any():
            yield f"something stands at {t.decision.text}"
        if game.countering and t.decision != Decision.COMPOSE:
            yield f"a counter at {t.decision.text}"
        return
    proposer, recipient, partner = seats
    sides_right = _right_proposal(t, proposer, recipient, game.offer, game.request)
    if not game.standing or not sides_right or not (game.offer.any() or game.request.any()):
        yield "no right proposal stands"
        return
    if (t.by_bean(game.offer) > t.held(proposer)).any():
        yield f"seat {proposer} does not hold what it offers"
    given = t.decision == Decision.GIVE
    partners = [s for s in t.seats if s != proposer and recipient in (s, TABLE)] if given else [-1]
    if partner not in partners:
        yield f"partner {partner}"


def check_answers(t: Table) -> Iterator[str]:
    """Answers stand once all are given; who accepted holds what is asked for (R31)."""
    answers = t.game.answers
    accepted = [s for s in range(len(answers)) if answers[s] == Answer.ACCEPT]
    if t.decision not in (Decision.CHOOSE, Decision.GIVE):
        if answers.any():
            yield f"shown at {t.decision.text}"
        return
    request = t.by_bean(t.game.request)
    if any(s not in t.seats or (request > t.held(s)).any() for s in accepted):
        yield "somebody accepted without holding the request"
    if len(accepted) < 2 if t.decision == Decision.CHOOSE else t.game.partner not in accepted:
        yield f"accepted by {accepted} at {t.decision.text}"
    if not np.isin(answers, list(Answer)).all():
        yield "no answer has this number"


def check_pending_answers(t: Table) -> Iterator[str]:
    """While a table proposal goes round, those before the one who is asked have answered."""
    game = t.game
    asked = []
    if t.decision == Decision.RESPOND and game.recipient == TABLE:
        steps = (t.to_act - int(game.proposer)) % t.rules.players
        asked = [(int(game.proposer) + k) % t.rules.players for k in range(1, steps)]
    for seat, reply in enumerate(game.pending_answers):
        if (reply != 0) != (seat in asked) or reply not in (0, Answer.ACCEPT, Answer.REJECT):
            yield f"seat {seat}: {reply}"
        elif reply == Answer.ACCEPT and (t.by_bean(game.request) > t.held(seat)).any():
            yield f"seat {seat} accepted without holding the request"


def check_draft(t: Table) -> Iterator[str]:
    """There is a draft exactly while somebody composes, and it could be submitted (R30)."""
    game = t.game
    sides = np.stack([game.draft_offer, game.draft_request])
    if t.decision != Decision.COMPOSE:
        if game.draft_recipient != NOBODY or sides.any():
            yield f"a draft at {t.decision.text}"
    elif not _right_proposal(t, t.to_act, int(game.draft_recipient), *sides):
        yield "no such proposal can be made"
    elif (t.by_bean(game.draft_offer) > t.held(t.to_act)).any():
        yield "offers what is not held"


def check_give(t: Table) -> Iterator[str]:
    """Copies are chosen at give only, side by side, by one who has a choice (R32)."""
    game = t.game
    chosen = [
        t.count(game.hand[seat][game.chosen_hand[side][:] != 0]) if seat in t.seats else None
        for side, seat in enumerate((int(game.proposer), int(game.partner)))
    ]
    if t.decision != Decision.GIVE:
        progress = game.give_side or game.give_bean or game.give_taken or game.give_from
        if progress or game.chosen_hand.any() or game.chosen_face_up.any():
            yield f"under way at {t.decision.text}"
        return
    yield from _give_progress(t, chosen)


def _give_progress(t: Table, chosen: list[Any]) -> Iterator[str]:
    game = t.game
    side, bean = int(game.give_side), int(game.give_bean)
    face_up = t.count(game.face_up[game.chosen_face_up != 0])
    for one, amounts in enumerate((t.by_bean(game.offer), t.by_bean(game.request))):
        seat = int(game.partner if one else game.proposer)
        taken = chosen[one] + (face_up if seat == t.active else 0)
        done = (
            np.where(np.arange(len(t.beans)) < bean, amounts, 0)
            if one == side
            else amounts * (one < side)
        )
        if one == side and 0 <= bean < len(t.beans):
            done[bean] = game.give_taken
        if (taken != done).any():
            yield f"side {one} has chosen {taken.tolist()}, expected {done.tolist()}"
    masks = t.masks()
    if masks["give_hand"].sum() + masks["give_face_up"].sum() < 2:
        yield f"seat {t.to_act} has no choice"


def check_settled(t: Table) -> Iterator[str]:
    """This turn's settled proposals: as many as there can be, each a right one."""
    game = t.game
    count = int(game.settled_count)
    if not 0 <= game.settled_fresh <= count <= t.rules.settled_positions:
        yield f"{game.settled_fresh} of {count}"
        return
    for row in range(count):
        proposer, recipient = int(game.settled_proposer[row]), int(game.settled_recipient[row])
        offer, request = game.settled_offer[row], game.settled_request[row]
        answers = game.settled_answers[row]
        partner = int(game.settled_partner[row])
        right = _right_proposal(t, proposer, recipient, offer, request)
        if not right or not (offer.any() or request.any()) or not answers.any():
            yield f"row {row}"
        elif partner != NOBODY and answers[partner] != Answer.ACCEPT:
            yield f"row {row}: partner {partner} did not accept"
        elif game.settled_counter[row] not in (0, 1) or (game.settled_counter[row] and not row):
            yield f"row {row} counters nothing"


# The end -------------------------------------------------------------------------------------


def check_winners(t: Table) -> Iterator[str]:
    """Winners are marked exactly when the game is over, among those with most coins (R22)."""
    winners = np.flatnonzero(t.game.winners)
    if t.decision != Decision.OVER:
        if len(winners):
            yield f"marked at {t.decision.text}"
    elif not len(winners) or (t.game.coins[winners] < t.game.coins.max()).any():
        yield f"{winners.tolist()}"


def check_end(t: Table) -> Iterator[str]:
    """The game ends by exhaustion, with everything harvested (R21, R22)."""
    if t.decision == Decision.OVER:
        if t.game.exhaustions < t.rules.final_exhaustion and not t.game.stopped:
            yield "over before the final exhaustion"
        if t.game.field_count.any():
            yield "cards left in the fields"


def check_mask(t: Table) -> Iterator[str]:
    """The decider always has a legal action; in a window also a harvest (R34)."""
    masks = t.masks()
    legal = sum(int(mask.sum()) for mask in masks.values())
    if (legal == 0) != (t.decision == Decision.OVER):
        yield f"{legal} legal actions at {t.decision.text}"
    elif t.decision == Decision.WINDOW and not masks["harvest"].any():
        yield "a window without a harvest"
