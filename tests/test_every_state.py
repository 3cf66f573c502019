"""Engine and reference agree in every state of the smallest games.

Both are led through all of them, from every order of the deck, and everything is compared: legal
actions, cards, scores, what each seat may know, events (see ``side_by_side``). The numbers of
states are the reference's, by its own idea of what makes two states the same.
"""

from __future__ import annotations

import time

import pytest
import side_by_side
from comparison import DisagreementError
from side_by_side import walk_both
from smallest_games import COUNTS, Counts, deck_seeds, smallest_rules

from bohnanza_env.engine import game as engine_game

QUICK = [("edition", "compact"), ("hands", "compact"), ("reshuffle", "compact")]
TOO_MANY = [("seven", "staged")]
LONG = [key for key in COUNTS if key not in QUICK + TOO_MANY]


def walk_all_decks(variation: str, protocol: str, *, progress: bool = False) -> Counts:
    rules = smallest_rules(variation, protocol)
    seeds = deck_seeds(rules)
    total = Counts(0, 0, 0)
    began = time.monotonic()
    for number, seed in enumerate(seeds, 1):
        found = walk_both(rules, seed)
        total = Counts(*(a + b for a, b in zip(total, found, strict=True)))
        if progress:
            taken = time.monotonic() - began
            print(  # noqa: T201 - what a long test is doing
                f"\n{variation}, {protocol}: deck {number} of {len(seeds)},"
                f" {total.states:,} states compared in {taken:.0f} s",
                end="",
                flush=True,
            )
    return total


@pytest.mark.parametrize(("variation", "protocol"), QUICK)
def test_every_state_is_the_same(variation: str, protocol: str):
    assert walk_all_decks(variation, protocol) == COUNTS[variation, protocol]


@pytest.mark.long
@pytest.mark.parametrize(("variation", "protocol"), LONG)
def test_every_state_is_the_same_in_larger_walks(
    variation: str, protocol: str, capsys: pytest.CaptureFixture[str]
):
    """Some 0.7 ms a state: a quarter of an hour for the edition, staged."""
    with capsys.disabled():
        found = walk_all_decks(variation, protocol, progress=True)
    assert found == COUNTS[variation, protocol]


@pytest.mark.long
def test_every_state_is_the_same_if_seat_1_starts():
    """The orders of cards sold in the end differ, all else is turned around (``test_perft``)."""
    rules = smallest_rules("edition", "compact")
    for seed in deck_seeds(rules):
        first, second = walk_both(rules, seed), walk_both(rules, seed, start=1)
        assert second.states - second.ends == first.states - first.ends
        assert second.steps == first.steps


# The walk notices what is wrong -------------------------------------------------------------


def test_a_hidden_fault_of_one_state_is_found(monkeypatch: pytest.MonkeyPatch):
    """A card that the engine forgets once, in one line of play."""
    step = engine_game.Game.step

    def forgets(game: engine_game.Game, action: int) -> None:
        step(game, action)
        if game.state["turn"][0] == 1 and game.state["discard_size"][0] == 2:
            game.state["known"][0, 0, 0] += 1

    monkeypatch.setattr(engine_game.Game, "step", forgets)
    with pytest.raises(DisagreementError, match=r"(?s)seed 2, start 0, \d+ actions:.*known"):
        walk_both(smallest_rules("edition", "compact"), 2)


def test_a_state_that_remembers_too_little_is_found(monkeypatch: pytest.MonkeyPatch):
    def forgets(game: engine_game.Game) -> bytes:
        return bytes(game.state[name].item() for name in ("turn", "decision", "deck_size"))

    monkeypatch.setattr(side_by_side, "engine_key", forgets)
    with pytest.raises(DisagreementError, match="one state of the engine is two"):
        walk_both(smallest_rules("edition", "compact"), 2)


def test_a_state_that_remembers_too_much_is_found(monkeypatch: pytest.MonkeyPatch):
    """What has been done shows in nothing that is compared, but makes several states of one."""
    step = engine_game.Game.step

    def remembers(game: engine_game.Game, action: int) -> None:
        step(game, action)
        game.state["seed"] = 31 * game.state["seed"] + action

    monkeypatch.setattr(engine_game.Game, "step", remembers)
    with pytest.raises(DisagreementError, match="one state of the reference is two"):
        walk_both(smallest_rules("edition", "compact"), 2)
