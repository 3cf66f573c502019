"""What is made beside and from the flat observation: words, tokens, features; uncompiled runs."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from observation_cases import CASES, played, sampled

from bohnanza_env.engine.decisions import Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import TABLE
from bohnanza_env.observation import ObservationLayout, Scaler, TokenLayout, observe
from bohnanza_env.observation.scaler import LEADING, SCALES
from bohnanza_env.view import view_of


@pytest.fixture(params=CASES, name="rules")
def _rules(request):
    return CASES[request.param]


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


def test_numbers_that_are_always_0_do_no_harm():
    rules = Rules.of("mini", 3, active_proposals=0, other_proposals=0)
    assert (ObservationLayout.of(rules).piece("proposals_left").high == 0).all()
    features = Scaler.of(rules)(observe(rules, view_of(Game(rules, 1), 0)))
    assert np.isfinite(features).all()


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
    program = "import test_observation_forms; print(test_observation_forms.digest())"
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
