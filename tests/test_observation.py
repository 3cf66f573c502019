"""The flat observation: pieces, kernel, bounds, what it holds and what it must not."""

from __future__ import annotations

import numpy as np
import pytest
from observation_cases import CASES, expected, observe_into, played, sampled

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import ObservationLayout, largest_turn, observe
from bohnanza_env.view import VIEW_DTYPE, view_of


@pytest.fixture(params=CASES, name="rules")
def _rules(request):
    return CASES[request.param]


def test_kernel_writes_every_piece_in_its_place(rules):
    layout = ObservationLayout.of(rules)
    for game in sampled(rules):
        for seat in range(rules.players):
            view = view_of(game, seat)
            parts = layout.split(layout.observe(view))
            second = expected(rules, view[0])
            for name, part in parts.items():
                assert np.array_equal(part, second[name]), (name, game, seat)


def test_kernel_writes_the_whole_vector_and_nothing_else(rules):
    layout = ObservationLayout.of(rules)
    out = np.full(layout.size + 8, 77, np.int16)
    state = played(rules)[len(played(rules)) // 2]
    assert observe_into(rules, state, 0, out[: layout.size]) == layout.size
    assert (out[layout.size :] == 77).all()
    game = Game.from_state(rules, state)
    assert np.array_equal(out[: layout.size], observe(rules, view_of(game, 0)))


@pytest.mark.parametrize("protocol", ["staged", "compact"])
def test_nothing_is_left_as_it_was_where_nobody_may_propose(protocol):
    rules = Rules.of("amigo", 3, protocol=protocol, active_proposals=0, other_proposals=0)
    layout = ObservationLayout.of(rules)
    out = np.full(layout.size, 77, np.int16)
    assert observe_into(rules, Game(rules, 5).state, 0, out) == layout.size
    assert out[layout.piece("settled_count").start :].tolist() == [0, 0]


def test_bounds_hold_through_whole_games(rules):
    layout = ObservationLayout.of(rules)
    out = np.empty(layout.size, np.int16)
    for state in played(rules):
        for seat in range(rules.players):
            observe_into(rules, state, seat, out)
            wrong = (out < layout.low) | (out > layout.high)
            assert not wrong.any(), [p.name for p in layout.pieces if wrong[p.start : p.stop].any()]
    assert layout.space.contains(out)


def test_layout_is_one_object_with_one_space(rules):
    layout = ObservationLayout.of(rules)
    assert ObservationLayout.of(Rules.from_dict(rules.to_dict())) is layout
    assert layout.space is layout.space
    assert layout.space.shape == (layout.size,)
    assert layout.space.dtype == np.int16
    assert [p.start for p in layout.pieces[1:]] == [p.stop for p in layout.pieces[:-1]]
    assert len({p.name for p in layout.pieces}) == len(layout.pieces)
    for piece in layout.pieces:
        assert piece.kind in ("count", "flag", "category")
        assert (piece.kind == "category") == bool(piece.values)
        assert piece.low.shape == piece.high.shape == piece.shape
        assert (piece.low < piece.high).all()
        if piece.kind != "count":
            assert piece.high.max() == max(1, len(piece.values) - 1)


def test_split_makes_views_and_takes_batches():
    layout = ObservationLayout.of(CASES["amigo4"])
    vector = np.zeros(layout.size, np.int16)
    layout.split(vector)["coins"][2] = 9
    at = layout.piece("coins").start + 2
    assert vector[at] == 9
    batch = np.zeros((5, 3, layout.size), np.int16)
    parts = layout.split(batch)
    assert parts["known"].shape == (5, 3, 4, 8)
    assert parts["turn"].shape == (5, 3)
    parts["known"][4, 2, 1, 0] = 3
    assert batch.max() == 3
    with pytest.raises(ValueError, match="expected"):
        layout.split(vector[:-1])


def test_bounds_come_from_the_rules():
    layout = ObservationLayout.of(CASES["amigo4"])
    # 104 cards, filled three times at most, five cards a turn.
    assert largest_turn(CASES["amigo4"]) == 62
    assert layout.piece("turn").high == 62
    assert layout.piece("hand").shape == (CASES["amigo4"].hand_positions,)
    assert layout.piece("hand_beans").high.tolist() == [20, 18, 16, 14, 12, 10, 8, 6]
    assert layout.piece("settled_proposer").shape == (18,)  # 6 + 3 proposals and counters (R33)
    assert layout.piece("proposals_left").high[0] == 6
    assert layout.piece("next_missing").high.max() == 3  # blue: 1 card of 4
    limited = ObservationLayout.of(CASES["limited"])
    assert limited.piece("offer").high.max() == 2


def test_pieces_that_the_rules_cannot_use_are_absent():
    names = {key: {p.name for p in ObservationLayout.of(r).pieces} for key, r in CASES.items()}
    assert "coin_top" in names["classic4"] & names["duel"]
    assert not names["amigo4"] & {"coin_top", "field_gained", "removed", "discard", "duel_offer"}
    assert "field_gained" in names["field_beans4"]
    assert not names["compact4"] & {"draft_offer", "give_from", "settled_offer", "countering"}
    assert names["compact4"] >= {"settled_give", "settled_get", "settled_answer"}
    assert names["duel"] >= {"removed", "discard", "duel_offer", "face_up_beans"}
    assert not names["duel"] & {"known", "standing", "set_aside", "last_asked"}
    assert "removed" not in names["duel3"]
    assert "last_asked" not in names["silent"]


# --- Seats -----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["amigo4", "classic4", "rio6", "compact4"])
def test_every_seat_sees_the_same_public_facts_turned(key):
    rules = CASES[key]
    layout = ObservationLayout.of(rules)
    private = {"own hand", "own draft and copies"}
    shared = [p for p in layout.pieces if p.group not in private and p.name != "unseen"]
    for game in sampled(rules, 30):
        parts = [layout.split(observe(rules, view_of(game, s))) for s in range(rules.players)]
        for piece in shared:
            turned = [_absolute(piece, parts[s][piece.name], s) for s in range(rules.players)]
            for other in turned[1:]:
                assert np.array_equal(other, turned[0]), piece.name


def _absolute(piece, part: np.ndarray, seat: int) -> np.ndarray:
    """A piece with seats in place of relative players."""
    for axis, what in enumerate(piece.axes):
        if what.name == "player":
            part = np.roll(part, seat, axis)
    if "you" not in piece.values:
        return part
    players = len([v for v in piece.values if v not in ("nobody", "table")])
    named = (part > 0) & (part <= players)
    return np.where(named, (part - 1 + seat) % players + 1, part)


# --- What it holds (RULES §9) ----------------------------------------------------------------

# Fields of a view that need not show, each with the reason.
UNUSED = {
    "seat": "players are relative",
    "events": "the tokens hold them",
    "event_count": "the tokens hold them",
    "field_slots": "fields of the start and the gained one",
    "duel_offer": "only in a duel",
    "discard": "only in a duel",
    "removed": "only where coins leave the game",
}


def full_view(rules: Rules):
    """A view in which every field is in use, as far as its shape allows."""
    view = np.zeros(1, VIEW_DTYPE)
    record = view[0]
    record.hand_size[:] = rules.hand_positions
    record.field_count[:] = 1
    record.face_up_size = rules.reveal
    record.settled_count = rules.settled_positions
    record.discard_size = rules.deck_size
    record.field_slots[:] = rules.field_positions
    return view


def places(rules: Rules, name: str) -> list[tuple[int, ...]]:
    """The elements of a view's field that these rules use."""
    sizes = {7: rules.players, 12: len(rules.beans), 40: rules.settled_positions}
    if name in ("hand", "chosen_hand"):
        shape = (rules.hand_positions,)
    elif name in ("face_up", "chosen_face_up"):
        shape = (rules.reveal,)
    elif name == "discard":
        shape = (rules.deck_size,)
    elif name in ("field_bean", "field_count"):
        shape = (rules.players, rules.field_positions)
    elif name == "coin_top":
        shape = (rules.players, rules.field_price)
    else:
        shape = tuple(sizes[n] for n in VIEW_DTYPE[name].shape)
    return list(np.ndindex(*shape)) if shape else [()]


@pytest.mark.parametrize("name", [n for n in VIEW_DTYPE.names if n not in UNUSED])
def test_whatever_a_view_holds_shows_in_the_vector(name):
    rules = CASES["classic4"]
    before = observe(rules, full_view(rules))
    for place in places(rules, name):
        view = full_view(rules)
        field = view[name][0]
        view[name][(0, *place)] = field[place] + (-1 if name.endswith(("_size", "_count")) else 1)
        assert not np.array_equal(observe(rules, view), before), place


@pytest.mark.parametrize("name", ["duel_offer", "discard", "removed", "face_up_beans", "coin_top"])
def test_whatever_the_view_of_a_duel_holds_shows(name):
    rules = CASES["duel"]
    before = observe(rules, full_view(rules))
    for place in places(rules, name):
        view = full_view(rules)
        view[name][(0, *place)] += 1
        assert not np.array_equal(observe(rules, view), before), place


@pytest.mark.parametrize("name", ["settled_offer", "settled_request", "settled_answers"])
def test_short_form_of_settled_swaps_tells_all(name):
    """R35: a side is one card or none, and the one recipient answers."""
    rules = CASES["compact4"]
    values = range(1, 3) if name == "settled_answers" else range(len(rules.beans))
    seen = set()
    for row in range(rules.settled_positions):
        for value in values:
            view = full_view(rules)
            view["settled_recipient"][:] = 1
            place = (0, row, 1) if name == "settled_answers" else (0, row, value)
            view[name][place] = value if name == "settled_answers" else 1
            seen.add(observe(rules, view).tobytes())
    assert len(seen) == rules.settled_positions * len(values)


def test_hidden_cards_never_show(rules):
    """Other hands, the deck's order, the generator and others' drafts may be anything (R6)."""
    rng = np.random.default_rng(1)
    layout = ObservationLayout.of(rules)
    before, after = (np.empty(layout.size, np.int16) for _ in range(2))
    for game in sampled(rules, 20):
        for seat in range(rules.players):
            state = game.state.copy()
            record = state[0]
            record.seed = 12345
            record.generator[:] = 7
            record.deck[: record.deck_size] = rng.integers(0, 3, record.deck_size)
            for other in set(range(rules.players)) - {seat}:
                size = record.hand_size[other]
                record.hand[other, :size] = rng.integers(0, 3, size)
                record.hand_beans[other, :] = np.bincount(record.hand[other, :size], minlength=12)
                record.pending_answers[other] = 1
            if record.to_act != seat:
                record.draft_offer[:] = 1
                record.draft_recipient = 0
                record.give_bean, record.give_taken, record.give_from = 1, 1, 1
            side = 1 if record.proposer == seat else 0  # the other one's copies
            record.chosen_hand[side, :] = 1
            observe_into(rules, game.state, seat, before)
            observe_into(rules, state, seat, after)
            assert np.array_equal(before, after), (game, seat)


def test_random_games_meet_all_decisions():
    """The tests above see every decision of trading and of duels."""
    seen = {int(s["decision"][0]) for key in CASES for s in played(CASES[key])}
    assert seen == {int(d) for d in Decision}


def test_a_view_that_does_not_fit_is_refused():
    rules = CASES["compact4"]
    few = Rules.of("amigo", 4, protocol="compact", active_proposals=1, other_proposals=0)
    view = full_view(rules)
    assert len(observe(rules, view)) == ObservationLayout.of(rules).size
    with pytest.raises(ValueError, match="other rules"):
        observe(few, view)
    view["seat"] = 3
    with pytest.raises(ValueError, match="other rules"):
        observe(CASES["amigo3"], view)
    duel = full_view(CASES["duel"])
    with pytest.raises(ValueError, match="other rules"):
        observe(Rules.of("duel", 2, beans={"red": 8, "blue": 20}), duel)
    for wrong in (view[:0], np.zeros(2, VIEW_DTYPE), Game(rules, 1).state):
        with pytest.raises(ValueError, match="bytes"):
            observe(rules, wrong)
