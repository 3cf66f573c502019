"""``bohnanza policies`` and ``bohnanza tournament``."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
pytest.importorskip("joblib")
pytest.importorskip("openskill")
from typer.testing import CliRunner

from bohnanza_env.arena import read_rows
from bohnanza_env.bots import POLICIES
from bohnanza_env.checkpoints import layout_of
from bohnanza_env.cli import app
from bohnanza_env.engine.rules import Rules

SMALL = ["tournament", "--policies", "random,greedy", "--edition", "mini", "--players", "2"]


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def complaint(*arguments: str) -> str:
    result = run(*arguments, status=2)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line.removeprefix("bohnanza: ")


def test_policies() -> None:
    out = run("policies").stdout
    listed = json.loads(run("policies", "--json").stdout)
    assert [line["name"] for line in listed] == list(POLICIES)
    for line in listed:
        assert line["version"] == POLICIES[line["name"]].version
        assert line["description"] in out


def test_a_tournament_is_told_and_kept(tmp_path: Path) -> None:
    file, folder = tmp_path / "games.csv", tmp_path / "pictures"
    small = [*SMALL, "--decks", "3", "--out", str(file)]
    result = run(*small, "--plot", str(folder))
    assert "mini, 2 players, staged; 3 decks, seed 0, 12 games" in result.stdout
    for title in ("Means with 95 %", "Paired differences", "Ratings", "Trading measures"):
        assert title in result.stdout
    assert "caution: too few decks for a claim (3)" in result.stderr
    assert len(read_rows(file)) == 12
    names = {path.name for path in folder.iterdir()}
    assert names == {"ratings.svg", "payoff.svg", "coins_by_seat.svg", "coins_by_turn.svg"}
    assert "games.csv exists: resume it, or replace it by force" in complaint(*small)
    assert run(*small, "--resume").stdout == result.stdout


def test_a_tournament_as_json() -> None:
    data = json.loads(run(*SMALL, "--decks", "2", "--design", "mixed", "--json").stdout)
    assert data["rules"]["edition"] == "mini"
    assert {line["policy"] for line in data["summary"]} == {"random", "greedy"}
    assert data["differences"][0]["basis"] == "same table"
    assert data["design"] == "mixed"
    assert "payoff" not in data
    assert len(data["cautions"]) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--policies", "chess"], "unknown policy 'chess'; known bots: random, greedy"),
        (["--policies", "greedy,greedy"], "greedy is given twice"),
        (["--policies", "a b=greedy"], "the name 'a b' is empty or has commas or blanks"),
        (["--policies", "nowhere:bot"], "No module named 'nowhere'"),
        (["--policies", "nowhere.zip"], "--policies: nowhere.zip: no such file"),
        (["--edition", "chess"], "unknown edition 'chess'"),
        (["--out", "games.txt"], "expected a name that ends in .parquet or .csv"),
        (["--out", "no/such/games.csv"], "there is no such folder"),
        (["--resume"], "give --out, too"),
        (["--resume", "--force", "--out", "a.csv"], "exclude each other"),
        (["--seed", "9" * 15], "--seed, --decks: expected"),
    ],
)
def test_bad_input(arguments: list[str], words: str) -> None:
    assert words in complaint(*SMALL, *arguments)


def test_a_saved_policy_that_cannot_be_loaded_after_all(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    path, rules = tmp_path / "hollow.zip", Rules.of("mini", 2)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("data", json.dumps({"bohnanza_layout": layout_of(rules)}))
    arguments = ["tournament", "--policies", str(path), "--edition", "mini", "--players", "2"]
    said = run(*arguments, status=2).stderr.splitlines()
    assert "hollow.zip: not a policy that can be read" in said[-1]


def test_ctrl_c(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stopping.py").write_text(
        "class Stop:\n"
        "    name, games = 'stop', 0\n"
        "    def reset(self, rules, seat, seed):\n"
        "        Stop.games += 1\n"
        "    def act(self, view, mask):\n"
        "        if Stop.games > 5:\n"
        "            raise KeyboardInterrupt\n"
        "        return int(mask.argmax())\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    chosen = ["--policies", "stopping:Stop,greedy", "--out", "games.parquet"]
    result = run(*SMALL, *chosen, status=130)
    kept = len(read_rows("games.parquet"))
    assert kept > 0
    assert f"{kept} of 200 games are in games.parquet; --resume goes on" in result.stderr
