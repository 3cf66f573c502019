"""The engine and the independent reference play the same games (see ``comparison``).

Sampled games here; every state of the smallest ones in ``test_every_state``.
"""

from __future__ import annotations

import itertools
import os
import random
from collections import Counter
from typing import Any

import pytest
from comparison import DisagreementError, compare_all, compare_game, engine_shuffle
from policies import POLICIES
from reference import ReferenceGame, edition_rules
from reference.editions import PLAYERS_OF_EDITION

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules

TABLES = [(name, n) for name, numbers in PLAYERS_OF_EDITION.items() for n in numbers]
PRINTED = [(edition, players, {}) for edition, players in TABLES]

# Decks with which hoarders never discard a card, so that both piles run empty (R20).
_TWO_BEANS = {"beans": {"blue": 20, "soy": 12}, "fields": 2, "draw": ("active", 2)}
_THREE_BEANS = {"beans": {"chili": 9, "red": 8, "garden": 6}, "fields": 3, "draw": ("everyone", 1)}
_SMALL_DUEL = {"beans": {"blue": 12, "soy": 9, "red": 8}, "final_exhaustion": 3}
_FIELD_BEANS = {"beans": {"soy": 8, "field": 3}, "first_hands": (1,) * 4, "final_exhaustion": 5}
UNUSUAL: list[tuple[str, int, dict[str, Any]]] = [
    ("mini", 2, {}),
    ("mini", 3, {}),
    ("mini_exact", 2, {}),
    ("amigo", 3, _TWO_BEANS),
    ("classic", 4, _TWO_BEANS),
    ("amigo", 3, _THREE_BEANS),
    ("new_beans", 4, {**_THREE_BEANS, "final_exhaustion": 5}),
    ("duel", 2, _SMALL_DUEL),
    ("duel", 2, {**_SMALL_DUEL, "reveal": 1, "draw": ("active", 1), "fields": 3}),
    ("amigo", 4, {"reveal": 4, "first_hands": (0, 3, 0, 7), "draw": ("active", 1)}),
    ("classic", 3, {"fields": 1, "field_price": 5, "coins_leave_game": True}),
    ("field_beans", 4, _FIELD_BEANS),
    ("field_beans", 4, {"beans": {"soy": 12, "red": 8, "field": 3}, "final_exhaustion": 5}),
]

VARIATIONS: dict[str, list[Any]] = {
    "window": ["before_reshuffle", "always", "off"],
    "harvest": ["any_time", "any_time", "when_needed"],
    "trade_limit": [None, None, 1, 2],
    "other_proposals": [1, 1, 0, 2],
    "active_proposals": ["default", "default", 0, 1, 5],
    "trading": [True] * 7 + [False],
}


def varied_rules(table: tuple[str, int, dict[str, Any]], protocol: str, rng: random.Random):
    edition, players, overrides = table
    chosen = {name: rng.choice(values) for name, values in VARIATIONS.items()}
    if chosen["active_proposals"] == "default":
        chosen["active_proposals"] = None
    if edition.startswith("duel"):
        chosen["trading"] = False
    if players == 7:
        chosen["other_proposals"] = min(1, chosen["other_proposals"])  # at most 20 in all
    return Rules.of(edition, players, **{**chosen, **overrides, "protocol": protocol})


def compare_variation(
    table: tuple[str, int, dict[str, Any]], protocol: str, policy: str, number: int
) -> Counter[str]:
    """One game; everything about it follows from the arguments."""
    rng = random.Random(f"{table} {protocol} {policy} {number}")
    rules = varied_rules(table, protocol, rng)
    seed, start = rng.getrandbits(64), rng.randrange(rules.players)
    return compare_game(rules, seed, POLICIES[policy], start=start, play_seed=number)


# The suite's sample: every table and protocol once, the policies taking turns.
_TURNS = itertools.cycle(["quiet", "half_hoarder", "hoarder"])
SAMPLE = [
    (table, protocol, next(_TURNS))
    for protocol in ("staged", "compact")
    for table in PRINTED + UNUSUAL
    if protocol == "staged" or not table[0].startswith("duel")
]


def _name(value: Any) -> str:
    return "-".join(map(str, value[:2])) if isinstance(value, tuple) else str(value)


@pytest.mark.parametrize(("table", "protocol", "policy"), SAMPLE, ids=_name)
def test_engine_plays_as_the_reference(table, protocol: str, policy: str):
    compare_variation(table, protocol, policy, 0)


@pytest.mark.parametrize("policy", ["trader", "uniform"])
@pytest.mark.parametrize("edition", ["mini", "amigo"])
def test_engine_trades_as_the_reference(edition: str, policy: str):
    rules = Rules.of(edition, 3, final_exhaustion=1)
    seen = compare_game(rules, 11, POLICIES[policy], start=1)
    assert (
        policy == "uniform"
        or min(seen["trade events"], seen["answer counter"], seen["answer accept"]) > 0
    )


def test_sample_reaches_two_empty_piles():
    """R20: hoarders of two beans never discard."""
    seen = compare_game(Rules.of("amigo", 3, **_TWO_BEANS), 3, POLICIES["hoarder"])
    assert seen["stopped by empty piles"] == 1


def test_sample_reaches_the_gain_of_a_field():
    """R27, by two players of one game."""
    rules = Rules.of("field_beans", 4, **_FIELD_BEANS, trading=False)
    assert compare_game(rules, 20, POLICIES["quiet"], play_seed=20)["fields gained"] == 2


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_editions_are_those_of_the_reference(edition: str, players: int):
    fields = Rules.of(edition, players).to_dict()
    assert fields.pop("edition") == edition
    if fields["duel"]:
        assert fields.pop("trading") is False  # says nothing new where there is no trading (R28)
    assert fields == {name: edition_rules(edition, players)[name] for name in fields}


def test_comparison_notices_a_difference():
    rules = Rules.of("mini", 2)
    fields = rules.to_dict()
    del fields["edition"]
    game = Game(rules, 1)
    other = ReferenceGame(fields, engine_shuffle(rules, 1))
    texts = ActionSpace.of(rules).texts(game.mask, game.to_act)
    assert compare_all(game, other, texts, 0) == []
    assert len(compare_all(game, other, texts[1:], 0)) == 1
    game.state["known"][0, 1, 0] = 1
    game.state["discard"][0, 0] = 1
    assert [line.split("\n")[0] for line in compare_all(game, other, texts, 0)] == [
        "- view of 0, known:"
    ]
    other.deck.reverse()
    assert any("position, deck" in line for line in compare_all(game, other, texts, 0))


def test_disagreement_shows_how_to_see_it_again():
    def plays_on_its_own(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
        game.players[1].coins.append("red")
        return legal[0]

    with pytest.raises(DisagreementError, match=r'(?s)"edition": "mini".*seed 4.*1 actions.*coins'):
        compare_game(Rules.of("mini", 2), 4, plays_on_its_own)


@pytest.mark.long
def test_engine_plays_as_the_reference_in_many_games(capsys: pytest.CaptureFixture[str]):
    """``BOHNANZA_COMPARED_GAMES`` games over all tables, protocols, policies and variations."""
    games = int(os.environ.get("BOHNANZA_COMPARED_GAMES", "1000"))
    first = int(os.environ.get("BOHNANZA_COMPARED_FROM", "0"))
    seen: Counter[str] = Counter()
    rng = random.Random(first)
    for number in range(first, first + games):
        table = rng.choice(PRINTED + UNUSUAL)
        protocol, policy = rng.choice(["staged", "compact"]), rng.choice(list(POLICIES))
        seen += compare_variation(table, protocol, policy, number)
        done = number - first + 1
        if done % 50 == 0 or done == games:
            with capsys.disabled():
                print(f"\n{done} games, {seen['plies']:,} plies compared", end="", flush=True)  # noqa: T201
    rare = ["stopped by empty piles", "fields gained", "choose events", "give", "take events"]
    assert all(seen[name] > 0 for name in rare), seen
