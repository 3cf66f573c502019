"""Command-line arguments that the scripts of this folder share."""

from __future__ import annotations

import argparse

from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.rules import Rules

from .measuring import pin
from .report import DOCUMENT

__all__ = ["common_parser", "pin_as_asked", "rules_of"]


def _positive(text: str) -> float:
    if not (value := float(text)) > 0:
        raise argparse.ArgumentTypeError(f"{text}: expected a number above 0")
    return value


def _count(text: str) -> int:
    if (value := int(text)) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected 1 or more")
    return value


def common_parser(
    description: str,
    seconds: float | None = 0.5,
    runs: int = 5,
    *,
    rules: bool = True,
    update: bool = True,
) -> argparse.ArgumentParser:
    """Arguments that the scripts of this folder share, and defaults for them.

    Without ``seconds`` the script has runs of its own length; ``rules`` are edition, players and
    protocol; with ``update`` the tables can go into the document.
    """
    found = argparse.ArgumentParser(description=description)
    if seconds is not None:
        found.add_argument(
            "--seconds", type=_positive, default=seconds, help="CPU seconds of each run"
        )
    found.add_argument("--runs", type=_count, default=runs, help="runs of each, taking turns")
    found.add_argument("--core", type=int, help="the core to stay on (default: the last one)")
    if update:
        where = f"docs/{DOCUMENT.name}"
        found.add_argument("--update", action="store_true", help=f"write the tables into {where}")
    if rules:
        found.add_argument("--edition", choices=sorted(EDITIONS), default="amigo")
        found.add_argument("--players", type=_count, default=4)
        found.add_argument("--protocol", choices=("staged", "compact"), default="staged")
    return found


def rules_of(found: argparse.ArgumentParser, given: argparse.Namespace) -> Rules:
    """The rules that were asked for; ends the program with a message if there are none."""
    try:
        return Rules.of(given.edition, given.players, protocol=given.protocol)
    except ValueError as problem:
        found.error(str(problem))


def pin_as_asked(found: argparse.ArgumentParser, given: argparse.Namespace) -> str:
    """``measuring.pin``; ends the program with a message if there is no such core."""
    try:
        return pin(given.core)
    except ValueError as problem:
        found.error(str(problem))
