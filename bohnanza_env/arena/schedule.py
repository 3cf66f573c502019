"""Which games are played: duplicate deals, every policy in every seat on the same decks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

from bohnanza_env.engine.rules import Rules

__all__ = ["PlannedGame", "Schedule", "deck_seed", "mixed_lineups", "payoff_lineups"]

# Decks of evaluations are far from those of training, whose seeds are drawn below 2^62.
_FIRST_DECK = 2**63
_DECKS = 1_000_003  # seeds of evaluations share no decks as long as each uses fewer than this
_MOST_SEEDS = (2**64 - 1 - _FIRST_DECK) // _DECKS

Lineup = tuple[str, ...]


def deck_seed(seed: int, deck: int) -> int:
    """The seed of a game: it fixes all shuffles of deck number ``deck``.

    Equal seeds mean equal decks, whoever plays, and in every evaluation of this project.
    """
    if not (0 <= seed < _MOST_SEEDS and 0 <= deck < _DECKS):
        raise ValueError(f"expected 0 to {_MOST_SEEDS - 1} and fewer than {_DECKS} decks")
    return _FIRST_DECK + seed * _DECKS + deck


class PlannedGame(NamedTuple):
    """One game of a schedule; the first three fields are its key."""

    lineup: str  # the policies by chair, with commas between
    deck: int
    rotation: int  # the policy of chair c sits in seat (c + rotation) % players
    start: int  # the start player's seat
    seed: int

    @property
    def seats(self) -> Lineup:
        """The policies by seat."""
        chairs = self.lineup.split(",")
        return tuple(chairs[(seat - self.rotation) % len(chairs)] for seat in range(len(chairs)))


@dataclass(frozen=True)
class Schedule:
    """All games of a tournament, in a fixed order.

    Each lineup plays each deck once from every rotation, so that each of its policies sits in
    every seat and, since hands are dealt from the start player on, in every place at the table.
    A rotation that gives the same table again (all of them, where one policy has all chairs) is
    played once. The start player's seat changes from deck to deck.

    Args:
        rules: the rules.
        lineups: names of policies, one for each chair; those that are rotations of an earlier
            one are left out.
        decks: the number of decks.
        seed: see :func:`deck_seed`.
    """

    rules: Rules
    lineups: tuple[Lineup, ...]
    decks: int
    seed: int = 0

    def __post_init__(self) -> None:
        players = self.rules.players
        for lineup in self.lineups:
            if len(lineup) != players:
                raise ValueError(
                    f"lineup {', '.join(lineup)}: expected {players} policies, one for each "
                    f"player, got {len(lineup)}"
                )
        if not self.lineups or self.decks < 1:
            raise ValueError("a schedule needs at least one lineup and one deck")
        deck_seed(self.seed, self.decks - 1)
        first: dict[Lineup, Lineup] = {}
        for lineup in self.lineups:
            first.setdefault(min(_rotations(lineup)), lineup)
        object.__setattr__(self, "lineups", tuple(first.values()))

    def __iter__(self) -> Iterator[PlannedGame]:
        """Deck by deck, so that what an interrupted tournament leaves are whole decks."""
        players = self.rules.players
        for deck in range(self.decks):
            seed = deck_seed(self.seed, deck)
            for lineup in self.lineups:
                for rotation in range(len(set(_rotations(lineup)))):
                    yield PlannedGame(",".join(lineup), deck, rotation, deck % players, seed)

    def __len__(self) -> int:
        return self.decks * sum(len(set(_rotations(lineup))) for lineup in self.lineups)

    @property
    def names(self) -> list[str]:
        """All policies, in the order of the lineups."""
        return list(dict.fromkeys(name for lineup in self.lineups for name in lineup))


def _rotations(lineup: Sequence[str]) -> list[Lineup]:
    return [(*lineup[k:], *lineup[:k]) for k in range(len(lineup))]


def payoff_lineups(names: Sequence[str], players: int) -> tuple[Lineup, ...]:
    """One copy of each policy among copies of each other one, and each policy among itself."""
    return tuple((one, *[other] * (players - 1)) for one in names for other in names)


def mixed_lineups(names: Sequence[str], players: int) -> tuple[Lineup, ...]:
    """Each choice of different policies; with fewer policies than chairs, of as many as there are.

    The policies of a lineup sit in the order of ``names``.
    """
    if len(names) >= players:
        return tuple(combinations(names, players))
    return tuple(
        lineup
        for lineup in combinations_with_replacement(names, players)
        if set(lineup) == set(names)
    )
