"""Is anything slower than it was? ``make bench-check``, or ``python -m benchmarks.check``.

Compares with ``benchmarks/accepted.json``. Compared are costs as multiples of the calibration of
the same session (``measuring.Calibration``), so that a busy or another machine alone does not count
as a change: the best run, and the median of all. Only what is slower in both counts, and it is
measured again some times first. Anything still ``LIMIT`` times as slow ends with exit code 1. After
a wanted change: ``--accept`` writes the new figures.

``--cold`` compiles everything into an empty folder, too, which takes minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bohnanza_env.engine.rules import Rules

from .facts import compilation, starting
from .measuring import CALL, LOOP, Measured, calibrate, prepare_all, run_all
from .options import common_parser, pin_as_asked
from .ours import measurements_of
from .report import machine, say, significant, table, versions

__all__ = ["LIMIT", "Figure", "compare", "main", "parser"]

ACCEPTED = Path(__file__).with_name("accepted.json")
LIMIT = 1.3
AGAIN = 3  # what looks slower is measured so many times more before it counts
_STARTING, _COMPILING = "starting: ", "compiling: "


@dataclass(frozen=True)
class Figure:
    """A cost.

    Attributes:
        raw: nanoseconds, the best run.
        best: the best run as a multiple of the calibration's best.
        median: the median of the runs, each as a multiple of the calibration around it.
        unit: of the multiples, ``call`` or ``loop``.
    """

    raw: float
    best: float
    median: float
    unit: str

    @classmethod
    def once(cls, spent: float, unit: float, name: str) -> Figure:
        """Of one run: ``spent`` and ``unit`` in seconds."""
        return cls(spent * 1e9, spent / unit, spent / unit, name)


def prepare_decisions(traders: bool) -> list[Measured]:
    """Everything that is measured of ``amigo`` with four players, in both protocols."""
    wanted = []
    for protocol in ("staged", "compact"):
        rules = Rules.of("amigo", 4, protocol=protocol)
        for one in measurements_of(rules, traders):
            wanted.append(replace(one, name=f"{protocol}: {one.name}"))
    results = prepare_all(wanted, say)
    for result in results:
        if result.absent:
            raise RuntimeError(f"{result.measurement.name}: {result.reason}")
    return results


def decision_figures(results: list[Measured]) -> dict[str, Figure]:
    """Costs of a decision: the best of all runs so far."""
    return {
        r.measurement.name: Figure(
            min(run.cost for run in r.runs), r.best_multiple, r.multiple, r.measurement.unit
        )
        for r in results
    }


def starting_figures(runs: int) -> dict[str, Figure]:
    """CPU time of importing and of the first step, everything compiled."""
    say("starting")
    return {
        f"{_STARTING}{name}": Figure.once(start.cpu, start.call, CALL)
        for name, start in starting(runs).items()
    }


def compilation_figures() -> dict[str, Figure]:
    """CPU time of compiling each part for the first time."""
    say("compiling everything into an empty folder: minutes")
    around = [calibrate().loop for _ in range(5)]
    with tempfile.TemporaryDirectory() as folder:
        parts = compilation(folder)
    unit = min(around + [calibrate().loop for _ in range(5)])
    parts["everything"] = sum(parts.values())
    return {
        f"{_COMPILING}{name}": Figure.once(cpu, unit * 1e-9, LOOP) for name, cpu in parts.items()
    }


def compare(
    accepted: dict[str, Figure], now: dict[str, Figure]
) -> tuple[list[list[str]], list[str]]:
    """Rows of a table, the worst first, and the names of what is slower than ``LIMIT`` allows."""
    ratios = {n: _ratio(accepted[n], f) for n, f in now.items() if n in accepted}
    rows, slower = [], []
    for name in sorted(ratios, key=lambda name: -ratios[name]):
        verdict = ""
        if ratios[name] >= LIMIT:
            verdict = "SLOWER"
            slower.append(name)
        elif ratios[name] <= 1 / LIMIT:
            verdict = "faster"
        rows.append(_row(name, accepted[name], now[name], f"{ratios[name]:.2f}", verdict))
    rows += [_row(n, None, f, "", "new") for n, f in now.items() if n not in accepted]
    rows += [_row(n, f, None, "", "not measured") for n, f in accepted.items() if n not in now]
    return rows, slower


def _ratio(then: Figure, now: Figure) -> float:
    """How many times as slow: what best and median agree on, 1 if they disagree on the sign."""
    best, median = now.best / then.best, now.median / then.median
    return max(1.0, min(best, median)) if max(best, median) > 1 else max(best, median)


def _row(name: str, then: Figure | None, now: Figure | None, ratio: str, verdict: str) -> list[str]:
    cells = [f"{significant(f.best)} {f.unit}" if f else "" for f in (then, now)]
    raw = [significant(f.raw) if f else "" for f in (then, now)]
    return [name, *cells, ratio, verdict, *raw]


def read_accepted() -> dict[str, Any]:
    """The accepted figures with machine and versions; empty ones if there are none yet."""
    if not ACCEPTED.exists():
        return {"figures": {}}
    document = json.loads(ACCEPTED.read_text(encoding="utf-8"))
    document["figures"] = {name: Figure(**f) for name, f in document["figures"].items()}
    return document


def write_accepted(now: dict[str, Figure], before: dict[str, Figure]) -> None:
    """Accept these figures. What was not measured this time (compilation) is kept."""
    kept = {name: f for name, f in before.items() if name.startswith(_COMPILING)}
    figures = {
        name: {
            **vars(f),
            "raw": round(f.raw, 1),
            "best": round(f.best, 2),
            "median": round(f.median, 2),
        }
        for name, f in {**kept, **now}.items()
    }
    document = {"machine": machine(), "versions": versions(), "figures": figures}
    ACCEPTED.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    found = common_parser("Is anything slower than it was?", 0.2, 7, rules=False, update=False)
    found.add_argument("--accept", action="store_true", help=f"write {ACCEPTED.name} anew")
    found.add_argument("--cold", action="store_true", help="measure compilation, too (minutes)")
    found.add_argument("--no-traders", action="store_true", help="leave out what compiles longest")
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure, compare, and exit with 1 if something is slower."""
    options = parser()
    given = options.parse_args(arguments)
    if given.accept and given.no_traders:
        options.error("--accept and --no-traders exclude each other: all figures are written anew")
    pinned = pin_as_asked(options, given)
    accepted = read_accepted()
    results = prepare_decisions(not given.no_traders)
    run_all(results, given.seconds, given.runs, say)
    now = decision_figures(results) | starting_figures(given.runs)
    for _ in range(AGAIN):
        _, slower = compare(accepted["figures"], now)
        if not slower or given.accept:
            break
        say("again, what looks slower: " + "; ".join(slower))
        suspects = [result for result in results if result.measurement.name in slower]
        run_all(suspects, given.seconds, given.runs)
        now |= decision_figures(suspects)
        if any(name.startswith(_STARTING) for name in slower):
            now |= starting_figures(given.runs)
    if given.cold:
        now |= compilation_figures()
    rows, slower = compare(accepted["figures"], now)
    here = machine()
    print(f"now: {here['processor']}, load {here['load']}, {pinned}, commit {here['commit']}")
    if "machine" in accepted:
        there = accepted["machine"]
        print(f"accepted: {there['processor']}, {there['date']}, commit {there['commit']}")
    print()
    print(table(["what", "accepted", "now", "ratio", "", "ns then", "ns now"], rows))
    if given.accept:
        write_accepted(now, accepted["figures"])
        print(f"\nwritten: {ACCEPTED.name}")
    elif slower:
        print(f"\nat least {LIMIT} times as slow as accepted: " + "; ".join(slower))
        print("Measure again on a quieter machine; if it stays so, find out why, or --accept it.")
        sys.exit(1)


if __name__ == "__main__":
    main()
