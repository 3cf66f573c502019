"""The environment of PettingZoo's turn-based kind (AEC): every seat is an agent."""

from __future__ import annotations

import copy
import operator
import sys
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils.env import AECIterable

from .arguments import check_choice, check_count, check_rules, check_seat, check_seed
from .checking import CheckedGame
from .engine.action_codec import ActionSpace
from .engine.decisions import Decision
from .engine.errors import IllegalActionError
from .engine.game import Game
from .engine.rules import Rules
from .global_state import StateLayout
from .observation import ObservationLayout, TokenLayout
from .observed_game import ObservedGame
from .render.text import OPEN, render_game
from .rewards import reward_function
from .view import view_of

__all__ = ["ENCODINGS", "BohnanzaAECEnv"]

ENCODINGS = ("flat", "tokens")
ROTATE = "rotate"
_ARGUMENTS = (
    "edition players reward render_mode rules encoding max_steps start render_seat state_deck "
    "check_invariants"
).split()

_SEEDS = 2**63  # games without a seed of their own are seeded below this
_OVER = int(Decision.OVER)
_DECISION_TEXTS = tuple(decision.text for decision in Decision)


class BohnanzaAECEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """Bohnanza with every seat as an agent, ``player_0`` to ``player_<n - 1>``.

    The order of moves is that of the game: a proposal interrupts it, and one agent may act several
    times running. Legality and order are checked here, so no wrapper is needed: an illegal action
    raises ``IllegalActionError`` and changes nothing.

    Observations are ``{"observation": int16 vector, "action_mask": int8 vector}``; the layout of
    the vector is ``ObservationLayout.of(env.rules)``. The mask of an agent that does not decide is
    all zeros. Arrays and dictionaries that are returned belong to the caller, except ``rewards``,
    ``terminations``, ``truncations`` and ``infos``, which are PettingZoo's shared dictionaries.
    Any agent can be observed at any time. The info of the agent that decides has ``"decision"``,
    the name of what is asked (``engine.decisions.Decision``); that of others is empty.

    ``copy.deepcopy``, ``copy.copy`` and ``pickle`` give an independent environment in the same
    place with the same future, at any moment.

    Args:
        edition: an edition (RULES §2).
        players: seats.
        reward: a name of ``bohnanza_env.rewards.REWARDS``.
        render_mode: ``"ansi"`` (``render`` returns a text), ``"human"`` (the table is printed at
            each step) or ``None``.
        rules: ready-made rules, instead of ``edition``, ``players`` and ``overrides``.
        encoding: ``"flat"``, or ``"tokens"``, which adds ``"events"`` to the observation: the last
            public events, int16 of ``TokenLayout.of(env.rules).shape``.
        max_steps: an episode is truncated after so many actions; ``None`` for never. A game
            always ends by itself.
        start: the start player's seat, or ``"rotate"``: seat 0 in the first game after a reset
            with a seed, then one further in each.
        render_seat: whose view is drawn: a seat or agent, ``None`` for what a spectator knows, or
            ``"open"`` for all hands.
        state_deck: whether :meth:`state` shows the order of the deck.
        check_invariants: look for faults of the engine after each step, which is slow; one raises
            ``checking.InvariantError``.
        overrides: fields of ``Rules``, such as ``protocol="compact"``.

    Raises:
        ValueError: an argument has no such value (``RulesError`` if it concerns the rules).
        TypeError: no such argument or field.

    Attributes:
        rules: the rules.
        possible_agents: the agents by seat.
        steps: actions of this episode.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "bohnanza_v0",
        "render_modes": ["ansi", "human"],
        # A step is one decision of one agent; see ``parallel_env`` for the parallel form.
        "is_parallelizable": False,
    }

    def __init__(
        self,
        edition: str = "amigo",
        players: int = 4,
        reward: str = "margin",
        render_mode: str | None = None,
        *,
        rules: Rules | None = None,
        encoding: str = "flat",
        max_steps: int | None = None,
        start: int | str = 0,
        render_seat: int | str | None = None,
        state_deck: bool = False,
        check_invariants: bool = False,
        **overrides: Any,
    ) -> None:
        super().__init__()
        self.rules = check_rules(edition, players, rules, overrides, _ARGUMENTS)
        check_choice("encoding", encoding, ENCODINGS)
        check_choice("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.reward = reward_function(reward)
        self.encoding = encoding
        self.max_steps = None if max_steps is None else check_count("max_steps", max_steps)
        self.render_mode = render_mode
        seats = self.rules.players
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._start = start if start == ROTATE else check_seat("start", start, seats, (ROTATE,))
        if render_seat is not None and render_seat != OPEN:
            render_seat = check_seat("render_seat", render_seat, seats, (None, OPEN))
        self._render_seat = render_seat
        self._state_deck = bool(state_deck)
        self._table_type = CheckedGame if check_invariants else ObservedGame
        self._observation_spaces: dict[str, spaces.Dict] = {}
        self._action_spaces: dict[str, spaces.Discrete] = {}
        self._random: np.random.Generator | None = None
        self._episodes = 0  # since the last reset with a seed
        self._table: ObservedGame | None = None
        self._seat = -1  # who decides; -1 where nobody does, also once an episode is cut off
        self._paid = False  # whether some reward is not zero
        self.steps = 0
        self.agents: list[str] = []

    # Spaces -------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations; each agent and environment has its own."""
        space = self._observation_spaces.get(agent)
        if space is None:
            self._seat_of_agent(agent)
            layout, actions = ObservationLayout.of(self.rules), ActionSpace.of(self.rules).size
            parts: dict[str, spaces.Space] = {
                "observation": spaces.Box(layout.low, layout.high, dtype=np.int16),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
            if self.encoding == "tokens":
                parts["events"] = copy.deepcopy(TokenLayout.of(self.rules).space)
            space = self._observation_spaces[agent] = spaces.Dict(parts)
        return space

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's actions; see ``bohnanza_env.actions.ActionSpace``."""
        space = self._action_spaces.get(agent)
        if space is None:
            self._seat_of_agent(agent)
            space = spaces.Discrete(ActionSpace.of(self.rules).size)
            self._action_spaces[agent] = space
        return space

    @property
    def state_layout(self) -> StateLayout:
        """Where everything lies in :meth:`state`."""
        return StateLayout.of(self.rules, self._state_deck)

    @property
    def state_space(self) -> spaces.Box:
        """The space of :meth:`state`."""
        return self.state_layout.space

    # Episodes -----------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: of this game, and of the games of later resets without a seed, so that a
                sequence of games repeats exactly. Without one the environment goes on from its
                own stream, which is random where no seed was ever given.
            options: ``"start"``, a seat that starts this game; ``"game"``, a ``Game`` of these
                rules, a copy of which is played on instead of a new one. Others are ignored.
        """
        options = options or {}
        if seed is not None:
            seed = check_seed("seed", seed)
            self._random = np.random.default_rng(seed)
            self._episodes = 0
        elif self._random is None:
            self._random = np.random.default_rng()
        if seed is None:
            seed = int(self._random.integers(_SEEDS))  # drawn in any case: options change no seeds
        if options.get("game") is not None:
            game = self._copy_of(options["game"])
        else:
            start = options.get("start", self._start)
            if start == ROTATE:
                start = self._episodes % self.rules.players
            start = check_seat("start", start, self.rules.players, (ROTATE,))
            game = Game(self.rules, seed, start)
        self._episodes += 1
        self._begin(self._table_type(game))

    def _copy_of(self, game: Game) -> Game:
        if not isinstance(game, Game) or game.rules != self.rules or game.over:
            raise ValueError(f"options: game: expected an unfinished Game of {self.rules}")
        return game.copy()

    def _begin(self, table: ObservedGame) -> None:
        self._table = table
        self._seat = table.seat
        self._paid = False
        self.steps = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[self._seat]
        self._skip_agent_selection = None
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["decision"] = _DECISION_TEXTS[table.decision]
        if self.render_mode == "human":
            self.render()

    def step(self, action: int | None) -> None:
        """Do an action of ``agent_selection``; ``None`` for an agent whose game is over.

        Raises:
            IllegalActionError: no action, or not a legal one; nothing has changed.
            ValueError: an action for an agent whose game is over.
            ResetNeeded: no game has begun, or all agents have left it.
        """
        table = self._table
        if table is None or not self.agents:
            raise ResetNeeded("step: no game is under way; call reset()")
        if self._seat < 0:
            self._was_dead_step(action)
            return
        if type(action) is not int:
            action = self._whole(action)
        if not 0 <= action < len(table.mask) or not table.mask[action]:
            raise self._illegal(action)
        if self._paid:
            self._clear_rewards()
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._paid = table.step(action)
        if self._paid:
            self.rewards = dict(zip(self.agents, table.rewards(self.reward), strict=True))
            self._accumulate_rewards()
        self.steps += 1
        seat = table.seat
        if seat < 0 or self.steps == self.max_steps:
            self._finish(seat < 0)
        else:
            self._seat = seat
            self.agent_selection = agent = self.agents[seat]
            self.infos[agent] = {"decision": _DECISION_TEXTS[table.decision]}
        if self.render_mode == "human":
            self.render()

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = 0.0

    def _finish(self, over: bool) -> None:
        """The game is over, or cut off by the step limit: for all agents at once."""
        flags = self.terminations if over else self.truncations
        for agent in self.agents:
            flags[agent] = True
        self._seat = -1
        self.agent_selection = self.agents[0]

    def close(self) -> None:
        """Nothing is held open; may be called at any time, and again."""

    # Looking ------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees, in new arrays; any agent, at any time."""
        seat, table = self._seats.get(agent), self._table
        if seat is None or table is None:
            seat, table = self._seat_of_agent(agent), self._running()
        seen: dict[str, np.ndarray]
        if seat == self._seat:
            seen = {"observation": table.observation.copy(), "action_mask": table.mask.copy()}
        else:
            mask = np.zeros(len(table.mask), np.int8)
            seen = {"observation": table.observe(seat), "action_mask": mask}
        if self.encoding == "tokens":
            seen["events"] = table.events(seat)
        return seen

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, np.ndarray] | None, float, bool, bool, dict[str, Any]]:
        """Observation, reward since its last action, flags and info of ``agent_selection``."""
        if self._table is None:
            self._running()
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable:
        """Agents in the order in which they act, until all have left the game."""
        self._running()
        return super().agent_iter(max_iter)

    def state(self) -> np.ndarray:
        """Everything but the generator, as numbers (:attr:`state_layout`); for training only."""
        return self.state_layout.state(self._running().game)

    def view(self, agent: str | int) -> np.ndarray:
        """The view of an agent or seat, as bots take it (``bohnanza_env.view``); a new array."""
        return view_of(self._running().game, check_seat("agent", agent, self.rules.players))

    @property
    def game(self) -> Game:
        """A copy of the game under way, hidden cards and all; to search or to record from here."""
        return self._running().game.copy()

    def render(self) -> str | None:
        """Draw the table as ``render_seat`` may see it."""
        if self.render_mode is None:
            gymnasium.logger.warn(
                'render() does nothing without a render_mode: make the environment with "ansi" '
                'or "human"'
            )
            return None
        table = self._running()
        mask = table.mask if self._seat >= 0 else None
        text = render_game(table.game, self._render_seat, mask)
        if self.render_mode == "ansi":
            return text
        sys.stdout.write(text + "\n")
        return None

    # Errors -------------------------------------------------------------------------------

    def _running(self) -> ObservedGame:
        if self._table is None:
            raise ResetNeeded("no game has begun: call reset() first")
        return self._table

    def _seat_of_agent(self, agent: str) -> int:
        try:
            return self._seats[agent]
        except (KeyError, TypeError):
            names = ", ".join(self.possible_agents)
            raise KeyError(f"unknown agent {agent!r}; agents: {names}") from None

    def _whole(self, action: Any) -> int:
        """An action of another type than int, if it is a whole number."""
        if not isinstance(action, bool | np.bool_):
            try:
                return operator.index(action)
            except TypeError:
                pass
        raise self._illegal(action)

    def _illegal(self, action: Any) -> IllegalActionError:
        game, seat = self._running().game, self._seat
        space, named = ActionSpace.of(self.rules), repr(action)
        if type(action) is int and 0 <= action < space.size:
            named += f" ({space.text(action, seat)})"
        legal = ", ".join(f"{i} {space.text(int(i), seat)}" for i in game.legal_actions())
        return IllegalActionError(
            f"decision {game.decision.text} of {self.possible_agents[seat]}: "
            f"action {named} is not legal; legal: {legal}"
        )

    # Copies -------------------------------------------------------------------------------

    def __deepcopy__(self, memo: dict[int, Any]) -> BohnanzaAECEnv:
        memo[id(self.rules)] = self.rules  # never changes
        twin = type(self).__new__(type(self))
        memo[id(self)] = twin
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def __copy__(self) -> BohnanzaAECEnv:
        """The same as a deep copy: two environments cannot share one game."""
        return copy.deepcopy(self)
