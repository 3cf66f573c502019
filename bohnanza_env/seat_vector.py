"""``Bohnanza-v0`` as a vector: one learner a game, bots in the other seats, all compiled.

``gymnasium.make_vec("Bohnanza-v0", 256, vectorization_mode="vector_entry_point")`` makes one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .arguments import (
    check_choice,
    check_count,
    check_finite,
    check_own_seed,
    check_rules,
    check_seat,
)
from .bots import bot, policy_seed
from .bots.memory import MEMORY_DTYPE, new_memory
from .engine.action_codec import ActionSpace
from .engine.errors import IllegalActionError
from .engine.game import Game
from .engine.rules import Rules
from .engine.rules_record import rules_array
from .engine.state import GAME_DTYPE, LOG_DTYPE
from .observation import ObservationLayout
from .rewards import reward_number
from .vector import seat_kernels as lanes_of
from .vector.seat_kernels import OUTPUT_DTYPE, SEAT_LANE_DTYPE, SETTINGS_DTYPE, check_seat_kernel
from .vector.seat_loops import seat_kernel
from .vector.slices import MODES, Slices, autoreset_mode, whole_actions
from .view import VIEW_DTYPE

__all__ = ["BatchPolicy", "SeatVectorEnv"]

# From observations (rows, size), int16, and masks (rows, actions), int8, to one action a row.
BatchPolicy = Callable[[npt.NDArray[np.int16], npt.NDArray[np.int8]], npt.ArrayLike]

_SEEDS = 2**62  # as in ``single_agent``
_ROTATE = "rotate"
_ARGUMENTS = (
    "num_envs edition players rules opponents learner_seat start reward reward_scale pass_forced "
    "max_decisions autoreset threads copy render_mode"
).split()


class SeatVectorEnv(VectorEnv):
    """Many ``BohnanzaEnv`` at once, game by game the same (docs/vector.md).

    Args:
        num_envs: how many games.
        edition, players, rules, learner_seat, start, reward, reward_scale, pass_forced,
            max_decisions and fields of ``Rules``: as for ``BohnanzaEnv``.
        opponents: as there, but instead of a ``Policy`` a batch policy: anything that is called
            with observations (rows, size) and masks (rows, actions) and returns an action for each
            row. It is asked for many games at once; forced decisions are passed over.
        autoreset: when a game that has ended begins anew.
        threads: the games are played in so many slices at the same time; results are the same.
        copy: ``False`` returns the arrays themselves, which the next step overwrites.
        render_mode: ``None`` only.

    Infos: ``action_mask`` (N, actions) and ``seat`` (N,). Where an episode has ended, ``coins``
    and ``winners`` (1 for each that wins), both (N, players), hold its end and ``_coins``,
    ``_winners`` tell which rows do; with ``SAME_STEP`` those four are in ``final_info``, and
    ``final_obs`` (N, size) has the last observations, with ``_final_obs`` and ``_final_info``.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        edition: str = "amigo",
        players: int = 4,
        *,
        rules: Rules | None = None,
        opponents: str | BatchPolicy | Sequence[str | BatchPolicy] = "trader",
        learner_seat: int | str = 0,
        start: int | str = 0,
        reward: str = "margin",
        reward_scale: float = 1.0,
        pass_forced: bool = True,
        max_decisions: int | None = None,
        autoreset: AutoresetMode = AutoresetMode.SAME_STEP,
        threads: int = 1,
        copy: bool = True,
        render_mode: str | None = None,
        **overrides: Any,
    ) -> None:
        self.rules = rules = check_rules(edition, players, rules, overrides, _ARGUMENTS)
        self.num_envs = count = check_count("num_envs", num_envs)
        check_choice("render_mode", render_mode, (None,))
        self.render_mode = None
        self.autoreset_mode = autoreset_mode(autoreset)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.copy = bool(copy)
        names = _opponents(opponents, rules)
        specs = [bot(name) if isinstance(name, str) else None for name in names]
        self._batch = {k: p for k, p in enumerate(names) if not isinstance(p, str)}
        self._memory = [new_memory(1, **(spec.settings if spec else {})) for spec in specs]
        numbers = [-1 if spec is None else spec.number for spec in specs]
        settings = np.zeros(1, SETTINGS_DTYPE)
        settings["reward"] = reward_number(reward)
        settings["scale"] = check_finite("reward_scale", reward_scale)
        settings["mode"] = MODES[self.autoreset_mode]
        if max_decisions is not None:
            settings["limit"] = check_count("max_decisions", max_decisions)
        settings["learner"] = _seat("learner_seat", learner_seat, rules)
        settings["start"] = _seat("start", start, rules)
        settings["pass_forced"] = bool(pass_forced)
        settings["bots"][0, : len(numbers)] = numbers
        self._settings = settings
        self._make_spaces_and_arrays(count)
        self._random: list[np.random.Generator] = []
        self._begun = False
        self._slices = Slices(count, check_count("threads", threads))
        self._scratch = [self._new_scratch() for _ in self._slices.bounds]

    def _make_spaces_and_arrays(self, count: int) -> None:
        self.layout = ObservationLayout.of(self.rules)
        actions = ActionSpace.of(self.rules).size
        self.single_observation_space = self.layout.space
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self.observation: npt.NDArray[np.int16] = np.zeros((count, self.layout.size), np.int16)
        self._final = np.zeros_like(self.observation)
        self.legal_action_mask: npt.NDArray[np.int8] = np.zeros((count, actions), np.int8)
        self._actions = np.zeros(count, np.int64)
        self._games = np.zeros(count, GAME_DTYPE)
        self._lanes = np.zeros(count, SEAT_LANE_DTYPE)
        self._output = np.zeros(count, OUTPUT_DTYPE)

    def _new_scratch(self) -> tuple[np.ndarray, ...]:
        """Log, view, memories of the bots and rewards by seat: one slice's own."""
        memory = np.concatenate(self._memory).view(MEMORY_DTYPE)
        log, view = np.zeros(1, LOG_DTYPE), np.zeros(1, VIEW_DTYPE)
        bytes_of = [array.view(np.uint8) for array in (log, view, memory)]
        return (*bytes_of, np.zeros(self.rules.players))

    # Episodes -----------------------------------------------------------------------------

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[npt.NDArray[np.int16], dict[str, Any]]:
        """Begin episodes: game i is seeded with ``seed + i``, or the i-th of several seeds.

        ``options`` may have ``"reset_mask"``, bools (N,): only these games begin anew.
        """
        options = dict(options or {})
        where = np.asarray(options.pop("reset_mask", np.ones(self.num_envs, bool)))
        if options:
            raise ValueError(f"options: unknown {sorted(options)}; known: reset_mask")
        if where.shape != (self.num_envs,) or where.dtype != bool:
            raise ValueError(f"reset_mask: expected bools of shape ({self.num_envs},)")
        if not self._begun and not where.all():
            raise ValueError("reset_mask: the first reset is of all games")
        self._seed(seed, where)
        self._lanes["todo"] = np.where(where, lanes_of.EPISODE, lanes_of.IDLE)
        self._output["terminated"][where] = self._output["truncated"][where] = 0
        self._play()
        return self._given(self.observation), self._info()

    def _seed(self, seed: Any, where: npt.NDArray[np.bool_]) -> None:
        seeds = _seeds(seed, self.num_envs)
        if not self._random:
            seeds = [seeding.np_random()[1] if s is None else s for s in seeds]
        # All of them before any is used: one may be refused, and then nothing has changed.
        fresh = {
            i: seeding.np_random(seeds[i])[0] for i in np.flatnonzero(where) if seeds[i] is not None
        }
        if not self._random:
            self._random = list(fresh.values())  # the first reset is of all games
        for i, generator in fresh.items():
            self._random[i] = generator
            self._lanes[i]["episodes"] = 0
            self._draw(i)

    def _draw(self, i: Any) -> None:
        seed = int(self._random[i].integers(_SEEDS))
        self._lanes["next_seed"][i] = seed
        self._lanes["next_bot_seed"][i] = policy_seed(seed)
        self._lanes["used"][i] = 0

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.int16],
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """One decision of every learner; the others play on.

        Games that have ended and not begun anew ignore their action.

        Raises:
            IllegalActionError: names the first game whose action is not legal; nothing has changed.
        """
        self._check_begun()
        whole_actions(actions, self._actions)
        lanes, output = self._lanes, self._output
        wrong = check_seat_kernel(lanes.view(np.uint8), self._actions, self.legal_action_mask)
        if wrong >= 0:
            self._complain(wrong)
        lanes["todo"] = lanes_of.ACT
        over = lanes["done"] != 0
        if over.any():
            output["reward"][over] = 0
            if self.autoreset_mode is AutoresetMode.NEXT_STEP:
                output["terminated"][over] = output["truncated"][over] = 0
                lanes["todo"][over] = lanes_of.EPISODE
            else:
                lanes["todo"][over] = lanes_of.IDLE
        self._play()
        terminated, truncated = output["terminated"] != 0, output["truncated"] != 0
        info = self._info(terminated | truncated)
        return self._given(self.observation), output["reward"].copy(), terminated, truncated, info

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Bool array (N, actions): what each learner may do; all false where the game is over."""
        self._check_begun()
        return self.legal_action_mask.astype(bool)

    def game(self, i: int) -> Game:
        """A copy of one game. It holds hidden cards: not for agents."""
        self._check_begun()
        if not 0 <= i < self.num_envs:
            raise IndexError(f"game {i}: expected 0 to {self.num_envs - 1}")
        return Game.from_state(self.rules, self._games[i : i + 1])

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._slices.close()

    # ------------------------------------------------------------------------------------

    def _play(self) -> None:
        """Play until every learner decides or its game is over."""
        self._begun = False  # a policy that fails leaves half a step
        while sum(self._slices.run(self._run_slice)):
            todo = self._lanes["todo"]
            for i in np.flatnonzero(self._lanes["used"]):
                self._draw(i)
            todo[todo == lanes_of.NEEDS_SEED] = lanes_of.DEAL
            asked = np.flatnonzero(todo == lanes_of.ASK)
            if len(asked):
                self._ask(asked)
            if not todo.any():
                break
        self._begun = True

    def _run_slice(self, k: int, first: int, last: int) -> int:
        log, view, memory, rewards = self._scratch[k]
        return seat_kernel(
            rules_array(self.rules).view(np.uint8),
            self._games.view(np.uint8),
            log,
            view,
            memory,
            self._lanes.view(np.uint8),
            self._settings.view(np.uint8),
            self._output.view(np.uint8),
            self._actions,
            rewards,
            self.observation,
            self._final,
            self.legal_action_mask,
            first,
            last,
        )

    def _ask(self, asked: npt.NDArray[np.intp]) -> None:
        """Actions of the seats played from outside; each policy is called once."""
        steps = self._games["to_act"][asked] - self._lanes["learner"][asked]
        places = steps % self.rules.players - 1
        for policy in {id(p): p for p in self._batch.values()}.values():
            own = [place for place, other in self._batch.items() if other is policy]
            rows = asked[np.isin(places, own)]
            if len(rows) == 0:
                continue
            masks = self.legal_action_mask[rows]
            chosen = np.zeros(len(rows), np.int64)
            whole_actions(policy(self.observation[rows], masks), chosen)
            inside = (chosen >= 0) & (chosen < masks.shape[1])
            legal = inside & (masks[np.arange(len(rows)), np.where(inside, chosen, 0)] != 0)
            if not legal.all():
                k = int(np.argmin(legal))
                raise IllegalActionError(
                    f"game {rows[k]}: {policy!r} chose {chosen[k]}, which is illegal; call reset()"
                )
            self._actions[rows] = chosen
            self._lanes["todo"][rows] = lanes_of.ACT

    def _given(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _info(self, ended: npt.NDArray[np.bool_] | None = None) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self._given(self.legal_action_mask),
            "seat": self._lanes["learner"].copy(),
        }
        if ended is None or not ended.any():
            return info
        players = self.rules.players
        end = {name: self._output[name][:, :players].copy() for name in ("coins", "winners")}
        end |= {"_coins": ended.copy(), "_winners": ended.copy()}
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            return info | end
        end |= {"seat": self._output["seat"].copy(), "_seat": ended.copy()}
        info |= {"final_info": end, "_final_info": ended.copy()}
        return info | {"final_obs": self._given(self._final), "_final_obs": ended.copy()}

    def _check_begun(self) -> None:
        if not self._begun:
            raise RuntimeError("call reset() first")

    def _complain(self, wrong: int) -> None:
        try:
            self.game(wrong).step(int(self._actions[wrong]))
        except IllegalActionError as complaint:
            raise IllegalActionError(f"game {wrong}: {complaint}") from None
        raise RuntimeError(f"game {wrong}: legal_action_mask was written into from outside")

    # Copies: those in mid-game have the same future ---------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state["_slices"] = len(self._slices)
        del state["_scratch"]
        for name in ("_games", "_lanes", "_settings", "_output"):
            state[name] = state[name].tobytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        types = {
            "_games": GAME_DTYPE,
            "_lanes": SEAT_LANE_DTYPE,
            "_settings": SETTINGS_DTYPE,
            "_output": OUTPUT_DTYPE,
        }
        for name, value in state.items():
            known = types.get(name)
            self.__dict__[name] = value if known is None else np.frombuffer(bytearray(value), known)
        self._slices = Slices(self.num_envs, state["_slices"])
        self._scratch = [self._new_scratch() for _ in self._slices.bounds]

    def __deepcopy__(self, memo: dict[int, Any]) -> SeatVectorEnv:
        twin = type(self).__new__(type(self))
        shared = {"layout", "rules", "_batch"}
        state = self.__getstate__().items()
        twin.__setstate__({n: v if n in shared else deepcopy(v, memo) for n, v in state})
        return twin


def _seat(name: str, value: Any, rules: Rules) -> int:
    if isinstance(value, str) and value == _ROTATE:
        return lanes_of.ROTATE
    return check_seat(name, value, rules.players, (_ROTATE,))


def _seeds(seed: Any, count: int) -> list[int | None]:
    """The seed of each game."""
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str | bytes):
        if len(seed) != count:
            raise ValueError(f"seed: expected {count} seeds, got {len(seed)}")
        return [check_own_seed(f"seed: that of game {i}", own) for i, own in enumerate(seed)]
    first = check_own_seed("seed", seed)
    return [None if first is None else first + i for i in range(count)]


def _opponents(wanted: Any, rules: Rules) -> list[Any]:
    """One bot's name or batch policy for each other seat, clockwise from the learner."""
    others = rules.players - 1
    listed = [wanted] * others if isinstance(wanted, str) or callable(wanted) else list(wanted)
    if len(listed) != others:
        raise ValueError(
            f"opponents: expected one for all or {others} for {rules.players} players, "
            f"got {len(listed)}"
        )
    for opponent in listed:
        if not isinstance(opponent, str) and not callable(opponent):
            raise TypeError(f"opponents: expected names or batch policies, got {opponent!r}")
    return listed
