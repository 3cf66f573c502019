"""The commands of the arena: ``bohnanza policies`` and ``bohnanza tournament``."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import (
    EditionOption,
    JsonOption,
    ProtocolOption,
    bad_input,
    one_line_errors,
    print_table,
    rules_for,
)
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
    from bohnanza_env.arena.schedule import Schedule
    from bohnanza_env.engine.rules import Rules

__all__ = ["add_commands"]


class Design(StrEnum):
    """Who meets whom."""

    payoff = "payoff"
    mixed = "mixed"


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this file into the program."""
    app.command()(policies)
    app.command()(tournament)


def policies(as_json: JsonOption = False) -> None:
    """List the built-in policies."""
    from bohnanza_env.bots import POLICIES

    columns = ("name", "version", "description", "cost")
    bots = [{column: getattr(spec, column) for column in columns} for spec in POLICIES.values()]
    if as_json:
        typer.echo(json.dumps(bots, indent=1))
    else:
        print_table(list(bots[0]), [list(line.values()) for line in bots])


def tournament(
    names: Annotated[
        str,
        typer.Option(
            "--policies",
            help="With commas between: bots, saved networks (policy.zip or the folder of a run, "
            "@deterministic behind it), package.module:name (a Policy, a torch module, a function "
            "of observation and mask). NAME= before one shows it under that name.",
        ),
    ],
    edition: EditionOption = "amigo",
    players: Annotated[int | None, typer.Option(help="Number of players; default: 4.")] = None,
    protocol: ProtocolOption = None,
    design: Annotated[
        Design,
        typer.Option(
            help="payoff: one copy of each policy among copies of each; "
            "mixed: tables of different policies."
        ),
    ] = Design.payoff,
    decks: Annotated[
        int, typer.Option(min=1, help="Number of decks; each table plays them all.")
    ] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Equal seeds mean equal decks.")] = 0,
    workers: WorkersOption = 1,
    backend: BackendOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the games to this file, .parquet or .csv.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the file.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    gains: GainsOption = 0,
    plot: Annotated[Path | None, typer.Option(help="Put pictures (SVG) into this folder.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Play every policy in every seat on the same decks.

    Ctrl-C keeps the finished games of --out.
    """
    need_arena()
    check_files(out, resume, force)
    if plot is not None and plot.exists() and not plot.is_dir():
        bad_input(f"--plot: {plot} is no folder")
    rules = rules_for(edition, players, protocol)
    roster = roster_of(names, rules)
    schedule = _schedule(rules, roster, design, decks, seed)
    options: dict[str, Any] = {"workers": workers, "backend": checked_backend(backend)}
    options |= {"resume": resume, "force": force, "gains": gains}
    rows = play(schedule, roster, out, sources=sources_of(names, roster), **options)
    results = _results(rows, design)
    if plot is not None:
        with one_line_errors():
            _plot(rows, results, plot)
    _show(results, schedule, design, as_json)


def _schedule(
    rules: Rules, roster: dict[str, Player], design: str, decks: int, seed: int
) -> Schedule:
    from bohnanza_env.arena.schedule import Schedule, mixed_lineups, payoff_lineups

    make = payoff_lineups if design == Design.payoff else mixed_lineups
    try:
        return Schedule(rules, make(list(roster), rules.players), decks, seed)
    except ValueError as error:
        bad_input(f"--seed, --decks: {error}")


def play(
    schedule: Schedule,
    roster: dict[str, Player],
    out: Path | None,
    **options: Any,
) -> pd.DataFrame:
    """``play_schedule`` with its errors in one line, and what is kept at Ctrl-C."""
    from bohnanza_env.arena.play import RowsFileError, play_schedule
    from bohnanza_env.arena.rows import read_rows

    try:
        with one_line_errors():
            return play_schedule(schedule, roster, out, progress=True, **options)
    except RowsFileError as error:
        bad_input(error)
    except KeyboardInterrupt:
        kept = "nothing is kept without --out"
        if out is not None and not out.exists():
            kept = "no game was finished, so there is nothing to go on with"
        elif out is not None:
            done = len(read_rows(out))
            kept = f"{done} of {len(schedule)} games are in {out}; --resume goes on"
        typer.echo(f"bohnanza: stopped: {kept}", err=True)
        raise typer.Exit(130) from None


def _results(rows: pd.DataFrame, design: str) -> dict[str, Any]:
    from bohnanza_env.arena import statistics, without_trade

    focal = design == Design.payoff
    results: dict[str, Any] = {"summary": statistics.summary(rows, focal=focal)}
    if focal:
        results["payoff"] = statistics.payoff_matrix(rows)
    results["differences"] = statistics.paired_differences(rows)
    results["measures"] = statistics.measures(rows, focal=focal)
    results["tables"] = statistics.tables(rows)
    results["gains"] = without_trade.gains(rows)
    results["ratings"] = statistics.ratings(rows)
    results["cautions"] = statistics.cautions(rows)
    return results


def _plot(rows: pd.DataFrame, results: dict[str, Any], folder: Path) -> None:
    from bohnanza_env.arena import plots

    folder.mkdir(parents=True, exist_ok=True)
    if len(results["ratings"]):
        plots.plot_ratings(results["ratings"], folder / "ratings.svg")
    if "payoff" in results:
        plots.plot_payoff(results["payoff"], folder / "payoff.svg")
    plots.plot_coins_by_seat(rows, folder / "coins_by_seat.svg")
    plots.plot_coins_by_turn(rows, folder / "coins_by_turn.svg")


_TITLES = {
    "summary": "Means with 95 % intervals (bootstrap over decks)",
    "payoff": "Coins of one policy in one seat, all other seats taken by another",
    "differences": "Paired differences of coins",
    "measures": "Trading measures",
    "tables": "Tables: sum of coins, Gini coefficient, turns",
    "gains": "Gains from trade",
    "ratings": "Ratings (openskill, Plackett-Luce)",
}


def _show(results: dict[str, Any], schedule: Schedule, design: str, as_json: bool) -> None:
    from bohnanza_env.arena.report import texts

    rules = schedule.rules
    tables = {name: table for name, table in results.items() if name in _TITLES}
    if as_json:
        head: dict[str, Any] = {"rules": rules.to_dict(), "design": design}
        head |= {"decks": schedule.decks, "seed": schedule.seed, "games": len(schedule)}
        records = {name: json.loads(t.to_json(orient="records")) for name, t in tables.items()}
        typer.echo(json.dumps(head | records | {"cautions": results["cautions"]}))
        return
    typer.echo(
        f"{rules.edition}, {rules.players} players, {rules.protocol}; {schedule.decks} decks, "
        f"seed {schedule.seed}, {len(schedule)} games"
    )
    for name, table in tables.items():
        if len(table):
            typer.echo()
            shown = texts(table)
            print_table(*(_by_measure(*shown) if name == "measures" else shown), _TITLES[name])
    for caution in results["cautions"]:
        typer.echo(f"bohnanza: caution: {caution}", err=True)


def _by_measure(headings: list[str], lines: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Policy, measure and value, as one line a measure and one column a policy."""
    policies = list(dict.fromkeys(line[0] for line in lines))
    measures = list(dict.fromkeys(line[1] for line in lines))
    values = {(line[0], line[1]): line[2] for line in lines}
    table = [[m.replace("_", " "), *(values[p, m] for p in policies)] for m in measures]
    return ["measure", *policies], table
