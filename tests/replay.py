"""Plays fixed games and prints a hash of everything after every ply (run as a program).

Run in another mode of Numba, it must print the same.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys

from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.view import view_of

# Edition, players, protocol, plies at most.
SHORT = [
    ("mini", 2, "staged", 400),
    ("mini", 3, "compact", 400),
    ("amigo", 4, "staged", 250),
    ("classic", 3, "compact", 100),
    ("field_beans", 4, "staged", 100),
    ("duel", 2, "staged", 150),
]


def hashes(edition: str, players: int, protocol: str, most: int, seed: int = 3) -> list[str]:
    """One hash a ply: the record, the mask and the view of the decider."""
    rules = Rules.of(edition, players, protocol=protocol)
    game, rng = Game(rules, seed, seed % players), random.Random(seed)
    found = []
    for _ in range(most):
        data = game.state.tobytes() + game.mask.tobytes()
        data += view_of(game, max(game.to_act, 0)).tobytes()
        found.append(hashlib.sha256(data).hexdigest()[:16])
        if game.over:
            break
        game.step(int(rng.choice(game.legal_actions())))
    return found


if __name__ == "__main__":
    json.dump([hashes(*arguments) for arguments in SHORT], sys.stdout)
