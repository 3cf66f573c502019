"""What the commands of the arena share: options, and policies and backends by name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import bad_input

if TYPE_CHECKING:
    from bohnanza_env.arena.players import Player
    from bohnanza_env.engine.rules import Rules

__all__ = [
    "BackendOption",
    "GainsOption",
    "WorkersOption",
    "check_files",
    "checked_backend",
    "need_arena",
    "player_of",
    "roster_of",
    "sources_of",
]

BackendOption = Annotated[
    str | None,
    typer.Option(help="loky (default), threading, multiprocessing, or ray for many machines."),
]
WorkersOption = Annotated[int, typer.Option(min=1, help="Processes.")]
GainsOption = Annotated[
    int, typer.Option(min=0, help="Measure gains from trade on so many decks (slow).")
]


def check_files(out: Path | None, resume: bool, force: bool) -> None:
    """Leave with one line where ``--out``, ``--resume`` and ``--force`` do not go together."""
    if out is None and (resume or force):
        bad_input("--resume and --force are about files: give --out, too")
    if resume and force:
        bad_input("--resume and --force exclude each other")


def checked_backend(name: str | None) -> str | None:
    """A backend that can be used."""
    from bohnanza_env.arena.backends import check_backend

    try:
        return check_backend(name)
    except ValueError as error:
        bad_input(f"--backend: {error}")


def need_arena() -> None:
    """Leave with one line where the extra is missing."""
    try:
        import bohnanza_env.arena.play
        import bohnanza_env.arena.statistics  # noqa: F401
    except ImportError as error:
        bad_input(f"the arena needs {error.name}: pip install 'bohnanza-env[arena]'")


def roster_of(names: str, rules: Rules | None, argument: str = "--policies") -> dict[str, Player]:
    """Policies by name, with commas between; with ``rules``, each has to know them."""
    roster: dict[str, Player] = {}
    for text in names.split(","):
        name, player = player_of(text, rules, argument)
        if name in roster:
            bad_input(f"{argument}: {name} is given twice; name=… gives one another name")
        roster[name] = player
    return roster


def sources_of(names: str, roster: dict[str, Player]) -> dict[str, str]:
    """What the policies of :func:`roster_of` are, as the rows keep it."""
    from bohnanza_env.arena.players import source_of

    texts = zip(roster.items(), names.split(","), strict=True)
    return {name: source_of(player, text) for (name, player), text in texts}


def player_of(text: str, rules: Rules | None, argument: str) -> tuple[str, Player]:
    """A name and its policy; with ``rules``, it has to know them."""
    from bohnanza_env.arena.players import check_players, load_player

    player: Player | None = None
    try:
        name, player = load_player(text)
        return name, check_players({name: player}, rules)[name]
    except (ValueError, TypeError) as error:
        hint = _table_for(player, rules)
        bad_input(f"{argument}: {error}" + f"; a table that fits: {hint}" * bool(hint))


def _table_for(player: Player | None, rules: Rules | None) -> str:
    """Options that would make a table of the rules that a policy knows, if there are any."""
    from bohnanza_env.checkpoints import rules_differences
    from bohnanza_env.engine.errors import RulesError
    from bohnanza_env.engine.rules import Rules

    known = getattr(player, "rules", None)
    if rules is None or not isinstance(known, Rules):
        return ""
    try:
        table = Rules.of(known.edition, known.players, protocol=known.protocol)
    except RulesError:
        return ""
    if rules_differences(known, table):
        return ""
    options = ("edition", "players", "protocol")
    changed = [name for name in options if getattr(known, name) != getattr(rules, name)]
    return " ".join(f"--{name} {getattr(known, name)}" for name in changed)
