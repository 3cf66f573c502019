"""The commands of ``bohnanza``. What they do is imported when they run, so that help is quick."""

from __future__ import annotations

import json
import os
import sys
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from . import arena
from .console import (
    EditionOption,
    JsonOption,
    ProtocolOption,
    bad_input,
    one_line_errors,
    print_table,
    rules_for,
)
from .evaluate import evaluate

if TYPE_CHECKING:
    from bohnanza_env.engine.rules import Rules

__all__ = ["app"]

app = typer.Typer(
    name="bohnanza",
    help="Bohnanza as an environment for reinforcement learning.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

arena.add_commands(app)
app.command()(evaluate)


@app.command()
def rules(
    name: Annotated[str | None, typer.Argument(help="An edition; all of them if left out.")] = None,
    players: Annotated[int | None, typer.Option(help="Number of players.")] = None,
    as_json: JsonOption = False,
) -> None:
    """List the editions, or show one with beans and beanometers."""
    if name is None:
        _all_editions(players, as_json)
        return
    chosen = rules_for(name, players)
    if as_json:
        typer.echo(json.dumps(chosen.to_dict(), indent=1))
        return
    _one_edition(chosen)


def _all_editions(players: int | None, as_json: bool) -> None:
    from bohnanza_env.engine.editions import EDITIONS
    from bohnanza_env.engine.rules import Rules

    tables = [
        Rules.of(name, number)
        for name, (numbers, _) in EDITIONS.items()
        for number in numbers
        if players in (None, number)
    ]
    if not tables:
        numbers = sorted({number for allowed, _ in EDITIONS.values() for number in allowed})
        listed = ", ".join(map(str, numbers))
        bad_input(f"no edition is for {players} players; numbers of players: {listed}")
    if as_json:
        typer.echo(json.dumps([table.to_dict() for table in tables], indent=1))
        return
    headings = [
        "edition",
        "players",
        "cards",
        "fields",
        "third field",
        "reveal",
        "draw",
        "ends at",
        "tie",
    ]
    rows = [
        [
            r.edition,
            r.players,
            r.deck_size,
            r.fields,
            "by field beans" if r.field_beans else f"{r.field_price} coins" * bool(r.field_price),
            r.reveal,
            f"{r.draw[0]} {r.draw[1]}",
            f"exhaustion {r.final_exhaustion}",
            r.tie.replace("_", " "),
        ]
        for r in tables
    ]
    print_table(headings, rows)


def _one_edition(chosen: Rules) -> None:
    from bohnanza_env.engine.cards import bean

    fields = {key: value for key, value in chosen.to_dict().items() if key != "beans"}
    print_table(["rule", "value"], [[key, _plain(value)] for key, value in fields.items()])
    typer.echo()
    rows = [
        [name, cards, *(need or "–" for need in bean(name).beanometer)]
        for name, cards in chosen.beans.items()
    ]
    print_table(["bean", "cards", "1 coin", "2 coins", "3 coins", "4 coins"], rows)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value).replace('"', "")


@app.command()
def case(
    files: Annotated[list[Path], typer.Argument(help="Case files (bohnanza-case/1).")],
) -> None:
    """Play rule scenarios and print what differs. Exit status 1 if anything does."""
    from bohnanza_env.position import CaseError, read_case, run_case

    different, unusable = 0, 0
    for path in files:
        try:
            data = read_case(path)
        except OSError as error:
            typer.echo(f"bohnanza: {path}: {error.strerror or error}", err=True)
            unusable += 1
            continue
        except CaseError as error:
            typer.echo(f"bohnanza: {error}", err=True)
            unusable += 1
            continue
        differences = run_case(data)
        name = data.get("name", "")
        typer.echo(f"{'differs' if differences else 'ok'}: {path}" + (f" ({name})" if name else ""))
        for difference in differences:
            typer.echo(f"  {difference}")
        different += bool(differences)
    if unusable:
        raise typer.Exit(2)
    if different:
        raise typer.Exit(1)


@app.command()
def match(
    edition: EditionOption = "amigo",
    players: Annotated[
        int | None, typer.Option(help="Number of players; default: one a seat, or 4.")
    ] = None,
    seats: Annotated[
        str,
        typer.Option(
            help="Policies by seat (as for tournament), with commas between; a single one plays "
            "all seats."
        ),
    ] = "random",
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 100,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first game; then one more.")] = 0,
    protocol: ProtocolOption = None,
    record: Annotated[
        Path | None, typer.Option(help="Write the games to this file (bohnanza-record/1).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing record.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Let policies play and print what they earn.

    The start player goes round; Ctrl-C keeps the finished games.
    """
    from .match import Match, show_progress

    names = [name.strip() for name in seats.split(",")]
    if players is None and len(names) > 1:
        players = len(names)
    chosen = rules_for(edition, players, protocol)
    if len(names) == 1:
        names *= chosen.players
    if len(names) != chosen.players:
        bad_input(f"--seats: expected {chosen.players} policies, one a seat, got {len(names)}")
    if seed + games > 2**64:
        bad_input("--seed: expected less than 2^64, for the last game, too")
    with one_line_errors():
        played = Match(chosen, names, seed, record, force=force)
        stopped = show_progress(played, games)
    if as_json:
        typer.echo(json.dumps(played.summary()))
    else:
        _print_match(played.summary())
    if stopped:
        done = len(played.games)
        typer.echo(f"bohnanza: stopped after {done} of {games} games", err=True)
        raise typer.Exit(130)


def _print_match(summary: dict) -> None:
    games = len(summary["games"])
    rows = [
        [
            seat["seat"],
            seat["player"],
            f"{seat['coins']:.2f}",
            f"{seat['coins_error']:.2f}",
            f"{100 * seat['wins']:.1f} %",
        ]
        for seat in summary["seats"]
    ]
    if games:
        rules = summary["rules"]
        title = (
            f"{rules['edition']}, {rules['players']} players, {rules['protocol']}: {games} games"
        )
        print_table(["seat", "player", "coins", "±", "wins"], rows, title)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record file (bohnanza-record/1).")],
    game: Annotated[int, typer.Option(min=1, help="Which game of the file, from 1.")] = 1,
    seat: Annotated[int | None, typer.Option(min=0, help="Show the hand of this seat.")] = None,
    open_hands: Annotated[bool, typer.Option("--open", help="Show all hands and decks.")] = False,
) -> None:
    """Tell a recorded game move by move. Without --seat or --open: what an onlooker sees."""
    from bohnanza_env.record import read_records, replay_text

    if seat is not None and open_hands:
        bad_input("--seat and --open exclude each other")
    try:
        with one_line_errors():
            found = next(islice(read_records(file), game - 1, None), None)
            if found is None:
                bad_input(f"{file}: there is no game {game}")
            if seat is not None and seat >= found.rules.players:
                bad_input(f"--seat: expected 0 to {found.rules.players - 1}, got {seat}")
            for line in replay_text(found, seat, open_hands=open_hands):
                typer.echo(line)
    except BrokenPipeError:  # `| head`; the rest goes nowhere, and Python may not complain at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@app.command()
def warmup() -> None:
    """Compile all parts ahead, before workers start.

    Otherwise each is compiled for this machine when it is first used.
    """
    from .warmup import warm_up

    for part, seconds in warm_up():
        typer.echo(f"{part}: {seconds:.1f} s")
