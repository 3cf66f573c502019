"""Other backends than joblib's own."""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("joblib")
pytest.importorskip("openskill")
from pandas.testing import assert_frame_equal

from bohnanza_env.arena import Schedule, payoff_lineups, play_schedule
from bohnanza_env.arena.backends import check_backend
from bohnanza_env.engine.rules import Rules
from tests.test_arena_cli import SMALL, complaint

RULES = Rules.of("mini", 2)


def test_backends_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (None, "loky", "threading", "sequential"):
        assert check_backend(name) == name
    with pytest.raises(ValueError, match="unknown backend 'cluster'; backends: loky, threading"):
        check_backend("cluster")
    monkeypatch.setitem(sys.modules, "ray.util.joblib", None)  # as if it were not installed
    with pytest.raises(ValueError, match="Ray is missing"):
        play_schedule(Schedule(RULES, (("greedy", "greedy"),), 1), backend="ray")
    told = complaint(*SMALL, "--backend", "ray")
    assert told == "--backend: backend ray: Ray is missing: pip install 'bohnanza-env[ray]'"


@pytest.mark.long
def test_ray_plays_the_same_rows() -> None:
    ray = pytest.importorskip("ray")
    schedule = Schedule(RULES, payoff_lineups(["random", "greedy"], 2), decks=6, seed=1)
    ray.init(num_cpus=2, log_to_driver=False, include_dashboard=False)
    try:
        rows = play_schedule(schedule, workers=2, backend="ray")
    finally:
        ray.shutdown()
    assert_frame_equal(rows, play_schedule(schedule))
