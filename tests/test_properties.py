"""What is true of every game of any rules, checked on generated ones.

Each property is checked on a few examples here and on many with ``-m long``.
"""

from __future__ import annotations

import copy
import json
import os
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from game_bounds import Bounds
from hypothesis import strategies as st
from positions import record_bytes
from property_strategies import Sample, generated, hashes, hold, rules, samples, to_json
from rotation import rotated, same_but_for_the_final_harvest

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.action_codec import Action
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.errors import IllegalActionError, RulesError
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.invariants import invariants
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import observe
from bohnanza_env.position import read_position, write_position
from bohnanza_env.redeal import redeal
from bohnanza_env.render.text import render_view
from bohnanza_env.view import view_of

TESTS = Path(__file__).parent

both_profiles = pytest.mark.parametrize(
    "profile", ["short", pytest.param("long", marks=pytest.mark.long)]
)


# Actions -------------------------------------------------------------------------------------


@both_profiles
def test_exactly_the_legal_actions_apply(profile: str) -> None:
    def check(sample: Sample) -> None:
        game = sample.moment()
        before, mask = game.state.tobytes(), game.mask.tobytes()
        assert game.mask.any() != game.over
        for number, action in enumerate(game.legal_actions()):
            after = game.copy()
            after.step(int(action))
            assert after.mask.any() != after.over
            if number % 5 == 0:
                assert invariants(sample.rules, after.state) == []
        illegal = [i for i in range(len(game.mask)) if not game.mask[i]]
        for nonsense in [*illegal, -1, len(game.mask), 10**30, 0.0, "pass", None]:
            with pytest.raises(IllegalActionError):
                game.step(nonsense)  # type: ignore[arg-type]
        assert (game.state.tobytes(), game.mask.tobytes()) == (before, mask)

    hold(check, samples(), profile=profile, examples=50)


# Length --------------------------------------------------------------------------------------


@both_profiles
def test_games_end_within_their_bounds(profile: str) -> None:
    """Somebody can always act (RULES §8), and every game ends (R20)."""

    def check(sample: Sample) -> None:
        game, bounds = sample.new(), Bounds(sample.rules)
        names = [b.name for b in ActionSpace.of(sample.rules).blocks for _ in range(b.size)]
        done: Counter[str] = Counter()
        for number, action in enumerate(sample.play(game)):
            assert game.mask[action]
            assert number < bounds.decisions
            done[names[action]] += 1
            game.step(action)
            assert game.over or game.mask.any()
        turns = int(game.state["turn"][0]) + 1
        assert bounds.exceeded(done, turns) == []
        assert not game.mask.any()
        assert invariants(sample.rules, game.state) == []
        assert game.winners == winners(game)

    hold(check, samples(), profile=profile, examples=80)


def winners(game: Game) -> list[int]:
    """R23, once more."""
    seats = range(game.rules.players)
    tied = [seat for seat in seats if game.scores[seat] == max(game.scores)]
    if game.rules.tie == "most_hand_cards":
        sizes = game.state["hand_size"][0]
        return [seat for seat in tied if sizes[seat] == max(sizes[other] for other in tied)]
    start = int(game.state["start"][0])
    return [max(tied, key=lambda seat: (seat - start) % game.rules.players)]


# Copies --------------------------------------------------------------------------------------


def written_and_read(game: Game) -> Game:
    return read_position(json.loads(json.dumps(write_position(game))))


@both_profiles
def test_copies_and_written_positions_have_the_same_future(profile: str) -> None:
    def check(sample: Sample) -> None:
        game = sample.moment()
        exact = [game.copy(), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        again = written_and_read(game)
        for other in exact:
            assert other.state.tobytes() == game.state.tobytes()
        assert record_bytes(again) == record_bytes(game)
        for number, action in enumerate(sample.play(game, seed=1)):
            game.step(action)
            for other in [*exact, again]:
                other.step(action)
                assert (other.mask == game.mask).all()
            if number == 150:
                break
        assert {other.state.tobytes() for other in exact} == {game.state.tobytes()}
        assert record_bytes(again) == record_bytes(game)

    hold(check, samples(), profile=profile, examples=80)


# Seats ---------------------------------------------------------------------------------------


@both_profiles
def test_seats_rotated_with_the_start_seat_play_the_rotated_game(profile: str) -> None:
    """No rule knows a seat but by its distance from another one; only R22 counts them."""

    def check(sample: Sample, by: int) -> None:
        here = Game(sample.rules, sample.seed, 0)
        start = by % sample.rules.players
        there = Game(sample.rules, sample.seed, start)
        for number, action in enumerate(sample.play(here)):
            if number % 9 == 0:
                assert rotated(here, start) == there.state.tobytes()
            here.step(action)
            there.step(action)
            assert (here.mask == there.mask).all()
        assert there.over
        assert same_but_for_the_final_harvest(here, there, start)

    hold(check, samples(), st.integers(1, 6), profile=profile, examples=40)


# Hidden cards --------------------------------------------------------------------------------


@both_profiles
def test_re_dealt_hidden_cards_change_nothing_that_a_seat_sees(profile: str) -> None:
    def check(sample: Sample, generator: int) -> None:
        game = sample.moment()
        seat = generator % sample.rules.players
        if generator % 2 and not game.over:
            seat = game.to_act
        other = redeal(sample.rules, view_of(game, seat), generator)
        view, seen = view_of(game, seat), view_of(other, seat)
        assert seen.tobytes() == view.tobytes()
        assert (observe(sample.rules, seen) == observe(sample.rules, view)).all()
        assert render_view(sample.rules, seen) == render_view(sample.rules, view)
        if seat == game.to_act:
            assert (other.mask == game.mask).all()
        assert invariants(sample.rules, other.state) == []

    hold(check, samples(), st.integers(0, 2**32), profile=profile, examples=60)


# Protocols -----------------------------------------------------------------------------------


class SpeltOut:
    """A staged game that follows a compact one, every swap spelt out (R35)."""

    def __init__(self, sample: Sample) -> None:
        data = {**sample.rules.to_dict(), "protocol": "staged"}
        self.compact = ActionSpace.of(sample.rules)
        self.space = ActionSpace.of(Rules.from_dict(data))
        self.game = Game(self.space.rules, sample.seed, sample.start)

    def sequence(self, action: int) -> list[int]:
        """A compact action, spelt out."""
        name, arguments = self.compact.decode(action)
        if name != "swap":
            return [self.space.encode(Action(name, arguments))]
        player, give, get = arguments
        steps = [Action("propose", (player,))]
        steps += [Action("offer", (give,))] * (give >= 0) + [Action("request", (get,))] * (get >= 0)
        return [self.space.encode(step) for step in [*steps, Action("submit")]]

    def can(self, action: int) -> bool:
        """Whether the sequence is legal."""
        trial = self.game.copy()
        for step in self.sequence(action):
            if not trial.mask[step]:
                return False
            trial.step(step)
        return True

    def do(self, action: int) -> None:
        for step in self.sequence(action):
            self.game.step(step)
        while self.game.decision == Decision.GIVE:  # a face-up copy, or the one nearest the front
            legal = [self.space.decode(int(i)) for i in self.game.legal_actions()]
            legal.sort(key=lambda choice: (choice.name != "give_face_up", choice.arguments))
            self.game.step(self.space.encode(legal[0]))


@both_profiles
def test_a_compact_game_spelt_out_is_the_same_staged_game(profile: str) -> None:
    def check(sample: Sample) -> None:
        game, staged = sample.new(), SpeltOut(sample)
        moments = {round(sample.share * 40), round(sample.share * 400)}
        for number, action in enumerate(sample.play(game)):
            assert staged.game.state.tobytes() == game.state.tobytes()
            if number in moments:
                able = [staged.can(i) for i in range(staged.compact.size)]
                assert able == game.mask.astype(bool).tolist()
            staged.do(action)
            game.step(action)
        assert staged.game.state.tobytes() == game.state.tobytes()

    compact = samples(protocol="compact", trading=True)
    hold(check, compact, profile=profile, examples=40)


# Modes of Numba ------------------------------------------------------------------------------


def hashes_in_mode(chosen: list[Sample], most: int, **variables: str) -> list[list[str]]:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(TESTS / "property_strategies.py")],
        input=json.dumps({"most": most, "samples": [to_json(sample) for sample in chosen]}),
        env={**os.environ, "PYTHONPATH": path, "BOHNANZA_QUIET": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return json.loads(done.stdout)


@both_profiles
def test_plain_python_plays_the_same_games(profile: str) -> None:
    games, most = (14, 50) if profile == "short" else (200, 400)
    chosen = generated(samples(), games)
    plain = hashes_in_mode(chosen, most, NUMBA_DISABLE_JIT="1")
    assert plain == [hashes(sample, most) for sample in chosen]


@pytest.mark.long
def test_no_index_is_out_of_range() -> None:
    chosen = generated(samples(), 500)
    checked = hashes_in_mode(chosen, 10**6, NUMBA_BOUNDSCHECK="1")
    assert checked == [hashes(sample, 10**6) for sample in chosen]


# Rules ---------------------------------------------------------------------------------------

# Values that no rules have.
_NOT_NUMBERS = [-1, 1000, 10**30, 2.0, "2", True, [2], float("nan")]
_NOT_FLAGS = [1, 0, None, "true", [True]]
_NOT_NAMES = ["", "loud", 3, None, ["off"], {}]
WRONG: dict[str, list[Any]] = {
    "players": [*_NOT_NUMBERS, None, 0, 1, 8],
    "beans": [{}, None, [], "blue", {"lentil": 3}, {"blue": 0}, {"blue": 21}, {"red": "3"}, {3: 4}],
    "fields": [*_NOT_NUMBERS, None, 0, 4],
    "first_hands": [-1, "55", [-1, 2], (5, None), [[5]], {}, 7],
    "field_price": [*_NOT_NUMBERS, 6],
    "coins_leave_game": _NOT_FLAGS,
    "field_beans": _NOT_FLAGS,
    "reveal": [*_NOT_NUMBERS, None, 0, 5],
    "draw": [None, 3, "active", (), ["active"], ["all", 3], ("active", 0), ([], 1), ["active", 10]],
    "final_exhaustion": [*_NOT_NUMBERS, None, 0, 6],
    "tie": _NOT_NAMES,
    "duel": _NOT_FLAGS,
    "active_proposals": [*_NOT_NUMBERS, 21],
    "other_proposals": [*_NOT_NUMBERS, None, 21],
    "trade_limit": [*_NOT_NUMBERS, 0, 161],
    "trading": _NOT_FLAGS,
    "window": _NOT_NAMES,
    "protocol": _NOT_NAMES,
    "harvest": _NOT_NAMES,
}
breakages = st.lists(st.sampled_from(list(WRONG)), min_size=1, max_size=5, unique=True)


def named(error: RulesError) -> set[str]:
    return {name for fault in error.faults for name in fault.split(":")[0].split(", ")}


@both_profiles
def test_invalid_rules_name_every_wrong_field(profile: str) -> None:
    def check(right: Rules, names: list[str], data: st.DataObject) -> None:
        wrong = {name: data.draw(st.sampled_from(WRONG[name])) for name in names}
        values = {**right.to_dict(), **wrong}
        with pytest.raises(RulesError) as error:
            Rules(**values)
        assert named(error.value) == set(names)
        assert pickle.loads(pickle.dumps(error.value)).faults == error.value.faults
        with pytest.raises(RulesError) as error:
            Rules.from_dict({**values, "edition": None, "luck": 1})
        assert named(error.value) == {*names, "luck"}
        wrong.pop("players", None)
        with pytest.raises(RulesError) as error:
            Rules.of(data.draw(st.sampled_from(["skat", "", None, 3, ["amigo"]])), **wrong)
        assert named(error.value) == {*wrong, "edition"}
        with pytest.raises(RulesError) as error:
            Rules.from_dict({**wrong, "edition": "amigo"})
        assert named(error.value) == {*wrong, "players"}
        with pytest.raises(RulesError) as error:
            Rules.of("amigo", data.draw(st.sampled_from(WRONG["players"])), **wrong, luck=1)
        assert named(error.value) == {*wrong, "players", "luck"}

    hold(check, rules(), breakages, st.data(), profile=profile, examples=100)


@both_profiles
def test_rules_of_a_document_are_equal_rules(profile: str) -> None:
    def check(right: Rules) -> None:
        again = Rules.from_dict(json.loads(json.dumps(right.to_dict())))
        assert again == right
        assert hash(again) == hash(right)
        assert pickle.loads(pickle.dumps(right)) == right
        space = ActionSpace.of(right)
        assert all(space.encode(space.decode(i)) == i for i in range(space.size))
        assert all(space.index(space.text(i, 1), 1) == i for i in range(space.size))

    hold(check, rules(), profile=profile, examples=60)


@pytest.mark.parametrize(
    ("overrides", "names"),
    [
        ({"first_hands": (5, 5, 5)}, {"first_hands"}),
        ({"first_hands": (1, 1), "beans": {"red": 2}}, {"first_hands"}),
        ({"first_hands": (1, 1), "beans": {"red": 2}, "players": 3, "reveal": 9},
         {"first_hands", "reveal"}),
        ({"field_beans": True}, {"field_beans"}),
        ({"field_beans": True, "field_price": 2, "tie": "none"},
         {"field_beans", "field_price", "tie"}),
        ({"coins_leave_game": True, "duel": True}, {"coins_leave_game", "duel"}),
        ({"duel": True, "trading": False, "draw": ("everyone", 1)}, {"duel"}),
        ({"active_proposals": 11, "other_proposals": 10, "window": 1},
         {"active_proposals", "other_proposals", "window"}),
    ],
)  # fmt: skip
def test_fields_that_do_not_fit_together_are_named_beside_others(overrides, names) -> None:
    values = {"players": 2, "beans": {"red": 8, "soy": 12}, **overrides}
    with pytest.raises(RulesError) as error:
        Rules(**values)
    assert named(error.value) == names
