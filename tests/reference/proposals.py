"""Proposals: what may be offered and requested, and how a proposal is opened and submitted."""

from typing import Any

from .cards import TABLE_ORDER
from .knowledge import counted, learn_holding
from .state import GameState


def cards_to_give(game: GameState, seat: int) -> dict[str, int]:
    """R9: hand cards, and the face-up cards for the active player."""
    shown = game.face_up if seat == game.active else []
    return counted(game, game.players[seat].hand + shown)


def request_bound(game: GameState, proposer: int, recipient: int | None) -> int:
    """R30: how many cards may be requested in all, by what is public."""
    if recipient is None:
        others = [seat for seat in range(game.rules["players"]) if seat != proposer]
        return max(request_bound(game, proposer, seat) for seat in others)
    shown = len(game.face_up) if recipient == game.active else 0
    return len(game.players[recipient].hand) + shown


def card_could_move(game: GameState, proposer: int, recipient: int | None) -> bool:
    """R30: whether a proposal could hold any card at all."""
    offered = sum(cards_to_give(game, proposer).values())
    return offered > 0 or request_bound(game, proposer, recipient) > 0


def recipients(game: GameState, seat: int) -> list[int | None]:
    """R29: to whom `seat` may make a proposal now; None is the table."""
    if game.proposals_left[seat] == 0:
        return []
    if seat == game.active:
        possible: list[int | None] = [*sorted(game.others_clockwise()), None]
    else:
        possible = [game.active]
    return [recipient for recipient in possible if card_could_move(game, seat, recipient)]


def may_propose(game: GameState, seat: int) -> bool:
    """R29: budget left and a card that could move, in both protocols."""
    return bool(recipients(game, seat))


def open_exchange(game: GameState, seat: int, recipient: int | None) -> None:
    """R33: a proposal is counted when it is opened."""
    game.proposals_left[seat] -= 1
    game.opener = seat
    game.draft = new_draft(seat, recipient, None)


def new_draft(proposer: int, recipient: int | None, counters: int | None) -> dict[str, Any]:
    """An empty proposal."""
    return {
        "proposer": proposer,
        "recipient": recipient,
        "offer": {},
        "request": {},
        "counters": counters,
        "answers": [],
    }


def submit(game: GameState) -> None:
    """R30: the draft becomes the standing proposal, and the first recipient is asked (R31)."""
    proposal = game.draft
    game.draft = None
    game.standing = proposal
    game.submitted_in_round = True
    game.pass_closed = False
    game.record(
        "propose",
        player=proposal["proposer"],
        to=proposal["recipient"],
        offer=dict(proposal["offer"]),
        request=dict(proposal["request"]),
    )
    learn_holding(game, proposal["proposer"], proposal["offer"])
    recipient = proposal["recipient"]
    game.ask("respond", game.others_clockwise()[0] if recipient is None else recipient)


def refused_to(game: GameState, seat: int) -> list[tuple[Any, ...]]:
    """R30: what `seat` proposed (recipient, offer, request) and got answered in this turn, all
    from before the last trade left out.
    """
    refused: list[tuple[Any, ...]] = []
    for proposal in game.settled:
        if any(answer == "accept" for _, answer in proposal["answers"]):
            refused = []  # cards have moved
        elif proposal["proposer"] == seat:
            refused.append((proposal["recipient"], proposal["offer"], proposal["request"]))
    return refused


def is_repeated(game: GameState, draft: dict[str, Any]) -> bool:
    """R30: equal to a proposal of the same proposer answered since cards last moved."""
    same = (draft["recipient"], draft["offer"], draft["request"])
    return same in refused_to(game, draft["proposer"])


def swap_actions(game: GameState, seat: int) -> list[str]:
    """R35: every one-for-one proposal, gift and plea that could be spelt out."""
    held = cards_to_give(game, seat)
    given = ["-", *(bean for bean in TABLE_ORDER if held.get(bean, 0) > 0)]
    refused = refused_to(game, seat)
    actions = []
    for recipient in recipients(game, seat):
        if recipient is None:
            continue
        wanted = ["-"]
        if request_bound(game, seat, recipient) > 0:
            wanted += [bean for bean in TABLE_ORDER if game.rules["beans"].get(bean, 0) > 0]
        for give in given:
            for get in wanted:
                offer = {} if give == "-" else {give: 1}
                request = {} if get == "-" else {get: 1}
                if give != get and (recipient, offer, request) not in refused:
                    actions.append(f"swap {recipient} {give} {get}")
    return actions
