"""Gains from trade: games without it, and what is made of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

pytest.importorskip("joblib")
pytest.importorskip("openskill")
from pandas.testing import assert_frame_equal

from bohnanza_env.arena import Schedule, gains, play_schedule, read_rows
from bohnanza_env.arena.without_trade import coins_without_trade, planned_welfare
from bohnanza_env.bots import BotPolicy
from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.rules import Rules
from tests.test_arena_statistics import game

RULES = Rules.of("mini", 3, protocol="compact")


class Watching(BotPolicy):
    """A bot that may never see a proposal among its actions."""

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        space = ActionSpace.of(self._rules)  # type: ignore[arg-type]
        texts = space.texts(mask, 0)
        assert texts
        assert not [text for text in texts if text.split()[0] in ("propose", "swap")]
        return super().act(view, mask)


@pytest.mark.parametrize("protocol", ["compact", "staged"])
def test_nobody_gets_to_propose(protocol: str) -> None:
    rules = Rules.of("amigo", 3, protocol=protocol)
    policies = {seat: Watching(name) for seat, name in enumerate(["trader", "random", "greedy"])}
    for seat, policy in policies.items():
        policy.reset(rules, seat, 1)
    assert len(coins_without_trade(rules, 1, 0, policies)) == 3


def test_a_table_that_never_trades_gains_nothing() -> None:
    schedule = Schedule(RULES, (("greedy",) * 3,), decks=4, seed=1)
    rows = play_schedule(schedule, gains=4)
    for seat in range(3):
        assert rows[f"alone_{seat}"].tolist() == rows[f"coins_{seat}"].tolist()
    (line,) = gains(rows).to_dict("records")
    assert (line["gain"], line["decks"], line["fair"]) == (0, 4, 1)
    assert np.isnan(line["captured"])


def test_the_planner_reaches_what_traders_do() -> None:
    schedule = Schedule(RULES, (("trader",) * 3,), decks=3, seed=2)
    rows = play_schedule(schedule, gains=3)
    assert (rows["planned"] >= rows["welfare"]).all()
    staged = planned_welfare(Rules.of("mini", 3), int(rows["seed"][0]), int(rows["start"][0]))
    assert staged == rows["planned"][0]


def test_gains_by_hand() -> None:
    """Two decks; a trades well: the table has 6 + 4 more than alone, a has 5 + 2 of it."""
    rows = pd.DataFrame(
        [
            game("a,x", 0, 0, [9, 3], alone_0=4, alone_1=2, planned=18.0),
            game("a,x", 1, 0, [5, 5], alone_0=3, alone_1=3, planned=14.0),
            game("a,x", 2, 0, [99, 9]),
        ]
    )
    found = gains(rows).set_index("policy")
    assert found.loc["a", "decks"] == 2
    assert found.loc["a", "alone"] == (4 + 3) / 2
    assert found.loc["a", "gain"] == (5 + 2) / 2
    assert found.loc["a", "captured"] == (5 + 2) / (6 + 4)
    assert found.loc["x", "captured"] == (1 + 2) / (6 + 4)
    assert found.loc["a", "fair"] == 1 / 2
    assert found.loc["a", "of_attainable"] == (6 + 4) / (12 + 8)
    assert gains(rows[2:]).empty
    assert gains(pd.DataFrame([game("a,x", 0, 0, [1, 2])])).empty


def test_gains_are_added_to_a_file_that_has_none(tmp_path: Path) -> None:
    schedule = Schedule(RULES, (("random", "greedy", "greedy"),), decks=3, seed=1)
    wanted = play_schedule(schedule, gains=2)
    assert wanted["alone_0"].notna().tolist() == [deck < 2 for deck in wanted["deck"]]
    for suffix in ("parquet", "csv"):
        file = tmp_path / f"games.{suffix}"
        play_schedule(schedule, path=file)
        resumed = play_schedule(schedule, path=file, resume=True, gains=2)
        assert_frame_equal(resumed, wanted, check_dtype=False)
        assert_frame_equal(read_rows(file), wanted, check_dtype=False)
        again = play_schedule(schedule, path=file, resume=True, gains=2, workers=2)
        assert_frame_equal(again, wanted, check_dtype=False)
