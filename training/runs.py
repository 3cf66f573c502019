"""The folder of a training run: configuration, checkpoints, logs; and saved policies."""

from __future__ import annotations

from pathlib import Path

from bohnanza_env.checkpoints import CheckpointError, layout_of, load_policy, save_policy

__all__ = ["CheckpointError", "latest_checkpoint", "layout_of", "load_policy", "save_policy"]


def latest_checkpoint(run: Path) -> Path | None:
    """The checkpoint with the most steps in a run's folder."""
    found = {int(p.stem.rpartition("_")[2]): p for p in (run / "checkpoints").glob("policy_*.zip")}
    return found[max(found)] if found else None
