"""Who is asked what, what may be known, and what an illegal action does (RULES §8, §9)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import reference
from support import Table, seat, table

from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.position import run_case
from bohnanza_env.view import view_of

CASES = sorted((Path(__file__).parent / "cases").rglob("*.json"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path):
    """E1–E5 and whatever else was written down as a case, by the engine and by the reference."""
    assert run_case(json.loads(path.read_text())) == []
    assert reference.run_case(json.loads(path.read_text())) == []


def test_there_are_cases():
    assert len(CASES) >= 17


def test_a_decision_with_one_action_is_asked_all_the_same():
    game = table(seat("", "blue*2 red*1", set_aside="chili"), decision="plant_set_aside")
    assert game.legal == {"harvest 0"}
    game = table(seat("blue"), seat(""), decision="floor", face_up="soy")
    game.play("0: propose 1", "0: offer blue", "0: submit", "1: reject", "0: pass")
    assert game.asked == ("floor", 1)


def test_an_illegal_action_leaves_the_game_untouched():
    game = table(seat("blue chili", "red*2 -"))
    before, mask = game.game.state.tobytes(), game.game.mask.copy()
    for text in ("plant blue 0", "pass", "harvest 1", "end_trading", "accept"):
        with pytest.raises(IllegalActionError, match=f"plant of seat 0: .*{text}.*not legal"):
            game.game.step(game.space.index(text, 0))
    for index in (-1, game.space.size, 10**9):
        with pytest.raises(IllegalActionError):
            game.game.step(index)
    assert game.game.state.tobytes() == before
    assert np.array_equal(game.game.mask, mask)


def test_actions_are_few():
    """Deals are composed bean by bean: no subsets are enumerated."""
    assert Table.new("amigo", 4).space.size < 150
    assert Table.new("rio_grande", 7).space.size < 200
    assert Table.new("rio_grande", 7, protocol="compact").space.size < 800


def test_a_new_game_keeps_nothing_of_an_old_one():
    rules = Rules.of("mini", 3)
    fresh = Game(rules, 5)
    used = Game(rules, 5)
    rng = np.random.default_rng(1)
    while not used.over:
        used.step(int(rng.choice(used.legal_actions())))
    again = Game(rules, 5)
    assert again.state.tobytes() == fresh.state.tobytes() != used.state.tobytes()


def test_copies_are_equal_byte_by_byte():
    game = Table.new("amigo", 4).game
    junk = [np.full(game.state.nbytes, 255, np.uint8) for _ in range(50)]
    del junk  # memory that is used again
    copies = [game.copy() for _ in range(50)]
    assert {copy.state.tobytes() for copy in copies} == {game.state.tobytes()}


FLOOR = {"decision": "floor", "face_up": "soy red"}


def test_known_is_raised_by_a_submitted_offer_and_lowered_when_copies_leave():
    game = table(seat("green"), seat("chili blue chili"), **FLOOR)
    game.play("0: pass", "1: propose 0", "1: offer chili", "1: offer chili")
    assert game.known(1) == ""  # a draft shows nothing
    game.play("1: submit")
    assert game.known(1) == "chili chili"
    game.play("0: accept")
    assert game.known(1) == ""


def test_known_of_the_active_player_only_beyond_the_face_up_cards():
    game = table(seat("soy soy blue"), seat("chili"), **FLOOR)
    game.play("0: propose 1", "0: offer soy", "0: submit", "1: reject")
    assert game.known(0) == ""  # it may be the face-up one
    game.play("0: propose 1", "0: offer soy", "0: offer soy", "0: submit", "1: reject")
    assert game.known(0) == "soy"


def test_known_is_raised_by_an_acceptance():
    game = table(seat("green"), seat("chili"), seat("chili"), **FLOOR)
    game.play("0: propose table", "0: offer green", "0: request chili", "0: submit")
    game.play("1: accept", "2: accept")
    assert (game.known(1), game.known(2)) == ("", "")  # not before all answers are given
    game.play("3: reject", "0: choose 1")
    assert (game.known(1), game.known(2)) == ("", "chili")


def test_drafts_are_seen_by_their_owner_alone():
    one = table(seat("green blue"), seat("chili"), **FLOOR).play("0: propose 1", "0: offer green")
    other = table(seat("green blue"), seat("chili"), **FLOOR).play("0: propose 2", "0: offer blue")
    for who in (1, 2, 3):
        assert view_of(one.game, who).tobytes() == view_of(other.game, who).tobytes()
    assert view_of(one.game, 0).tobytes() != view_of(other.game, 0).tobytes()
    one.play("0: withdraw")
    other.play("0: withdraw")  # nor afterwards, nor to whom they would have gone
    assert view_of(one.game, 1).tobytes() == view_of(other.game, 1).tobytes()


def test_answers_to_a_table_proposal_are_hidden_until_all_are_given():
    views = []
    for answer in ("accept", "reject"):
        game = table(seat("green"), seat("chili"), seat("chili"), **FLOOR)
        game.play("0: propose table", "0: request chili", "0: submit", f"1: {answer}")
        views.append([view_of(game.game, who).tobytes() for who in range(4)])
    assert [a == b for a, b in zip(*views, strict=True)] == [True, False, True, True]


def test_chosen_copies_are_seen_by_the_giver_alone_until_they_move():
    views = []
    for position in (0, 2):
        game = table(seat("green blue green"), seat("chili red chili"), **FLOOR)
        game.play("0: propose 1", "0: offer green", "0: request chili", "0: submit", "1: accept")
        game.play(f"0: give hand {position}")
        assert game.asked == ("give", 1)
        views.append([view_of(game.game, who).tobytes() for who in range(4)])
    assert [a == b for a, b in zip(*views, strict=True)] == [False, True, True, True]


def test_what_follows_from_public_events_about_the_deck():
    game = table(seat("blue", "- -"), deck_top="soy red green chili stink blue", discard="")
    deck = game.record["deck_at_shuffle"].copy()
    game.play("0: plant blue 0")
    counts = dict(zip(game.game.rules.beans, game.record["turned_up"].tolist(), strict=False))
    assert (counts["soy"], counts["red"], sum(counts.values())) == (1, 1, 2)
    game.play("0: propose 1", "0: withdraw", "0: pass", "1: pass", "2: pass", "3: pass")
    game.play("0: end_trading", "0: plant soy 1", "0: harvest 0", "0: plant red 0")
    assert game.hand(0) == "green chili stink"
    assert game.record["drawn_since"].tolist()[:4] == [3, 0, 0, 0]
    assert np.array_equal(game.record["deck_at_shuffle"], deck)
