"""The key ``rules`` of positions and records."""

from __future__ import annotations

from typing import Any

from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.errors import RulesError
from bohnanza_env.engine.rules import Rules

from .faults import Faults

__all__ = ["read_rules", "write_rules"]


def write_rules(rules: Rules) -> dict[str, Any]:
    """All fields. A label that is no edition cannot be read back, so it becomes ``custom``."""
    data = rules.to_dict()
    if data["edition"] not in EDITIONS:
        data["edition"] = "custom"
    return data


def read_rules(faults: Faults, keys: dict[str, Any]) -> Rules | None:
    """The rules of a document, ``None`` with the faults noted where there are none."""
    if "rules" not in keys:
        faults.add("rules", "missing")
        return None
    try:
        return Rules.from_dict(keys["rules"])
    except RulesError as error:
        for fault in error.faults:
            faults.found.append(fault if fault.startswith("rules:") else f"rules.{fault}")
    except (TypeError, AttributeError) as error:  # values that cannot be compared or hashed
        faults.add("rules", f"cannot be read ({error})")
    return None
