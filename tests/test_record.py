"""Records: the events are those of the reference model, and a damaged file is one clear error."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reference import ReferenceGame

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator, shuffle
from bohnanza_env.engine.rules import Rules
from bohnanza_env.record import Recorder, RecordError, read_records, replay, replay_text

TABLES = [(edition, n) for edition, (numbers, _) in EDITIONS.items() for n in numbers]
# With each protocol; a duel has no trading, so it has only one.
GAMES = [
    (edition, n, protocol)
    for edition, n in TABLES
    for protocol in ("staged", "compact")
    if protocol == "staged" or not edition.startswith("duel")
]


def rules_of(edition: str, players: int, protocol: str = "staged", **overrides: Any) -> Rules:
    return Rules.of(edition, players, protocol=protocol, **overrides)


def random_action(game: Game, rng: np.random.Generator) -> int:
    legal = game.legal_actions()
    return int(legal[rng.integers(len(legal))])


def recorded(rules: Rules, seed: int = 1, start: int = 0) -> Recorder:
    game = Game(rules, seed, start, log=True)
    recorder = Recorder(game)
    rng = np.random.default_rng(seed)
    while not game.over:
        game.step(random_action(game, rng))
        recorder.note()
    return recorder


def engine_shuffle(rules: Rules, seed: int) -> Callable[[int, list[str]], list[str]]:
    """The engine's shuffle k, as the reference model calls it."""

    def shuffled(number: int, cards: list[str]) -> list[str]:
        beans = np.array([rules.bean_names.index(name) for name in cards], np.int8)
        shuffle(new_generator(seed, number), beans, len(beans))
        return [rules.bean_names[bean] for bean in beans[::-1].tolist()]

    return shuffled


def without_order_in_offers(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A duel's cards left lie in no order."""
    return [
        {**event, "beans": sorted(event["beans"])} if event["type"] == "offer" else event
        for event in events
    ]


# Against the reference model -----------------------------------------------------------------


@pytest.mark.parametrize(("edition", "players", "protocol"), GAMES)
def test_the_events_are_those_of_the_reference(edition, players, protocol):
    compare_with_reference(rules_of(edition, players, protocol), seed=players, start=players - 1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "rules",
    [
        Rules.of("mini", 3, trading=False, draw=["everyone", 2]),
        Rules.of("mini", 2, window="always", final_exhaustion=4),
        Rules.of("mini", 3, first_hands=[0, 3, 1], reveal=4, harvest="when_needed"),
        Rules.of(
            "mini_exact",
            2,
            fields=2,
            draw=["active", 4],
            final_exhaustion=5,
            window="always",
            harvest="any_time",
        ),
    ],
    ids=["no trading", "four exhaustions", "first hands of none", "short deck"],
)
def test_small_games_with_many_reshuffles(rules, seed):
    compare_with_reference(rules, seed, start=seed % 2)


def compare_with_reference(rules: Rules, seed: int, start: int) -> None:
    game = Game(rules, seed, start, log=True)
    reference = ReferenceGame(rules.to_dict(), engine_shuffle(rules, seed), start)
    recorder = Recorder(game)
    space = ActionSpace.of(rules)
    rng = np.random.default_rng(seed)
    done = 0
    while True:
        found = without_order_in_offers(recorder.events[done:])
        assert found == without_order_in_offers(reference.events[done:])
        done = len(recorder.events)
        if game.over:
            break
        action = random_action(game, rng)
        reference.apply(space.text(action, game.to_act))
        game.step(action)
        recorder.note()
    assert reference.over
    assert recorder.header["deck"][: sum(rules.hands)] == [
        bean for event in recorder.events[: rules.players] for bean in event["beans"]
    ]


# Writing -------------------------------------------------------------------------------------


def test_the_header():
    rules = rules_of("amigo", 4)
    recorder = Recorder(Game(rules, seed=7, start=2, log=True), ["a", "b", "c", "d"])
    deck = recorder.header.pop("deck")
    assert recorder.header == {
        "format": "bohnanza-record/1",
        "rules": rules.to_dict(),
        "seed": 7,
        "start": 2,
        "players": ["a", "b", "c", "d"],
    }
    assert {bean: deck.count(bean) for bean in rules.beans} == rules.beans
    assert [event["type"] for event in recorder.events] == ["deal"] * 4 + ["turn"]
    assert [event["player"] for event in recorder.events] == [2, 3, 0, 1, 2]


def test_a_recorder_wants_a_fresh_game_with_a_log():
    rules = rules_of("mini", 2)
    with pytest.raises(ValueError, match="no log"):
        Recorder(Game(rules))
    with pytest.raises(ValueError, match="2 names"):
        Recorder(Game(rules, log=True), ["only one"])
    game = Game(rules, log=True)
    game.step(int(game.legal_actions()[0]))
    with pytest.raises(ValueError, match="gone on"):
        Recorder(game)


def test_a_step_left_out_is_noticed():
    game = Game(rules_of("mini", 2), log=True)
    recorder = Recorder(game)
    game.step(int(game.legal_actions()[0]))
    game.step(int(game.legal_actions()[0]))
    with pytest.raises(ValueError, match="once after every step"):
        recorder.note()


def test_note_returns_the_events_of_the_step():
    game = Game(rules_of("mini", 2), log=True)
    recorder = Recorder(game)
    game.step(int(game.legal_actions()[0]))
    (event,) = recorder.note()
    assert event["type"] == "plant"
    assert list(event) == ["type", "player", "bean", "field", "from"]


# Reading -------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    games = [recorded(rules_of("mini", 3), seed) for seed in (1, 2)]
    path.write_text("".join(game.text() for game in games), encoding="utf-8")
    return path


def test_what_was_written_is_read(tmp_path):
    path = tmp_path / "games.jsonl"
    games = [recorded(rules_of(e, n), 5) for e, n in (("field_beans", 4), ("duel", 2), ("mini", 3))]
    path.write_text("\n".join(game.text() for game in games), encoding="utf-8")
    records = list(read_records(path))
    assert len(records) == 3
    for game, record in zip(games, records, strict=True):
        assert record.rules.to_dict() == game.header["rules"]
        assert record.seed == 5
        assert record.deck == game.header["deck"]
        assert record.events == game.events
        assert record.scores == game.game.scores
        assert record.winners == game.game.winners


@pytest.mark.parametrize(
    ("edition", "players"), [("rio_grande", 5), ("field_beans", 5), ("duel", 2)]
)
def test_the_table_is_rebuilt_from_the_events_alone(edition, players, tmp_path):
    path = tmp_path / "game.jsonl"
    recorder = recorded(rules_of(edition, players), seed=4)
    path.write_text(recorder.text(), encoding="utf-8")
    (record,) = read_records(path)
    *_, (event, table) = replay(record)
    state = recorder.game.state[0]
    names = record.rules.bean_names
    assert event["type"] == "end"
    assert table.scores == recorder.game.scores
    assert table.winners == recorder.game.winners
    for seat, player in enumerate(table.seats):
        assert player.hand == [names[b] for b in state["hand"][seat, : state["hand_size"][seat]]]
        assert player.coins == [names[b] for b in state["coin_stack"][seat, : state["coins"][seat]]]
    assert table.discard == [names[b] for b in state["discard"][: state["discard_size"]]]


def test_a_game_as_text(file):
    record = next(read_records(file))
    public = list(replay_text(record))
    own = list(replay_text(record, 1))
    everything = list(replay_text(record, open_hands=True))
    assert len(public) == len(own) == len(everything)
    assert public[0] == "mini, 3 players, staged, seed 1"
    dealt = record.events[1]
    assert dealt["player"] == 1
    assert "  1 player 1 is dealt 2 cards" in public
    hidden = [line for line in own if "is dealt" in line or " draws " in line]
    for line in hidden:
        seen = any(bean in line for bean in record.rules.beans)
        assert seen == (line.startswith("  1 ") and "nothing" not in line), line
    assert not any("cards" in line for line in everything if "is dealt" in line)
    assert public[-1].startswith("  end: ")


def error_of(path: Path) -> str:
    with pytest.raises(RecordError) as caught:
        list(read_records(path))
    message = str(caught.value)
    assert message.startswith(f"{path}:")
    assert "\n" not in message
    return message[len(f"{path}:") :]


def test_a_truncated_file(file):
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    file.write_text(text[:-9], encoding="utf-8")
    games = read_records(file)
    assert next(games).seed == 1
    with pytest.raises(RecordError, match="the last line is cut off"):
        next(games)
    assert error_of(file).startswith(f"{len(lines)}: no JSON")
    file.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")
    assert "the file ends within the game that begins at line" in error_of(file)
    file.write_text("\n".join(lines[:3] + lines[:1]), encoding="utf-8")
    assert error_of(file) == "4: the game that begins at line 1 has no end"
    file.write_text("", encoding="utf-8")
    assert list(read_records(file)) == []


@pytest.mark.parametrize(
    ("line", "change", "message"),
    [
        (0, {"format": "bohnanza-record/2"}, "1: format: expected 'bohnanza-record/1'"),
        (0, {"rules": {"edition": "chess"}}, "1: rules.players: missing"),
        (0, {"deck": ["soy"]}, "1: deck: not the cards of these rules"),
        (0, {"seed": "1"}, "1: seed: expected a whole number"),
        (0, {"players": ["a"]}, "1: players: expected 3 names"),
        (0, {"date": "today"}, "1: date: unknown key"),
        (1, {"player": 1}, "2: impossible deal: player 0 is dealt cards now"),
        (1, {"player": 9}, "2: player: expected a whole number 0–2"),
        (1, {"type": "gift"}, "2: type: expected one of deal"),
        (1, {"type": ["deal"]}, "2: type: expected one of deal"),
        (1, {"beans": ["blue"]}, "2: beans[0]: expected a bean of these rules"),
        (4, {"player": 2}, "5: impossible turn: it is the turn of player 0"),
        (5, {"field": 1.5}, "6: field: expected a whole number"),
        (5, {"more": 1}, "6: more: unknown key"),
        (5, {"from": "face_up"}, "6: impossible plant: no"),
        (-1, {"scores": [1, 2, 12]}, "impossible end: the scores are"),
        (-1, {"winners": []}, "impossible end: by R23"),
    ],
)
def test_what_is_wrong_with_a_line(file, line, change, message):
    lines = file.read_text(encoding="utf-8").splitlines()
    lines[line] = json.dumps({**json.loads(lines[line]), **change})
    file.write_text("\n".join(lines), encoding="utf-8")
    assert message in error_of(file)


@given(st.data())
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
def test_damaged_records_are_one_clear_error(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    lines = GAME.splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    kind = data.draw(st.sampled_from(["cut", "value", "drop", "twice", "swap", "byte"]))
    if kind == "cut":
        text = GAME[: data.draw(st.integers(1, len(GAME) - 2))]
    else:
        if kind == "value":
            entry = json.loads(lines[place])
            key = data.draw(st.sampled_from(sorted(entry)))
            entry[key] = data.draw(
                st.none() | st.integers(-2, 99) | st.sampled_from([[], {}, "soy", [[0, 0]], True])
            )
            lines[place] = json.dumps(entry)
        elif kind == "drop":
            del lines[place]
        elif kind == "twice":
            lines.insert(place, lines[place])
        elif kind == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines[place] = lines[place].replace('"', "\x00", 1)
        text = "\n".join(lines) + "\n"
    path.write_text(text, encoding="utf-8")
    try:
        games = list(read_records(path))
    except RecordError as error:
        assert str(error).startswith(f"{path}:")  # noqa: PT017 - most damage, not all, is seen
        return
    for game in games:
        assert list(replay_text(game))


GAME = recorded(rules_of("mini", 2), seed=3).text()
