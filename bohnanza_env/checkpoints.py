"""Policies trained with Stable-Baselines3 as files that know for which rules they were made.

Needs ``sb3_contrib``, loaded when a policy is; :func:`made_for` reads a file without it. Such
files hold pickled code: load only what you trust.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .engine.errors import RulesError
from .engine.rules import Rules
from .observation import ObservationLayout

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.base_class import BaseAlgorithm

__all__ = [
    "CheckpointError",
    "layout_of",
    "load_policy",
    "made_for",
    "rules_differences",
    "save_policy",
]

_ATTRIBUTE = "bohnanza_layout"


class CheckpointError(ValueError):
    """A saved policy that cannot be used here; the message says what differs."""


def layout_of(rules: Rules) -> dict[str, Any]:
    """What a policy depends on: the rules, and a digest of the observation's pieces."""
    pieces = [[p.name, list(p.shape)] for p in ObservationLayout.of(rules).pieces]
    digest = hashlib.sha256(json.dumps(pieces).encode()).hexdigest()[:16]
    return {"rules": rules.to_dict(), "observation": digest}


def save_policy(model: BaseAlgorithm, rules: Rules, path: str | Path) -> None:
    """Write a policy, whole or not at all."""
    path = Path(path)
    setattr(model, _ATTRIBUTE, layout_of(rules))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part.zip")
    model.save(part)
    part.replace(path)


def made_for(path: str | Path) -> Rules:
    """The rules that a saved policy was made for, read without loading it.

    Raises:
        CheckpointError: no such file, no policy, one that does not say for which rules it was
            made, or one for another observation layout.
    """
    path = Path(path)
    if not path.is_file():
        raise CheckpointError(f"{path}: no such file")
    try:
        with zipfile.ZipFile(path) as archive:
            data = json.loads(archive.read("data"))
    except Exception as problem:  # noqa: BLE001 - whatever a damaged archive leads to
        raise CheckpointError(f"{path}: not a policy that can be read ({problem})") from None
    if not isinstance(data, dict):
        raise CheckpointError(f"{path}: not a policy that can be read (its data is no object)")
    return _rules_in(data.get(_ATTRIBUTE), path)


def _rules_in(layout: Any, path: Path) -> Rules:
    if not isinstance(layout, dict):
        raise CheckpointError(
            f"{path}: does not say for which rules it was made "
            "(bohnanza_env.checkpoints.save_policy writes that)"
        )
    try:
        rules = Rules.from_dict(layout["rules"])
    except (KeyError, RulesError) as problem:
        raise CheckpointError(f"{path}: made for rules unknown here ({problem})") from None
    if layout.get("observation") != layout_of(rules)["observation"]:
        raise CheckpointError(
            f"{path}: made for another game: observation layout: of another version of bohnanza-env"
        )
    return rules


def load_policy(path: str | Path, rules: Rules | None = None, **options: Any) -> MaskablePPO:
    """Read a policy; with ``rules``, only one that was made for them.

    Raises:
        CheckpointError: what :func:`made_for` raises, a damaged file, or a policy made for other
            rules: the message names what differs.
    """
    trained_on = made_for(path)
    faults = [] if rules is None else rules_differences(trained_on, rules)
    if faults:
        raise CheckpointError(f"{path}: made for another game: {'; '.join(faults)}")
    from sb3_contrib import MaskablePPO

    try:
        return MaskablePPO.load(path, **options)
    except Exception as problem:  # noqa: BLE001 - whatever a damaged archive leads to
        raise CheckpointError(f"{path}: not a policy that can be read ({problem})") from None


def rules_differences(trained: Rules, wanted: Rules) -> list[str]:
    """Where rules differ, field by field; the name of the edition alone is no difference."""
    before, now = trained.to_dict(), wanted.to_dict()
    return [
        f"{name}: trained with {before[name]!r}, wanted {value!r}"
        for name, value in now.items()
        if name != "edition" and before[name] != value
    ]
