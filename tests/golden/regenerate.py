"""Play all golden games anew, write their files and show what has changed (``make golden``)."""

from __future__ import annotations

import difflib
import sys

from .playthrough import FOLDER, chosen_games, lines_of, weighted_chooser

SHOWN = 20  # lines of a file's difference


def regenerate() -> int:
    """Returns how many files have changed."""
    changed = 0
    games = chosen_games()
    for path in sorted(FOLDER.glob("*.txt")):
        if path.name not in games:
            path.unlink()
            changed += 1
            say(f"{path.name}: removed")
    for name, (rules, seed, start) in games.items():
        path = FOLDER / name
        before = path.read_text().splitlines() if path.exists() else []
        after = list(lines_of(rules, seed, start, weighted_chooser(seed)))
        if before == after:
            continue
        path.write_text("\n".join(after) + "\n")
        changed += 1
        report(name, before, after)
    say(f"{changed} of {len(games)} files changed")
    return changed


def report(name: str, before: list[str], after: list[str]) -> None:
    """The size of the difference and its first lines."""
    difference = list(difflib.unified_diff(before, after, name, name, lineterm="", n=1))
    added = sum(line.startswith("+") for line in difference[2:])
    taken = sum(line.startswith("-") for line in difference[2:])
    say(f"{name}: {added} lines added, {taken} removed")
    if before:
        for line in difference[2 : 2 + SHOWN]:
            say(f"  {line}")
        if len(difference) > 2 + SHOWN:
            say(f"  … {len(difference) - 2 - SHOWN} more")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")


if __name__ == "__main__":
    regenerate()
