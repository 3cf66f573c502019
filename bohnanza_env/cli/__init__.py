"""The command line: ``bohnanza``, from the extra ``cli``."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["app"]

app: Any
try:
    import rich  # noqa: F401
    import typer  # noqa: F401
except ImportError:

    def app() -> None:
        """Say what is missing."""
        sys.stderr.write(
            "bohnanza: the command line needs typer and rich: pip install 'bohnanza-env[cli]'\n"
        )
        raise SystemExit(2)
else:
    from .commands import app
