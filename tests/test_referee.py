"""The referee faults every rule that a record can show broken, and no game of the engine."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from referee import Verdict, check_record
from referee.breaks import BREAKS, STILL_CLEAN, TERMS
from referee.games import GAMES, header, record

from bohnanza_env.bots import BotTable
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.record import Recorder


def judged(lines: list[str]) -> Verdict:
    (verdict,) = check_record(lines)
    return verdict


def lines_of(name: str) -> list[str]:
    return GAMES[name][2].strip().splitlines()


def replaced(name: str, old: str, new: str) -> str:
    """The events of a game with a run of them (``; `` between) replaced where it first occurs."""
    events = [line.strip() for line in lines_of(name)]
    run = old.split("; ")
    at = next(n for n in range(len(events)) if events[n : n + len(run)] == run)
    events[at : at + len(run)] = new.split("; ") if new else []
    return "\n".join(events)


def rules_named(verdict: Verdict) -> set[str]:
    """The rules that the first fault names."""
    return set(verdict.faults[0].split(": ")[1].split("/")) if verdict.faults else set()


# Games written by hand


@pytest.mark.parametrize("name", GAMES)
def test_hand_written_games_are_clean(name: str) -> None:
    assert judged(record(header(name), GAMES[name][2])) == Verdict(1, [])


@pytest.mark.parametrize(("name", "rule", "old", "new"), BREAKS)
def test_a_broken_rule_is_named(name: str, rule: str, old: str, new: str) -> None:
    verdict = judged(record(header(name), replaced(name, old, new)))
    assert rule in rules_named(verdict), verdict.faults


@pytest.mark.parametrize(("name", "rule", "changed"), TERMS)
def test_a_game_that_does_not_keep_to_its_header(
    name: str, rule: str, changed: dict[str, Any]
) -> None:
    top = header(name)
    for key, value in changed.items():
        (top if key in ("start", "deck") else top["rules"])[key] = value
    verdict = judged(record(top, GAMES[name][2]))
    assert rule in rules_named(verdict), verdict.faults


@pytest.mark.parametrize(("name", "changed", "old", "new"), STILL_CLEAN)
def test_what_the_rules_allow_is_no_fault(
    name: str, changed: dict[str, Any], old: str, new: str
) -> None:
    top = header(name)
    top["rules"].update(changed)
    assert judged(record(top, replaced(name, old, new))).clean


@pytest.mark.parametrize("name", GAMES)
def test_no_event_can_be_left_out_doubled_or_given_to_another_seat(name: str) -> None:
    top, text = header(name), GAMES[name][2]
    lines = record(top, text)
    for at in range(1, len(lines)):
        data = json.loads(lines[at])
        if data["type"] == "withdraw":  # shows nothing but that a proposal was used up
            continue
        changes = [[], [lines[at], lines[at]]]
        if "player" in data:
            other = (data["player"] + 1) % top["rules"]["players"]
            changes.append([json.dumps({**data, "player": other})])
        for change in changes:
            assert not judged(lines[:at] + change + lines[at + 1 :]).clean, (lines[at], change)


# Texts that are no records


def test_several_games_and_their_lines(tmp_path: Path) -> None:
    games = [record(header(name), GAMES[name][2]) for name in ("compact", "dry", "duel")]
    games[1].pop()
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{line}\n" for game in games for line in game))
    verdicts = check_record(path)
    assert [verdict.line for verdict in verdicts] == [1, 33, 33 + len(games[1])]
    assert [verdict.clean for verdict in verdicts] == [True, False, True]
    last = 32 + len(games[1])
    assert verdicts[1].faults == [f"line {last}: format: the record ends before the game does"]
    assert check_record(str(path)) == verdicts
    assert check_record([]) == []


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (9, '{"type": "plant", "pla'),
        (9, ""),
        (9, "[1, 2]"),
        (9, "null"),
        (9, "[" * 100_000),
        (9, '{"type": "turn"}'),
        (9, '{"type": "turn", "player": true}'),
        (9, '{"type": "turn", "player": 3}'),
        (9, '{"type": "turn", "player": -1}'),
        (9, '{"type": "turn", "player": NaN}'),
        (9, '{"type": "turn", "player": 0, "note": "hm"}'),
        (9, '{"type": "dance", "player": 0}'),
        (9, '{"type": ["turn"], "player": 0}'),
        (9, '{"player": 0}'),
        (9, '{"type": "reveal", "beans": ["lima"]}'),
        (9, '{"type": "propose", "player": 0, "to": 1, "offer": {"red": 0}, "request": {}}'),
        (1, '{"format": "bohnanza-record/1"}'),
        (1, '{"format": "bohnanza-record/1", "rules": 5}'),
        (1, '{"type": "turn", "player": 0}'),
        (1, "{"),
    ],
)
def test_malformed_lines_are_faults_with_their_number(line: int, text: str) -> None:
    lines = record(header("compact"), GAMES["compact"][2])
    lines[line - 1] = text
    verdict = judged(lines)
    assert verdict.faults[0].startswith(f"line {line}: format: ")


def test_a_header_lacks_nothing_and_says_nothing_else() -> None:
    for key in header("compact"):
        top = header("compact")
        del top[key]
        (verdict,) = check_record([json.dumps(top)])
        assert verdict.faults[0].startswith("line 1: format: ")
    for key in header("compact")["rules"]:
        top = header("compact")
        del top["rules"][key]
        assert judged([json.dumps(top)]).faults == [f"line 1: format: rules: {key} is missing"]
    top = header("compact")
    top["format"] = "bohnanza-record/2"
    assert rules_named(judged([json.dumps(top)])) == {"format"}


def test_nothing_written_in_a_record_raises() -> None:
    generator = random.Random(5)
    odd = [None, -1, 10**30, 1.5, True, "", "red", [], [[]], [[0, "red"]], {}, {"red": 1}]
    for _ in range(250):
        name = generator.choice(list(GAMES))
        lines = record(header(name), GAMES[name][2])
        at = generator.randrange(len(lines))
        if generator.random() < 0.2:
            lines[at] = lines[at][: generator.randrange(len(lines[at]))]
        else:
            data = json.loads(lines[at])
            target = data["rules"] if at == 0 and generator.random() < 0.8 else data
            target[generator.choice(list(target))] = generator.choice(odd)
            lines[at] = json.dumps(data)
        check_record(lines)


# Games of the engine

EIGHT = {"blue": 20, "chili": 18, "stink": 16, "green": 14, "soy": 12, "black_eyed": 10}
EIGHT |= {"red": 8, "garden": 6}
LARGE = {"coffee": 24, "wax": 22, **EIGHT}
DECKS = {
    104: EIGHT,
    129: {"wax": 22, **EIGHT, "field": 3},
    150: LARGE,
    130: {bean: n for bean, n in LARGE.items() if bean != "coffee"} | {"cocoa": 4},
    144: {bean: n for bean, n in LARGE.items() if bean != "garden"},
}
# R2: edition, players, deck, fields, first hand, price, draw, final exhaustion, tie
EDITIONS = [
    ("amigo", 3, 104, 3, 5, 0, "active 3", 3, "last_clockwise"),
    ("amigo", 4, 104, 2, 5, 0, "active 3", 3, "last_clockwise"),
    ("amigo", 5, 104, 2, 5, 0, "active 3", 3, "last_clockwise"),
    ("classic", 3, 104, 2, 5, 3, "active 3", 3, "most_hand_cards"),
    ("classic", 4, 104, 2, 5, 3, "active 3", 3, "most_hand_cards"),
    ("rio_grande", 3, 150, 3, 5, 0, "active 3", 2, "most_hand_cards"),
    ("rio_grande", 4, 130, 2, 5, 3, "active 3", 3, "most_hand_cards"),
    ("rio_grande", 7, 144, 2, 3, 2, "active 4", 3, "most_hand_cards"),
    ("new_beans", 3, 150, 3, 5, 0, "everyone 1", 2, "last_clockwise"),
    ("new_beans", 5, 130, 2, 5, 0, "everyone 1", 3, "last_clockwise"),
    ("new_beans", 6, 144, 2, 5, 0, "everyone 1", 3, "last_clockwise"),
    ("field_beans", 4, 129, 2, 5, 0, "everyone 1", 3, "last_clockwise"),
    ("field_beans", 5, 129, 2, 5, 0, "everyone 1", 3, "last_clockwise"),
    ("duel", 2, 144, 2, 5, 3, "active 2", 1, "most_hand_cards"),
    ("duel_three_fields", 2, 144, 3, 5, 0, "active 2", 1, "most_hand_cards"),
]
VARIANTS: list[dict[str, Any]] = [
    {"trading": False},
    {"window": "always", "other_proposals": 3, "active_proposals": 1},
    {"window": "off", "trade_limit": 1},
    {"harvest": "when_needed"},
    {"active_proposals": 0},
    {"active_proposals": 0, "other_proposals": 0},
    {"beans": {"soy": 6, "red": 6}, "first_hands": [0, 1, 2, 0], "final_exhaustion": 5},
    {"beans": {"blue": 10, "garden": 6, "soy": 8}, "first_hands": [1] * 4, "field_price": 1},
    {"beans": {"coffee": 9, "soy": 8, "field": 3}, "first_hands": [1] * 4, "field_beans": True},
]
BOTS = ["random", "greedy", "trader"]


def played(rules: Rules, seats: list[str], seed: int, start: int) -> list[str]:
    """A game of bots, recorded step by step."""
    game = Game(rules, seed, start, log=True)
    recorder = Recorder(game)
    bots = BotTable(rules, seats)
    bots.reset(seed)
    while not game.over:
        bots.play_until(game, most_steps=1)
        recorder.note()
    return list(recorder.lines())


@pytest.mark.parametrize("protocol", ["staged", "compact"])
@pytest.mark.parametrize("row", EDITIONS, ids=lambda row: f"{row[0]}-{row[1]}")
def test_games_of_all_editions_are_clean(row: tuple[Any, ...], protocol: str) -> None:
    edition, players, deck, fields, hand, price, draw, exhaustions, tie = row
    seats = [BOTS[(seat + players) % 3] for seat in range(players)]
    rules = Rules.of(edition, players, protocol=protocol)
    lines = played(rules, seats, seed=players, start=players // 2)
    assert judged(lines) == Verdict(1, [])
    said = json.loads(lines[0])["rules"]
    assert (said["beans"], said["fields"], said["field_price"]) == (DECKS[deck], fields, price)
    assert said["first_hands"] == ([3, 4, 5, 6, 6, 6, 6] if hand == 3 else [hand] * players)
    assert (said["draw"], said["final_exhaustion"]) == ([draw[:-2], int(draw[-1])], exhaustions)
    assert (said["tie"], said["duel"]) == (tie, edition.startswith("duel"))
    assert (said["protocol"], said["reveal"]) == (protocol, 3 if said["duel"] else 2)


@pytest.mark.parametrize("protocol", ["staged", "compact"])
@pytest.mark.parametrize("changed", VARIANTS, ids=lambda changed: "-".join(changed))
def test_games_by_other_rules_are_clean(changed: dict[str, Any], protocol: str) -> None:
    rules = Rules.of("amigo", 4, protocol=protocol, **changed)
    for seed in range(2):
        seats = [BOTS[(seat + seed) % 3] for seat in range(4)]
        assert judged(played(rules, seats, seed, start=seed)) == Verdict(1, [])
