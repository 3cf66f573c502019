"""A game with what its decider sees, kept up to date with one compiled call a step."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from .engine.game import SILENT_LOG, Game
from .engine.rules_record import rules_array
from .observation import ObservationLayout, TokenLayout, observe_kernel
from .rewards import Reward
from .stepping import step_and_observe
from .view import VIEW_DTYPE, view_of

__all__ = ["ObservedGame"]

_LOG_BYTES = SILENT_LOG.view(np.uint8)


class ObservedGame:
    """The fastest way to play one game from Python: step, mask and observation together.

    Args:
        game: the game; it is played on in place, and only through this object.

    Attributes:
        game: the game.
        seat: who decides, -1 when the game is over.
        decision: what is asked, a number of ``engine.decisions.Decision``.
        mask: int8, shape (actions,): the legal actions of the decider. Overwritten at each step.
        observation: int16, shape (layout.size,): what the decider sees. Brought up to date at each
            step, and left as it is when the game is over. A step may write only what has changed:
            copy it rather than write into it.
        coins: int16, shape (players,): coins by seat, a window into the game.
    """

    __slots__ = (
        "_before",
        "_game_bytes",
        "_rules_bytes",
        "_view_bytes",
        "_winners",
        "coins",
        "decision",
        "game",
        "mask",
        "observation",
        "seat",
    )

    def __init__(self, game: Game) -> None:
        players = game.rules.players
        self.game = game
        self.seat, self.decision = game.to_act, int(game.decision)
        self.mask = game.mask
        self.observation = np.zeros(ObservationLayout.of(game.rules).size, np.int16)
        self.coins = game.state["coins"][0, :players]
        self._winners = game.state["winners"][0, :players]
        self._before = self.coins.copy()
        self._rules_bytes = rules_array(game.rules).view(np.uint8)
        self._game_bytes = game.state.view(np.uint8)
        self._view_bytes = np.zeros(1, VIEW_DTYPE).view(np.uint8)
        if self.seat >= 0:
            self._observe(self.seat, self.observation)

    def step(self, action: int) -> bool:
        """Do an action, which the mask must allow: nothing is checked here.

        Returns:
            Whether there is anything to reward: some seat's coins have changed since the last
            call of :meth:`rewards`, or the game is over.
        """
        self.seat, self.decision, changed = step_and_observe(
            self._rules_bytes,
            self._game_bytes,
            _LOG_BYTES,
            action,
            self._before,
            self.mask,
            self._view_bytes,
            self.observation,
        )
        return changed or self.seat < 0

    def rewards(self, reward: Reward) -> list[float]:
        """The rewards by seat since the last call, or since the object was made."""
        out = np.empty(len(self.coins))
        reward.kernel(self._before, self.coins, int(self.seat < 0), self._winners, out)
        self._before[:] = self.coins
        return out.tolist()

    def observe(self, seat: int) -> npt.NDArray[np.int16]:
        """What a seat sees, decider or not; a new array."""
        if seat == self.seat:
            return self.observation.copy()
        out = np.empty(len(self.observation), np.int16)
        self._observe(seat, out)
        return out

    def events(self, seat: int) -> npt.NDArray[np.int16]:
        """The last public events as a seat sees them (``observation.TokenLayout``); a new array."""
        return TokenLayout.of(self.game.rules).tokens(view_of(self.game, seat))

    def _observe(self, seat: int, out: npt.NDArray[np.int16]) -> None:
        observe_kernel(self._rules_bytes, self._game_bytes, self._view_bytes, seat, out)

    # Copies: rewards that have not been asked for yet are lost, all else is the game's ----------

    def __copy__(self) -> ObservedGame:
        return ObservedGame(self.game.copy())

    def __deepcopy__(self, memo: dict[int, Any]) -> ObservedGame:
        return ObservedGame(self.game.copy())

    def __reduce__(self) -> tuple[Any, ...]:
        return ObservedGame, (self.game,)
