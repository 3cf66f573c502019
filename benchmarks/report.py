"""Tables as Markdown that reads well in a terminal, and the sections of docs/performance.md."""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from .measuring import Calibration

__all__ = [
    "DOCUMENT",
    "ROOT",
    "heading",
    "machine",
    "say",
    "significant",
    "table",
    "update_section",
    "versions",
]

ROOT = Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "docs" / "performance.md"


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """An aligned Markdown table: the first column to the left, the others to the right."""
    widths = [max(len(str(row[i])) for row in [head, *rows]) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        first = str(row[0]).ljust(widths[0])
        rest = [str(cell).rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        return "| " + " | ".join([first, *rest]) + " |"

    rule = "|" + "|".join(["-" * (widths[0] + 2), *("-" * (w + 1) + ":" for w in widths[1:])]) + "|"
    return "\n".join([line(head), rule, *(line(row) for row in rows)])


def significant(value: float, digits: int = 3) -> str:
    """A number with so many significant digits and commas: 1,234,567 is 1,230,000."""
    if value == 0 or value != value:
        return "0" if value == 0 else "-"
    places = digits - 1 - int(f"{abs(value):e}".split("e")[1])
    rounded = round(value, places)
    return f"{rounded:,.{max(places, 0)}f}"


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str:
    command = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return done.stdout.strip()


def machine() -> dict[str, str]:
    """What figures depend on beside the code."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "processor": f"{_processor()} ({platform.machine()}), {os.cpu_count()} cores",
        "system": platform.system(),
        "load": load,
        "date": time.strftime("%Y-%m-%d"),
        "commit": _commit(),
    }


def versions(distributions: Sequence[str] = ()) -> dict[str, str]:
    """Versions of Python, of what the project needs, and of these distributions if installed."""
    found = {"python": platform.python_version()}
    for name in ("bohnanza-env", "numba", "numpy", "gymnasium", "pettingzoo", *distributions):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def heading(
    given: argparse.Namespace,
    pinned: str,
    calibration: Calibration,
    distributions: Sequence[str] = (),
) -> str:
    """Where, when and how: what stands above tables."""
    here, found = machine(), versions(distributions)
    length = f" of {given.seconds:g} s each" if hasattr(given, "seconds") else ""
    return "\n".join(
        [
            f"Measured {here['date']} on {here['processor']}, {here['system']}, load {here['load']}"
            f" at the start, {pinned}; commit {here['commit']}; runs: {given.runs}{length}.",
            "",
            f"Calibration: an empty call {calibration.call:.1f} ns, a step of the compiled loop"
            f" {calibration.loop:.2f} ns, {calibration.memory:.1f} GB/s written to memory.",
            "",
            "Versions: " + ", ".join(f"{name} {number}" for name, number in found.items()) + ".",
        ]
    )


def update_section(path: Path, name: str, text: str) -> None:
    """Replace what stands between ``<!-- NAME begin -->`` and ``<!-- NAME end -->`` in a file.

    Raises:
        ValueError: the file has no such section.
    """
    begin, end = f"<!-- {name} begin -->", f"<!-- {name} end -->"
    whole = path.read_text(encoding="utf-8")
    before, found_begin, rest = whole.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise ValueError(f"{path}: no section between {begin!r} and {end!r}")
    path.write_text(f"{before}{begin}\n{text.strip()}\n{end}{after}", encoding="utf-8")


def say(text: str) -> None:
    """Progress, apart from the figures, so that these can be sent to a file."""
    print(text, file=sys.stderr, flush=True)
