"""``GameVector``: N games in one array, every seat played from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from bohnanza_env.arguments import check_count, check_seed
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import generator_of
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import GAME_DTYPE, LOG_DTYPE
from bohnanza_env.observation import ObservationLayout
from bohnanza_env.rewards import reward_number
from bohnanza_env.view import VIEW_DTYPE

from .kernels import (
    LANE_DTYPE,
    check_kernel,
    look_kernel,
    observe_games_kernel,
    reset_kernel,
    sample_kernel,
    step_kernel,
)
from .slices import (
    MODES,
    Slices,
    autoreset_mode,
    whole_actions,
)

__all__ = ["GameVector"]


class GameVector:
    """N games of the same rules, reset and stepped by one compiled call (docs/vector.md).

    The k-th episode of game i is ``Game(rules, seed + i + k * N)``, seeds modulo 2^64.

    Args:
        rules: the rules.
        games: how many games.
        seed: that of the first episodes, see above.
        reward: a name of ``bohnanza_env.rewards.REWARDS``.
        autoreset: when a game that has ended begins anew: in the same step, in the next one
            (whose action for it is ignored), or only by ``reset(where=...)``.
        threads: the games are stepped in so many slices at the same time; results are the same.
        observations: ``False`` writes masks only, and ``observation`` has no columns.
        max_steps: an episode is truncated after so many actions; ``None`` for never.

    Attributes:
        observation: int16, (N, size): what each decider sees (``ObservationLayout``).
        legal_action_mask: int8, (N, actions): 1 for each legal action of the decider.
        current_player: int64, (N,): who decides, -1 where the game is over.
        rewards: float32, (N, players): of the last step, for every seat.
        terminated, truncated: bool, (N,): whether the last step ended the episode.
        final_coins: int16, (N, players): coins at the end of each game's last finished episode.

    All these arrays are made once and overwritten by each step: copy what is to be kept, and do
    not write into them, since a step writes of an observation only what may have changed. Not safe
    to be stepped from two threads at once.
    """

    def __init__(
        self,
        rules: Rules,
        games: int,
        seed: int = 0,
        reward: str = "margin",
        autoreset: AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        observations: bool = True,
        max_steps: int | None = None,
    ) -> None:
        if not isinstance(rules, Rules):
            raise TypeError(f"rules: expected Rules, got {type(rules).__name__}")
        self.rules, self.reward = rules, reward
        self.num_games = count = check_count("games", games)
        self.autoreset = autoreset_mode(autoreset)
        self.metadata: dict[str, Any] = {"autoreset_mode": self.autoreset}
        self.max_steps = None if max_steps is None else check_count("max_steps", max_steps)
        self.seed = check_seed("seed", seed)
        self.threads = check_count("threads", threads)
        self.observations = bool(observations)
        self._make_arrays(count)
        self._begun = False
        number = reward_number(reward)
        self._settings = np.array([number, MODES[self.autoreset], self.max_steps or 0], np.int64)
        self._slices = Slices(count, self.threads)
        self._arguments = [self._arguments_of_slice() for _ in self._slices.bounds]
        # Of the kernel that is called most: put together once.
        self._step_arguments = [
            (
                a["rules"],
                a["games"],
                a["log"],
                a["view"],
                a["lanes"],
                self._settings,
                self._actions,
                a["before"],
                self.observation,
                self.legal_action_mask,
                self.current_player,
                self.rewards,
                self.terminated,
                self.truncated,
                self.final_coins,
            )
            for a in self._arguments
        ]

    def _make_arrays(self, count: int) -> None:
        players, actions = self.rules.players, ActionSpace.of(self.rules).size
        size = ObservationLayout.of(self.rules).size if self.observations else 0
        self.observation: npt.NDArray[np.int16] = np.zeros((count, size), np.int16)
        self.legal_action_mask: npt.NDArray[np.int8] = np.zeros((count, actions), np.int8)
        self.current_player: npt.NDArray[np.int64] = np.full(count, -1, np.int64)
        self.rewards: npt.NDArray[np.float32] = np.zeros((count, players), np.float32)
        self.terminated: npt.NDArray[np.bool_] = np.zeros(count, bool)
        self.truncated: npt.NDArray[np.bool_] = np.zeros(count, bool)
        self.final_coins: npt.NDArray[np.int16] = np.zeros((count, players), np.int16)
        self._actions = np.zeros(count, np.int64)
        self._games = np.zeros(count, GAME_DTYPE)
        self._lanes = np.zeros(count, LANE_DTYPE)
        self._lanes["stride"] = count

    def _arguments_of_slice(self) -> dict[str, Any]:
        """Arrays for the kernels; the log and the view are this slice's own."""
        return {
            "rules": rules_array(self.rules).view(np.uint8),
            "games": self._games.view(np.uint8),
            "log": np.zeros(1, LOG_DTYPE).view(np.uint8),
            "view": np.zeros(1, VIEW_DTYPE).view(np.uint8),
            "lanes": self._lanes.view(np.uint8),
            "before": np.zeros(self.rules.players, np.int64),
        }

    # Going on -----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, where: npt.NDArray[np.bool_] | None = None) -> None:
        """Begin episodes: after ``seed`` (or the first time) the first ones, else the next ones.

        Args:
            seed: begin all games' sequences of episodes anew from this seed.
            where: bool, (N,): only these games; the others stay as they are. Without ``seed``.
        """
        if where is not None and (seed is not None or not self._begun):
            raise ValueError("where: the games begin together, and so do their seeds")
        if seed is not None:
            self.seed = check_seed("seed", seed)
        if seed is not None or not self._begun:
            numbers = np.arange(self.num_games, dtype=np.uint64)
            self._lanes["next_seed"] = np.add(numbers, np.uint64(self.seed))
        where = np.array(np.ones(self.num_games, bool) if where is None else where)
        if where.shape != (self.num_games,) or where.dtype != bool:
            raise ValueError(f"where: expected bools of shape ({self.num_games},)")
        self._begun = True
        self.rewards[where] = 0
        self.terminated[where] = self.truncated[where] = False

        def begin(k: int, first: int, last: int) -> None:
            a = self._arguments[k]
            reset_kernel(a["rules"], a["games"], a["log"], a["lanes"], where, first, last)

        self._slices.run(begin)
        self._look()

    def step(self, actions: npt.ArrayLike) -> None:
        """Do one action in each game, of the seat ``current_player``.

        Games that have ended and not begun anew ignore theirs. The arrays named above are
        overwritten.

        Raises:
            IllegalActionError: names the first game whose action is not legal; nothing has changed.
        """
        self._check_begun()
        if actions is not self._actions:
            whole_actions(actions, self._actions)
        if len(self._slices) == 1:
            wrong = step_kernel(*self._step_arguments[0], 0, self.num_games)
        else:
            lanes, mask = self._arguments[0]["lanes"], self.legal_action_mask
            wrong = check_kernel(lanes, self._actions, mask, 0, self.num_games)
            if wrong < 0:
                self._slices.run(self._step_slice)
        if wrong >= 0:
            self._complain(wrong)

    def _step_slice(self, k: int, first: int, last: int) -> None:
        step_kernel(*self._step_arguments[k], first, last)

    def random_actions(self, generator: npt.NDArray[np.uint32] | int) -> npt.NDArray[np.int64]:
        """A legal action for each game, drawn uniformly; -1 where the game is over.

        Args:
            generator: from ``engine.random.new_generator``; or a seed, which draws the same again
                for the same masks.

        Returns:
            An array that is used again by each call and by ``step``, which takes it.
        """
        self._check_begun()
        sample_kernel(self.legal_action_mask, generator_of(generator), self._actions)
        return self._actions

    def _look(self) -> None:
        def look(k: int, first: int, last: int) -> None:
            a = self._arguments[k]
            arrays = (self.observation, self.legal_action_mask, self.current_player)
            look_kernel(a["rules"], a["games"], a["view"], *arrays, first, last)

        self._slices.run(look)

    def _check_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("call reset() first")

    def _complain(self, wrong: int) -> None:
        try:
            self.game(wrong).step(int(self._actions[wrong]))
        except IllegalActionError as complaint:
            raise IllegalActionError(f"game {wrong}: {complaint}") from None
        raise RuntimeError(f"game {wrong}: legal_action_mask was written into from outside")

    # Looking ------------------------------------------------------------------------------

    def game(self, i: int) -> Game:
        """A copy of one game. It holds hidden cards: not for agents."""
        self._check_begun()
        if not 0 <= i < self.num_games:
            raise IndexError(f"game {i}: expected 0 to {self.num_games - 1}")
        return Game.from_state(self.rules, self._games[i : i + 1])

    @property
    def games(self) -> np.ndarray:
        """The records, shape (N,), dtype ``GAME_DTYPE``, hidden cards included; to be read only."""
        return self._games

    def observe(self, seats: npt.ArrayLike) -> npt.NDArray[np.int16]:
        """What one seat of each game sees, decider or not: a new array (N, size)."""
        self._check_begun()
        wanted = np.zeros(self.num_games, np.int64)
        whole_actions(seats, wanted)
        if wanted.min() < 0 or wanted.max() >= self.rules.players:
            raise IndexError(f"seats: expected 0 to {self.rules.players - 1}")
        out = np.empty((self.num_games, ObservationLayout.of(self.rules).size), np.int16)
        a = self._arguments[0]
        observe_games_kernel(a["rules"], a["games"], a["view"], wanted, out)
        return out

    # Copies -------------------------------------------------------------------------------

    def save(self) -> dict[str, np.ndarray]:
        """All that the future and the arrays follow from, as new arrays; ``numpy.savez`` takes it.

        It holds hidden cards. For this version of the package only.
        """
        self._check_begun()
        return {
            "rules": rules_array(self.rules).view(np.uint8).copy(),
            "games": self._games.view(np.uint8).copy(),
            "lanes": self._lanes.view(np.uint8).copy(),
            "rewards": self.rewards.copy(),
            "terminated": self.terminated.copy(),
            "truncated": self.truncated.copy(),
            "final_coins": self.final_coins.copy(),
        }

    def restore(self, saved: Mapping[str, np.ndarray]) -> None:
        """Go back to what :meth:`save` gave, of a vector of the same rules and size.

        Raises:
            ValueError: it does not fit; nothing has changed.
        """
        targets: dict[str, np.ndarray] = {
            "games": self._games.view(np.uint8),
            "lanes": self._lanes.view(np.uint8),
            "rewards": self.rewards,
            "terminated": self.terminated,
            "truncated": self.truncated,
            "final_coins": self.final_coins,
        }
        missing = [name for name in ("rules", *targets) if name not in saved]
        if missing:
            raise ValueError(f"saved: without {', '.join(missing)}; expected what save() gave")
        if not np.array_equal(saved["rules"], rules_array(self.rules).view(np.uint8)):
            raise ValueError("saved: games of other rules")
        given = {name: np.asarray(saved[name]) for name in targets}
        for name, target in targets.items():
            found = given[name]
            if found.shape != target.shape or found.dtype != target.dtype:
                raise ValueError(
                    f"saved: {name} is {found.dtype} of shape {found.shape}, "
                    f"not {target.dtype} of {target.shape}"
                )
        for name, target in targets.items():
            target[:] = given[name]
        self._begun = True
        self._look()

    def copy(self) -> GameVector:
        """An independent vector with the same future."""
        return _restored(*self._parts())

    def _parts(self) -> tuple[dict[str, Any], dict[str, np.ndarray] | None]:
        arguments = {
            "rules": self.rules,
            "games": self.num_games,
            "seed": self.seed,
            "reward": self.reward,
            "autoreset": self.autoreset,
            "threads": self.threads,
            "observations": self.observations,
            "max_steps": self.max_steps,
        }
        return arguments, self.save() if self._begun else None

    def __copy__(self) -> GameVector:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> GameVector:
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, self._parts()

    def close(self) -> None:
        """End the threads; a later step starts them again."""
        self._slices.close()

    def __repr__(self) -> str:
        rules = f"{self.rules.edition} {self.rules.players}p"
        return f"<GameVector {rules}, {self.num_games} games, {self.autoreset.name}>"


def _restored(arguments: dict[str, Any], saved: dict[str, np.ndarray] | None) -> GameVector:
    vector = GameVector(**arguments)
    if saved is not None:
        vector.restore(saved)
    return vector
