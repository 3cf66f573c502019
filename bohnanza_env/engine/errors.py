"""The errors that the engine raises on bad input."""

from __future__ import annotations

__all__ = ["IllegalActionError", "RulesError"]


class RulesError(ValueError):
    """Rules that cannot be played. The message names every field that is wrong."""

    def __init__(self, faults: list[str]) -> None:
        self.faults = list(faults)
        super().__init__("invalid rules: " + "; ".join(self.faults))

    def __reduce__(self) -> tuple[type[RulesError], tuple[list[str]]]:
        return type(self), (self.faults,)


class IllegalActionError(ValueError):
    """An action that the rules do not allow now. The game is untouched.

    The message names the decision, the action and, when the one who asks is the decider, what
    would be legal.
    """
