"""Ways to play that bring the rules into every corner; they may look at all cards."""

from __future__ import annotations

import random

from reference import ReferenceGame


def uniform(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    """Any legal action."""
    return rng.choice(legal)


def quiet(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    """Uniform, but proposals are mostly left alone: games of planting and harvesting."""
    for action in legal:
        if action.startswith("harvest") and _gains_a_field(game, action):
            return action
    return _weighted(legal, rng, {"propose": 0.05, "swap": 0.01, "pass": 2, "end_trading": 4})


# First word of an action -> weight; 1 where it is not listed.
_TRADER = {"accept": 12, "submit": 3, "withdraw": 0.1, "counter": 2, "harvest": 0.3, "pass": 0.7}
_TRADER |= {"end_trading": 0.2, "propose": 2, "buy_field": 0.1}


def trader(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    """Asks for what the other has, mostly accepts."""
    if game.decision == "compose" and rng.random() < 0.8:
        recipient = game.draft["recipient"]
        beans = set(game.face_up)
        for seat, player in enumerate(game.players):
            if recipient in (seat, None):
                beans |= set(player.hand)
        legal = [a for a in legal if not a.startswith("request") or a.split()[1] in beans]
    if game.decision == "floor" and rng.random() < 0.3 and "propose table" in legal:
        return "propose table"
    return _weighted(legal, rng, _TRADER)


def hoarder(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    """Keeps everything: no deals, no harvest unless forced; the deck runs dry (R20)."""
    return _hoard(game, legal, rng)


def half_hoarder(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    """A hoarder who now and then does anything: late shuffles after empty piles (R20)."""
    if rng.random() < 0.05:
        return rng.choice(legal)
    return _hoard(game, legal, rng)


def _hoard(game: ReferenceGame, legal: list[str], rng: random.Random) -> str:
    matching = [a for a in legal if a.startswith("plant") and _matches(game, a)]
    if matching and game.decision != "plant":
        return rng.choice(matching)
    for wanted in ("pass", "reject", "end_trading", "withdraw"):
        if wanted in legal:
            return wanted
    if matching:
        return rng.choice(matching)
    plants = [a for a in legal if a.startswith("plant")]
    return rng.choice(plants or legal)


def _matches(game: ReferenceGame, action: str) -> bool:
    planted = game.players[game.to_act].fields[int(action.split()[2])]
    return planted is not None


def _gains_a_field(game: ReferenceGame, action: str) -> bool:
    """R27, which chance alone seldom brings about."""
    return game.players[game.to_act].fields[int(action.split()[1])] == {"bean": "field", "count": 2}


def _weighted(legal: list[str], rng: random.Random, weights: dict[str, float]) -> str:
    return rng.choices(legal, [weights.get(a.split()[0], 1) for a in legal])[0]


POLICIES = {
    "uniform": uniform,
    "quiet": quiet,
    "trader": trader,
    "hoarder": hoarder,
    "half_hoarder": half_hoarder,
}
