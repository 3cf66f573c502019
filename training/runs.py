"""The folder of a training run."""

from __future__ import annotations

from pathlib import Path

__all__ = ["latest_checkpoint"]


def latest_checkpoint(run: Path) -> Path | None:
    """The checkpoint with the most steps in a run's folder."""
    found = {int(p.stem.rpartition("_")[2]): p for p in (run / "checkpoints").glob("policy_*.zip")}
    return found[max(found)] if found else None
