"""Statistics of tables small enough to be worked out by hand; pictures; what the docs show."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("joblib")
pytest.importorskip("openskill")
import pandas as pd

from bohnanza_env.arena import (
    cautions,
    crossed_interval,
    interval,
    measures,
    paired_differences,
    payoff_matrix,
    plot_coins_by_seat,
    plot_coins_by_turn,
    plot_payoff,
    plot_ratings,
    ratings,
    ratio_interval,
    summary,
    tables,
)
from bohnanza_env.arena.plots import _curve
from bohnanza_env.arena.rows import COUNTS, gini, places

DOCS = Path(__file__).resolve().parent.parent / "docs" / "evaluation.md"


def game(lineup: str, deck: int, rotation: int, coins: list[int], **columns: Any) -> dict:
    """A row in which only the coins (by seat) and some counts are not zero."""
    names = lineup.split(",")
    players = len(names)
    winners = [seat for seat, c in enumerate(coins) if c == max(coins)]
    row: dict[str, Any] = {"lineup": lineup, "deck": deck, "rotation": rotation, "start": 0}
    row |= {"seed": 100 + deck, "players": players, "rules": "r", "turns": 10, "decisions": 0}
    row |= {"welfare": sum(coins), "inequality": gini(coins)}
    for seat in range(players):
        row |= {f"policy_{seat}": names[(seat - rotation) % players], f"version_{seat}": "1"}
        row |= {f"source_{seat}": names[(seat - rotation) % players]}
        row |= {f"coins_{seat}": coins[seat], f"win_{seat}": (seat in winners) / len(winners)}
        row |= {f"place_{seat}": places(coins, winners)[seat]}
        row |= {f"{count}_{seat}": 0 for count in COUNTS}
        row |= {f"coins_by_turn_{seat}": f"0 {coins[seat]}"}
    return row | columns


# a and b in both seats of two decks against x.
DUPLICATE = pd.DataFrame(
    [
        game("a,x", 0, 0, [5, 1]),  # a has 5
        game("a,x", 0, 1, [3, 4]),  # a has 4
        game("b,x", 0, 0, [3, 2]),  # b has 3
        game("b,x", 0, 1, [3, 4]),  # b has 4: deck 0 differs by (2 + 0) / 2 = 1
        game("a,x", 1, 0, [6, 2]),
        game("a,x", 1, 1, [3, 2]),
        game("b,x", 1, 0, [3, 3]),
        game("b,x", 1, 1, [6, 1]),  # deck 1: (3 + 1) / 2 = 2
    ]
)


def test_paired_differences_by_hand() -> None:
    found = paired_differences(DUPLICATE).set_index(["policy", "minus"])
    ab = found.loc[("a", "b")]
    assert (ab["difference"], ab["decks"], ab["pairs"]) == (1.5, 2, 4)
    assert ab["basis"] == "same chair"
    assert 1 <= ab["low"] <= 1.5 <= ab["high"] <= 2
    assert ab["verdict"] == "too few games"
    # a and x never sit in the same chair: deck 0 (5+4)/2 - (1+3)/2 = 2.5, deck 1 4 - 2.5 = 1.5
    ax = found.loc[("a", "x")]
    assert (ax["difference"], ax["basis"]) == (2.0, "same table")


def test_games_without_a_twin_do_not_count_in_paired_differences() -> None:
    more = pd.DataFrame([*DUPLICATE.to_dict("records"), game("a,x", 2, 0, [90, 0])])
    found = paired_differences(more).set_index(["policy", "minus"])
    assert found.loc[("a", "b"), "difference"] == 1.5


def test_verdicts() -> None:
    def verdict(gap: list[int]) -> str:
        many = []
        for deck in range(40):
            many += [game("a,x", deck, 0, [5 + gap[deck % 2], 1]), game("b,x", deck, 0, [5, 1])]
        found = paired_differences(pd.DataFrame(many)).set_index(["policy", "minus"])
        return str(found.loc[("a", "b"), "verdict"])

    assert verdict([1, 2]) == "a > b"
    assert verdict([-1, -2]) == "b > a"
    assert verdict([3, -3]) == "open"


def test_means_by_hand() -> None:
    found = summary(DUPLICATE).set_index("policy")
    assert found.loc["a", "coins"] == (5 + 4 + 6 + 2) / 4
    assert found.loc["x", "coins"] == (1 + 3 + 2 + 3 + 2 + 3 + 3 + 6) / 8
    assert found.loc["a", "win"] == 3 / 4
    assert found.loc["b", "win"] == (1 + 1 + 0.5 + 0) / 4
    assert found.loc["a", "place"] == (1 + 1 + 1 + 2) / 4
    assert (found.loc["a", "games"], found.loc["a", "decks"]) == (4, 2)
    by_lineup = tables(DUPLICATE).set_index("lineup")
    assert by_lineup.loc["a,x", "welfare"] == (6 + 7 + 8 + 5) / 4


def test_payoffs_are_those_of_one_among_copies() -> None:
    rows = pd.DataFrame(
        [
            game("a,b,b", 0, 0, [9, 1, 2]),
            game("a,b,b", 0, 1, [3, 7, 2]),
            game("a,b,b", 0, 2, [0, 0, 5]),
            game("b,b,b", 0, 0, [4, 5, 6]),
        ]
    )
    found = payoff_matrix(rows).set_index(["policy", "against"])
    assert found["mean"].to_dict() == {("a", "b"): 7.0, ("b", "b"): 5.0}
    assert found["games"].tolist() == [3, 1]
    focal = summary(rows, focal=True).set_index("policy")
    assert focal.loc["b", "coins"] == 5  # not of the seats at the table of a


def test_trading_measures_by_hand() -> None:
    counts = {"proposals_0": 8, "accepted_0": 2, "deals_0": 1, "gifts_given_0": 1}
    counts |= {"cards_given_0": 4, "cards_taken_0": 2, "decisions_0": 50}
    counts |= {"worth_given_0": 1.5, "worth_to_winner_0": 0.5, "forced_for_nothing_0": 3}
    rows = pd.DataFrame([game("a,x", 0, 0, [1, 0], **counts), game("a,x", 1, 0, [1, 0])])
    found = measures(rows).set_index(["policy", "measure"])["value"]
    assert found["a", "acceptance"] == 0.25
    assert found["a", "proposals_a_turn"] == 8 / 20
    assert found["a", "cards_a_deal"] == 6 / 2
    assert found["a", "gifts_given_a_turn"] == 1 / 20
    assert found["a", "worth_given_a_game"] == 1.5 / 2
    assert found["a", "to_winner"] == 0.5 / 1.5
    assert found["a", "forced_for_nothing_a_game"] == 3 / 2
    assert np.isnan(found["x", "acceptance"])


def test_measures_resample_trainings_too() -> None:
    """Each training has the same ratio in every deck: decks alone would leave no doubt."""
    rows = []
    for training, accepted in ((1, 2), (2, 4), (3, 6)):
        for deck in range(4):
            counts = {"proposals_0": 10, "accepted_0": accepted}
            rows.append(game("a,x", deck, 0, [1, 0], training_seed=training, **counts))
    line = measures(pd.DataFrame(rows)).set_index(["policy", "measure"]).loc[("a", "acceptance")]
    assert line["value"] == 0.4
    assert 0.2 <= line["low"] < 0.3
    assert 0.5 < line["high"] <= 0.6


def test_intervals() -> None:
    same = interval(np.full(5, 3.0))
    assert (same.mean, same.low, same.high) == (3, 3, 3)
    assert str(same) == "3.00 [3.00, 3.00]"
    one = interval(np.array([3.0]))
    assert np.isnan(one.low)
    assert np.isnan(one.high)
    assert str(one) == "3.00 [unknown]"
    found = interval(np.array([1.0, 2.0, 3.0, 6.0]))
    assert found.mean == 3
    assert 1 <= found.low < 3 < found.high <= 6
    ratio = ratio_interval(np.array([1, 3, 2]), np.array([2, 4, 5]))
    assert ratio.mean == 6 / 11
    assert 2 / 5 <= ratio.low < ratio.mean < ratio.high <= 3 / 4


def test_intervals_cover_other_trainings_too() -> None:
    values = np.array([[1.0, 1.1, 0.9, 1.0], [3.0, 3.1, 2.9, 3.0], [5.0, 5.1, 4.9, 5.0]])
    found, of_decks = crossed_interval(values), interval(values.mean(axis=0))
    assert found.mean == of_decks.mean == 3
    assert found.high - found.low > 2 > of_decks.high - of_decks.low
    rows = pd.concat([DUPLICATE.assign(training_seed=s) for s in (1, 2)])
    rows.loc[rows["training_seed"] == 2, ["coins_0", "coins_1"]] += 10
    line = summary(rows).set_index("policy").loc["a"]
    assert line["coins"] == (5 + 4 + 6 + 2) / 4 + 5
    assert line["coins_high"] - line["coins_low"] > 9
    assert paired_differences(rows).set_index(["policy", "minus"]).loc[("a", "b"), "pairs"] == 8


def test_ratings() -> None:
    found = ratings(DUPLICATE).set_index("policy")
    assert found.loc["a", "mu"] > found.loc["b", "mu"] > found.loc["x", "mu"]
    tie = pd.DataFrame([game("a,b", 0, 0, [4, 4]), game("a,a", 0, 0, [4, 2])])
    found = ratings(tie).set_index("policy")
    assert found.loc["a", "mu"] == pytest.approx(found.loc["b", "mu"])
    assert found["games"].tolist() == [1, 1]
    assert ratings(tie[1:]).empty


def test_cautions() -> None:
    assert "too few decks for a claim (2)" in cautions(DUPLICATE)[0]
    many = pd.DataFrame([game("a,x", deck, 0, [1, 2]) for deck in range(30)])
    assert cautions(many) == []
    assert "too few training seeds for a claim" in cautions(many.assign(training_seed=1))[0]
    uneven = pd.concat([many, pd.DataFrame([game("b,x", 0, 0, [1, 2])])])
    assert "not every lineup" in cautions(uneven)[0]


def test_rows_that_cannot_be_summed_up() -> None:
    with pytest.raises(ValueError, match="no games"):
        summary(DUPLICATE[:0])
    with pytest.raises(ValueError, match="several rules"):
        summary(pd.concat([DUPLICATE, DUPLICATE.assign(rules="s")]))


def test_pictures(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plot_ratings(ratings(DUPLICATE), tmp_path / "ratings.svg")
        plot_payoff(payoff_matrix(DUPLICATE[:4]), tmp_path / "one_deck.png")  # no intervals
        plot_coins_by_seat(DUPLICATE[:4], tmp_path / "one_deck.svg")
        plot_payoff(payoff_matrix(DUPLICATE), tmp_path / "payoff.png")
        plot_coins_by_seat(DUPLICATE, tmp_path / "seats.svg", title="Two decks")
        plot_coins_by_turn(DUPLICATE, tmp_path / "turns.svg")
        plot_coins_by_turn(DUPLICATE[:1], tmp_path / "one_game.png")
    assert (tmp_path / "payoff.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "ratings.svg").read_text()
    assert "<svg" in (tmp_path / "seats.svg").read_text()
    assert "<svg" in (tmp_path / "turns.svg").read_text()


def test_curves_by_hand() -> None:
    """Two decks: 2 and 6 coins after the two turns; 0, 1 and 4. What is over keeps its coins."""
    seats = pd.DataFrame({"seed": [1, 2], "coins_by_turn": ["2 6", "0 1 4"]})
    means, errors = _curve(seats, 4)
    assert means.tolist() == [1, 3.5, 5, 5]
    assert errors == pytest.approx([2 * 1, 2 * 2.5, 2 * 1, 2 * 1])  # half of each gap is one error


def test_what_the_docs_show_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    snippets = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert len(snippets) == 2
    names: dict[str, Any] = {"__name__": "snippet"}
    for number, snippet in enumerate(snippets, start=1):
        exec(compile(snippet, f"docs/evaluation.md, snippet {number}", "exec"), names)
    assert (tmp_path / "games.parquet").exists()
