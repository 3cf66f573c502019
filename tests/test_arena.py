"""Schedules and playing: balance, equal rows however they are played, interruption, resuming."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, ClassVar

import numpy as np
import pytest

pytest.importorskip("joblib")
pytest.importorskip("openskill")
import joblib
import pandas as pd
from pandas.testing import assert_frame_equal

from bohnanza_env.arena import (
    Schedule,
    deck_seed,
    measures,
    mixed_lineups,
    payoff_lineups,
    play_schedule,
    read_rows,
    seats_of,
)
from bohnanza_env.arena.play import RowsFileError, play_game
from bohnanza_env.arena.players import Label
from bohnanza_env.arena.rows import gini, places, row_of
from bohnanza_env.bots import BotPolicy, play_games
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.tallies import Tally, new_tallies, worth_to

MINI = Rules.of("mini", 3)
SMALL = Schedule(MINI, payoff_lineups(["random", "greedy"], 3), decks=4, seed=1)


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return play_schedule(SMALL)


# Schedules ------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", [payoff_lineups, mixed_lineups])
def test_every_policy_plays_every_place_equally_often_on_every_deck(design: Any) -> None:
    schedule = Schedule(MINI, design(["a", "b", "c"], 3), decks=4)
    games = list(schedule)
    assert len(games) == len(schedule) == len({game[:3] for game in games})
    seen: Counter = Counter()
    for game in games:
        assert game.start == game.deck % 3
        assert game.seed == deck_seed(0, game.deck)
        for seat, name in enumerate(game.seats):
            seen[game.deck, name, (seat - game.start) % 3] += 1
    assert len(seen) == 4 * 3 * 3
    assert len(set(seen.values())) == 1


def test_numbers_of_games() -> None:
    three = Schedule(MINI, payoff_lineups("abc", 3), decks=2)
    assert len(three) == 2 * (3 * 1 + 6 * 3)  # a policy among itself plays a deck once
    two = Schedule(Rules.of("mini", 2), payoff_lineups("ab", 2), decks=1)
    assert [game.seats for game in two] == [("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]
    four = Schedule(Rules.of("amigo", 4), (("a", "b", "a", "b"), ("b", "a", "b", "a")), decks=1)
    assert [game.seats for game in four] == [("a", "b", "a", "b"), ("b", "a", "b", "a")]


def test_mixed_lineups() -> None:
    assert mixed_lineups("abc", 2) == (("a", "b"), ("a", "c"), ("b", "c"))
    assert mixed_lineups("ab", 3) == (("a", "a", "b"), ("a", "b", "b"))


def test_rotation_moves_chairs_to_the_left() -> None:
    games = Schedule(MINI, (("a", "b", "c"),), decks=1)
    assert [game.seats for game in games] == [("a", "b", "c"), ("c", "a", "b"), ("b", "c", "a")]


def test_equal_seeds_mean_equal_decks_and_others_share_none() -> None:
    assert deck_seed(0, 5) == 2**63 + 5
    assert {deck_seed(1, d) for d in range(9)}.isdisjoint({deck_seed(2, d) for d in range(9)})
    with pytest.raises(ValueError):
        deck_seed(-1, 0)
    with pytest.raises(ValueError):
        deck_seed(0, 1_000_003)


def test_schedules_that_cannot_be() -> None:
    with pytest.raises(ValueError, match="expected 3 policies"):
        Schedule(MINI, (("a", "b"),), decks=1)
    with pytest.raises(ValueError, match="at least one"):
        Schedule(MINI, (), decks=1)


# Rows -----------------------------------------------------------------------------------------


def test_gini() -> None:
    assert gini([2, 2, 2, 2]) == 0
    assert gini([0, 0, 0, 4]) == 0.75
    assert gini([1, 3]) == 0.25
    assert gini([0, 0]) == 0


def test_places_with_ties() -> None:
    assert places([5, 7, 7, 3], [2]) == [3, 2, 1, 4]  # the tie for the win was broken
    assert places([5, 7, 7, 3], [1, 2]) == [3, 1.5, 1.5, 4]
    assert places([5, 9, 5, 5], [1]) == [3, 1, 3, 3]


def test_rows_tell_what_was_played(rows: pd.DataFrame) -> None:
    for game, row in zip(SMALL, rows.to_dict("records"), strict=True):
        coins, counts = play_games(MINI, game.seats, [game.seed], game.start)
        assert [row[f"coins_{seat}"] for seat in range(3)] == coins[0].tolist()
        assert tuple(row[f"policy_{seat}"] for seat in range(3)) == game.seats
        assert (row["decisions"], row["turns"] - 1) == tuple(counts[0, :2])
        assert sum(row[f"proposals_{seat}"] for seat in range(3)) == counts[0, 2]
        assert sum(row[f"win_{seat}"] for seat in range(3)) == pytest.approx(1)
        assert sum(row[f"place_{seat}"] for seat in range(3)) == 6
        assert row["welfare"] == coins.sum()
        curves = [row[f"coins_by_turn_{seat}"].split() for seat in range(3)]
        assert [int(curve[-1]) for curve in curves] == coins[0].tolist()
        assert {len(curve) for curve in curves} == {row["turns"]}


def test_worth_to_the_winner() -> None:
    """What the losers gave to the winner, from a table of tallies made by hand."""
    game = Game(MINI, 1)
    while not game.over:
        game.step(int(game.legal_actions()[-1]))
    (winner,) = game.winners
    loser, other = (seat for seat in range(3) if seat != winner)
    tallies = new_tallies()
    worth_to(tallies)[loser, [winner, other]] = 1500, 700
    worth_to(tallies)[winner, loser] = 900
    tallies[loser, Tally.WORTH_GIVEN] = 2200
    labels = {name: Label("1", name) for name in ("random", "greedy")}
    row = row_of(game, next(iter(SMALL)), labels, tallies)
    found = [row[f"worth_to_winner_{seat}"] for seat in (winner, loser, other)]
    assert found == [0, 1.5, 0]
    assert row[f"worth_given_{loser}"] == 2.2


def test_rows_of_seats(rows: pd.DataFrame) -> None:
    seats = seats_of(rows)
    assert len(seats) == 3 * len(rows)
    one = seats[(seats["lineup"] == "random,greedy,greedy") & (seats["rotation"] == 1)]
    found = one[one["deck"] == 0].set_index("seat")[["policy", "others", "against"]]
    assert found.loc[1].tolist() == ["random", "greedy,greedy", "greedy"]
    assert found.loc[2].tolist() == ["greedy", "greedy,random", "mixed"]
    assert found.loc[0].tolist() == ["greedy", "random,greedy", "mixed"]


def test_decisions_of_a_seat_are_its_own(rows: pd.DataFrame) -> None:
    """The game's have the same name."""
    seats = seats_of(rows)
    assert seats.columns.is_unique
    own = [rows[f"decisions_{seat}"].sum() for seat in range(3)]
    assert seats.groupby("seat")["decisions"].sum().tolist() == own
    assert seats["decisions"].sum() == rows["decisions"].sum()
    found = measures(rows).set_index(["policy", "measure"]).loc[("greedy", "decisions_a_turn")]
    greedy = seats[seats["policy"] == "greedy"]
    assert found["value"] == pytest.approx(greedy["decisions"].sum() / greedy["turns"].sum())


def test_the_rows_do_not_depend_on_the_workers(rows: pd.DataFrame) -> None:
    assert_frame_equal(play_schedule(SMALL, workers=2), rows)
    with joblib.parallel_config("threading", n_jobs=2):
        assert_frame_equal(play_schedule(SMALL), rows)


def test_policies_play_as_the_bots_that_they_are(rows: pd.DataFrame) -> None:
    one = {"greedy": BotPolicy("greedy")}  # alone among bots, or in several seats
    assert_frame_equal(play_schedule(SMALL, one), rows)
    both = one | {"random": BotPolicy("random")}
    assert_frame_equal(play_schedule(SMALL, both), rows)


def test_one_game_again(rows: pd.DataFrame) -> None:
    assert play_game(MINI, list(SMALL)[7]) == rows.iloc[7].to_dict()


class Curious:
    name, version = "curious", 1
    seeds: ClassVar[list[int]] = []

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        self.seeds.append(seed)

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        return int(mask.argmax())


def test_policies_are_not_told_the_seed_of_the_deck() -> None:
    schedule = Schedule(MINI, (("curious", "curious", "greedy"),), decks=2)
    play_schedule(schedule, {"curious": Curious()})
    assert len(set(Curious.seeds)) == 2
    assert not {game.seed for game in schedule} & set(Curious.seeds)


class Faulty:
    """Stops the program, or does what is illegal, after some games."""

    name, version = "faulty", 3
    games = 0
    stop_at: int | None = None

    def reset(self, rules: Rules, seat: int, seed: int) -> None:
        Faulty.games += 1

    def act(self, view: np.ndarray, mask: np.ndarray) -> int:
        if Faulty.games == Faulty.stop_at:
            raise KeyboardInterrupt
        return int(mask.argmax()) if Faulty.stop_at != -1 else -1


FAULTY = Schedule(MINI, (("faulty", "greedy", "greedy"),), decks=5)


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_what_is_finished_is_kept_and_gone_on_with(
    suffix: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, players = tmp_path / f"games.{suffix}", {"faulty": Faulty()}
    whole = play_schedule(FAULTY, players)
    monkeypatch.setattr(Faulty, "games", 0)
    monkeypatch.setattr(Faulty, "stop_at", 10)
    with pytest.raises(KeyboardInterrupt):
        play_schedule(FAULTY, players, file)
    kept = read_rows(file)
    assert 0 < len(kept) < 10
    assert_frame_equal(kept, whole.iloc[: len(kept)])
    monkeypatch.setattr(Faulty, "stop_at", None)
    monkeypatch.setattr(Faulty, "games", 0)
    assert_frame_equal(play_schedule(FAULTY, players, file, resume=True), whole)
    assert Faulty.games == len(whole) - len(kept)
    assert_frame_equal(read_rows(file), whole)
    assert [path.name for path in tmp_path.iterdir()] == [file.name]


def test_a_killed_tournament_goes_on_from_its_journal(rows: pd.DataFrame, tmp_path: Any) -> None:
    file = tmp_path / "games.parquet"
    lines = [json.dumps(row) for row in rows.iloc[3:8].to_dict("records")]
    (tmp_path / "games.parquet.partial").write_text("\n".join(lines) + '\n{"lineup": "ra')
    assert_frame_equal(play_schedule(SMALL, path=file, resume=True), rows)
    assert_frame_equal(read_rows(file), rows)


def test_more_decks_are_added(rows: pd.DataFrame, tmp_path: Any) -> None:
    file = tmp_path / "games.csv"
    play_schedule(Schedule(MINI, SMALL.lineups, decks=2, seed=1), path=file)
    assert_frame_equal(play_schedule(SMALL, path=file, resume=True), rows)


def test_files_are_not_spoilt(tmp_path: Any) -> None:
    file = tmp_path / "games.csv"
    one = Schedule(MINI, (("greedy",) * 3,), decks=2)
    play_schedule(one, path=file)
    before = file.read_bytes()

    def refused(schedule: Schedule, **options: Any) -> str:
        with pytest.raises(RowsFileError) as caught:
            play_schedule(schedule, path=file, **options)
        assert file.read_bytes() == before
        return str(caught.value)

    assert "exists" in refused(one)
    other = Schedule(MINI, one.lineups, decks=2, seed=1)
    assert "another seed" in refused(other, resume=True)
    assert "not planned" in refused(Schedule(MINI, one.lineups, decks=1), resume=True)
    rules = Rules.of("mini", 3, protocol="compact")
    assert "other rules" in refused(Schedule(rules, one.lineups, decks=2), resume=True)
    newer = {"greedy": Faulty()}
    complaint = refused(one, players=newer, resume=True)
    assert "in its games greedy is greedy (version 1), now it is " in complaint
    assert "test_arena:Faulty (version 3)" in complaint
    other_bot = {"greedy": "random"}  # of version 1, too
    complaint = refused(one, players=other_bot, resume=True)
    assert "greedy is greedy (version 1), now it is random (version 1)" in complaint
    play_schedule(other, path=file, force=True)
    assert file.read_bytes() != before


def test_rows_of_before_sources_were_kept_are_gone_on_with(
    rows: pd.DataFrame, tmp_path: Any
) -> None:
    file = tmp_path / "games.parquet"
    old = rows.iloc[:5].drop(columns=[f"source_{seat}" for seat in range(3)])
    old.to_parquet(file, index=False)
    assert set(read_rows(file)["source_1"]) == {""}
    resumed = play_schedule(SMALL, path=file, resume=True)
    assert_frame_equal(resumed[rows.columns].iloc[5:], rows.iloc[5:])


def test_other_paths_and_policies_that_cannot_be(tmp_path: Any) -> None:
    with pytest.raises(RowsFileError, match=r"\.parquet or \.csv"):
        play_schedule(SMALL, path=tmp_path / "games.txt")
    with pytest.raises(RowsFileError, match="no such folder"):
        play_schedule(SMALL, path=tmp_path / "none" / "games.csv")
    with pytest.raises(ValueError, match="unknown bot 'b'"):
        play_schedule(Schedule(MINI, (("b",) * 3,), decks=1))
    with pytest.raises(TypeError, match="greedy: expected a bot's name, a Policy"):
        play_schedule(SMALL, {"greedy": 3})  # type: ignore[dict-item]


def test_an_illegal_action_is_told_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Faulty, "stop_at", -1)
    with pytest.raises(ValueError) as caught:
        play_schedule(FAULTY, {"faulty": Faulty()})
    assert "policy 'faulty' in seat 0 of PlannedGame" in caught.value.__notes__[0]
