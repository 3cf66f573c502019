"""``bohnanza evaluate``: policies on the standard suite."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import JsonOption, bad_input, one_line_errors, print_table
from .roster import (
    BackendOption,
    GainsOption,
    WorkersOption,
    check_files,
    checked_backend,
    need_arena,
    roster_of,
    sources_of,
)

if TYPE_CHECKING:
    import pandas as pd

    from bohnanza_env.arena.players import Player
    from bohnanza_env.arena.suite import Suite

__all__ = ["evaluate"]


def evaluate(
    names: Annotated[
        list[str],
        typer.Argument(metavar="POLICY", help="As for --policies of `bohnanza tournament`."),
    ],
    number: Annotated[int, typer.Option("--suite", help="Which suite.")] = 1,
    quick: Annotated[bool, typer.Option("--quick", help="A few decks, for a first look.")] = False,
    decks: Annotated[int | None, typer.Option(min=1, help="Other than the suite's number.")] = None,
    only: Annotated[
        str, typer.Option(help="Tables whose names begin so, e.g. amigo-4, with commas between.")
    ] = "",
    seed: Annotated[int | None, typer.Option(min=0, help="Other decks than the suite's.")] = None,
    workers: WorkersOption = 1,
    backend: BackendOption = None,
    gains: GainsOption = 0,
    out: Annotated[Path | None, typer.Option(help="Folder for the games, a file a table.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the folder.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace what is in the folder.")] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write a document (Markdown) to this file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure policies on the standard suite.

    Ctrl-C keeps the finished games of --out.
    """
    need_arena()
    from bohnanza_env.arena.suite import SuiteError, load_suite

    check_files(out, resume, force)
    if out is not None and out.exists() and not out.is_dir():
        bad_input(f"--out: {out} is no folder")
    if report is not None and (report.is_dir() or not report.parent.is_dir()):
        bad_input(f"--report: {report} cannot be a file")
    roster = roster_of(",".join(names), None, "POLICY")
    begun = time.monotonic()
    try:
        suite = load_suite(number, quick=quick, decks=decks, seed=seed, only=only)
        options: dict[str, Any] = {"workers": workers, "backend": checked_backend(backend)}
        options |= {"resume": resume, "force": force, "gains": gains}
        sources = sources_of(",".join(names), roster)
        results = _results(suite, roster, out, sources=sources, **options)
    except SuiteError as error:
        bad_input(error)
    if report is not None:
        _write_report(report, suite, roster, results, None if resume else time.monotonic() - begun)
    _show(suite, roster, results, as_json)


def _results(
    suite: Suite, roster: dict[str, Player], out: Path | None, **options: Any
) -> dict[str, Any]:
    from bohnanza_env.arena.play import RowsFileError
    from bohnanza_env.arena.statistics import cautions
    from bohnanza_env.arena.suite import play_suite
    from bohnanza_env.arena.suite_results import suite_gains, suite_results, suite_tables

    try:
        with one_line_errors():
            rows, left_out = play_suite(suite, roster, out, progress=True, **options)
    except RowsFileError as error:
        bad_input(error)
    except KeyboardInterrupt:
        kept = "nothing is kept without --out" if out is None else f"{out}; --resume goes on"
        typer.echo(f"bohnanza: stopped: {kept}", err=True)
        raise typer.Exit(130) from None
    return {
        "summary": suite_results(rows, suite),
        "tables": suite_tables(rows, suite),
        "gains": suite_gains(rows),
        "left_out": _left_out(left_out),
        "unknown": {
            name: [table for table, faults in left_out.items() if name in faults]
            for name in sorted({name for faults in left_out.values() for name in faults})
        },
        "cautions": cautions(rows),
    }


def _write_report(
    path: Path,
    suite: Suite,
    roster: dict[str, Player],
    results: dict[str, Any],
    seconds: float | None,
) -> None:
    from bohnanza_env.arena.report import markdown_report

    words = [word for word in sys.argv[1:] if word not in ("--resume", "--force")]
    with one_line_errors():
        text = markdown_report(suite, roster, results, shlex.join(["bohnanza", *words]), seconds)
        path.write_text(text, encoding="utf-8")


def _left_out(left_out: dict[str, dict[str, list[str]]]) -> list[str]:
    return [
        f"{name} does not know {table}: {'; '.join(faults)}"
        for table, of_policies in left_out.items()
        for name, faults in of_policies.items()
    ]


def _show(suite: Suite, roster: dict[str, Player], results: dict[str, Any], as_json: bool) -> None:
    from bohnanza_env.arena.players import version_of
    from bohnanza_env.arena.report import parted, texts

    versions = {name: version_of(player) for name, player in roster.items()}
    if as_json:
        head: dict[str, Any] = {"suite": suite.title, "file": suite.digest, "seed": suite.seed}
        head |= {"decks": suite.decks, "tables": [table.name for table in suite.tables]}
        head |= {"policies": versions, "sampling": suite.sampling, "budget": suite.budget}
        parts = {
            "results": _records(results["summary"]),
            "by_table": _records(results["tables"]),
            "gains": _records(results["gains"]),
        }
        parts |= {name: results[name] for name in ("left_out", "cautions")}
        typer.echo(json.dumps(head | parts))
        return
    listed = ", ".join(f"{name} {version}".strip() for name, version in versions.items())
    typer.echo(f"{suite.title} (file {suite.digest}), seed {suite.seed}: {listed}")
    typer.echo(f"sampling: {suite.sampling}")
    typer.echo(f"budget: {suite.budget}\n")
    title = f"Means over the tables, {suite.decks} decks each, with 95 % intervals"
    coins, measures = parted(results["summary"])
    print_table(*texts(coins), title)
    typer.echo()
    print_table(*texts(measures), "Trading measures of the same seats")
    if len(results["gains"]):
        typer.echo()
        print_table(*texts(results["gains"]), "Gains from trade")
    for name, left_out in results["unknown"].items():
        played = f"{len(left_out)} of {len(suite.tables)} tables left out, made for other rules"
        where = "--json and --report say what differs"
        typer.echo(f"bohnanza: {name}: {played}: {', '.join(left_out)} ({where})", err=True)
    for caution in results["cautions"]:
        typer.echo(f"bohnanza: caution: {caution}", err=True)


def _records(table: pd.DataFrame) -> Any:
    return json.loads(table.to_json(orient="records"))
