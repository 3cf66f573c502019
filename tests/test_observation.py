"""Observations: pieces, kernel, bounds, what they hold and what they must not, tokens, scaler."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from bohnanza_env.engine.cards import bean
from bohnanza_env.engine.decisions import Decision, Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import TABLE
from bohnanza_env.observation import (
    ObservationLayout,
    Scaler,
    TokenLayout,
    largest_turn,
    observe,
    observe_kernel,
)
from bohnanza_env.observation.scaler import LEADING, SCALES
from bohnanza_env.view import VIEW_DTYPE, view_of

CASES = {
    "amigo3": Rules.of("amigo", 3),
    "amigo4": Rules.of("amigo", 4),
    "amigo5": Rules.of("amigo", 5),
    "compact4": Rules.of("amigo", 4, protocol="compact"),
    "classic4": Rules.of("classic", 4),
    "field_beans4": Rules.of("field_beans", 4),
    "rio6": Rules.of("rio_grande", 6),
    "duel": Rules.of("duel", 2),
    "duel3": Rules.of("duel_three_fields", 2),
    "silent": Rules.of("amigo", 3, trading=False, window="off"),
    "limited": Rules.of("amigo", 3, trade_limit=2, window="always"),
}


@pytest.fixture(params=CASES, name="rules")
def _rules(request):
    return CASES[request.param]


@cache
def played(rules: Rules, seed: int = 5) -> tuple[np.ndarray, ...]:
    """The records of a game of random legal play, its end included."""
    game, rng = Game(rules, seed, start=seed % rules.players), np.random.default_rng(seed)
    states = [game.state.copy()]
    while not game.over:
        game.step(int(rng.choice(game.legal_actions())))
        states.append(game.state.copy())
    return tuple(states)


def sampled(rules: Rules, most: int = 60) -> list[Game]:
    """Positions of that game: some of every decision that occurs, and the end."""
    by_decision: dict[int, list[np.ndarray]] = {}
    for state in played(rules):
        by_decision.setdefault(int(state["decision"][0]), []).append(state)
    share = max(4, most // len(by_decision))
    return [
        Game.from_state(rules, state)
        for states in by_decision.values()
        for state in states[:: max(1, len(states) // share)]
    ]


def observe_into(rules: Rules, state: np.ndarray, seat: int, out: np.ndarray) -> int:
    view = np.zeros(1, VIEW_DTYPE)
    return observe_kernel(
        rules_array(rules).view(np.uint8), state.view(np.uint8), view.view(np.uint8), seat, out
    )


# --- The pieces, built a second time ---------------------------------------------------------


def expected(rules: Rules, view) -> dict[str, np.ndarray]:
    """All pieces of a view record by plain NumPy, without the kernel."""
    seats, beans, me = rules.players, len(rules.beans), int(view.seat)
    slots, names = rules.field_positions, rules.bean_names

    def code(seat) -> int:
        seat = int(seat)
        return 0 if seat < 0 else seats + 1 if seat == TABLE else (seat - me) % seats + 1

    def by_seat(values):
        return np.roll(np.asarray(values)[:seats], -me, axis=0)

    def padded(values, size):
        return np.array([*values, *[0] * (size - len(values))])

    final = view.stopped or view.exhaustions >= rules.final_exhaustion
    parts = {
        "decision": view.decision, "decider": code(view.to_act), "active": code(view.active),
        "start": code(view.start), "turn": view.turn, "exhaustions": view.exhaustions,
        "stopped": view.stopped, "phase_four": int(not final), "planted": view.planted,
        "deck_size": view.deck_size, "discard_size": view.discard_size,
        "last_asked": code((view.active + view.asked) % seats),
        "hand": padded(view.hand[: view.hand_size[me]] + 1, rules.hand_positions),
        "hand_beans": np.bincount(view.hand[: view.hand_size[me]], minlength=beans),
    }  # fmt: skip
    for name in "hand_size coins drawn_since winners field_gained passed proposals_left".split():
        parts[name] = by_seat(view[name])
    for name in "coin_beans set_aside known".split():
        parts[name] = by_seat(view[name])[:, :beans]
    for name in (
        "discard_beans deck_at_shuffle turned_up face_up_beans duel_offer removed offer request "
        "draft_offer draft_request"
    ).split():
        parts[name] = np.asarray(view[name])[:beans]
    parts["coin_top"] = by_seat(view.coin_top)[:, : rules.field_price][:, ::-1] + 1
    parts["face_up"] = padded(view.face_up[: view.face_up_size] + 1, rules.reveal)
    parts["discard"] = padded((view.discard[: view.discard_size] + 1)[::-1], rules.deck_size)

    bean_of = by_seat(view.field_bean)[:, :slots]
    counts = by_seat(view.field_count)[:, :slots]
    parts["field_count"] = counts
    parts["field_bean"] = np.where(counts > 0, bean_of + 1, 0)
    fields = {name: np.zeros((seats, slots)) for name in "coins next missing kept".split()}
    for place in np.argwhere(counts > 0):
        at, count = tuple(place), int(counts[tuple(place)])
        kind = bean(names[bean_of[at]])
        better = [(need, c) for c, need in enumerate(kind.beanometer, 1) if need > count]
        fields["coins"][at] = kind.coins(count)
        if better:
            fields["next"][at], fields["missing"][at] = better[0][1], better[0][0] - count
        fields["kept"][at] = count == 1 and counts[at[0]].max() > 1
    parts |= {"field_coins": fields["coins"], "next_coins": fields["next"]}
    parts |= {"next_missing": fields["missing"], "protected": fields["kept"]}
    planted = [int(counts[bean_of == b].sum()) for b in range(beans)]
    seen = np.array(planted) + parts["hand_beans"]
    for name in "discard_beans face_up_beans duel_offer removed".split():
        seen = seen + parts[name]
    seen = seen + (parts["coin_beans"] + parts["set_aside"]).sum(0)
    parts["unseen"] = np.array(list(rules.beans.values())) - seen

    for name in (
        "round_held round_open round_submitted pass_blocked standing countering own_answer "
        "give_taken give_from settled_count"
    ).split():
        parts[name] = view[name]
    for name in "proposer recipient partner draft_recipient".split():
        parts[name] = code(view[name])
    parts["answers"] = by_seat(view.answers)
    parts["give_bean"] = view.give_bean + 1
    parts["chosen_hand"] = view.chosen_hand[: rules.hand_positions]
    parts["chosen_face_up"] = view.chosen_face_up[: rules.reveal]
    parts |= expected_settled(rules, view, code, by_seat)
    return {name: np.asarray(part) for name, part in parts.items()}


def expected_settled(rules: Rules, view, code, by_seat) -> dict[str, np.ndarray]:
    rows, beans, count = rules.settled_positions, len(rules.beans), int(view.settled_count)
    newest_first = list(reversed(range(count)))
    parts = {
        "settled_since": count - view.settled_fresh,
        "settled_proposer": np.zeros(rows),
        "settled_recipient": np.zeros(rows),
        "settled_partner": np.zeros(rows),
        "settled_counter": np.zeros(rows),
        "settled_answers": np.zeros((rows, rules.players)),
        "settled_offer": np.zeros((rows, beans)),
        "settled_request": np.zeros((rows, beans)),
        "settled_give": np.zeros(rows),
        "settled_get": np.zeros(rows),
        "settled_answer": np.zeros(rows),
    }
    for i, row in enumerate(newest_first):
        for name in ("settled_proposer", "settled_recipient", "settled_partner"):
            parts[name][i] = code(view[name][row])
        parts["settled_counter"][i] = view.settled_counter[row]
        parts["settled_answers"][i] = by_seat(view.settled_answers[row])
        for name, short in (("settled_offer", "settled_give"), ("settled_request", "settled_get")):
            side = np.asarray(view[name][row])[:beans]
            parts[name][i] = side
            parts[short][i] = side.argmax() + 1 if side.any() else 0
        parts["settled_answer"][i] = max(view.settled_answers[row])
    return parts


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


# --- Words -----------------------------------------------------------------------------------


def test_description_tells_what_a_player_asks():
    rules = Rules.of("amigo", 4)
    view = view_of(Game(rules, 1), 0)
    record = view[0]
    record.field_bean[2, :2], record.field_count[2, :2] = (0, 6), (5, 1)
    record.coins[2], record.standing, record.proposer, record.recipient = 3, 1, 2, 0
    record.offer[6], record.request[0] = 1, 2
    text = ObservationLayout.of(rules).describe(observe(rules, view))
    for words in (
        "decision: plant",
        "decider: you",
        "coins: you 0, +1 0, +2 3, +3 0",
        "+2: blue x5 (1 coins now, 2 with 1 more); red x1 (0 coins now, 1 with 1 more, protected)",
        "proposer: +2",
        "recipient: you",
        "offer: red 1",
        "request: blue 2",
        "phase four: yes",
        "deck size: 84",
    ):
        assert words in text
    front = rules.bean_names[int(record.hand[0])]
    assert f"hand: {front}, " in text


@pytest.mark.parametrize("key", ["classic4", "compact4", "duel"])
def test_description_leaves_nothing_out(key):
    rules = CASES[key]
    layout = ObservationLayout.of(rules)
    game = Game.from_state(rules, played(rules)[40])
    vector = observe(rules, view_of(game, 0))
    text = layout.describe(vector)
    for column in range(layout.size):
        other = vector.copy()
        other[column] += 1 if other[column] < layout.high[column] else -1
        assert layout.describe(other) != text, column


# --- Tokens ----------------------------------------------------------------------------------


def test_tokens_are_the_last_events_with_relative_players(rules):
    layout = TokenLayout.of(rules)
    columns = [c.name for c in layout.columns]
    for game in sampled(rules, 15):
        for seat in (0, rules.players - 1):
            view = view_of(game, seat)
            tokens = layout.tokens(view)
            assert layout.space.contains(tokens)
            count = int(view["event_count"][0])
            shown = min(count, EVENT_CAPACITY)
            assert (tokens[shown:] == 0).all()
            for row in range(shown):
                event = view["events"][0][(count - shown + row) % EVENT_CAPACITY].tolist()
                token = dict(zip(columns, tokens[row].tolist(), strict=True))
                assert token == expected_token(rules, seat, *event)


def expected_token(rules, me, kind, seat, other, number, amount, detail) -> dict[str, int]:
    def code(player):
        if player == TABLE:
            return rules.players + 1
        return 0 if player < 0 else (player - me) % rules.players + 1

    about_fields = kind in (Event.PLANT, Event.HARVEST)
    gained = kind == Event.HARVEST and other == -2
    counted = kind in (Event.RESHUFFLE, Event.END)
    return {
        "kind": kind + 1,
        "player": code(seat),
        "other": 0 if about_fields else code(other),
        "bean": number + 1,
        "amount": max(amount, 0),
        "field": detail + 1 if about_fields else 0,
        "source": other + 1 if kind == Event.PLANT else 0,
        "coins": other if kind == Event.HARVEST and not gained else 0,
        "field_gained": int(gained),
        "answer": detail if kind == Event.ANSWER else 0,
        "exhaustions": detail if counted else 0,
    }


# --- Scaler ----------------------------------------------------------------------------------


def test_scaler_by_hand():
    rules = Rules.of("amigo", 4)
    layout, scaler = ObservationLayout.of(rules), Scaler.of(rules)
    vector = np.zeros(layout.size, np.int16)
    parts = layout.split(vector)
    parts["coins"][1] = 15
    parts["turn"][...] = 31
    parts["decider"][...] = 3
    parts["hand"][:12] = 2
    parts["face_up"][1] = 8
    features = dict(zip(scaler.names(), scaler(vector).tolist(), strict=True))
    assert features["coins[+1]"] == pytest.approx(15 / 20)
    assert features["turn"] == pytest.approx(31 / 62)
    assert features["decision=plant"] == 1.0
    assert (features["decider=you"], features["decider=+2"]) == (0.0, 1.0)
    assert features["hand[9]=chili"] == 1.0
    assert "hand[10]=chili" not in features
    assert features["face_up[1]=garden"] == 1.0
    assert sum(features.values()) == pytest.approx(0.75 + 0.5 + 1 + 1 + 10 + 1)


def test_scaler_takes_batches_and_stays_small(rules):
    layout, scaler = ObservationLayout.of(rules), Scaler.of(rules)
    states = played(rules)[::40]
    vectors = np.stack([observe(rules, view_of(Game.from_state(rules, s), 1)) for s in states])
    features = scaler(vectors)
    assert features.shape == (len(states), scaler.size)
    assert features.dtype == np.float32
    assert np.array_equal(scaler(vectors[3]), features[3])
    assert features.min() >= 0
    assert len(set(scaler.names())) == scaler.size < 1300
    with pytest.raises(ValueError, match="expected"):
        scaler(vectors[:, 1:])
    # The four arrays say the same in the words of any other framework.
    numbers = vectors[:, scaler.numeric_columns] * scaler.numeric_scale
    hits = vectors[:, scaler.category_columns] == scaler.category_values
    assert np.array_equal(np.concatenate([numbers, hits], 1).astype(np.float32), features)
    for column, first, values, at in scaler.categories:
        block = features[:, at : at + values]
        assert np.array_equal(block.sum(1), vectors[:, column] >= first)
        used = vectors[:, column] >= first
        assert np.array_equal(block.argmax(1)[used] + first, vectors[used, column])
    left_out = set(range(layout.size)) - {*scaler.numeric_columns, *scaler.category_columns}
    assert left_out <= {
        c for p in layout.pieces if p.name in LEADING for c in range(p.start, p.stop)
    }


def test_scaler_tables_name_pieces_that_exist():
    names = {p.name for r in CASES.values() for p in ObservationLayout.of(r).pieces}
    assert {*SCALES, *LEADING} <= names


# --- Compiled or not -------------------------------------------------------------------------


def digest() -> str:
    """A fingerprint of all observations and tokens of short games."""
    found = hashlib.sha256()
    for rules in (Rules.of("mini", 2), Rules.of("mini", 3, protocol="compact", field_price=2)):
        game, rng = Game(rules, 9), np.random.default_rng(9)
        for _ in range(80):
            if game.over:
                break
            for seat in range(rules.players):
                view = view_of(game, seat)
                found.update(observe(rules, view).tobytes())
                found.update(TokenLayout.of(rules).tokens(view).tobytes())
            game.step(int(rng.choice(game.legal_actions())))
    return found.hexdigest()


def test_uncompiled_code_gives_the_same_numbers():
    program = "import test_observation; print(test_observation.digest())"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parent,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == digest()
