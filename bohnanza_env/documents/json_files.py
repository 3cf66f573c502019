"""JSON texts and files: strict reading, and writing that is complete or does not happen."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

__all__ = ["load_json", "parse_json", "write_whole"]


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"given twice: {', '.join(twice)}")
    return data


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON value")


def parse_json(text: str) -> Any:
    """The value of a JSON text.

    Raises:
        ValueError: not JSON, a key given twice, or nested beyond reason.
    """
    try:
        return json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"no JSON ({error.msg} at {where})") from None
    except RecursionError:
        raise ValueError("no JSON that can be read (nested too deeply)") from None


def load_json(path: str | os.PathLike[str]) -> Any:
    """The value in a JSON file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it does not hold one JSON value.
    """
    data = Path(path).read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"no UTF-8 text (byte {error.start})") from None
    return parse_json(text)


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write a file completely or not at all: under another name first, then renamed."""
    target = Path(path)
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
