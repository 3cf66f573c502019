"""The command line: what it prints, its exit status, and one line for bad input."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")
from typer.testing import CliRunner

from bohnanza_env.cli import app
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.rules import Rules
from bohnanza_env.record import read_records

CASES = Path(__file__).parent / "cases" / "shared"
SMALL = ["match", "--edition", "mini", "--players", "2"]


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == status, result.output
    assert "Traceback" not in result.output
    return result


def complaint(*arguments: str) -> str:
    """The one line about bad input."""
    result = run(*arguments, status=2)
    assert result.stdout == ""
    lines = result.stderr.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("bohnanza: ")
    return lines[0].removeprefix("bohnanza: ")


# Help ----------------------------------------------------------------------------------------


def test_the_list_of_commands_has_whole_sentences():
    out = run("--help").stdout
    lines = out.split("Commands:")[1].strip().splitlines()
    assert len(lines) == 8
    for line in lines:
        name, told = line.split(maxsplit=1)
        assert told.endswith("."), name
        assert "..." not in told, name


# Rules and cases -----------------------------------------------------------------------------


def test_all_editions():
    out = run("rules").stdout
    for edition, (numbers, _) in EDITIONS.items():
        lines = [line.split() for line in out.splitlines() if line.startswith(f"{edition} ")]
        assert [int(line[1]) for line in lines] == list(numbers)
    assert "amigo" not in run("rules", "--players", "2").stdout
    assert len(json.loads(run("rules", "--json").stdout)) == 23


def test_one_edition_in_full():
    out = run("rules", "rio_grande", "--players", "7").stdout
    for name in Rules.of("rio_grande", 7).to_dict():
        assert name in out
    (line,) = (line for line in out.splitlines() if line.startswith("red "))
    assert line.split() == ["red", "8", "2", "3", "4", "5"]
    data = json.loads(run("rules", "duel", "--json").stdout)
    assert Rules.from_dict(data) == Rules.of("duel", 2)


def test_editions_that_do_not_exist():
    assert complaint("rules", "chess").startswith("unknown edition 'chess'; known editions: amigo")
    assert complaint("rules", "duel", "--players", "3") == "players: duel is for 2 players, not 3"
    assert "numbers of players: 2, 3, 4, 5, 6, 7" in complaint("rules", "--players", "9")


def test_cases(tmp_path):
    files = [str(path) for path in sorted(CASES.glob("*.json"))]
    out = run("case", *files).stdout
    assert out.count("ok: ") == len(files)
    data = json.loads(Path(files[0]).read_text(encoding="utf-8"))
    data["expect"]["coins"] = [1, 0, 0, 0]
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(data), encoding="utf-8")
    out = run("case", files[0], str(wrong), status=1).stdout
    assert f"differs: {wrong}" in out
    assert "  coins: expected [1, 0, 0, 0], found [0, 0, 0, 0]" in out


def test_files_that_are_no_cases(tmp_path):
    path = tmp_path / "case.json"
    assert complaint("case", str(path)) == f"{path}: No such file or directory"
    path.write_text('{"format": 1}', encoding="utf-8")
    assert "format: expected 'bohnanza-case/1', got 1" in complaint("case", str(path))
    assert "position: missing" in complaint("case", str(path))


# Matches and replays -------------------------------------------------------------------------


def test_a_match():
    out = run(*SMALL, "--games", "5", "--seed", "3").stdout
    assert out.startswith("mini, 2 players, staged: 5 games")
    data = json.loads(run(*SMALL, "--games", "5", "--seed", "3", "--json").stdout)
    assert [game["seed"] for game in data["games"]] == [3, 4, 5, 6, 7]
    assert [game["start"] for game in data["games"]] == [0, 1, 0, 1, 0]
    assert [seat["player"] for seat in data["seats"]] == ["random", "random"]
    coins = [sum(game["scores"][seat] for game in data["games"]) / 5 for seat in (0, 1)]
    assert [seat["coins"] for seat in data["seats"]] == pytest.approx(coins)
    assert sum(seat["wins"] for seat in data["seats"]) == pytest.approx(1)
    again = json.loads(run(*SMALL, "--games", "5", "--seed", "3", "--json").stdout)
    assert again == data


def test_the_seats_say_how_many_play():
    data = json.loads(
        run("match", "--edition", "mini", "--seats", "random, random,random", "--games", "1",
            "--protocol", "compact", "--json").stdout
    )  # fmt: skip
    assert data["rules"]["players"] == 3
    assert data["rules"]["protocol"] == "compact"


def test_a_recorded_match(tmp_path):
    path = tmp_path / "games.jsonl"
    out = run(*SMALL, "--games", "3", "--record", str(path), "--json").stdout
    records = list(read_records(path))
    results = json.loads(out)["games"]
    assert [record.scores for record in records] == [game["scores"] for game in results]
    assert [record.seed for record in records] == [0, 1, 2]
    assert records[0].players == ["random", "random"]
    assert list(tmp_path.iterdir()) == [path]
    text = path.read_text(encoding="utf-8")
    assert "exists; --force replaces it" in complaint(*SMALL, "--record", str(path))
    assert path.read_text(encoding="utf-8") == text
    run(*SMALL, "--games", "1", "--seed", "9", "--record", str(path), "--force")
    assert [record.seed for record in read_records(path)] == [9]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--edition", "poker"], "unknown edition 'poker'; known editions: amigo, classic"),
        (["--players", "9"], "players: amigo is for 3, 4, 5 players, not 9"),
        (
            ["--seats", "random,nobody,random"],
            "--seats: unknown policy 'nobody'; known bots: random",
        ),
        (
            ["--players", "4", "--seats", "random,random"],
            "--seats: expected 4 policies, one a seat",
        ),
        (["--protocol", "loud"], "protocol: expected one of staged, compact, got 'loud'"),
        (["--seed", str(2**64), "--games", "1"], "--seed: expected less than 2^64"),
        (["--record", "no/such/folder/x"], "--record: no/such/folder/x cannot be a file"),
    ],
)
def test_matches_that_cannot_be(arguments, words):
    assert complaint("match", *arguments).startswith(words)


def test_replay(tmp_path):
    path = tmp_path / "games.jsonl"
    run(*SMALL, "--games", "2", "--record", str(path))
    first, second = run("replay", str(path)).stdout, run("replay", str(path), "--game", "2").stdout
    assert first.startswith("mini, 2 players, staged, seed 0")
    assert second.startswith("mini, 2 players, staged, seed 1")
    assert "0 random is dealt 2 cards" in first
    assert "0 random is dealt 2 cards" not in run("replay", str(path), "--seat", "0").stdout
    assert " is dealt 2 cards" not in run("replay", str(path), "--open").stdout
    assert complaint("replay", str(path), "--game", "3") == f"{path}: there is no game 3"
    assert "--seat: expected 0 to 1" in complaint("replay", str(path), "--seat", "2")
    assert "exclude" in complaint("replay", str(path), "--seat", "0", "--open")
    path.write_text(path.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    run("replay", str(path))
    assert "cut off" in complaint("replay", str(path), "--game", "2")
    path.unlink()
    assert complaint("replay", str(path)) == f"{path}: No such file or directory"


def test_ctrl_c_keeps_the_finished_games(tmp_path, monkeypatch):
    from bohnanza_env.cli.match import Match

    path = tmp_path / "games.jsonl"
    play_next = Match.play_next

    def interrupted(self: Match, stop: threading.Event) -> bool:
        if len(self.games) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return play_next(self, stop)

    monkeypatch.setattr(Match, "play_next", interrupted)
    # A job in the background begins with Ctrl-C ignored.
    handler_before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        result = run(*SMALL, "--games", "50", "--record", str(path), status=130)
        handler_after = signal.getsignal(signal.SIGINT)
    finally:
        signal.signal(signal.SIGINT, handler_before)
    assert "stopped after 2 of 50 games" in result.stderr
    assert "2 games" in result.stdout
    assert len(list(read_records(path))) == 2
    assert handler_after is signal.default_int_handler


def test_warming_up_names_each_part(monkeypatch):
    from bohnanza_env.cli import warmup

    used = []
    monkeypatch.setattr(warmup, "_PARTS", {"views": lambda: used.append(1)})
    monkeypatch.setattr(warmup, "_ROWS", ((("views",),),))
    assert run("warmup").stdout.startswith("views: 0.")
    assert used == [1]


def test_each_part_is_warmed_up_once():
    from bohnanza_env.cli.warmup import _PARTS, _ROWS

    assert sorted(name for groups in _ROWS for group in groups for name in group) == sorted(_PARTS)


SLOW_PARTS = """
import time
from bohnanza_env.cli import warmup

def slow():
    print("begun", flush=True)
    time.sleep(30)

warmup._PARTS = dict.fromkeys("abcd", slow)
warmup._ROWS = ((("a", "b", "c"), ("d",)),)
if __name__ == "__main__":
    for _ in warmup.warm_up(2):
        pass
"""


@pytest.mark.skipif(os.name != "posix", reason="sends the signal to a group of processes")
def test_warming_up_is_stopped_in_all_processes(tmp_path):
    script = tmp_path / "slow.py"
    script.write_text(SLOW_PARTS)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen([sys.executable, script], start_new_session=True, **pipes)
    assert [process.stdout.readline() for _ in range(2)] == ["begun\n"] * 2
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert output == ""
    assert errors.splitlines()[-1] == "KeyboardInterrupt"


@pytest.mark.long
def test_every_part_can_be_warmed_up():
    from bohnanza_env.cli.warmup import _PARTS, warm_up

    assert sorted(name for name, _ in warm_up()) == sorted(_PARTS)
    assert sorted(name for name, _ in warm_up(cores=1)) == sorted(_PARTS)


# What needs kernels that the shortest use of a part leaves out.
AFTER_WARM_UP = """
from bohnanza_env import bohnanza_v0
from bohnanza_env.engine.rules import Rules
from bohnanza_env.rewards import REWARDS
from bohnanza_env.vector import GameVector
for reward in REWARDS:
    env = bohnanza_v0.raw_env("mini", 2, reward=reward)
    env.reset(seed=0)
    while not any(env.terminations.values()):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
games = GameVector(Rules.of("mini", 2), 4, threads=2)
games.reset()
games.step(games.random_actions(0))
"""


@pytest.mark.long
def test_nothing_is_compiled_after_warming_up(tmp_path):
    variables = {**os.environ, "BOHNANZA_CACHE_DIR": str(tmp_path), "BOHNANZA_QUIET": "0"}

    def said(*arguments: str) -> str:
        line = [sys.executable, "-c", *arguments]
        done = subprocess.run(line, env=variables, capture_output=True, text=True, check=True)
        return done.stderr

    assert "compiling" in said("from bohnanza_env.cli import app; app()", "warmup")
    assert said(AFTER_WARM_UP) == ""


# Without the extra ---------------------------------------------------------------------------


def test_without_typer_there_is_one_clear_message():
    code = (
        "import sys; sys.modules['typer'] = None\n"
        "from bohnanza_env.cli import app\n"
        "app()"
    )  # fmt: skip
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "bohnanza: the command line needs typer and rich: pip install 'bohnanza-env[cli]'\n"
    )
