"""What is left of a proposal once it is answered, and who has the floor then (R29, R30)."""

from __future__ import annotations

from .blocks import eight_beans
from .compilation import compiled
from .decisions import Stage
from .state import NOBODY

__all__ = ["note_settled", "return_floor", "was_answered"]

_OPEN_FLOOR, _NEXT_IN_ROUND = int(Stage.OPEN_FLOOR), int(Stage.NEXT_IN_ROUND)


@compiled
def note_settled(rules, game):
    """The standing proposal joins this turn's settled ones."""
    row = int(game.settled_count)
    game.settled_proposer[row] = game.proposer
    game.settled_recipient[row] = game.recipient
    game.settled_partner[row] = game.partner
    game.settled_counter[row] = game.countering
    for bean in range(rules.beans):
        game.settled_offer[row, bean] = game.offer[bean]
        game.settled_request[row, bean] = game.request[bean]
        game.offer[bean] = 0
        game.request[bean] = 0
    for seat in range(rules.players):
        game.settled_answers[row, seat] = game.answers[seat]
        game.answers[seat] = 0
    game.settled_count = row + 1
    game.standing = 0
    game.countering = 0
    game.proposer = NOBODY
    game.recipient = NOBODY
    game.partner = NOBODY


@compiled
def return_floor(game):
    """The floor goes to who opened the exchange, or on to the next of the round (R29)."""
    game.stage = _OPEN_FLOOR if game.round_open == 0 else _NEXT_IN_ROUND


@compiled
def _same_beans(one, other):
    """Whether two rows by bean are equal; what the rules do not use is 0 in both."""
    same = eight_beans(one, 0) == eight_beans(other, 0)
    return same & (eight_beans(one, 8) == eight_beans(other, 8))


@compiled
def was_answered(rules, game, proposer, recipient, offer, request):
    """Whether this very proposal was answered in this turn with no card moved since (R30)."""
    for row in range(game.settled_fresh, game.settled_count):
        if (
            game.settled_proposer[row] == proposer
            and game.settled_recipient[row] == recipient
            and _same_beans(game.settled_offer[row], offer)
            and _same_beans(game.settled_request[row], request)
        ):
            return True
    return False
