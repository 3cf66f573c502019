"""What all commands share: errors in one line, tables and progress."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from bohnanza_env.engine.rules import Rules

__all__ = [
    "EditionOption",
    "JsonOption",
    "ProtocolOption",
    "bad_input",
    "one_line_errors",
    "print_table",
    "rules_for",
]

EditionOption = Annotated[str, typer.Option(help="An edition, see `bohnanza rules`.")]
ProtocolOption = Annotated[
    str | None, typer.Option(help="staged or compact; default: the edition's.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
BAD_INPUT = 2  # exit status, as for wrong options


def bad_input(message: object) -> NoReturn:
    """Say in one line on stderr what is wrong, and leave."""
    typer.echo(f"bohnanza: {' '.join(str(message).split())}", err=True)
    raise typer.Exit(BAD_INPUT)


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Files and documents that cannot be used are bad input, not a traceback."""
    from bohnanza_env.checkpoints import CheckpointError
    from bohnanza_env.position import CaseError, PositionError
    from bohnanza_env.record import RecordError

    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        bad_input(f"{error.filename or 'file'}: {error.strerror or error}")
    except (CaseError, CheckpointError, PositionError, RecordError) as error:
        bad_input(error)


def rules_for(edition: str, players: int | None, protocol: str | None = None) -> Rules:
    """The rules of an edition; the number of players defaults to 4, or what comes next to it."""
    from bohnanza_env.engine.editions import EDITIONS
    from bohnanza_env.engine.errors import RulesError
    from bohnanza_env.engine.rules import Rules

    if edition not in EDITIONS:
        bad_input(f"unknown edition {edition!r}; known editions: {', '.join(EDITIONS)}")
    allowed = EDITIONS[edition][0]
    if players is None:
        players = min(allowed, key=lambda number: abs(number - 4))
    overrides = {} if protocol is None else {"protocol": protocol}
    try:
        return Rules.of(edition, players, **overrides)
    except RulesError as error:
        bad_input("; ".join(error.faults))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """A table on stdout; numbers stand to the right."""
    if title:
        typer.echo(title)
    table = Table(box=None, pad_edge=False)
    for column, heading in enumerate(headings):
        numbers = all(str(row[column])[:1] in "0123456789+-–" for row in rows)
        table.add_column(heading, justify="right" if numbers and rows else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))  # as it is: brackets are no markup
    Console(width=None if Console().is_terminal else 160).print(table)
