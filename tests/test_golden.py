"""Whole games of every edition and protocol play as they always have (see tests/golden/README.md).

Changed on purpose? ``make golden`` writes the files anew; the commit says why each change is right.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import zip_longest

import numpy as np
import pytest
from golden import digest
from golden.digest import view_digest
from golden.playthrough import (
    FOLDER,
    HOW,
    chosen_games,
    lines_of,
    recorded_actions,
    recorded_chooser,
    recorded_counts,
    wanted,
    weighted_chooser,
)
from golden.regenerate import report

from bohnanza_env.engine.decisions import Answer, Decision, Event
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import SETTLED_CAPACITY
from bohnanza_env.view import VIEW_DTYPE

GAMES = chosen_games()
LARGEST_FILE, LARGEST_FOLDER = 200_000, 1_500_000  # bytes


def file_lines(name: str) -> list[str]:
    return (FOLDER / name).read_text().splitlines()


def first_difference(name: str, wanted_lines: list[str], lines: list[str]) -> str:
    """Empty if there is none; else where, what was expected, what came, and the lines before."""
    pairs = zip_longest(wanted_lines, lines)
    for number, (wanted_line, line) in enumerate(pairs):
        if wanted_line != line:
            before = "\n".join(f"          {text}" for text in lines[max(0, number - 3) : number])
            return (
                f"tests/golden/{name}, line {number + 1}:\n{before}\n"
                f"expected: {wanted_line}\ngot:      {line}\n"
                "If this is right, run `make golden` and say in the commit why."
            )
    return ""


@pytest.mark.parametrize("name", GAMES)
def test_game_plays_as_recorded(name: str):
    """The recorded actions, not the random play, so that the first difference is the cause."""
    recorded = file_lines(name)
    rules, seed, start = GAMES[name]
    played = list(lines_of(rules, seed, start, recorded_chooser(recorded_actions(recorded))))
    difference = first_difference(name, recorded, played)
    assert not difference, difference


def test_recorded_games_can_be_made_again():
    """The random play that the headers describe still makes these very files."""
    for name in ("mini-2-staged.txt", "mini-3-compact.txt", "duel-2-staged.txt"):
        rules, seed, start = GAMES[name]
        assert list(lines_of(rules, seed, start, weighted_chooser(seed))) == file_lines(name)
        assert f"chosen {HOW}" in file_lines(name)[:6]


def test_every_edition_and_protocol_has_a_file():
    found = set()
    for path in FOLDER.glob("*.txt"):
        assert path.name in GAMES, f"{path.name} belongs to no game"
        rules = json.loads(path.read_text().split("\n")[0].removeprefix("rules "))
        found.add((rules["edition"], rules["protocol"]))
    assert found == wanted()
    assert {rules.players for rules, _, _ in GAMES.values()} == set(range(2, 8))


def test_files_stay_small():
    sizes = {path.name: path.stat().st_size for path in FOLDER.glob("*.txt")}
    assert max(sizes.values()) <= LARGEST_FILE, sizes
    assert sum(sizes.values()) <= LARGEST_FOLDER, sizes


def test_files_show_every_decision_and_event():
    decisions: Counter[str] = Counter()
    events: Counter[str] = Counter()
    for name in GAMES:
        decisions.update(recorded_counts(file_lines(name), "decisions"))
        events.update(recorded_counts(file_lines(name), "events"))
    assert set(decisions) == {d.text for d in Decision if d != Decision.OVER}
    names = {event.name.lower() for event in Event if event != Event.ANSWER}
    answers = {f"answer {a.text}" for a in Answer if a != Answer.NONE}
    assert set(events) == names | answers | {"harvest for a field"}


def test_first_difference_says_where():
    lines = file_lines("mini-2-staged.txt")
    changed = [*lines[:20], lines[20].replace(">", "> never"), *lines[21:]]
    text = first_difference("mini-2-staged.txt", lines, changed)
    assert "line 21:" in text
    assert lines[20] in text
    assert "> never" in text
    assert "line 4:" in first_difference("x", lines[:3], lines[:4])
    assert not first_difference("x", lines, lines)


def test_illegal_recorded_action_stops_the_replay_there():
    rules, seed, start = GAMES["mini-2-staged.txt"]
    actions = recorded_actions(file_lines("mini-2-staged.txt"))
    played = list(lines_of(rules, seed, start, recorded_chooser([*actions[:5], "pass pass"])))
    assert played[-1].startswith("5 ")
    assert "> None;" in played[-1]


def test_report_counts_lines(capsys: pytest.CaptureFixture[str]):
    report("a.txt", ["1", "2", "3"], ["1", "x", "y", "3"])
    assert capsys.readouterr().out.startswith("a.txt: 2 lines added, 1 removed\n")


# The digest of a view


def test_digest_knows_how_far_each_array_of_a_view_is_used():
    """A new field of the view must say so in ``golden.digest.AXES`` (and changes all digests)."""
    arrays = {name for name in VIEW_DTYPE.names if VIEW_DTYPE[name].shape}
    assert arrays - {"events"} == set(digest.AXES)


def test_digest_covers_each_field_and_nothing_unused(monkeypatch: pytest.MonkeyPatch):
    game = Game(Rules.of("mini", 2), 3)
    plain = view_digest(game, 0)
    view = digest.view_of(game, 0)

    def digest_with(name: str, place: tuple[int, ...], value: int) -> str:
        changed = view.copy()
        changed[name][(0, *place)] = value
        monkeypatch.setattr(digest, "view_of", lambda game, seat: changed)
        return view_digest(game, 0)

    assert digest_with("turn", (), int(view["turn"][0])) == plain
    assert digest_with("deck_size", (), 5) != plain
    assert digest_with("hand", (0,), 11) != plain
    assert digest_with("known", (1, 2), 1) != plain
    assert digest_with("events", (0, 5), 9) != plain
    # Behind what two players, three beans and two fields use:
    assert digest_with("known", (2, 0), 1) == plain
    assert digest_with("known", (0, 3), 1) == plain
    assert digest_with("field_count", (0, 2), 1) == plain
    assert digest_with("hand", (int(view["hand_size"][0, 0]),), 1) == plain
    assert digest_with("settled_offer", (SETTLED_CAPACITY - 1, 0), 1) == plain


def test_digest_does_not_depend_on_the_layout(monkeypatch: pytest.MonkeyPatch):
    game = Game(Rules.of("amigo", 4), 3)
    plain = view_digest(game, 2)
    view = digest.view_of(game, 2)
    fields = [(name, "<i8", VIEW_DTYPE[name].shape) for name in reversed(VIEW_DTYPE.names)]
    other = np.zeros(1, fields)
    for name in VIEW_DTYPE.names:
        other[name] = view[name]
    monkeypatch.setattr(digest, "view_of", lambda game, seat: other)
    assert view_digest(game, 2) == plain
