"""Pictures of tournaments, PNG or SVG by the suffix of the path."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from .intervals import interval
from .rows import seats_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["plot_coins_by_seat", "plot_coins_by_turn", "plot_payoff", "plot_ratings"]

_COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555"]
Path = str | os.PathLike[str]


def plot_ratings(ratings: pd.DataFrame, path: Path, title: str = "") -> None:
    """The table of ``statistics.ratings``: mu with two sigmas to each side, best on top."""
    figure, axes = _figure(6.4, 1.4 + 0.42 * len(ratings))
    heights = np.arange(len(ratings))[::-1]
    axes.errorbar(
        ratings["mu"],
        heights,
        xerr=2 * ratings["sigma"],
        fmt="o",
        color=_COLOURS[0],
        capsize=4,
        markersize=7,
    )
    axes.set_yticks(heights, ratings["policy"])
    axes.set_ylim(-0.6, len(ratings) - 0.4)
    axes.set_xlabel("rating (mu ± 2 sigma, Plackett-Luce)")
    axes.grid(axis="x", alpha=0.3)
    _save(figure, axes, path, title or "Ratings")


def plot_payoff(matrix: pd.DataFrame, path: Path, title: str = "", unit: str = "coins") -> None:
    """The table of ``statistics.payoff_matrix``; strongest policy on top."""
    table = matrix.pivot(index="policy", columns="against", values="mean")
    order = table.mean(axis=1).sort_values(ascending=False).index
    table = table.reindex(index=order, columns=[c for c in order if c in table.columns])
    errors = matrix.assign(error=(matrix["high"] - matrix["low"]) / 2)
    error = errors.pivot(index="policy", columns="against", values="error").reindex_like(table)
    figure, axes = _figure(2.6 + 0.95 * table.shape[1], 1.7 + 0.62 * table.shape[0])
    image = axes.imshow(table, cmap="viridis", aspect="auto")
    middle = (np.nanmin(table.to_numpy()) + np.nanmax(table.to_numpy())) / 2
    for (row, column), mean in np.ndenumerate(table.to_numpy()):
        if np.isnan(mean):
            continue
        doubt = error.to_numpy()[row, column]
        text = f"{mean:.1f}" + ("" if np.isnan(doubt) else f"\n±{doubt:.1f}")
        colour = "black" if mean > middle else "white"
        axes.text(column, row, text, ha="center", va="center", color=colour, fontsize=9)
    axes.set_xticks(range(table.shape[1]), table.columns, rotation=30, ha="right")
    axes.set_yticks(range(table.shape[0]), table.index)
    axes.set_xlabel("all other seats")
    axes.set_ylabel("one seat")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figure.colorbar(image, ax=axes, label=unit)
    _save(figure, axes, path, title or f"{unit.capitalize()} of one policy among another")


def plot_coins_by_seat(rows: pd.DataFrame, path: Path, title: str = "") -> None:
    """Mean coins of each policy by place after the start player, with 95 % intervals."""
    seats = seats_of(rows)
    seats = seats.assign(place_at_table=(seats["seat"] - seats["start"]) % seats["players"])
    names = seats.groupby("policy")["coins"].mean().sort_values(ascending=False).index
    places = sorted(seats["place_at_table"].unique())
    figure, axes = _figure(2.4 + 1.25 * len(places), 3.8)
    for number, name in enumerate(names):
        own = seats[seats["policy"] == name]
        groups = [own[own["place_at_table"] == place] for place in places]
        found = [interval(g.groupby("seed")["coins"].mean().to_numpy()) for g in groups]
        means = np.array([f.mean for f in found])
        errors = [means - [f.low for f in found], [f.high for f in found] - means]
        shift = (number - (len(names) - 1) / 2) * 0.09
        axes.errorbar(
            np.array(places) + shift,
            means,
            yerr=errors,
            fmt="o-",
            color=_COLOURS[number % len(_COLOURS)],
            linewidth=1,
            capsize=3,
            label=name,
        )
    labels = ["start player", *(f"{place} later" for place in places[1:])]
    axes.set_xticks(places, labels)
    axes.set_ylabel("coins")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5))
    _save(figure, axes, path, title or "Coins by place at the table")


def plot_coins_by_turn(rows: pd.DataFrame, path: Path, title: str = "") -> None:
    """Coins at the end of each turn: a panel for each policy, a line for each place at the table.

    Means over decks with two standard errors to each side; a game that has ended keeps its coins.
    Turns that fewer than one in twenty games reach are left out.
    """
    seats = seats_of(rows)
    seats = seats.assign(place_at_table=(seats["seat"] - seats["start"]) % seats["players"])
    names = seats.groupby("policy")["coins"].mean().sort_values(ascending=False).index
    turns = int(np.ceil(seats["turns"].quantile(0.95)))
    columns = min(3, len(names))
    lines = -(-len(names) // columns)
    figure, grid = _panels(lines, columns)
    for name, axes in zip(names, grid.flat, strict=False):
        own = seats[seats["policy"] == name]
        for place, of_place in own.groupby("place_at_table"):
            means, errors = _curve(of_place, turns)
            x, colour = np.arange(1, turns + 1), _COLOURS[int(place) % len(_COLOURS)]
            label = "start player" if place == 0 else f"{place} later"
            axes.plot(x, means, color=colour, linewidth=1.4, label=label)
            axes.fill_between(x, means - errors, means + errors, color=colour, alpha=0.15, lw=0)
        axes.set_title(name, loc="left", fontsize=10)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
        axes.tick_params(labelbottom=True)
    for axes in grid.flat[len(names) :]:
        axes.set_visible(False)
    grid[0, 0].set_ylim(bottom=0)
    grid[0, 0].set_xlim(0, turns + 0.5)
    figure.supxlabel("turn of the game", fontsize=10)
    figure.supylabel("coins", fontsize=10)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, loc="outside right upper", fontsize=9)
    figure.suptitle(title or "Coins by turn and place at the table", x=0.01, ha="left", fontsize=11)
    figure.savefig(os.fspath(path), dpi=150)


def _curve(seats: pd.DataFrame, turns: int) -> tuple[np.ndarray, np.ndarray]:
    """Mean coins by turn and two standard errors, over decks."""
    curves = np.zeros((len(seats), turns))
    for row, text in enumerate(seats["coins_by_turn"]):
        coins = np.array(text.split(), float)
        curves[row] = coins[np.minimum(np.arange(turns), len(coins) - 1)]
    by_deck = pd.DataFrame(curves).groupby(seats["seed"].to_numpy()).mean()
    errors = by_deck.std(ddof=1).fillna(0.0) / np.sqrt(len(by_deck))
    return by_deck.mean().to_numpy(), 2 * errors.to_numpy()


def _panels(lines: int, columns: int) -> tuple[Figure, Any]:
    from matplotlib.figure import Figure

    size = (1.9 + 2.7 * columns, 1.0 + 2.3 * lines)
    figure: Any = Figure(figsize=size, layout="constrained")
    return figure, figure.subplots(lines, columns, sharex=True, sharey=True, squeeze=False)


def _figure(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.figure import Figure  # no pyplot: no screen is needed, and nothing is global

    figure: Any = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _save(figure: Figure, axes: Axes, path: Path, title: str) -> None:
    axes.set_title(title, loc="left", fontsize=11)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(os.fspath(path), dpi=150)
