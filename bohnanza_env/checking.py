"""Looking for faults of the engine while an environment is used (``check_invariants=True``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .engine.game import Game
from .engine.invariants import invariants
from .engine.rules import Rules
from .observed_game import ObservedGame
from .position import write_position

__all__ = ["CheckedGame", "InvariantError", "check_game"]


class InvariantError(RuntimeError):
    """A game is in a state that the rules never lead to: a fault of this package. Please report it.

    Attributes:
        violations: every violated invariant, as ``engine.invariants`` words them.
        position: the game as a position that ``json.dump`` takes, ``None`` where it is too far gone
            to be written as one.
        rules: all fields of the rules, as JSON values.
        state: the record, in hexadecimal.
    """

    def __init__(
        self,
        violations: list[str],
        position: dict[str, Any] | None,
        rules: dict[str, Any],
        state: str,
    ) -> None:
        self.violations = list(violations)
        self.position = position
        self.rules = rules
        self.state = state
        listed = "\n".join(f"- {violation}" for violation in self.violations)
        super().__init__(
            f"the game has gone wrong, which is a fault of bohnanza-env:\n{listed}\n"
            "Please report this with the attributes position, rules and state of this error "
            "and, if you can, with the seed and the actions that led here."
        )

    def __reduce__(self) -> tuple[type[InvariantError], tuple[Any, ...]]:
        return type(self), (self.violations, self.position, self.rules, self.state)

    def report(self) -> dict[str, Any]:
        """All of it as JSON values."""
        names = ("violations", "position", "rules", "state")
        return {name: getattr(self, name) for name in names}


def check_game(game: Game) -> None:
    """Raise ``InvariantError`` if a game violates an invariant, or its mask is not the record's."""
    violations = _violations(game.rules, game.state, game.mask)
    if violations:
        state = game.state.tobytes().hex()
        raise InvariantError(violations, _position(game), game.rules.to_dict(), state)


def _violations(rules: Rules, state: np.ndarray, mask: np.ndarray) -> list[str]:
    try:
        found = invariants(rules, state)
    except Exception as error:  # noqa: BLE001 - a check that stumbles has found the fault
        return [f"invariants: cannot be checked ({type(error).__name__}: {error})"]
    if not found and not np.array_equal(mask, Game.from_state(rules, state).mask):
        found.append("mask: not that of the record")
    return found


def _position(game: Game) -> dict[str, Any] | None:
    try:
        return write_position(game)
    except Exception:  # noqa: BLE001 - any value of a broken record may be out of range
        return None


class CheckedGame(ObservedGame):
    """An observed game that looks for violated invariants at its beginning and after each step."""

    __slots__ = ()

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_game(game)

    def step(self, action: int) -> bool:
        """As ``ObservedGame.step``; raises ``InvariantError`` if the game has gone wrong."""
        worth_a_reward = super().step(action)
        check_game(self.game)
        return worth_a_reward

    def __copy__(self) -> CheckedGame:
        return CheckedGame(self.game.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> CheckedGame:
        return CheckedGame(self.game.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return CheckedGame, (self.game,)
