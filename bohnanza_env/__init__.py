"""Bohnanza as an environment for reinforcement learning.

Importing the package is cheap: the names below are loaded when they are first used. It makes the
environments known to PettingZoo (``pettingzoo.make("aec", "bohnanza_v0")``, the same for
``"parallel"``) and to Gymnasium (``gymnasium.make("Bohnanza-v0")``: one learner among bots).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import gymnasium as _gymnasium
from pettingzoo.env_registry import registration as _pettingzoo

if TYPE_CHECKING:
    from . import bohnanza_v0
    from .actions import Action, ActionSpace
    from .bots import BotPolicy
    from .engine.errors import IllegalActionError, RulesError
    from .engine.game import Game
    from .engine.rules import Rules
    from .observation import ObservationLayout, Scaler
    from .position import read_position, write_position
    from .record import Recorder, read_records
    from .view import view_of

__all__ = [
    "Action",
    "ActionSpace",
    "BotPolicy",
    "Game",
    "IllegalActionError",
    "ObservationLayout",
    "Recorder",
    "Rules",
    "RulesError",
    "Scaler",
    "bohnanza_v0",
    "read_position",
    "read_records",
    "view_of",
    "write_position",
]

# Public name -> the module of this package that has it ("" where it is a module itself).
_HOMES = {
    "Action": ".actions",
    "ActionSpace": ".actions",
    "BotPolicy": ".bots",
    "Game": ".engine.game",
    "IllegalActionError": ".engine.errors",
    "ObservationLayout": ".observation",
    "Recorder": ".record",
    "Rules": ".engine.rules",
    "RulesError": ".engine.errors",
    "Scaler": ".observation",
    "bohnanza_v0": "",
    "read_position": ".position",
    "read_records": ".record",
    "view_of": ".view",
    "write_position": ".position",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not home:
        return import_module(f".{name}", __name__)
    value = globals()[name] = getattr(import_module(home, __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Registrations: entry points are texts, so that nothing of them is imported here.


def _register_with_pettingzoo() -> None:
    for kind, registry, entry in (
        ("aec", _pettingzoo.aec_registry, "env"),
        ("parallel", _pettingzoo.parallel_registry, "parallel_env"),
    ):
        if "bohnanza-v0" not in registry:  # PettingZoo's own spelling of the id
            _pettingzoo.register(kind, "bohnanza_v0", f"{__name__}.bohnanza_v0:{entry}")


_register_with_pettingzoo()
_gymnasium.register(
    "Bohnanza-v0",
    entry_point=f"{__name__}.single_agent:BohnanzaEnv",
    vector_entry_point=f"{__name__}.seat_vector:SeatVectorEnv",
)
