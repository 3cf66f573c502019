"""The standard suite: what is frozen, who can play it, and what is said of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("typer")
pytest.importorskip("joblib")
pytest.importorskip("openskill")
from pandas.testing import assert_frame_equal

from bohnanza_env.arena.report import texts
from bohnanza_env.arena.suite import (
    FOCAL,
    Suite,
    SuiteError,
    SuiteTable,
    load_suite,
    play_suite,
    suites,
)
from bohnanza_env.arena.suite_results import suite_gains, suite_results, suite_tables
from bohnanza_env.bots import BOTS, BotPolicy, BotSpec
from bohnanza_env.engine.rules import Rules
from tests.test_arena_cli import complaint, run
from tests.test_arena_statistics import game

# A suite is never changed. What it fixes (bots, rules, decks) may change in a new one.
FROZEN = {1: "c97ebf3ecc29dfff5862ad7e066c70a7c084d41f23df71ddf84159659369e8bf"}

MINI = tuple(
    SuiteTable(f"mini-{players}-compact", Rules.of("mini", players, protocol="compact"))
    for players in (2, 3)
)
SMALL = Suite(
    number=1,
    digest="none",
    tables=MINI,
    backgrounds={"greedy": {2: ("greedy",), 3: ("greedy", "trader")}, "clones": None},
    decks=2,
    seed=3,
    reference="trader",
    sampling="any",
    budget="any",
)


# What is frozen -------------------------------------------------------------------------------


def test_suites_do_not_change() -> None:
    assert suites() == list(FROZEN)
    for number, digest in FROZEN.items():
        file = files("bohnanza_env.arena").joinpath("suites", f"suite_{number}.json")
        assert hashlib.sha256(file.read_bytes()).hexdigest() == digest
        load_suite(number)  # bots and rules are those that it was fixed with


def test_suite_1_has_what_it_promises() -> None:
    suite = load_suite(1)
    assert suite.title == "suite/1"
    wanted = {("amigo", n) for n in (3, 4, 5)} | {("rio_grande", n) for n in (3, 4, 5, 6, 7)}
    for protocol in ("staged", "compact"):
        found = [t.rules for t in suite.tables if t.rules.protocol == protocol]
        assert {(r.edition, r.players) for r in found} == wanted
        assert len(found) == len(wanted)
    assert suite.decks >= 30
    for name in suite.backgrounds:
        for players in range(3, 8):
            lineup = suite.lineup("x", name, players)
            assert len(lineup) == players
            assert lineup[0] == FOCAL + "x"
            assert name == "clones" or set(lineup[1:]) <= set(BOTS)
    assert suite.lineup("x", "clones", 3) == (FOCAL + "x",) * 3
    assert set(suite.lineup("x", "traders", 5)[1:]) == {"trader"}
    assert set(suite.lineup("x", "attitudes", 4)[1:]) == {"stingy", "fair", "generous"}


def test_another_version_of_a_bot_needs_another_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    # A table of their own: one that is changed and mended may have another order afterwards.
    newer = BotSpec(**{**BOTS["trader"].__dict__, "version": 2})
    monkeypatch.setattr("bohnanza_env.arena.suite.BOTS", {**BOTS, "trader": newer})
    with pytest.raises(SuiteError, match=r"fixed with trader version 1 \(this package has 2\)"):
        load_suite(1)
    others = {name: spec for name, spec in BOTS.items() if name != "trader"}
    monkeypatch.setattr("bohnanza_env.arena.suite.BOTS", others)
    with pytest.raises(SuiteError, match=r"trader version 1 \(this package has no such bot\)"):
        load_suite(1)


def test_other_rules_need_another_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bohnanza_env.arena.suite.rules_hash", lambda rules: rules.protocol)
    with pytest.raises(SuiteError, match="other rules of amigo-3-staged, other rules of"):
        load_suite(1)


def test_departures_are_named() -> None:
    suite = load_suite(1, decks=7, seed=5, only="amigo-4-c")
    assert suite.title == (
        "suite/1, 7 decks instead of 30, seed 5 instead of 1997, tables amigo-4-compact only"
    )
    assert load_suite(1, quick=True).departures == ("3 decks instead of 30",)
    with pytest.raises(SuiteError, match="no table begins with 'chess'; tables: amigo-3-staged"):
        load_suite(1, only="chess")
    with pytest.raises(SuiteError, match="there is no suite 9; suites: 1"):
        load_suite(9)
    with pytest.raises(SuiteError, match="no table begins with ''"):
        load_suite(1, only="amigo-3,")
    for wrong in ({"seed": 2**63}, {"decks": 10**8}):
        with pytest.raises(SuiteError, match="seed, decks: expected 0 to"):
            load_suite(1, **wrong)


# Playing --------------------------------------------------------------------------------------


class Knows(BotPolicy):
    """A bot that claims to know one rules value only."""

    def __init__(self, rules: Rules) -> None:
        super().__init__("greedy")
        self.rules = rules


def test_what_a_policy_does_not_know_is_left_out() -> None:
    rows, left_out = play_suite(SMALL, {"mine": Knows(MINI[1].rules)})
    assert set(rows["table"]) == {"mini-3-compact"}
    assert list(left_out) == ["mini-2-compact"]
    assert any("players: trained with 3, wanted 2" in f for f in left_out["mini-2-compact"]["mine"])
    with pytest.raises(SuiteError, match=r"mine can play none .* nearest is mini-3-compact: .*tie"):
        play_suite(SMALL, {"mine": Knows(replace(MINI[1].rules, tie="most_hand_cards"))})
    with pytest.raises(SuiteError, match="the name trader is the reference's"):
        play_suite(SMALL, {"trader": BotPolicy("greedy")})


def test_the_rows_are_kept_and_gone_on_with(tmp_path: Path) -> None:
    rows, _ = play_suite(SMALL, {"greedy": "greedy"}, tmp_path / "games")
    assert len(rows) == 2 * 2 * ((2 + 1) + (3 + 1))  # policies, decks, rotations
    names = sorted(path.name for path in (tmp_path / "games").iterdir())
    assert names == ["mini-2-compact.parquet", "mini-3-compact.parquet"]
    (tmp_path / "games" / names[0]).unlink()
    again, _ = play_suite(SMALL, {"greedy": "greedy"}, tmp_path / "games", resume=True)
    assert_frame_equal(again, rows)


# Results --------------------------------------------------------------------------------------


def rows_of(table: str, deck: int, coins: list[int], reference: list[int]) -> list[dict]:
    """The focal policy and the reference in both seats of one deck against x."""
    lines = []
    for name, got in (("mine", coins), ("trader", reference)):
        for rotation in (0, 1):
            seats = [got[rotation], 1] if rotation == 0 else [1, got[rotation]]
            line = game(f"{FOCAL}{name},x", deck, rotation, seats, proposals_0=4, accepted_0=deck)
            lines.append(line | {"table": table, "background": "greedy"})
    return lines


def test_results_by_hand() -> None:
    """Deck 0: 4 and 8 more at the two tables, deck 1: 2 and 2."""
    suite = replace(SMALL, backgrounds={"greedy": {2: ("x",)}})
    rows = pd.DataFrame(
        rows_of("a", 0, [9, 7], [5, 3])
        + rows_of("b", 0, [20, 16], [10, 10])
        + rows_of("a", 1, [6, 6], [4, 4])
        + rows_of("b", 1, [6, 4], [4, 2])
    )
    line = suite_results(rows, suite).set_index("policy").loc["mine"]
    assert line["more_than_trader"] == ((4 + 8) / 2 + (2 + 2) / 2) / 2
    assert line["coins"] == ((8 + 18) / 2 + (6 + 5) / 2) / 2
    assert (line["tables"], line["decks"], line["win"]) == (2, 2, 1)
    assert 2 <= line["more_than_trader_low"] <= line["more_than_trader_high"] <= 6
    assert suite_results(rows, suite).set_index("policy").loc["trader", "more_than_trader"] == 0
    by_table = suite_tables(rows, suite).set_index(["policy", "table"])
    assert by_table.loc[("mine", "b"), "greedy_more"] == (8 + 2) / 2
    assert by_table.loc[("mine", "a"), "greedy_coins"] == (8 + 6) / 2
    # A deck that one table has not played counts for nothing.
    part = rows[~((rows["table"] == "b") & (rows["deck"] == 1))]
    assert suite_results(part, suite).set_index("policy").loc["mine", "more_than_trader"] == 6


def test_means_and_their_intervals_share_a_cell() -> None:
    by_name = {"policy": "a", "coins": 1.0, "coins_low": 0.5, "coins_high": 2.0, "win": np.nan}
    assert texts(pd.DataFrame([by_name])) == (
        ["policy", "coins", "win share"],
        [["a", "1.00 [0.50, 2.00]", "–"]],
    )
    plain = {"minus": "x", "difference": 1.0, "low": 0.5, "high": 2.0, "decks": 4}
    assert texts(pd.DataFrame([plain])) == (
        ["minus", "difference", "decks"],
        [["x", "1.00 [0.50, 2.00]", "4"]],
    )
    unsure = {"mean": 1.0, "low": np.nan, "high": np.nan}
    assert texts(pd.DataFrame([unsure])) == (["mean"], [["1.00"]])


def test_a_report_says_once_how_its_suite_departs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    departing = replace(SMALL, departures=("seed 3 instead of 1",))
    monkeypatch.setattr("bohnanza_env.arena.suite.load_suite", lambda number, **options: departing)
    report = tmp_path / "results.md"
    told = run("evaluate", "greedy", "--report", str(report))
    assert (told.stdout + told.stderr).count("seed 3 instead of 1") == 1
    assert report.read_text(encoding="utf-8").count("seed 3 instead of 1") == 1


def test_gains_of_the_suite() -> None:
    rows, _ = play_suite(SMALL, {"greedy": "greedy"}, gains=2)
    found = suite_gains(rows).set_index(["policy", "background"])
    assert found.loc[("greedy", "clones"), "gain"] == 0
    assert found.loc[("trader", "greedy"), "decks"] == 2
    assert np.isclose(found.loc[("trader", "greedy"), "fair"], (2 + 3) / (2 * 2 + 3 * 3))
    assert suite_gains(rows.drop(columns=["alone_0", "alone_1", "alone_2"])).empty


# The command ----------------------------------------------------------------------------------


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Suite:
    monkeypatch.setattr("bohnanza_env.arena.suite.load_suite", lambda number, **options: SMALL)
    return SMALL


def test_the_command(small: Suite, tmp_path: Path) -> None:
    out, report = tmp_path / "games", tmp_path / "results.md"
    command = ["evaluate", "greedy", "random", "--out", str(out)]
    told = run(*command, "--report", str(report))
    for text in ("suite/1", "greedy 1, random 1", "more than trader", "clones", "95 %"):
        assert text in told.stdout
    text = report.read_text()
    assert "| greedy | clones | 2 | 2 |" in text
    assert "Machine:" in text
    assert told.stderr.count("played: mini-") == 2  # no terminal, no bar
    assert "exists: resume it" in complaint(*command)
    data = json.loads(run(*command, "--resume", "--json").stdout)
    lines = {(line["policy"], line["background"]): line for line in data["results"]}
    assert set(lines) == {(n, b) for n in ("greedy", "random", "trader") for b in SMALL.backgrounds}
    assert lines["trader", "clones"]["more_than_trader"] == 0
    assert data["policies"] == {"greedy": "1", "random": "1"}
    assert any("too few decks" in line for line in data["cautions"])


class Stops(BotPolicy):
    """Interrupts the program after some decisions."""

    decisions = 0
    limit = 40

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        Stops.decisions += 1
        if Stops.decisions == Stops.limit:
            raise KeyboardInterrupt
        return super().act(view, mask)


def test_ctrl_c_keeps_what_is_finished(
    small: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stops = {"stops": Stops("greedy")}
    monkeypatch.setattr("bohnanza_env.cli.evaluate.roster_of", lambda *arguments: stops)
    command = ["evaluate", "stops", "--out", str(tmp_path / "games"), "--json"]
    told = run(*command, status=130)
    assert told.stdout == ""
    assert f"stopped: {tmp_path / 'games'}; --resume goes on" in told.stderr
    resumed = json.loads(run(*command, "--resume").stdout)
    whole = json.loads(run("evaluate", "stops", "--json").stdout)
    assert resumed == whole


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chess"], "POLICY: unknown policy 'chess'; known bots: random"),
        (["greedy", "--suite", "7"], "there is no suite 7; suites: 1"),
        (["greedy", "--only", "skat"], "no table begins with 'skat'"),
        (["greedy", "--resume"], "give --out, too"),
        (["greedy", "--report", "no/such/file"], "--report: no/such/file cannot be a file"),
        (["greedy", "greedy"], "POLICY: greedy is given twice"),
    ],
)
def test_bad_input(arguments: list[Any], words: str) -> None:
    assert words in complaint("evaluate", *arguments)
