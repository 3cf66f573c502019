"""95 % intervals by bootstrap, clustered by deck."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import DegenerateDataWarning, bootstrap

__all__ = ["Interval", "crossed_interval", "crossed_ratio_interval", "interval", "ratio_interval"]

_RESAMPLES = 4000


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval; the bounds are NaN where the data say nothing of them."""

    mean: float
    low: float
    high: float

    def __str__(self) -> str:
        if np.isnan(self.low + self.high):
            return f"{self.mean:.2f} [unknown]"
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def columns(self, name: str) -> dict[str, float]:
        """Columns of a table: the mean under this name, the bounds as ``…_low``, ``…_high``."""
        return {name: self.mean, f"{name}_low": self.low, f"{name}_high": self.high}


def interval(by_deck: np.ndarray, seed: int = 0) -> Interval:
    """Mean and 95 % interval, by bootstrap over decks (BCa), of one number a deck."""
    values = np.asarray(by_deck, float)
    mean = float(values.mean())
    if len(values) < 2:
        return Interval(mean, np.nan, np.nan)
    if np.ptp(values) < 1e-12:
        return Interval(mean, mean, mean)
    low, high = _bounds((values,), np.mean, seed, method="BCa")
    if np.isnan(low + high):  # BCa is not defined for some tiny samples
        low, high = _bounds((values,), np.mean, seed)
    return Interval(mean, low, high)


def _bounds(
    data: tuple[np.ndarray, ...],
    statistic: Callable[..., Any],
    seed: int,
    *,
    method: str = "percentile",
    **options: Any,
) -> tuple[float, float]:
    """The 95 % interval, NaN where the resamples give none."""
    with warnings.catch_warnings(), np.errstate(invalid="ignore", divide="ignore"):
        warnings.simplefilter("ignore", DegenerateDataWarning)
        found = bootstrap(
            data,
            statistic,
            method=method,
            n_resamples=_RESAMPLES,
            rng=np.random.default_rng(seed),
            **options,
        )
    low, high = found.confidence_interval
    return float(low), float(high)


def ratio_interval(counts: np.ndarray, chances: np.ndarray, seed: int = 0) -> Interval:
    """The sum of the counts by the sum of the chances, with its interval over decks.

    Args:
        counts: what happened, one number a deck.
        chances: how often it could have, likewise. Without any the ratio is NaN.
        seed: of the resampling.
    """
    counts, chances = np.asarray(counts, float), np.asarray(chances, float)
    if chances.sum() == 0:
        return Interval(np.nan, np.nan, np.nan)
    mean = float(counts.sum() / chances.sum())
    if len(counts) < 2 or np.count_nonzero(chances) < len(chances) / 2:
        return Interval(mean, np.nan, np.nan)
    if np.ptp(counts - mean * chances) < 1e-12:  # the same in every deck
        return Interval(mean, mean, mean)

    def ratio(above: np.ndarray, below: np.ndarray, axis: int = -1) -> np.ndarray:
        return above.sum(axis=axis) / below.sum(axis=axis)

    return Interval(mean, *_bounds((counts, chances), ratio, seed, paired=True))


def crossed_interval(table: np.ndarray, seed: int = 0) -> Interval:
    """Mean and interval where several training seeds played the same decks.

    Training seeds and decks are resampled independently of each other, so the interval covers
    other trainings as well as other decks.

    Args:
        table: shape (training seeds, decks), NaN where something was not played.
        seed: of the resampling.
    """
    values = np.asarray(table, float)
    mean = float(np.nanmean(values))
    if min(values.shape) < 2:
        return interval(np.nanmean(values, axis=0 if values.shape[0] == 1 else 1), seed)

    def mean_of(trainings: np.ndarray, decks: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.nanmean(_drawn(values, trainings, decks), axis=(-2, -1))

    return Interval(mean, *_crossed_bounds(values.shape, mean_of, seed))


def crossed_ratio_interval(counts: np.ndarray, chances: np.ndarray, seed: int = 0) -> Interval:
    """``ratio_interval`` where several training seeds played the same decks.

    Args:
        counts: shape (training seeds, decks), NaN where something was not played.
        chances: likewise.
        seed: of the resampling.
    """
    above, below = np.nan_to_num(np.asarray(counts, float)), np.nan_to_num(chances)
    if min(above.shape) < 2:
        axis = 0 if above.shape[0] == 1 else 1
        return ratio_interval(above.sum(axis=axis), below.sum(axis=axis), seed)
    if below.sum() == 0:
        return Interval(np.nan, np.nan, np.nan)
    mean = float(above.sum() / below.sum())
    if (np.count_nonzero(below, axis=1) < below.shape[1] / 2).any():
        return Interval(mean, np.nan, np.nan)

    def ratio_of(trainings: np.ndarray, decks: np.ndarray, axis: int = -1) -> np.ndarray:
        parts = (_drawn(table, trainings, decks).sum(axis=(-2, -1)) for table in (above, below))
        return np.divide(*parts)

    return Interval(mean, *_crossed_bounds(above.shape, ratio_of, seed))


def _drawn(values: np.ndarray, trainings: np.ndarray, decks: np.ndarray) -> np.ndarray:
    return values[trainings[..., :, None], decks[..., None, :]]


def _crossed_bounds(
    shape: tuple[int, ...], statistic: Callable[..., Any], seed: int
) -> tuple[float, float]:
    """Rows and columns of a table are resampled independently of each other."""
    samples = (np.arange(shape[0]), np.arange(shape[1]))
    return _bounds(samples, statistic, seed, vectorized=True, batch=100)
