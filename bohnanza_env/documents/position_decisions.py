"""Reading a position: whether the decision can be asked of that seat, there and then (RULES §8)."""

from __future__ import annotations

from collections.abc import Callable

from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.state import NOBODY, TABLE

from .faults import Faults
from .position_model import Position, Proposal

__all__ = ["check_decision", "expected_seat"]

_ACCEPT, _NONE = int(Answer.ACCEPT), int(Answer.NONE)
_TALKING = (
    Decision.FLOOR,
    Decision.COMPOSE,
    Decision.RESPOND,
    Decision.CHOOSE,
    Decision.GIVE,
)
_FRESH = (Decision.PLANT, Decision.OFFER_IN, Decision.DISCARD)  # nothing is traded yet
_WITH_STANDING = (Decision.RESPOND, Decision.CHOOSE, Decision.GIVE)
_DUEL = (Decision.OFFER_IN, Decision.DISCARD, Decision.FACEUP)


def expected_seat(position: Position) -> int:
    """Who is asked first at the start of this decision: what a missing ``to_act`` means."""
    decision, standing, draft = position.decision, position.standing, position.draft
    order = position.clockwise(position.active)
    if decision == Decision.OVER:
        return NOBODY
    if decision == Decision.PLANT_SET_ASIDE:
        return next((seat for seat in order if position.seats[seat].set_aside), position.active)
    if decision == Decision.WINDOW:
        return next((seat for seat in order if position.has_harvest(seat)), position.active)
    if decision == Decision.COMPOSE and draft is not None:
        return draft.proposer
    if decision == Decision.RESPOND and standing is not None:
        return _next_to_answer(position, standing)
    if decision in (Decision.CHOOSE, Decision.GIVE) and standing is not None:
        return standing.proposer
    return position.active


def _next_to_answer(position: Position, proposal: Proposal) -> int:
    if proposal.to != TABLE:
        return proposal.to
    others = position.clockwise(proposal.proposer)[1:]
    return next((seat for seat in others if proposal.answers[seat] == _NONE), proposal.proposer)


def check_decision(position: Position, faults: Faults) -> None:
    """Note what does not fit the decision."""
    decision = position.decision
    if position.to_act is None:
        position.to_act = expected_seat(position)
    _fill_in_round(position)
    rules = position.rules
    if decision == Decision.OVER:
        faults.need(
            not position.to_act_given, "to_act", "nobody decides when the game is over (give null)"
        )
    if rules.duel != (decision in _DUEL) and decision not in (Decision.PLANT, Decision.OVER):
        kind = "a duel" if rules.duel else "these rules"
        faults.add("decision", f"{decision.text} is not asked in {kind}")
        return
    if decision in _TALKING and not rules.trading:
        faults.add("decision", f"{decision.text} is not asked without trading (R33)")
        return
    _check_talks(position, faults)
    check = _BY_DECISION.get(decision)
    if check is not None:
        check(position, faults)


def _fill_in_round(position: Position) -> None:
    """A round is under way where another seat than the active one could only speak in one."""
    current = position.draft or position.standing
    if position.round_open is None:
        if position.decision == Decision.FLOOR:
            position.round_open = position.to_act != position.active
        else:
            by_active = current is None or current.proposer == position.active
            position.round_open = current is not None and by_active == current.counter
    if position.round_submitted is None:
        position.round_submitted = position.round_open and position.standing is not None


def _to_act(position: Position) -> int:
    assert position.to_act is not None  # filled in by ``check_decision``
    return position.to_act


# Planting, windows, duels ------------------------------------------------------------------


def _check_active_decides(position: Position, faults: Faults) -> None:
    what = f"{position.decision.text} is asked of the active player {position.active}"
    faults.need(position.to_act == position.active, "to_act", what)


def _check_hand_decision(position: Position, faults: Faults) -> None:
    _check_active_decides(position, faults)
    hand = position.seats[position.active].hand
    text = position.decision.text
    what = f"empty, but {text} is asked of this player (R7, R28)"
    faults.need(bool(hand), f"players[{position.active}].hand", what)


def _check_offer_in(position: Position, faults: Faults) -> None:
    _check_active_decides(position, faults)
    faults.need(bool(position.offer), "offer", "empty, but offer_in is asked (R28)")


def _check_faceup(position: Position, faults: Faults) -> None:
    _check_active_decides(position, faults)
    faults.need(bool(position.face_up), "face_up", "empty, but faceup is asked (R28)")


def _check_plant_set_aside(position: Position, faults: Faults) -> None:
    """R12: the active player first, then clockwise."""
    right = expected_seat(position)
    seats = position.seats
    if not seats[right].set_aside:
        faults.add("players", "nobody has cards set aside to plant (R12)")
    elif position.to_act != right:
        faults.add("to_act", f"player {right} plants set-aside cards first (R12)")
    faults.need(not position.face_up, "face_up", "set aside by now (R12)")


def _check_window(position: Position, faults: Faults) -> None:
    """R34."""
    rules = position.rules
    seat = _to_act(position)
    what = f"player {seat} has no harvest to be asked for (R34)"
    faults.need(position.has_harvest(seat), "to_act", what)
    faults.need(rules.window != "off", "decision", "these rules have no windows (R34)")
    if rules.window != "before_reshuffle" or position.deck is None or not position.deck:
        return
    soon = len(position.deck) <= rules.cards_a_turn
    comes = soon and position.exhaustions + 1 < rules.final_exhaustion
    faults.need(comes, "decision", "no window is asked where no shuffle may come (R34)")


# Phase 2 ------------------------------------------------------------------------------------


def _check_talks(position: Position, faults: Faults) -> None:
    """The round, the budgets and the settled proposals (R29, R33)."""
    decision, rules = position.decision, position.rules
    fresh = decision in _FRESH
    what = f"nothing has been traded at {decision.text}"
    faults.need(not (fresh and position.settled), "settled", what)
    said = position.round_held or position.round_submitted or position.pass_blocked
    faults.need(not (fresh and said), "round", what)
    open_now = position.round_open and decision not in _TALKING
    faults.need(not open_now, "round.open", f"no round is under way at {decision.text}")
    blocked = position.pass_blocked and not position.round_held
    faults.need(not blocked, "round.pass_blocked", "only after a round was held (R29)")
    has_draft = position.draft is not None
    if has_draft != (decision == Decision.COMPOSE):
        faults.add("draft", f"{'given' if has_draft else 'missing'} at {decision.text}")
    stands = position.standing is not None
    if stands != (decision in _WITH_STANDING):
        faults.add("standing", f"{'given' if stands else 'missing'} at {decision.text}")
    for i, seat in enumerate(position.seats):
        budget, opened = position.budget(i), position.opened(i)
        left = budget - opened if seat.proposals_left is None else seat.proposals_left
        place = f"players[{i}].proposals_left"
        if not 0 <= left <= budget - opened:
            what = f"{left} of {budget} (R33) and {opened} made are too many"
            faults.add(place, what)
        elif fresh and left < budget:
            faults.add(place, f"expected {budget} at {decision.text} (R33)")
        faults.need(not (fresh and seat.passed), f"players[{i}].passed", "no round was held")
    passed = position.seats[position.active].passed
    place = f"players[{position.active}].passed"
    faults.need(not passed, place, "the active player is not asked in a round (R29)")
    if rules.trading:
        _check_proposals(position, faults)


def _check_proposals(position: Position, faults: Faults) -> None:
    before: Proposal | None = None
    for row, proposal in enumerate(position.settled):
        place = f"settled[{row}]"
        _check_proposal(position, faults, place, proposal, before)
        _check_settled(position, faults, place, proposal)
        before = proposal
    for place, current in (("draft", position.draft), ("standing", position.standing)):
        if current is not None:
            _check_proposal(position, faults, place, current, before)
            _check_current(position, faults, place, current)
    if before is not None and int(Answer.COUNTER) in before.answers:
        following = position.draft or position.standing
        answered = following is not None and following.counter
        # A counter that was withdrawn is never seen; then whoever has the floor goes on.
        done = position.decision not in (Decision.COMPOSE, *_WITH_STANDING)
        faults.need(answered or done or following is not None, "settled", "a counter is missing")


def _check_proposal(
    position: Position, faults: Faults, place: str, proposal: Proposal, before: Proposal | None
) -> None:
    """What holds for every proposal: who to whom, and what it counters (R29, R31, R35)."""
    rules, active = position.rules, position.active
    proposer, to = proposal.proposer, proposal.to
    if to == TABLE:
        faults.need(proposer == active, place, "only the active player proposes to the table")
        faults.need(not proposal.counter, f"{place}.counter", "no counter goes to the table")
    else:
        faults.need(to != proposer, f"{place}.to", "the proposer")
        what = f"the active player {active} is on neither side (R9)"
        faults.need(active in (proposer, to), place, what)
    if rules.protocol == "compact":
        plain = to != TABLE and not proposal.counter and place != "draft"
        small = max(sum(proposal.offer), sum(proposal.request)) <= 1
        same = any(o and r for o, r in zip(proposal.offer, proposal.request, strict=True))
        what = "not a proposal of the compact protocol (R35)"
        faults.need(plain and small and not same, place, what)
    if proposal.counter:
        answers = before is not None and (
            before.proposer == to
            and before.to == proposer
            and before.answers[proposer] == int(Answer.COUNTER)
        )
        faults.need(answers, f"{place}.counter", "the proposal before was not countered so (R31)")
    for side in ("offer", "request"):
        cards = getattr(proposal, side)
        limit = rules.trade_limit
        if limit is not None and sum(cards) > limit:
            faults.add(f"{place}.{side}", f"{sum(cards)} cards, the limit is {limit} (R33)")
        for bean, number in enumerate(cards):
            name = rules.bean_names[bean]
            if number > rules.beans[name]:
                faults.add(f"{place}.{side}.{name}", f"these rules have {rules.beans[name]}")
    if place != "draft" and not any(proposal.offer) and not any(proposal.request):
        faults.add(place, "a proposal needs a card on some side (R30)")


def _check_current(position: Position, faults: Faults, place: str, proposal: Proposal) -> None:
    """What holds for the draft and the standing proposal: cards, and whose floor it is."""
    names = position.rules.bean_names
    proposer = proposal.proposer
    for bean, number in enumerate(proposal.offer):
        held = position.held(proposer, bean)
        if number > held:
            faults.add(f"{place}.offer.{names[bean]}", f"{number}, but the proposer holds {held}")
    others = position.clockwise(proposer)[1:] if proposal.to == TABLE else [proposal.to]
    most = max((position.holdings(other) for other in others), default=0)
    asked = sum(proposal.request)
    what = f"{asked} cards, {most} at most can be asked for (R30)"
    faults.need(asked <= most, f"{place}.request", what)
    by_active = proposer == position.active
    opened_by_active = by_active != proposal.counter
    what = "is under way" if opened_by_active else "is not under way"
    right = position.round_open != opened_by_active
    faults.need(right, "round.open", f"a round {what}: see who opened the exchange (R29)")
    submitted = place == "standing" and position.round_open and not position.round_submitted
    faults.need(not submitted, "round.submitted", "the standing proposal was submitted")
    blocked = place == "standing" and position.pass_blocked
    faults.need(not blocked, "round.pass_blocked", "ended by the standing proposal (R29)")


def _check_answered(
    position: Position, faults: Faults, place: str, proposal: Proposal
) -> list[int]:
    """All who are asked have answered, nobody else; returns who accepted."""
    everybody = position.clockwise(proposal.proposer)[1:]
    asked = everybody if proposal.to == TABLE else [proposal.to]
    for seat, answer in enumerate(proposal.answers):
        if (answer != _NONE) != (seat in asked):
            what = "not asked" if answer != _NONE else "missing"
            faults.add(f"{place}.answers[{seat}]", what)
        elif answer == int(Answer.COUNTER) and (proposal.to == TABLE or proposal.counter):
            faults.add(f"{place}.answers[{seat}]", "cannot be countered (R31)")
    return [seat for seat in asked if proposal.answers[seat] == _ACCEPT]


def _check_settled(position: Position, faults: Faults, place: str, proposal: Proposal) -> None:
    accepted = _check_answered(position, faults, place, proposal)
    right = proposal.partner in accepted if accepted else proposal.partner == NOBODY
    faults.need(right, f"{place}.partner", "not one of those who accepted")


def _able(position: Position, faults: Faults, place: str, seat: int, request: list[int]) -> None:
    for bean, number in enumerate(request):
        if number > position.held(seat, bean):
            name = position.rules.bean_names[bean]
            what = f"player {seat} does not hold the {number} {name} requested (R31)"
            faults.add(f"{place}.answers[{seat}]", what)


def _check_floor(position: Position, faults: Faults) -> None:
    seat = _to_act(position)
    if not any(position.may_propose(s) for s in range(position.rules.players)):
        faults.add("decision", "nobody may propose any more: phase 2 is over (R29)")
    if seat == position.active:
        what = f"player {seat} has the floor between rounds (R29)"
        faults.need(not position.round_open, "round.open", what)
        return
    what = f"player {seat} has the floor in a round only (R29)"
    faults.need(position.round_open is True, "round.open", what)


def _check_compose(position: Position, faults: Faults) -> None:
    draft = position.draft
    if draft is not None:
        what = f"the draft is that of player {draft.proposer}"
        faults.need(position.to_act == draft.proposer, "to_act", what)


def _check_respond(position: Position, faults: Faults) -> None:
    proposal = position.standing
    if proposal is None:
        return
    seat = _next_to_answer(position, proposal)
    if seat == proposal.proposer:
        faults.add("standing.answers", "all are given, so none is asked for")
    elif position.to_act != seat:
        faults.add("to_act", f"player {seat} answers next (R31)")
    faults.need(proposal.partner == NOBODY, "standing.partner", "nobody has accepted yet")
    others = position.clockwise(proposal.proposer)[1:]
    later = others[others.index(seat) :] if seat in others else []
    may_answer = [s for s in others if s not in later] if proposal.to == TABLE else []
    for other, answer in enumerate(proposal.answers):
        if answer != _NONE and other not in may_answer:
            faults.add(f"standing.answers[{other}]", "not given yet (R31)")
        if answer == int(Answer.COUNTER):
            faults.add(f"standing.answers[{other}]", "cannot be countered (R31)")
        if answer == _ACCEPT:
            _able(position, faults, "standing", other, proposal.request)


def _check_choose(position: Position, faults: Faults) -> None:
    proposal = position.standing
    if proposal is None:
        return
    accepted = _check_answered(position, faults, "standing", proposal)
    for seat in accepted:
        _able(position, faults, "standing", seat, proposal.request)
    several = proposal.to == TABLE and len(accepted) > 1
    faults.need(several, "standing.answers", "choose is asked where several accept (R31)")
    faults.need(position.to_act == proposal.proposer, "to_act", "the proposer chooses (R31)")
    faults.need(proposal.partner == NOBODY, "standing.partner", "nobody is chosen yet")


def _check_give(position: Position, faults: Faults) -> None:
    proposal = position.standing
    if proposal is None:
        return
    accepted = _check_answered(position, faults, "standing", proposal)
    if proposal.partner not in accepted:
        if len(accepted) == 1 and proposal.partner == NOBODY:
            proposal.partner = accepted[0]
        else:
            faults.add("standing.partner", "not one of those who accepted")
            return
    _able(position, faults, "standing", proposal.partner, proposal.request)
    compact = position.rules.protocol == "compact"
    faults.need(not compact, "decision", "give is not asked in the compact protocol (R35)")


_BY_DECISION: dict[Decision, Callable[[Position, Faults], None]] = {
    Decision.PLANT: _check_hand_decision,
    Decision.FLOOR: _check_floor,
    Decision.COMPOSE: _check_compose,
    Decision.RESPOND: _check_respond,
    Decision.CHOOSE: _check_choose,
    Decision.GIVE: _check_give,
    Decision.PLANT_SET_ASIDE: _check_plant_set_aside,
    Decision.WINDOW: _check_window,
    Decision.OFFER_IN: _check_offer_in,
    Decision.DISCARD: _check_hand_decision,
    Decision.FACEUP: _check_faceup,
}
