"""Generated rules, ways to play and moments of games, for the tests of properties.

Run as a program it plays the samples that it gets as JSON and prints a hash a ply.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from weighted_play import WEIGHTS

from bohnanza_env.engine.action_space import action_blocks
from bohnanza_env.engine.cards import BEANS, FIELD_BEAN
from bohnanza_env.engine.editions import EDITIONS, edition_players
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.limits import PROPOSAL_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

# Examples: the profile multiplies what a test asks for.
_FACTORS = {"short": 1, "long": 20}
for _profile in _FACTORS:
    settings.register_profile(
        f"games-{_profile}",
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        print_blob=True,
        suppress_health_check=list(HealthCheck),
    )


def hold(check: Callable[..., None], *strategies: Any, profile: str, examples: int) -> None:
    """Check a property on so many examples (in the profile ``short``)."""
    chosen = settings(
        settings.get_profile(f"games-{profile}"), max_examples=examples * _FACTORS[profile]
    )
    chosen(given(*strategies)(check))()


def generated(strategy: st.SearchStrategy, examples: int) -> list[Any]:
    """So many examples, always the same."""
    found: list[Any] = []
    chosen = settings(max_examples=examples, derandomize=True, database=None, deadline=None)

    def collect(example: Any) -> None:
        found.append(example)

    chosen(given(strategy)(collect))()
    return found


# Rules ---------------------------------------------------------------------------------------


@st.composite
def _options(draw: st.DrawFn, players: int, trading: bool | None) -> dict[str, Any]:
    """Fields of RULES §8 that fit together."""
    active = draw(st.integers(0, min(PROPOSAL_CAPACITY, 2 * players)))
    most = min(3, (PROPOSAL_CAPACITY - active) // (players - 1))
    trades = draw(st.integers(0, 9)) > 0 if trading is None else trading
    return {
        "active_proposals": active,
        "other_proposals": draw(st.integers(0, most)),
        "trade_limit": draw(st.sampled_from([None, None, 1, 2, 5])),
        "trading": trades,
        "window": draw(st.sampled_from(["before_reshuffle", "always", "off"])),
        "protocol": draw(st.sampled_from(["staged", "compact"])),
        "harvest": draw(st.sampled_from(["any_time", "any_time", "when_needed"])),
    }


@st.composite
def _edition_rules(draw: st.DrawFn, **fixed: Any) -> Rules:
    names = [n for n, (_, make) in EDITIONS.items() if fixed.get("trading", False) is False]
    if fixed.get("trading"):
        names = [n for n in EDITIONS if not n.startswith("duel")]
    edition = draw(st.sampled_from(names or list(EDITIONS)))
    players = draw(st.sampled_from(edition_players(edition)))
    duel = edition.startswith("duel")
    if draw(st.booleans()):
        return Rules.of(edition, players, **({} if duel else fixed))
    options = draw(_options(players, False if duel else fixed.get("trading")))
    options["final_exhaustion"] = draw(st.integers(1, 3))
    return Rules.of(edition, players, **{**options, **({} if duel else fixed)})


@st.composite
def _house_beans(draw: st.DrawFn) -> dict[str, int]:
    """A deck of few or many cards, of at least two."""
    most = draw(st.sampled_from([2, 4, 6, 24]))
    chosen = draw(st.lists(st.sampled_from(BEANS), min_size=1, max_size=6, unique=True))
    beans = {b.name: draw(st.integers(1, min(most, b.cards))) for b in chosen}
    if sum(beans.values()) < 2:
        beans = dict.fromkeys(beans, 2)
    return beans


@st.composite
def _house_hands(draw: st.DrawFn, players: int, deck: int) -> tuple[int, ...]:
    """First hands that leave at least one card."""
    hands, left = [], deck - 1
    for _ in range(players):
        hands.append(draw(st.integers(0, min(6, left))))
        left -= hands[-1]
    return tuple(hands)


@st.composite
def _house_rules(draw: st.DrawFn, **fixed: Any) -> Rules:
    """Small decks and odd numbers that no edition has."""
    duel = not fixed.get("trading") and draw(st.integers(0, 7)) == 0
    players = 2 if duel else draw(st.sampled_from([2, 2, 3, 3, 4, 5, 6, 7]))
    beans, fields = draw(_house_beans()), draw(st.integers(1, 3))
    gains = FIELD_BEAN in beans and fields == 2 and draw(st.booleans())
    price = 0 if gains else draw(st.sampled_from([0, 1, 2, 3, 5]))
    who = "active" if duel else draw(st.sampled_from(["active", "active", "everyone"]))
    return Rules(
        **{
            "players": players,
            "beans": beans,
            "fields": fields,
            "first_hands": draw(_house_hands(players, sum(beans.values()))),
            "field_price": price,
            "coins_leave_game": price > 0 and draw(st.booleans()),
            "field_beans": gains,
            "reveal": draw(st.integers(1, 4)),
            "draw": (who, draw(st.sampled_from([1, 2, 3, 4, 9]))),
            "final_exhaustion": draw(st.integers(1, 5)),
            "tie": draw(st.sampled_from(["last_clockwise", "most_hand_cards"])),
            "duel": duel,
            **draw(_options(players, False if duel else fixed.get("trading"))),
            **fixed,
        }
    )


def rules(**fixed: Any) -> st.SearchStrategy[Rules]:
    """Any rules, with some fields fixed (of RULES §8 only)."""
    return st.one_of(_edition_rules(**fixed), _house_rules(**fixed), _house_rules(**fixed))


# Ways to play --------------------------------------------------------------------------------

# Weights by block; 1 where a block is not named.
STYLES: dict[str, dict[str, float]] = {
    "uniform": {},
    "busy": WEIGHTS,
    "trader": {"accept": 12, "submit": 3, "withdraw": 0.1, "counter": 2, "harvest": 0.3},
    "hoarder": {
        "pass": 50, "end_trading": 50, "reject": 50, "withdraw": 50,
        "harvest": 0.01, "buy_field": 0.01, "propose": 0.01, "propose_table": 0.01, "swap": 0.001,
    },
    "passer": {"pass": 100, "end_trading": 0.05, "harvest": 0.5, "propose": 0.1, "swap": 0.01},
    "farmer": {"harvest": 20, "buy_field": 20, "propose": 0.1, "propose_table": 0.1, "swap": 0.01},
    "staller": {
        "offer": 30, "request": 30, "propose": 30, "propose_table": 30, "swap": 1, "counter": 30,
        "submit": 2, "harvest": 5, "pass": 0.2, "end_trading": 0.01, "accept": 0.5,
    },
}  # fmt: skip


# Decisions that are a small part of a game.
_RARE = ("give", "choose", "window", "respond", "compose", "discard", "offer_in", "plant_set_aside")


@lru_cache(maxsize=256)
def _weights(rules: Rules, style: str) -> np.ndarray:
    given = STYLES[style]
    parts = [np.full(block.size, given.get(block.name, 1.0)) for block in action_blocks(rules)]
    return np.concatenate(parts)


@dataclass(frozen=True)
class Sample:
    """A game that can be played again and again, and a moment of it.

    Attributes:
        share: how much of the game lies before the moment.
        at: the decision of the moment, if there is one of the kind; the share is of these then.
    """

    rules: Rules
    seed: int
    start: int
    style: str
    share: float = 1.0
    at: str | None = None

    def new(self) -> Game:
        """The game before its first action."""
        return Game(self.rules, self.seed, self.start)

    def play(self, game: Game, seed: int | None = None) -> Iterator[int]:
        """Actions that fit a game, until it is over; the caller does them."""
        weights = _weights(self.rules, self.style)
        generator = np.random.default_rng(self.seed % 2**32 if seed is None else seed)
        while not game.over:
            legal = game.legal_actions()
            shares = np.cumsum(weights[legal])
            place = np.searchsorted(shares, generator.random() * shares[-1], side="right")
            yield int(legal[place])

    def moment(self) -> Game:
        """The game at its moment."""
        done, asked, game = [], [], self.new()
        for action in self.play(game):
            asked.append(game.decision.text)
            game.step(action)
            done.append(action)
        plies = [ply for ply, decision in enumerate(asked) if decision == self.at]
        plies = plies or list(range(len(done) + 1))
        game = self.new()
        for action in done[: plies[round(self.share * (len(plies) - 1))]]:
            game.step(action)
        return game


@st.composite
def samples(draw: st.DrawFn, **fixed: Any) -> Sample:
    """Games of any rules in any style."""
    chosen = draw(rules(**fixed))
    seed = draw(st.one_of(st.integers(0, 999), st.integers(0, 2**64 - 1)))
    # Spread by the seed: drawn by themselves, the first names come several times as often.
    style = seed * 0x9E3779B1 % 2**32 * len(STYLES) >> 32
    return Sample(
        chosen,
        seed=seed,
        start=draw(st.integers(0, chosen.players - 1)),
        style=list(STYLES)[style],
        share=draw(st.floats(0, 1).map(lambda share: round(share, 3))),
        at=draw(st.sampled_from([None, *_RARE])),
    )


# Other modes of Numba ------------------------------------------------------------------------


def to_json(sample: Sample) -> dict[str, Any]:
    """A sample as JSON values."""
    return {**sample.__dict__, "rules": sample.rules.to_dict()}


def from_json(data: dict[str, Any]) -> Sample:
    """What ``to_json`` wrote."""
    return Sample(**{**data, "rules": Rules.from_dict(data["rules"])})


def hashes(sample: Sample, most: int) -> list[str]:
    """One hash for each of the last plies before the moment: record, mask and a view."""
    game, found = sample.new(), []
    for number, action in enumerate(sample.play(game)):
        data = game.state.tobytes() + game.mask.tobytes()
        data += view_of(game, number % sample.rules.players).tobytes()
        found.append(hashlib.sha256(data).hexdigest()[:16])
        if number == most:
            break
        game.step(action)
    return [*found, hashlib.sha256(game.state.tobytes()).hexdigest()[:16]]


if __name__ == "__main__":
    asked = json.load(sys.stdin)
    answer = [hashes(from_json(data), asked["most"]) for data in asked["samples"]]
    json.dump(answer, sys.stdout)
