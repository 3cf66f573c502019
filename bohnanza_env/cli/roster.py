"""Policies as they are named on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .console import bad_input

if TYPE_CHECKING:
    from bohnanza_env.arena.players import Player
    from bohnanza_env.engine.rules import Rules

__all__ = ["need_arena", "roster_of"]


def need_arena() -> None:
    """Leave with one line where the extra is missing."""
    try:
        import bohnanza_env.arena.play
        import bohnanza_env.arena.statistics  # noqa: F401
    except ImportError as error:
        bad_input(f"the arena needs {error.name}: pip install 'bohnanza-env[arena]'")


def roster_of(names: str, rules: Rules | None, argument: str = "--policies") -> dict[str, Player]:
    """Policies by name, with commas between; with ``rules``, each has to know them."""
    from bohnanza_env.arena.players import check_players, load_player

    roster: dict[str, Player] = {}
    for text in names.split(","):
        try:
            name, player = load_player(text)
            check_players({name: player}, rules)
        except (ValueError, TypeError) as error:
            bad_input(f"{argument}: {error}")
        if name in roster:
            bad_input(f"{argument}: {name} is given twice; name=… gives one another name")
        roster[name] = player
    return roster
