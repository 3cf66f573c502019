"""Bots: legal, deterministic, honest, and as good as docs/bots.md says."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

from bohnanza_env.actions import ActionSpace
from bohnanza_env.bots import BOTS, COUNTS, BotPolicy, BotTable, Policy, bot, play_games
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

TABLES = [
    *[("amigo", n) for n in (3, 4, 5)],
    *[("classic", n) for n in (3, 5)],
    *[("rio_grande", n) for n in (3, 4, 6, 7)],
    *[("new_beans", n) for n in (3, 5, 7)],
    ("field_beans", 4),
    ("duel", 2),
    ("duel_three_fields", 2),
    ("mini", 3),
]
PROTOCOLS = ("staged", "compact")


def table_of(rules: Rules, first: int = 0) -> list[str]:
    names = ["trader", "greedy", "random", "stingy", "trader", "generous", "fair"]
    return [names[(first + i) % len(names)] for i in range(rules.players)]


def policies(rules: Rules, names: list[str], seed: int) -> list[BotPolicy]:
    seated = [BotPolicy(name) for name in names]
    for seat, policy in enumerate(seated):
        policy.reset(rules, seat, seed)
    return seated


def play_on(game: Game, seated: list[BotPolicy]) -> list[int]:
    while not game.over:
        game.step(seated[game.to_act].act(view_of(game, game.to_act), game.mask))
    return game.scores


# Legal, deterministic, from the view alone ----------------------------------------------------


@pytest.mark.parametrize(("edition", "players"), TABLES)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_whole_games_are_legal_and_the_compiled_table_plays_the_same(edition, players, protocol):
    rules = Rules.of(edition, players, protocol=protocol)
    for seed in range(2):
        names = table_of(rules, seed)
        # ``Game.step`` raises on an illegal action.
        scores = play_on(Game(rules, seed), policies(rules, names, seed))
        coins, counts = play_games(rules, names, [seed])
        assert coins[0].tolist() == scores
        assert counts.shape == (1, len(COUNTS))


def test_rules_that_take_things_away():
    for changes in (
        {"trading": False},
        {"trade_limit": 1},
        {"harvest": "when_needed"},
        {"window": "always"},
        {"active_proposals": 0},
        {"other_proposals": 0},
    ):
        rules = Rules.of("amigo", 4, **changes)
        play_on(Game(rules, 3), policies(rules, ["trader"] * 4, 3))


def test_the_seed_decides():
    rules = Rules.of("amigo", 4)
    names = ["random", "trader", "greedy", "random"]
    one, two = (play_games(rules, names, [5, 6, 5]) for _ in range(2))
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()
    assert (one[1][0] == one[1][2]).all()
    assert (one[1][0] != one[1][1]).any()


def hidden_rearranged(game: Game, seat: int, seed: int) -> Game:
    """The same to ``seat``: deck shuffled, every other hand in another order."""
    rng = np.random.default_rng(seed)
    other = game.copy()
    state = other.state[0]
    rng.shuffle(state["deck"][: state["deck_size"]])
    for s in range(game.rules.players):
        if s != seat:
            rng.shuffle(state["hand"][s, : state["hand_size"][s]])
            mine, deck = state["hand"][s], state["deck"]
            if state["hand_size"][s] and state["deck_size"]:
                a, b = mine[0], deck[0]
                mine[0], deck[0] = b, a
                state["hand_beans"][s, a] -= 1
                state["hand_beans"][s, b] += 1
    return other


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_hidden_cards_do_not_matter(protocol):
    rules = Rules.of("amigo", 4, protocol=protocol)
    seated = policies(rules, ["trader", "greedy", "trader", "trader"], 1)
    game = Game(rules, 1)
    for ply in range(300):
        seat = game.to_act
        view, mask = view_of(game, seat), game.mask.copy()
        before = view.tobytes()
        action = seated[seat].act(view, mask)
        assert view.tobytes() == before
        assert (mask == game.mask).all()
        other = hidden_rearranged(game, seat, ply)
        if game.decision not in (Decision.RESPOND, Decision.COMPOSE, Decision.FLOOR):
            assert (other.mask == mask).all()
        assert seated[seat].act(view_of(other, seat), mask) == action
        game.step(action)
        if game.over:
            break


def test_copies_have_the_same_future():
    rules = Rules.of("amigo", 4)
    names = ["random", "trader", "random", "greedy"]
    game, seated = Game(rules, 2), policies(rules, names, 2)
    table, twin = BotTable(rules, names), Game(rules, 2)
    table.reset(2)
    table.play_until(twin, most_steps=200)
    for _ in range(200):
        game.step(seated[game.to_act].act(view_of(game, game.to_act), game.mask))
    futures = [
        play_on(game.copy(), copy.deepcopy(seated)),
        play_on(game.copy(), pickle.loads(pickle.dumps(seated))),
    ]
    for table_copy in (copy.deepcopy(table), pickle.loads(pickle.dumps(table))):
        other = twin.copy()
        table_copy.play_until(other)
        futures.append(other.scores)
    futures.append(play_on(game, seated))
    assert futures == [futures[0]] * 5


def test_the_table_stops_at_the_learner():
    rules = Rules.of("amigo", 4)
    table = BotTable(rules, ["greedy", None, "trader", "random"])
    game = Game(rules, 4)
    while not game.over:
        table.play_until(game, learner=1)
        if game.over:
            assert not game.mask.any()
            break
        assert game.to_act == 1
        game.step(int(np.flatnonzero(game.mask)[-1]))
        if not game.over and game.to_act == 1:
            assert table.play_until(game, learner=1) == 0


def test_names():
    assert {"random", "greedy", "trader", "stingy", "fair", "generous"} <= set(BOTS)
    with pytest.raises(
        ValueError, match="unknown bot 'clever'; known bots: random, greedy, trader"
    ):
        bot("clever")
    for name, spec in BOTS.items():
        assert spec.name == name
        assert pickle.loads(pickle.dumps(spec)) is spec
        assert isinstance(BotPolicy(name), Policy)
    with pytest.raises(RuntimeError, match="reset"):
        BotPolicy("random").act(np.zeros(1), np.zeros(1, np.int8))
    with pytest.raises(ValueError, match="seats: expected 4 names, got 2"):
        BotTable(Rules.of("amigo", 4), ["random", "random"])


# Strength -------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_two_traders_earn_twice_what_two_greedy_ones_earn(protocol):
    rules = Rules.of("amigo", 4, protocol=protocol)
    traders, greedy = [], []
    for names in (["trader", "greedy"] * 2, ["greedy", "trader"] * 2):
        coins, _ = play_games(rules, names, range(60))
        for seat, name in enumerate(names):
            (traders if name == "trader" else greedy).append(coins[:, seat].mean())
    assert np.mean(traders) >= 2 * np.mean(greedy)


def test_four_traders_earn_fourteen_each_and_no_less_in_staged_play():
    means = {}
    for protocol in PROTOCOLS:
        coins, _ = play_games(Rules.of("amigo", 4, protocol=protocol), ["trader"] * 4, range(60))
        means[protocol] = coins.mean()
    assert means["compact"] >= 14
    assert means["staged"] >= 14
    assert means["staged"] >= means["compact"] - 0.3  # within chance of 60 games


# Situations worked out by hand ----------------------------------------------------------------


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
RESPOND, FLOOR, PLANT, GIVE = Decision.RESPOND, Decision.FLOOR, Decision.PLANT, Decision.GIVE


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


UNCOMPILED = """
import sys
from bohnanza_env.bots import play_games
from bohnanza_env.engine.rules import Rules
names = ["trader", "greedy", "generous"]
for protocol in ("staged", "compact"):
    coins, counts = play_games(Rules.of("mini", 3, protocol=protocol), names, [1])
    print(coins.tolist(), counts.tolist())
"""


def test_the_uncompiled_source_plays_the_same():
    printed = [
        subprocess.run(
            [sys.executable, "-c", UNCOMPILED],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert printed[0] == printed[1]
    assert printed[0]


# Misuse ----------------------------------------------------------------------------------------


def test_a_table_takes_no_game_of_other_rules():
    table = BotTable(Rules.of("mini", 2), ["greedy", "greedy"])
    with pytest.raises(ValueError, match="of other rules"):
        table.play_until(Game(Rules.of("mini", 3)))


def test_no_games_are_no_rows():
    coins, counts = play_games(Rules.of("mini", 3), ["random"] * 3, [])
    assert coins.shape == (0, 3)
    assert counts.shape == (0, len(COUNTS))


def test_masks_of_gymnasium_will_do():
    rules = Rules.of("mini", 3)
    game, policy = Game(rules, 1), BotPolicy("greedy")
    policy.reset(rules, 0, 1)
    view = view_of(game, 0)
    assert policy.act(view, game.mask.astype(bool)) == policy.act(view, game.mask)
