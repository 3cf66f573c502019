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


# Uncompiled, a sum of numbers of a mask would be an int8 itself, too small for so many.
MANY_ACTIONS = """
import numpy as np
from bohnanza_env.engine.kernels import sample_from_mask
from bohnanza_env.engine.perft import perft
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.vector.seat_kernels import forced_action
for legal in (127, 128, 257, 300):
    mask = np.ones(303, np.int8)
    mask[: 303 - legal] = 0
    print([sample_from_mask(mask, new_generator(seed)) for seed in range(20)])
    print(sample_from_mask(mask[-7:], new_generator(0)), forced_action(mask))
game = Game(Rules.of("amigo", 5, protocol="compact"), 1)
while len(game.legal_actions()) < 130:
    game.step(int(game.legal_actions()[-1]))
print(len(game.legal_actions()), perft(game, 1))
"""


def test_plain_python_counts_any_number_of_legal_actions():
    plain = run_in_mode("-W", "error", "-c", MANY_ACTIONS, NUMBA_DISABLE_JIT="1")
    assert plain == run_in_mode("-c", MANY_ACTIONS)


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
