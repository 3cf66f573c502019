"""Decisions a second, beside other projects: ``make bench``, or ``python -m benchmarks.run``.

One process on one core, one thread; uniform legal play by the masks, with observation and mask
produced before each decision, compilation not counted; the median of several runs, which take
turns. Rates are per second of CPU time, so that a busy machine disturbs them little; ``× call`` and
``× loop`` are costs as multiples of the calibration (``measuring.Calibration``), which disturb even
less: compare those between machines and days.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from bohnanza_env.engine.rules import Rules

from .facts import Fact, facts
from .measuring import ABSENT, Calibration, Measured, Measurement, calibrate, measure_all
from .options import common_parser, pin_as_asked, rules_of
from .ours import measurements_of
from .report import DOCUMENT, heading, machine, say, significant, table, update_section, versions
from .trader_play import TraderPlay, shares_of_random_play

__all__ = ["main", "parser"]

SECTION = "benchmarks.run"


def rates_table(results: list[Measured]) -> str:
    """A row for each measurement, absent ones named."""
    rows = []
    for result in results:
        measurement = result.measurement
        if result.absent:
            rows.append([measurement.name, result.absent, "", "", "", "", ""])
            continue
        target, verdict = "", ""
        if measurement.target:
            target = significant(measurement.target)
            verdict = "met" if result.rate >= measurement.target else "not met"
        rows.append(
            [
                measurement.name,
                significant(result.rate),
                significant(result.wall_rate),
                significant(result.cost),
                f"{significant(result.multiple)} {measurement.unit}",
                target,
                verdict,
            ]
        )
    head = ["what", "decisions/CPU-s", "by the clock", "ns each", "×", "target", ""]
    return table(head, rows)


def missing(results: list[Measured]) -> str:
    """Why rows have no figures, and how to get what is absent; empty if all have some."""
    why: dict[str, list[str]] = {}
    for result in results:
        if result.absent:
            install = result.measurement.install if result.absent == ABSENT else ""
            reason = f"{result.reason}; {install}" if install else result.reason
            why.setdefault(reason, []).append(result.measurement.name)
    lines = [f"- {'; '.join(names)}: {reason}" for reason, names in why.items()]
    return "\n".join(["Not measured:", "", *lines]) if lines else ""


def facts_table(found: list[Fact]) -> str:
    rows = [
        [f.name, f"{significant(f.value)} {f.unit}", f.target, f.verdict, f.note] for f in found
    ]
    return table(["what", "figure", "target", "", "note"], rows)


def shares_table(rules: Rules) -> str:
    """Which decisions random play and traders take, and how many a game."""
    chance, length = shares_of_random_play(rules)
    traders = TraderPlay(rules, games=4)
    kinds = sorted(set(chance) | set(traders.shares), key=lambda k: -traders.shares.get(k, 0.0))
    rows = [
        [kind.text, f"{chance.get(kind, 0):.1%}", f"{traders.shares.get(kind, 0):.1%}"]
        for kind in kinds
    ]
    rows.append(["decisions a game", f"{length:,.0f}", f"{traders.length:,.0f}"])
    return table(["decision", "random play", "traders"], rows)


_PEER_NAMES = ("fastcatan", "pgx", "jax", "open_spiel", "rlcard")


def parser() -> argparse.ArgumentParser:
    found = common_parser("Decisions a second, beside other projects.")
    found.add_argument("--only", choices=("ours", "peers"), help="leave the others out")
    found.add_argument("--select", default="", help="only names that contain this")
    found.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    return found


def _json(results: list[Measured], found: list[Fact], calibration: Calibration) -> str:
    rates = {
        r.measurement.name: {
            "decisions_per_cpu_second": r.rate,
            "decisions_per_second": r.wall_rate,
            "multiple": r.multiple,
            "unit": r.measurement.unit,
        }
        for r in results
        if not r.absent
    }
    absent = {r.measurement.name: r.reason for r in results if r.absent}
    document = {
        "machine": machine(),
        "versions": versions(_PEER_NAMES),
        "calibration": vars(calibration),
        "rates": rates,
        "absent": absent,
        "facts": {f.name: {"value": f.value, "unit": f.unit} for f in found},
    }
    return json.dumps(document, indent=1) + "\n"


def _wanted(
    options: argparse.ArgumentParser, given: argparse.Namespace, rules: Rules
) -> list[Measurement]:
    """What was asked for; ends the program with a message if that is nothing."""
    known = [] if given.only == "peers" else measurements_of(rules)
    if given.only != "ours":
        from .peers import peers

        known += peers()
    found = [one for one in known if given.select.lower() in one.name.lower()]
    if not found:
        names = "; ".join(one.name for one in known)
        options.error(f"--select: no name contains {given.select!r}; names: {names}")
    return found


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    options = parser()
    given = options.parse_args(arguments)
    rules = rules_of(options, given)
    wanted = _wanted(options, given, rules)
    pinned = pin_as_asked(options, given)
    calibration = calibrate(memory=True)
    opening = heading(given, pinned, calibration, _PEER_NAMES)
    results = measure_all(wanted, given.seconds, given.runs, say)
    title = f"`{given.edition}`, {given.players} players, `{given.protocol}`"
    parts = [opening, f"Decisions a second, {title}:", rates_table(results)]
    parts += filter(None, [missing(results)])
    print("\n\n".join(parts), flush=True)
    found: list[Fact] = []
    if given.only != "peers" and not given.select:
        found = facts(rules, given.seconds, given.runs)
        more = ["Starting, threads, memory:", facts_table(found)]
        more += [f"Which decisions these are, {title}:", shares_table(rules)]
        print("\n" + "\n\n".join(more))
        parts += more
    if given.json:
        given.json.write_text(_json(results, found, calibration), encoding="utf-8")
    if given.update:
        update_section(DOCUMENT, SECTION, "\n\n".join(parts))


if __name__ == "__main__":
    main()
