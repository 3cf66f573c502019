"""What is worth trying in a decision: single actions, and whole deals as one candidate.

In the staged protocol a deal is several actions of the same seat: ``propose`` or ``counter``, then
the cards, then ``submit``. A candidate that is a deal names the first of them and the two beans;
``next_of_deal`` tells the others.
"""

from __future__ import annotations

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.seats import steps_to
from bohnanza_env.engine.state import record_dtype
from bohnanza_env.engine.swaps import swap_index

__all__ = [
    "CANDIDATES_DTYPE",
    "CANDIDATE_CAPACITY",
    "add_candidate",
    "deal_action",
    "next_of_deal",
    "start_candidates",
]

CANDIDATE_CAPACITY = 64

CANDIDATES_DTYPE = record_dtype(
    [
        ("size", "i8"),
        ("most", "i8"),  # candidates wanted, the first one included
        ("action", "i8", (CANDIDATE_CAPACITY,)),
        # Of a deal in the staged protocol, -1 for nothing; both -1: no deal has to be composed.
        ("give", "i8", (CANDIDATE_CAPACITY,)),
        ("get", "i8", (CANDIDATE_CAPACITY,)),
        ("score", "i8", (CANDIDATE_CAPACITY,)),  # those behind the first stand by falling score
    ]
)


@compiled
def start_candidates(candidates, action, give, get, most):
    """The first candidate, which is played unless another one is clearly better."""
    candidates.size = 1
    candidates.most = most
    candidates.action[0] = action
    candidates.give[0] = give
    candidates.get[0] = get


@compiled
def _place_for(candidates, score):
    place = int(candidates.size)
    while place > 1 and candidates.score[place - 1] < score:
        place -= 1
    return place


@compiled
def add_candidate(candidates, action, give, get, score):
    """Note a candidate, in the order of scores, if it is among the best that are wanted."""
    same = action == candidates.action[0] and give == candidates.give[0]
    place = _place_for(candidates, score)
    if (same and get == candidates.get[0]) or place >= candidates.most:
        return
    last = min(int(candidates.size), candidates.most - 1)
    for i in range(last, place, -1):
        candidates.action[i] = candidates.action[i - 1]
        candidates.give[i] = candidates.give[i - 1]
        candidates.get[i] = candidates.get[i - 1]
        candidates.score[i] = candidates.score[i - 1]
    candidates.action[place] = action
    candidates.give[place] = give
    candidates.get[place] = get
    candidates.score[place] = score
    candidates.size = last + 1


@compiled
def deal_action(rules, seat, recipient, give, get):
    """How a deal with another seat begins; ``give`` and ``get`` are beans, -1 for nothing."""
    player = steps_to(rules, seat, recipient)
    if rules.compact != 0:
        return swap_index(rules, player, give + 1, get + 1)
    return rules.propose_at + player - 1


@compiled
def next_of_deal(rules, draft, mask, give, get):
    """The next action of a deal that is being composed.

    ``draft`` is a game, or the view of the seat that composes.
    """
    if give >= 0 and draft.draft_offer[give] == 0:
        action = rules.offer_at + give
    elif get >= 0 and draft.draft_request[get] == 0:
        action = rules.request_at + get
    else:
        action = rules.submit_at
    return action if mask[action] != 0 else rules.withdraw_at
