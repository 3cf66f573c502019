"""The game as its users see it."""

from __future__ import annotations

from typing import Any

from . import documents, knowledge
from .duel import apply_discard, apply_faceup, apply_offer_in
from .exchange import apply_choose, apply_compose, apply_give, apply_respond
from .farming import buy_field, harvest
from .floor import apply_floor
from .legal import legal_actions
from .piles import deal_first_hands
from .state import GameState, Shuffle
from .turns import (
    after_farming,
    apply_plant,
    apply_plant_set_aside,
    apply_window,
    run_phases,
)

APPLY = {
    "plant": apply_plant,
    "floor": apply_floor,
    "compose": apply_compose,
    "respond": apply_respond,
    "choose": apply_choose,
    "give": apply_give,
    "plant_set_aside": apply_plant_set_aside,
    "window": apply_window,
    "offer_in": apply_offer_in,
    "discard": apply_discard,
    "faceup": apply_faceup,
}


class ReferenceGame(GameState):
    """A game from the first shuffle on.

    `shuffle(k, cards)` returns the cards in their new order, top first; k counts from 0. The
    first shuffle gets the whole deck in table order, later ones the discard pile, bottom first.
    """

    def __init__(self, rules: dict[str, Any], shuffle: Shuffle, start: int = 0) -> None:
        super().__init__(rules, shuffle, start)
        deal_first_hands(self)
        run_phases(self)

    @classmethod
    def from_position(cls, position: dict[str, Any], shuffle: Shuffle) -> ReferenceGame:
        """Go on from a position."""
        game = cls.__new__(cls)
        rules = documents.rules_of(position)
        GameState.__init__(game, rules, shuffle, position.get("start", 0))
        documents.read_position(game, position)
        return game

    def legal(self) -> list[str]:
        """The legal actions of the player to act, in text form."""
        return legal_actions(self)

    def apply(self, text: str) -> None:
        """Carry out a legal action; anything else is a ValueError and changes nothing."""
        legal = self.legal()
        if text not in legal:
            raise ValueError(f"{text!r} is not legal at {self.decision}; legal: {legal}")
        words = text.split()
        if words[0] == "harvest":
            harvest(self, self.to_act, int(words[1]))
            after_farming(self)
        elif words[0] == "buy_field":
            buy_field(self, self.to_act)
            after_farming(self)
        else:
            APPLY[self.decision](self, words)
        run_phases(self)

    def scores(self) -> list[int]:
        """R22: the coins of each seat."""
        return [len(player.coins) for player in self.players]

    def facts(self, seat: int) -> dict[str, Any]:
        """What `seat` may know (section 9 of the rules)."""
        return knowledge.facts(self, seat)

    def position(self) -> dict[str, Any]:
        """Everything needed to go on from here."""
        return documents.write_position(self)
