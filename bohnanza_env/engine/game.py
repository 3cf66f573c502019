"""``Game``: one game from Python."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .action_codec import ActionSpace
from .action_space import action_blocks
from .decisions import Decision
from .errors import IllegalActionError
from .kernels import legal_kernel, start_kernel, step_kernel, winners_kernel
from .rules import Rules
from .rules_record import rules_array
from .state import GAME_DTYPE, LOG_DTYPE
from .whole import whole

__all__ = ["SILENT_LOG", "Game", "winners_of"]

# A log that takes nothing, shared by all games that are not recorded.
SILENT_LOG = np.zeros(1, LOG_DTYPE)
_OVER = int(Decision.OVER)


class Game:
    """A game of Bohnanza: rules, a record, and the mask of the decider.

    ``(rules, seed, start, actions)`` replays exactly, on any machine (DESIGN §1).

    Args:
        rules: the rules.
        seed: any whole number from 0 to 2^64 - 1.
        start: the start player's seat (R4).
        log: record every event in full in :attr:`log` (for records); off by default.

    Attributes:
        rules: the rules.
        state: the record, an array of shape (1,) and dtype ``GAME_DTYPE``. It holds hidden
            cards: whatever an agent gets comes through ``bohnanza_env.view`` instead.
        mask: int8 array of shape (actions,): 1 for each legal action of the decider, all zeros
            when the game is over. One buffer, overwritten at each step.
    """

    __slots__ = ("_log_bytes", "_rules_bytes", "_state_bytes", "log", "mask", "rules", "state")

    def __init__(self, rules: Rules, seed: int = 0, start: int = 0, *, log: bool = False) -> None:
        if not isinstance(rules, Rules):
            raise TypeError(f"rules: expected Rules, got {type(rules).__name__}")
        seed = whole("seed", seed, 0, 2**64 - 1)
        start = whole("start", start, 0, rules.players - 1)
        self._adopt(rules, np.zeros(1, GAME_DTYPE), log)
        self.state["seed"] = seed
        start_kernel(self._rules_bytes, self._state_bytes, self._log_bytes, start)
        legal_kernel(self._rules_bytes, self._state_bytes, self.mask)

    @classmethod
    def from_state(cls, rules: Rules, state: np.ndarray, *, log: bool = False) -> Game:
        """A game that goes on from a copy of a record (shape (1,), dtype ``GAME_DTYPE``).

        The record is trusted to be one of these rules. Raises ``ValueError`` for another size.
        """
        if state.nbytes != GAME_DTYPE.itemsize:
            raise ValueError(
                f"state: expected one record of {GAME_DTYPE.itemsize} bytes, got {state.nbytes}"
            )
        game = cls.__new__(cls)
        # As bytes: a copy field by field leaves whatever was in memory between the fields, and
        # equal games would not be equal bytes.
        game._adopt(rules, state.view(np.uint8).copy().view(GAME_DTYPE), log)
        legal_kernel(game._rules_bytes, game._state_bytes, game.mask)
        return game

    def _adopt(self, rules: Rules, state: np.ndarray, log: bool) -> None:
        self.rules = rules
        self.state = state
        self.mask = np.zeros(action_blocks(rules)[-1].stop, np.int8)
        self.log = np.zeros(1, LOG_DTYPE) if log else SILENT_LOG
        if log:
            self.log["enabled"] = 1
        self._rules_bytes = rules_array(rules).view(np.uint8)
        self._state_bytes = state.view(np.uint8)
        self._log_bytes = self.log.view(np.uint8)

    # Where it stands ----------------------------------------------------------------------

    @property
    def decision(self) -> Decision:
        """What is asked now."""
        return Decision(int(self.state["decision"][0]))

    @property
    def to_act(self) -> int:
        """The seat that decides, -1 when the game is over."""
        return self.state["to_act"].item()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state["decision"].item() == _OVER

    @property
    def scores(self) -> list[int]:
        """Coins by seat; before the end those earned so far."""
        return [int(c) for c in self.state["coins"][0, : self.rules.players]]

    @property
    def winners(self) -> list[int]:
        """Seats that win (R23); empty before the end."""
        return [int(s) for s in np.flatnonzero(self.state["winners"][0])]

    def legal_actions(self) -> np.ndarray:
        """Indices of the decider's legal actions, rising."""
        return np.flatnonzero(self.mask)

    # Going on -----------------------------------------------------------------------------

    def step(self, action: int) -> None:
        """Do an action of the seat ``to_act``.

        Raises:
            IllegalActionError: the action is not legal now; nothing has changed.
        """
        mask = self.mask
        try:
            index = operator.index(action)
        except TypeError:
            raise IllegalActionError(self._complaint(action)) from None
        if not 0 <= index < len(mask) or not mask[index]:
            raise IllegalActionError(self._complaint(action))
        step_kernel(self._rules_bytes, self._state_bytes, self._log_bytes, index, mask)

    def _complaint(self, action: Any) -> str:
        if self.over:
            return f"action {action!r}: the game is over, nothing is legal"

        space, seat = ActionSpace.of(self.rules), self.to_act
        legal = ", ".join(space.text(int(i), seat) for i in self.legal_actions())
        name = repr(action)
        if isinstance(action, int | np.integer) and 0 <= action < len(self.mask):
            name = f"{int(action)} ({space.text(int(action), seat)})"
        return f"decision {self.decision.text} of seat {seat}: {name} is not legal; legal: {legal}"

    # Copies -------------------------------------------------------------------------------

    def copy(self) -> Game:
        """An independent game with the same future."""
        return Game.from_state(self.rules, self.state, log=self.log is not SILENT_LOG)

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: dict) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple:
        return _restore, (self.rules, self.state.tobytes(), self.log is not SILENT_LOG)

    def __repr__(self) -> str:
        where = "over" if self.over else f"{self.decision.text} of seat {self.to_act}"
        return f"<Game {self.rules.edition} {self.rules.players}p, {where}, coins {self.scores}>"


def winners_of(
    rules: Rules, start: int, coins: Sequence[int], hand_sizes: Sequence[int]
) -> list[int]:
    """Who wins with these coins and hand cards by seat (R22, R23), for tables that are no game."""
    state = np.zeros(1, GAME_DTYPE)
    state["start"] = start
    state["coins"][0, : rules.players] = coins
    state["hand_size"][0, : rules.players] = hand_sizes
    winners_kernel(rules_array(rules).view(np.uint8), state.view(np.uint8))
    return [int(seat) for seat in np.flatnonzero(state["winners"][0])]


def _restore(rules: Rules, data: bytes, log: bool) -> Game:
    if len(data) != GAME_DTYPE.itemsize:
        raise ValueError(
            f"game record of {len(data)} bytes; this version's records have "
            f"{GAME_DTYPE.itemsize}: use a position file to go from version to version"
        )
    return Game.from_state(rules, np.frombuffer(data, GAME_DTYPE), log=log)
