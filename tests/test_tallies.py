"""What is counted at a table, with values from the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bohnanza_env.bots import BotTable
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.position import read_position
from bohnanza_env.tallies import Tally, coins_by_turn, new_tallies, step_counted, worth_to


def field(bean: str, count: int) -> dict[str, Any]:
    return {"bean": bean, "count": count}


def planting(fields: list[Any], hand: list[str], planted: int = 0) -> Game:
    players: list[dict[str, Any]] = [{"hand": hand, "fields": fields}, {}, {}, {}]
    return read_position(
        {
            "format": "bohnanza-position/1",
            "rules": {"edition": "amigo", "players": 4},
            "decision": "plant",
            "active": 0,
            "to_act": 0,
            "planted": planted,
            "players": players,
        }
    )


def do(game: Game, tallies: np.ndarray, *texts: str) -> None:
    for text in texts:
        seat, _, action = text.partition(": ")
        assert game.to_act == int(seat), text
        index = ActionSpace.of(game.rules).index(action, int(seat))
        step_counted(game, index, tallies)


@pytest.mark.parametrize(
    ("fields", "hand", "planted", "forced", "for_nothing"),
    [
        ([field("blue", 1), field("red", 1)], ["chili"], 0, 1, 1),  # R16: both singles are free
        ([field("blue", 4), field("red", 1)], ["chili"], 0, 1, 0),  # 4 blue beans: a coin
        ([field("blue", 3), field("red", 3)], ["chili"], 0, 1, 1),  # 3 blue beans: none
        ([field("blue", 3), None], ["chili"], 0, 0, 0),  # there is room
        ([field("blue", 3), field("red", 3)], ["blue"], 0, 0, 0),  # it fits
        ([field("blue", 3), field("red", 3)], ["chili"], 1, 0, 0),  # the second card may wait
    ],
)
def test_forced_harvests(
    fields: list[Any], hand: list[str], planted: int, forced: int, for_nothing: int
) -> None:
    game, tallies = planting(fields, hand, planted), new_tallies()
    do(game, tallies, "0: harvest 0")
    counted = tallies[0, [Tally.FORCED_HARVESTS, Tally.FORCED_FOR_NOTHING]]
    assert counted.tolist() == [forced, for_nothing]
    assert tallies.sum() == forced + for_nothing


def test_the_deal_of_example_e1() -> None:
    game = read_position(
        {
            "format": "bohnanza-position/1",
            "rules": {"edition": "amigo", "players": 4},
            "decision": "plant",
            "active": 0,
            "to_act": 0,
            "deck": ["red", "soy", "blue", "red", "chili"],
            "players": [
                {
                    "hand": ["blue", "chili", "stink", "red", "soy"],
                    "fields": [field("blue", 2), field("red", 2)],
                },
                {
                    "hand": ["stink", "blue", "red", "chili", "blue"],
                    "fields": [field("chili", 2), field("soy", 2)],
                },
            ],
        }
    )
    tallies = new_tallies()
    do(game, tallies, "0: plant blue 0", "0: pass", "0: propose 1", "0: offer chili")
    do(game, tallies, "0: offer soy", "0: request red", "0: submit", "1: accept")
    while game.decision == Decision.GIVE:
        do(game, tallies, "0: give face_up 1")
    # Best harvests: chili 4 coins for 9, soy 4 for 7, red 4 for 5.
    given, taken = 1000 * 4 // 9 + 1000 * 4 // 7, 1000 * 4 // 5
    expected = np.zeros((2, len(Tally)), int)
    expected[0, [Tally.PROPOSALS, Tally.ACCEPTED, Tally.OWN_DEALS]] = 1
    expected[:, Tally.DEALS] = 1
    expected[:, Tally.CARDS_GIVEN], expected[:, Tally.CARDS_TAKEN] = [2, 1], [1, 2]
    expected[:, Tally.WORTH_GIVEN], expected[:, Tally.WORTH_TAKEN] = [given, taken], [taken, given]
    assert (tallies[:2, : len(Tally)] == expected).all()
    assert worth_to(tallies)[:2, :2].tolist() == [[0, given], [taken, 0]]


def test_an_illegal_action_counts_for_nothing() -> None:
    game, tallies = planting([field("blue", 4), field("red", 1)], ["chili"]), new_tallies()
    for action in (0, -1, 10_000, None, "harvest", 1.5):
        with pytest.raises(IllegalActionError):
            step_counted(game, action, tallies)  # type: ignore[arg-type]
    assert not tallies.any()


@pytest.mark.parametrize("edition", ["mini", "amigo"])
def test_whole_games_against_what_is_seen_from_outside(edition: str) -> None:
    """Every answer of a compact game settles a proposal; coins are read after each step."""
    rules = Rules.of(edition, 3, protocol="compact")
    for seed in range(3):
        rng = np.random.default_rng(seed)
        game, tallies = Game(rules, seed), new_tallies()
        answers, accepted, ends = 0, 0, []
        while not game.over:
            action = int(rng.choice(game.legal_actions()))
            text = ActionSpace.of(rules).text(action, game.to_act)
            answers += text in ("accept", "reject")
            accepted += text == "accept"
            step_counted(game, action, tallies)
            ends += [game.scores] * (int(game.state["turn"][0]) - len(ends))
        ends.append(game.scores)
        turns = int(game.state["turn"][0]) + 1
        assert tallies[:, Tally.PROPOSALS].sum() == answers
        assert tallies[:, Tally.ACCEPTED].sum() == accepted
        assert coins_by_turn(tallies, turns)[:3].T.tolist() == ends
        assert worth_to(tallies).sum() == tallies[:, Tally.WORTH_GIVEN].sum()
        assert tallies[:, Tally.WORTH_GIVEN].sum() == tallies[:, Tally.WORTH_TAKEN].sum()


def test_the_compiled_loop_counts_the_same() -> None:
    rules = Rules.of("amigo", 3, protocol="compact")
    table = BotTable(rules, ["greedy", "random", "greedy"])
    table.reset(5)
    game = Game(rules, 5)
    table.play_until(game)
    tallies = new_tallies()
    again, one = Game(rules, 5), BotTable(rules, ["greedy", "random", "greedy"])
    one.reset(5)
    while not again.over:
        before = again.copy()
        one.play_until(again, most_steps=1)
        action = next(a for a in before.legal_actions() if _leads_to(before, int(a), again))
        step_counted(before, int(action), tallies)
    counted = [column for column in range(tallies.shape[1]) if column != Tally.DECISIONS]
    assert (tallies[:, counted] == table.tallies[:, counted]).all()


def _leads_to(game: Game, action: int, after: Game) -> bool:
    trial = game.copy()
    trial.step(action)
    return bool((trial.state == after.state).all())
