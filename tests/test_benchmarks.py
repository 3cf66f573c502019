"""The benchmarks' arguments, tables and comparison. What they measure is no test's business."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks import check, components, facts, measuring, report, run, scaling, vector
from benchmarks.facts import Fact, Start
from benchmarks.measuring import ABSENT, CALL, LOOP, Calibration, Measured, Measurement, Run
from bohnanza_env.engine.rules import Rules

ROOT = Path(__file__).resolve().parent.parent
SCRIPTS = {"run": run, "components": components, "scaling": scaling, "vector": vector}


@pytest.mark.parametrize("script", [*SCRIPTS.values(), check], ids=[*SCRIPTS, "check"])
def test_wrong_arguments_are_named(script, capsys: pytest.CaptureFixture) -> None:
    for wrong in (["--runs", "0"], ["--nonsense"], ["--core", "one"]):
        with pytest.raises(SystemExit):
            script.parser().parse_args(wrong)
        assert wrong[0] in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--players", "9"], "players"), (["--core", "4096"], "core 4096")],
)
def test_impossible_tables_and_cores_end_with_a_message(
    arguments: list[str], named: str, capsys: pytest.CaptureFixture
) -> None:
    if named.startswith("core") and not hasattr(measuring.os, "sched_setaffinity"):
        pytest.skip("cores cannot be chosen on this system")
    with pytest.raises(SystemExit):
        run.main([*arguments, "--only", "ours"])
    assert named in capsys.readouterr().err


def test_a_selection_of_nothing_ends_with_the_known_names(capsys: pytest.CaptureFixture) -> None:
    for only in ("ours", "peers"):
        with pytest.raises(SystemExit):
            run.main(["--select", "nothing-like-this", "--only", only])
        told = capsys.readouterr()
        assert told.out == ""
        assert "--select: no name contains 'nothing-like-this'; names: " in told.err
        assert ("RLCard" in told.err) == (only == "peers")


def test_each_table_has_its_section_in_the_document() -> None:
    text = report.DOCUMENT.read_text(encoding="utf-8")
    for name, script in SCRIPTS.items():
        section = script.SECTION
        assert section == f"benchmarks.{name}"
        assert len(re.findall(f"<!-- {section} (begin|end) -->", text)) == 2


def test_a_section_is_replaced_and_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("above\n<!-- a begin -->\nold\n<!-- a end -->\nbelow\n", encoding="utf-8")
    report.update_section(page, "a", "new")
    assert page.read_text(encoding="utf-8") == (
        "above\n<!-- a begin -->\nnew\n<!-- a end -->\nbelow\n"
    )
    with pytest.raises(ValueError, match="no section"):
        report.update_section(page, "b", "new")


@pytest.mark.parametrize(
    ("value", "text"),
    [(1234567, "1,230,000"), (0.04567, "0.0457"), (9.996, "10.00"), (7, "7.00"), (0, "0")],
)
def test_significant_digits(value: float, text: str) -> None:
    assert report.significant(value) == text


def runs_of(costs: list[float], loops: list[float]) -> Measured:
    """Runs of 1,000 decisions that cost so many nanoseconds each, and their calibrations."""
    measured = Measured(Measurement("it", lambda: lambda seconds: 0, LOOP, target=1e7))
    for cost, loop in zip(costs, loops, strict=True):
        cpu = cost * 1e-6
        measured.runs.append(Run(1000, 2 * cpu, cpu, Calibration(30.0, loop, 0.0)))
    return measured


def test_rates_and_multiples_of_runs() -> None:
    measured = runs_of([100.0, 300.0, 210.0], [2.0, 4.0, 3.0])
    assert measured.rate == pytest.approx(1e9 / 210)
    assert measured.wall_rate == pytest.approx(1e9 / 420)
    assert measured.multiple == pytest.approx(70)  # of 50, 75, 70
    assert measured.best_multiple == pytest.approx(50)
    assert "not met" in run.rates_table([measured])


def test_what_is_absent_is_named_with_its_command() -> None:
    def prepare():
        import no_such_library_at_all  # noqa: F401

    peer = Measurement("a peer", prepare, install="`pip install it`")
    broken = Measurement("another", lambda: 1 / 0)
    results = measuring.measure_all([peer, broken], 0.01, 1)
    assert [result.absent for result in results] == [ABSENT, "failed"]
    assert "| a peer" in run.rates_table(results)
    text = run.missing(results)
    assert "no_such_library_at_all" in text
    assert "`pip install it`" in text
    assert "ZeroDivisionError" in text


def test_a_measurement_runs_and_is_calibrated() -> None:
    def play(seconds: float) -> int:
        return sum(1 for _ in measuring.while_seconds(seconds))

    measured = measuring.measure_all([Measurement("counting", lambda: play)], 0.01, 2)[0]
    assert len(measured.runs) == 2
    assert all(one.cpu >= 0.01 and one.decisions > 10 for one in measured.runs)
    assert all(one.calibration.call > 0 < one.calibration.loop for one in measured.runs)


def test_facts_meet_their_targets_or_do_not() -> None:
    assert Fact("a", 0.5, "s", most=1).verdict == "met"
    assert Fact("a", 1.5, "times", least=1.7).verdict == "not met"
    assert Fact("a", 1.5, "times").verdict == ""


def test_facts_of_a_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    starts = {"import": Start(0.9, 0.8, 1e-8), "first step": Start(3.0, 2.0, 1e-8)}
    monkeypatch.setattr(facts, "starting", lambda runs: starts)
    monkeypatch.setattr(facts, "threads_gain", lambda rules, seconds, runs: 1.8)
    monkeypatch.setattr(facts, "first_warm_up", lambda: (30.0, 50.4))
    found = facts.facts(Rules.of("mini", 2), 0.01, 1)
    assert [fact.value for fact in found[:3]] == [1.8, 0.8, 2.0]
    assert [fact.note for fact in found[1:3]] == ["0.90 s by the clock", "3.00 s by the clock"]
    assert (found[3].value, found[3].verdict) == (30.0, "met")
    assert found[3].note.startswith("50 s of CPU time")
    assert "| import, compiled before" in run.facts_table(found)


def test_figures_cannot_be_accepted_in_part(capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit):
        check.main(["--accept", "--no-traders"])
    assert "--accept and --no-traders exclude each other" in capsys.readouterr().err


def test_slower_is_what_is_slower_in_best_and_median() -> None:
    def figure(best: float, median: float) -> check.Figure:
        return check.Figure(best * 10, best, median, CALL)

    accepted = {n: figure(10, 12) for n in ("same", "slow", "noisy", "fast", "gone")}
    now = {
        "same": figure(11, 12),
        "slow": figure(14, 18),
        "noisy": figure(10, 30),
        "fast": figure(5, 6),
        "fresh": figure(1, 1),
    }
    rows, slower = check.compare(accepted, now)
    assert slower == ["slow"]
    verdicts = {row[0]: row[4] for row in rows}
    assert verdicts == {
        "slow": "SLOWER",
        "same": "",
        "noisy": "",
        "fast": "faster",
        "fresh": "new",
        "gone": "not measured",
    }
    assert rows[0][0] == "slow"
    assert rows[0][3] == "1.40"


def test_accepted_figures_are_read_as_written(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(check, "ACCEPTED", tmp_path / "accepted.json")
    assert check.read_accepted() == {"figures": {}}
    kept = {
        "compiling: bots": check.Figure(5.0, 4.0, 4.0, LOOP),
        "old": check.Figure(1, 1, 1, LOOP),
    }
    now = {"new": check.Figure(3.0, 2.0, 2.5, CALL)}
    check.write_accepted(now, kept)
    assert check.read_accepted()["figures"] == {"compiling: bots": kept["compiling: bots"], **now}


def test_the_accepted_figures_of_the_project_can_be_read() -> None:
    accepted = check.read_accepted()
    assert {"machine", "versions", "figures"} <= set(accepted)
    assert all(figure.best > 0 for figure in accepted["figures"].values())
