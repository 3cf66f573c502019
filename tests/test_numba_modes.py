"""The same games compiled, as plain Python, and with every index checked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from replay import SHORT, hashes

TESTS = Path(__file__).parent


def run_in_mode(*arguments: str, **variables: str) -> str:
    path = os.pathsep.join([str(TESTS), str(TESTS.parent), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": path, "BOHNANZA_QUIET": "1", **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_plain_python_plays_the_same_games_bit_for_bit():
    plain = json.loads(run_in_mode(str(TESTS / "replay.py"), NUMBA_DISABLE_JIT="1"))
    compiled = [hashes(*arguments) for arguments in SHORT]
    assert [len(game) for game in plain] == [len(game) for game in compiled]
    assert plain == compiled


CHECKED = """
import numpy as np
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of
games = 0
for name, (numbers, _) in EDITIONS.items():
    for players in numbers:
        for protocol in ("staged", "compact"):
            rules = Rules.of(name, players, protocol=protocol, window="always")
            for seed in range(6):
                game, rng = Game(rules, seed, seed % players, log=True), np.random.default_rng(seed)
                while not game.over:
                    game.step(int(rng.choice(game.legal_actions())))
                    view_of(game, seed % players)
                games += 1
print(games)
"""


@pytest.mark.long
def test_no_index_is_out_of_range_in_hundreds_of_games():
    assert int(run_in_mode("-c", CHECKED, NUMBA_BOUNDSCHECK="1")) >= 250
