"""What bots do in situations worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from bohnanza_env.actions import ActionSpace
from bohnanza_env.bots import BotPolicy
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

PROTOCOLS = ("staged", "compact")
RESPOND, FLOOR, PLANT, GIVE = Decision.RESPOND, Decision.FLOOR, Decision.PLANT, Decision.GIVE


class Situation:
    """A position for one seat of a four-player ``amigo`` game, set up by hand."""

    def __init__(self, seat: int = 0, active: int = 0, protocol: str = "compact", **also) -> None:
        self.rules = Rules.of("amigo", 4, protocol=protocol)
        self.seat = seat
        state = Game(self.rules, 0).state
        self.state = state[0]
        self.state["active"], self.state["to_act"] = active, seat
        self.state["hand_size"][:] = 5
        self.state["hand_size"][4:] = 0
        self.state["deck_size"] = 60
        self.hand(seat, "")
        self.state["proposals_left"][:4] = [1, 1, 1, 1]
        self.state["proposals_left"][active] = 6
        for name, value in also.items():
            self.state[name] = value
        self._array = state

    def _bean(self, name: str) -> int:
        return self.rules.bean_names.index(name)

    def hand(self, seat: int, beans: str) -> Situation:
        state, cards = self.state, [self._bean(b) for b in beans.split()]
        state["hand"][seat] = -1
        state["hand"][seat, : len(cards)] = cards
        state["hand_beans"][seat] = np.bincount(cards, minlength=12) if cards else 0
        state["hand_size"][seat] = len(cards)
        return self

    def fields(self, seat: int, **counts: int) -> Situation:
        for field, (name, count) in enumerate(counts.items()):
            self.state["field_bean"][seat, field] = self._bean(name)
            self.state["field_count"][seat, field] = count
        return self

    def face_up(self, beans: str) -> Situation:
        for i, name in enumerate(beans.split()):
            self.state["face_up"][i] = self._bean(name)
            self.state["face_up_beans"][self._bean(name)] += 1
            self.state["face_up_size"] = i + 1
        return self

    def proposal(self, proposer: int, offer: str = "", request: str = "") -> Situation:
        self.state["standing"], self.state["proposer"] = 1, proposer
        self.state["recipient"] = self.seat
        for name in offer.split():
            self.state["offer"][self._bean(name)] += 1
        for name in request.split():
            self.state["request"][self._bean(name)] += 1
        return self

    def knows(self, seat: int, bean: str) -> Situation:
        self.state["known"][seat, self._bean(bean)] = 1
        return self

    def game(self, decision: Decision) -> Game:
        self.state["decision"] = decision
        return Game.from_state(self.rules, self._array)

    def asked(self, decision: Decision, name: str) -> str:
        game = self.game(decision)
        policy = BotPolicy(name)
        policy.reset(self.rules, self.seat, 0)
        action = policy.act(view_of(game, self.seat), game.mask)
        assert game.mask[action]
        return ActionSpace.of(self.rules).text(action, self.seat)


PLANTERS = ("greedy", "trader")


@pytest.mark.parametrize("name", PLANTERS)
class TestPlanting:
    def test_a_card_joins_its_field(self, name):
        situation = Situation().hand(0, "red blue chili").fields(0, blue=3, red=1)
        assert situation.asked(PLANT, name) == "plant red 1"

    def test_the_poorer_field_makes_room(self, name):
        situation = Situation().hand(0, "soy garden").fields(0, blue=3, chili=6)
        assert situation.asked(PLANT, name) == "harvest 1"

    def test_a_second_card_that_would_cost_a_good_field_waits(self, name):
        situation = Situation(planted=1).hand(0, "soy chili").fields(0, blue=3, stink=2)
        assert situation.asked(PLANT, name) == "pass"

    def test_a_second_card_that_fits_is_planted(self, name):
        situation = Situation(planted=1).hand(0, "blue chili").fields(0, blue=5, chili=4)
        assert situation.asked(PLANT, name) == "plant blue 0"

    def test_a_full_field_makes_room_first(self, name):
        situation = Situation().hand(0, "soy red").fields(0, garden=3, red=2)
        assert situation.asked(PLANT, name) == "harvest 0"


class TestGreedy:
    def test_refuses_even_a_gift(self):
        situation = Situation(1, 0).fields(1, blue=3).proposal(0, offer="blue")
        assert situation.asked(RESPOND, "greedy") == "reject"

    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_never_proposes(self, protocol):
        situation = Situation(protocol=protocol).face_up("red soy").fields(1, red=3)
        assert situation.asked(FLOOR, "greedy") == "pass"


class TestTrader:
    def test_accepts_a_gift_that_completes_a_field(self):
        situation = Situation(1, 0).fields(1, blue=3, chili=4).proposal(0, offer="blue")
        assert situation.asked(RESPOND, "trader") == "accept"

    def test_refuses_a_gift_that_would_force_out_a_good_field(self):
        situation = Situation(1, 0).fields(1, blue=5, stink=4).proposal(0, offer="red")
        assert situation.asked(RESPOND, "trader") == "reject"

    def test_gives_what_it_cannot_use_for_what_it_grows(self):
        situation = Situation(1, 0).fields(1, blue=5, stink=4).hand(1, "red blue")
        assert situation.proposal(0, "stink", "red").asked(RESPOND, "trader") == "accept"

    def test_keeps_what_it_grows(self):
        situation = Situation(1, 0).fields(1, blue=3, stink=4).hand(1, "blue red")
        assert situation.proposal(0, "soy", "blue").asked(RESPOND, "trader") == "reject"

    def test_gives_away_a_face_up_card_to_who_grows_it(self):
        situation = Situation().fields(0, blue=5, chili=4).face_up("red")
        situation.fields(1, blue=3, stink=2).fields(3, stink=4, garden=2)
        assert situation.fields(2, red=2, soy=3).asked(FLOOR, "trader").startswith("swap 2 red ")

    def test_asks_for_what_it_grows_where_it_is_known_to_be(self):
        situation = Situation().fields(0, red=3, chili=4).hand(0, "soy blue")
        situation.fields(3, soy=3, green=2).knows(3, "red")
        assert situation.asked(FLOOR, "trader") == "swap 3 soy red"

    def test_offers_in_the_turn_of_another(self):
        situation = Situation(2, 1).fields(2, blue=5, chili=4).hand(2, "soy blue")
        situation.fields(1, soy=3, red=2).face_up("chili")
        assert situation.asked(FLOOR, "trader") == "swap 1 soy chili"

    def test_gives_the_face_up_copy(self):
        situation = Situation(protocol="staged", give_bean=6, partner=2, recipient=2)
        situation.fields(0, blue=5, chili=4).hand(0, "blue chili red").face_up("red")
        situation.proposal(0, offer="red")
        situation.state["recipient"] = 2
        assert situation.asked(GIVE, "trader") == "give face_up 0"

    def test_gives_the_copy_that_would_hurt_first(self):
        situation = Situation(2, 1, protocol="staged", give_bean=6, partner=2)
        situation.fields(2, blue=5, chili=4).hand(2, "red blue chili blue red")
        assert situation.proposal(1, "stink", "red").asked(GIVE, "trader") == "give hand 0"

    def test_composes_the_deal_it_has_found(self):
        situation = Situation(protocol="staged").fields(0, blue=5, chili=4).face_up("red")
        game = situation.fields(2, red=2, soy=1).game(FLOOR)
        policy, space, texts = BotPolicy("trader"), ActionSpace.of(situation.rules), []
        policy.reset(situation.rules, 0, 0)
        while game.to_act == 0:
            action = policy.act(view_of(game, 0), game.mask)
            texts.append(space.text(action, 0))
            game.step(action)
        assert texts[0].startswith("propose ")
        assert texts[1] == "offer red"
        assert texts[-1] == "submit"
