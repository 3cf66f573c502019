"""How long a game can be, derived from its rules.

*Turns.* Only a turn that reveals and draws in full is followed by another one (R20, R21: a reveal
or draw that runs short ends the game). The deck is filled once for each exhaustion at most, with
all cards at most, and the first time without the first hands. So the turns are at most those
fillings, divided by what a turn takes off the deck, and the last one.

*Cards.* Each card that is planted or, in a duel, discarded from the offer came out of the deck
before, and comes back only through a shuffle; a duel also takes cards from the discard pile, each
of which must have been put there in between. So plantings and discards of the offer are at most
the cards that left the deck, and in a duel all cards once more a turn.

*Harvests* each empty a field that a planting had filled; *purchases* are one a player (R24).

*Passes.* One in phase 1, one in each of a duel's two decisions that have it, one a seat in the
windows (R34). On the floor: between the beginnings of two rounds something is submitted (R29),
so that rounds are at most one more than submissions; each has a pass of every seat at most.

*Exchanges.* Proposals begun are limited by R33. Each has one beginning, at most two compositions
(one of a counter) and their ends, the answers of all others or two, one choice among those who
accept, and one deal. A composition takes at most the cards that both sides hold, as does the
choice of copies: all cards, or twice the ``trade_limit`` (R30, R32, R33).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from bohnanza_env.engine.rules import Rules

__all__ = ["Bounds"]


@dataclass(frozen=True)
class Bounds:
    """Upper bounds on a game of some rules."""

    rules: Rules

    @property
    def turns(self) -> int:
        rules = self.rules
        who, cards = rules.draw
        taken = rules.reveal + cards * (rules.players if who == "everyone" else 1)
        return (self.out_of_deck - sum(rules.hands)) // taken + 1

    @property
    def out_of_deck(self) -> int:
        return self.rules.deck_size * self.rules.final_exhaustion

    @property
    def placed(self) -> int:
        """Plantings and discards of the offer."""
        again = self.turns * self.rules.deck_size if self.rules.duel else 0
        return self.out_of_deck + again

    @property
    def proposals(self) -> int:
        """Proposals begun in a turn."""
        rules = self.rules
        trades = rules.trading and not rules.duel
        return rules.proposals + (rules.players - 1) * rules.other_proposals if trades else 0

    @property
    def composed(self) -> int:
        """Cards of a proposal, and choices of copies in a deal."""
        limit = self.rules.trade_limit
        cards = self.rules.deck_size
        return cards if limit is None else min(cards, 2 * limit)

    @property
    def exchange(self) -> int:
        """Decisions of one exchange but those counted elsewhere."""
        if self.rules.protocol == "compact":
            return 2
        return 1 + 2 * (self.composed + 1) + max(self.rules.players - 1, 2) + 1 + self.composed

    @property
    def passes(self) -> int:
        """Passes and endings of phase 2 in a turn."""
        submissions = 2 * self.proposals
        return 3 + self.rules.players + self.rules.players * (submissions + 1) + 1

    @property
    def decisions(self) -> int:
        """Decisions of a game."""
        hand_discards = self.turns if self.rules.duel else 0
        each_turn = self.proposals * self.exchange + self.passes
        side = self.placed + self.rules.players  # harvests and purchases
        return self.turns * each_turn + self.placed + side + hand_discards

    def exceeded(self, done: Counter[str], turns: int) -> list[str]:
        """What there was too much of, given the actions of a whole game by block."""
        begun = done["propose"] + done["propose_table"] + done["swap"]
        submitted = done["submit"] + done["swap"]
        placed = done["plant"] + done["discard"]
        most = {
            "turns": (turns, self.turns),
            "decisions": (done.total(), self.decisions),
            "placed": (placed, self.placed),
            "harvests": (done["harvest"], done["plant"]),
            "purchases": (done["buy_field"], self.rules.players),
            "proposals": (begun, turns * self.proposals),
            "counters": (done["counter"], begun),
            "submissions": (submitted, begun + done["counter"]),
            "ends": (done["submit"] + done["withdraw"], begun + done["counter"]),
            "answers": (done["accept"], submitted * (self.rules.players - 1)),
            "passes": (done["pass"] + done["end_trading"], turns * self.passes),
            "composed": (done["offer"] + done["request"], 2 * begun * self.composed),
            "copies": (done["give_hand"] + done["give_face_up"], begun * self.composed),
        }
        return [f"{name}: {n} > {bound}" for name, (n, bound) in most.items() if n > bound]
