"""``Bohnanza-v0``: one learner seat as a Gymnasium environment, policies in all other seats."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from .arguments import (
    check_choice,
    check_count,
    check_finite,
    check_own_seed,
    check_rules,
    check_seat,
    check_seed,
)
from .bots import BotPolicy, BotTable, Policy, bot, policy_seed
from .bots.table import MOST_STEPS
from .checking import check_game
from .engine.action_codec import ActionSpace
from .engine.errors import IllegalActionError
from .engine.game import Game
from .engine.rules import Rules
from .observation import ObservationLayout, observe
from .render.text import render_view
from .rewards import reward_function
from .tallies import new_tallies, step_counted
from .view import view_of

__all__ = ["BohnanzaEnv"]

ROTATE = "rotate"
_SEEDS = 2**62  # games are seeded below this
_OPTIONS = ("deck_seed", "learner_seat", "start")
_ARGUMENTS = (
    "edition players rules opponents learner_seat start reward reward_scale pass_forced "
    "max_decisions render_mode check_invariants"
).split()


class BohnanzaEnv(gymnasium.Env):
    """One learner at a table of other policies.

    A step is one decision of the learner; everybody else then plays until the learner decides
    again or the game is over, and rewards that fall due meanwhile are part of the step.

    Args:
        edition, players: the rules (RULES §2); ``overrides`` are further fields of ``Rules``,
            such as ``protocol="compact"``.
        rules: ready-made rules instead of those.
        opponents: the name of a bot for all other seats, or one name or ``Policy`` for each of
            them, clockwise from the learner.
        learner_seat: a seat, or ``"rotate"``: the next seat in each episode.
        start: start player, or ``"rotate"``: changes after each round of learner seats.
        reward: a name of ``bohnanza_env.rewards.REWARDS``.
        reward_scale: the rewards are multiplied by this.
        pass_forced: decisions with one legal action are taken without asking the learner.
        max_decisions: truncate an episode after so many decisions of the learner.
        render_mode: ``"ansi"`` or ``"human"``: the learner's view as text.
        check_invariants: look for faults of the engine after each decision of any seat, which is
            slow; one raises ``checking.InvariantError``.

    Observations: the flat int16 vector of ``observation.ObservationLayout``, a fresh array at
    each step. The legal actions are :meth:`action_masks` and ``info["action_mask"]``.

    At the end of an episode ``info`` has ``"coins"`` and ``"winners"`` by seat and ``"seat"``.

    Raises ``RulesError``, ``ValueError`` or ``TypeError`` for arguments that cannot be used, and
    ``IllegalActionError`` for an illegal action, which changes nothing.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "human"], "render_fps": 4}

    def __init__(
        self,
        edition: str = "amigo",
        players: int = 4,
        *,
        rules: Rules | None = None,
        opponents: str | Policy | Sequence[str | Policy] = "trader",
        learner_seat: int | str = 0,
        start: int | str = 0,
        reward: str = "margin",
        reward_scale: float = 1.0,
        pass_forced: bool = True,
        max_decisions: int | None = None,
        render_mode: str | None = None,
        check_invariants: bool = False,
        **overrides: Any,
    ) -> None:
        self.rules = check_rules(edition, players, rules, overrides, _ARGUMENTS)
        self._learner_seat = self._seat_or_rotate("learner_seat", learner_seat)
        self._start = self._seat_or_rotate("start", start)
        self._opponents = _opponents(opponents, self.rules)
        self._reward = reward_function(reward)
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.reward_scale = check_finite("reward_scale", reward_scale)
        self.pass_forced = bool(pass_forced)
        limit = max_decisions
        self.max_decisions = None if limit is None else check_count("max_decisions", limit)
        self.render_mode = render_mode
        self.check_invariants = bool(check_invariants)
        self.layout = ObservationLayout.of(self.rules)
        self.observation_space = deepcopy(self.layout.space)  # seeded by itself
        self.action_space = spaces.Discrete(ActionSpace.of(self.rules).size)
        self._tallies = new_tallies()
        self._game: Game | None = None
        self._episodes = 0
        self._decisions = 0
        self._seat = 0
        self._pass_forced = self.pass_forced
        self._rewarded = np.zeros(self.rules.players, np.int16)  # coins that were rewarded
        self._policies: dict[int, Policy] = {}  # by seat
        self._table: BotTable | None = None  # instead of them, where all are bots
        self._tables: dict[int, BotTable] = {}  # by the learner's seat

    # Episodes -----------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode.

        ``options`` may fix it: ``"deck_seed"`` (whole number: the decks), ``"learner_seat"``,
        ``"start"``. Others are an error.
        """
        wanted = dict(options or {})
        unknown = sorted(wanted.keys() - set(_OPTIONS))
        if unknown:
            raise ValueError(f"options: unknown {unknown}; known: {', '.join(_OPTIONS)}")
        seat = self._seat_or_rotate("learner_seat", wanted.get("learner_seat", self._learner_seat))
        start = self._seat_or_rotate("start", wanted.get("start", self._start))
        if "deck_seed" in wanted:
            wanted["deck_seed"] = check_seed("deck_seed", wanted["deck_seed"])
        super().reset(seed=check_own_seed("seed", seed))
        if seed is not None:
            self._episodes = 0
        players = self.rules.players
        seat_turn, start_turn = self._episodes % players, self._episodes // players % players
        self._seat = seat_turn if seat == ROTATE else int(seat)
        start = start_turn if start == ROTATE else int(start)
        self._episodes += 1
        drawn = int(self.np_random.integers(_SEEDS))
        while not self._deal(wanted.get("deck_seed", drawn), start):
            if "deck_seed" in wanted:
                raise ValueError(f"deck_seed: seat {self._seat} is never asked in this game")
            drawn = int(self.np_random.integers(_SEEDS))
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Do the learner's action, let the others play on."""
        game = self._running()
        if game.over:
            raise IllegalActionError("the episode is over: call reset()")
        if game.to_act != self._seat:
            raise RuntimeError(f"the policy in seat {game.to_act} failed: call reset()")
        self._do(action)
        self._decisions += 1
        self._play_on()
        rewards = self._reward(self.rules, self._rewarded, game.state)
        self._rewarded = game.state["coins"][0, : self.rules.players].copy()
        reward = self.reward_scale * float(rewards[self._seat])
        terminated = game.over
        limit = self.max_decisions
        truncated = not terminated and limit is not None and self._decisions >= limit
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """Bool array of shape (actions,): what the learner may do; all false at the end."""
        return self._mask().astype(bool)

    def render(self) -> str | None:
        """The table as the learner sees it: returned (``"ansi"``) or printed (``"human"``)."""
        if self.render_mode is None:
            return None
        text = render_view(self.rules, view_of(self._running(), self._seat))
        if self.render_mode == "ansi":
            return text
        print(text)  # noqa: T201 - this render mode is made for the terminal
        return None

    @property
    def game(self) -> Game:
        """The game under way. It holds hidden cards: not for agents."""
        return self._running()

    @property
    def tallies(self) -> np.ndarray:
        """What was dealt in this episode: int64 of shape (seats, columns of ``Tally``)."""
        return self._tallies if self._table is None else self._table.tallies

    @property
    def learner_seat(self) -> int:
        """The learner's seat in this episode."""
        return self._seat

    # ------------------------------------------------------------------------------------

    def _seat_or_rotate(self, name: str, value: Any) -> int | str:
        if isinstance(value, str) and value == ROTATE:
            return ROTATE
        return check_seat(name, value, self.rules.players, (ROTATE,))

    def _running(self) -> Game:
        if self._game is None:
            raise RuntimeError("call reset() first")
        return self._game

    def _deal(self, deck_seed: int, start: int) -> bool:
        """A new game up to the learner's first decision; returns whether there is one.

        In tiny games every decision may be a forced one: then the learner is asked those.
        """
        for pass_forced in (True, False) if self.pass_forced else (False,):
            self._pass_forced = pass_forced
            self._game = Game(self.rules, deck_seed, start)
            self._decisions = 0
            self._rewarded = np.zeros(self.rules.players, np.int16)
            self._seat_opponents(deck_seed)
            self._play_on()
            if not self._game.over:
                return True
        return False

    def _seat_opponents(self, deck_seed: int) -> None:
        """Put the policies into their seats; bots alone play in one compiled loop."""
        seed = policy_seed(deck_seed)
        seats: list[str | None] = [None] * self.rules.players
        self._policies, self._table = {}, None
        for k, opponent in enumerate(self._opponents, start=1):
            seat = (self._seat + k) % self.rules.players
            if isinstance(opponent, str):
                seats[seat] = opponent
            else:
                self._policies[seat] = opponent
        if not self._policies:
            self._table = self._tables.get(self._seat) or BotTable(self.rules, seats)
            self._tables[self._seat] = self._table
            self._table.reset(seed)
            return
        self._tallies = new_tallies()
        for seat, name in enumerate(seats):
            if name is not None:
                self._policies[seat] = BotPolicy(name)
        for seat, policy in self._policies.items():
            policy.reset(self.rules, seat, seed)

    def _play_on(self) -> None:
        """Everybody else plays, and the learner where there is no choice."""
        game = self._running()
        while not game.over:
            seat = game.to_act
            if seat == self._seat:
                if not self._pass_forced or np.count_nonzero(game.mask) > 1:
                    return
                self._do(int(game.mask.argmax()))
            elif self._table is not None:
                self._table.play_until(game, self._seat, 1 if self.check_invariants else MOST_STEPS)
                if self.check_invariants:
                    check_game(game)
            else:
                self._ask(self._policies[seat], seat)

    def _ask(self, policy: Policy, seat: int) -> None:
        """Let a policy decide; the mask it gets is its own."""
        game = self._running()
        action = policy.act(view_of(game, seat), game.mask.copy())
        try:
            self._do(action)
        except IllegalActionError as error:
            raise RuntimeError(f"policy {policy.name!r}: {error}") from error

    def _do(self, action: int) -> None:
        game = self._running()
        step_counted(game, action, self.tallies)
        if self.check_invariants:
            check_game(game)

    def _mask(self) -> np.ndarray:
        """The learner's mask, a new array: that of another seat is nobody else's business."""
        game = self._running()
        return game.mask.copy() if game.to_act == self._seat else np.zeros_like(game.mask)

    def _observation(self) -> np.ndarray:
        return observe(self.rules, view_of(self._running(), self._seat))

    def _info(self) -> dict[str, Any]:
        game = self._running()
        info: dict[str, Any] = {"action_mask": self._mask(), "seat": self._seat}
        if game.over:
            info["coins"] = np.array(game.scores)
            info["winners"] = game.winners
        return info

    def __copy__(self) -> BohnanzaEnv:
        """The same as a deep copy: two environments cannot share one game."""
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> BohnanzaEnv:
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        shared = {"layout", "rules"}  # spaces have generators of their own, to sample from
        for name, value in self.__dict__.items():
            twin.__dict__[name] = value if name in shared else deepcopy(value, memo)
        return twin


def _opponents(wanted: Any, rules: Rules) -> list[str | Policy]:
    """One bot's name or policy for each other seat."""
    others = rules.players - 1
    one = isinstance(wanted, str | Policy)
    listed = [wanted] * others if one else list(wanted)
    if len(listed) != others:
        raise ValueError(
            f"opponents: expected one for all or {others} for {rules.players} players, "
            f"got {len(listed)}"
        )
    for opponent in listed:
        if isinstance(opponent, str):
            bot(opponent)
        elif not isinstance(opponent, Policy):
            raise TypeError(f"opponents: expected names or policies, got {opponent!r}")
    return listed
