"""The folder of a training run: configuration, checkpoints, logs; and saved policies."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from sb3_contrib import MaskablePPO
from stable_baselines3.common.base_class import BaseAlgorithm

from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import ObservationLayout

__all__ = ["CheckpointError", "latest_checkpoint", "layout_of", "load_policy", "save_policy"]

_ATTRIBUTE = "bohnanza_layout"


class CheckpointError(ValueError):
    """A saved policy that cannot be used here; the message says what differs."""


def layout_of(rules: Rules) -> dict[str, Any]:
    """What a policy depends on: the rules, and a digest of the observation's pieces."""
    pieces = [[p.name, list(p.shape)] for p in ObservationLayout.of(rules).pieces]
    digest = hashlib.sha256(json.dumps(pieces).encode()).hexdigest()[:16]
    return {"rules": rules.to_dict(), "observation": digest}


def save_policy(model: BaseAlgorithm, rules: Rules, path: Path) -> None:
    """Write a policy, whole or not at all."""
    setattr(model, _ATTRIBUTE, layout_of(rules))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part.zip")
    model.save(part)
    part.replace(path)


def load_policy(path: str | Path, rules: Rules | None = None, **options: Any) -> MaskablePPO:
    """Read a policy; with ``rules``, only one that was made for them.

    Raises:
        CheckpointError: no such file, no policy of this project, or made for other rules or
            another observation layout: the message names what differs.
    """
    path = Path(path)
    if not path.is_file():
        raise CheckpointError(f"{path}: no such file")
    try:
        model = MaskablePPO.load(path, **options)
    except Exception as problem:  # noqa: BLE001 - whatever a damaged archive leads to
        raise CheckpointError(f"{path}: not a policy that can be read ({problem})") from None
    made_for = getattr(model, _ATTRIBUTE, None)
    if made_for is None:
        raise CheckpointError(f"{path}: does not say for which rules it was made")
    trained_on = Rules.from_dict(made_for["rules"])
    faults = [] if rules is None else _differences(trained_on.to_dict(), rules.to_dict())
    if made_for["observation"] != layout_of(trained_on)["observation"]:
        faults.append("observation layout: of another version of bohnanza-env")
    if faults:
        raise CheckpointError(f"{path}: made for another game: {'; '.join(faults)}")
    return model


def _differences(made_for: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    return [
        f"{name}: trained with {made_for[name]!r}, wanted {value!r}"
        for name, value in wanted.items()
        if name != "edition" and made_for[name] != value
    ]


def latest_checkpoint(run: Path) -> Path | None:
    """The checkpoint with the most steps in a run's folder."""
    found = {int(p.stem.rpartition("_")[2]): p for p in (run / "checkpoints").glob("policy_*.zip")}
    return found[max(found)] if found else None
