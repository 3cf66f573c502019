"""The engine beside the reference model, ply by ply: same shuffles, same actions, same everything.

``compare_game`` plays one game in both and raises ``DisagreementError`` at the first difference,
with the rules, the seed, the actions so far and what differs.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from typing import Any

import numpy as np
from comparable import (
    Record,
    comparable_facts,
    engine_position,
    facts_of_view,
    private,
    private_facts,
    reference_position,
)
from reference import ReferenceGame

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator, shuffle
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import PUBLIC_BYTES
from bohnanza_env.record import Recorder
from bohnanza_env.view import view_of

MOST_PLIES = 20_000

Policy = Callable[[ReferenceGame, list[str], random.Random], str]


class DisagreementError(AssertionError):
    """The engine and the reference differ; the message reproduces it."""


def engine_shuffle(rules: Rules, seed: int) -> Callable[[int, list[str]], list[str]]:
    """Shuffle k of the engine's (seed, k), for whatever cards the reference hands over.

    A different list of cards to shuffle, or a different order in it, gives another deck.
    """
    names = rules.bean_names

    def shuffled(number: int, cards: list[str]) -> list[str]:
        numbers = np.array([names.index(card) for card in cards], np.int8)
        shuffle(new_generator(seed, number), numbers, len(numbers))
        return [names[n] for n in reversed(numbers.tolist())]  # the engine's top is at the end

    return shuffled


def compare_game(
    rules: Rules, seed: int, policy: Policy, *, start: int = 0, play_seed: int = 0
) -> Counter[str]:
    """Play one game in both; returns how often each kind of thing happened."""
    game = Game(rules, seed, start, log=True)
    recorder = Recorder(game)
    fields = rules.to_dict()
    del fields["edition"]
    other = ReferenceGame(fields, engine_shuffle(rules, seed), start)
    space = ActionSpace.of(rules)
    rng = random.Random(play_seed)
    seen: Counter[str] = Counter()
    actions: list[str] = []
    while True:
        texts = space.texts(game.mask, game.to_act) if not game.over else []
        differences = compare_all(game, other, texts, len(actions) % rules.players)
        if differences:
            raise DisagreementError(report(rules, seed, start, actions, differences))
        if game.over:
            break
        seen[other.decision] += 1
        action = policy(other, sorted(texts), rng)
        actions.append(f"{game.to_act}: {action}")
        game.step(space.index(action, game.to_act))
        recorder.note()
        other.apply(action)
        if len(actions) > MOST_PLIES:
            raise DisagreementError(
                report(rules, seed, start, actions[:50], ["the game never ends"])
            )
    recorded, events = recorder.events, other.events
    if sorted_offers(recorded) != sorted_offers(events):
        pairs = enumerate(zip_longest(sorted_offers(recorded), sorted_offers(events)))
        number, (ours, theirs) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
        differences = unequal(f"event {number}", ours, theirs)
        raise DisagreementError(report(rules, seed, start, actions, differences))
    seen.update(events_of_interest(other))
    seen["plies"] = len(actions)
    return seen


def sorted_offers(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The order of the cards that a duel's player leaves to the other means nothing."""
    return [{**e, "beans": sorted(e["beans"])} if e["type"] == "offer" else e for e in events]


def events_of_interest(other: ReferenceGame) -> Counter[str]:
    """What makes a game worth comparing, counted from the reference's events."""
    seen: Counter[str] = Counter()
    kinds = ("trade", "choose", "buy_field", "reshuffle", "withdraw", "take", "offer")
    for event in other.events:
        if event["type"] in kinds:
            seen[f"{event['type']} events"] += 1
        if event.get("field_gained"):
            seen["fields gained"] += 1
        if event["type"] == "answer":
            seen[f"answer {event['answer']}"] += 1
    seen["stopped by empty piles"] = int(other.stopped)
    seen["ended in the reveal"] = int(other.events[-1]["type"] == "end" and not _drew_last(other))
    return seen


def _drew_last(other: ReferenceGame) -> bool:
    last_turn = max(i for i, event in enumerate(other.events) if event["type"] == "turn")
    return any(event["type"] == "draw" for event in other.events[last_turn:])


def report(rules: Rules, seed: int, start: int, actions: list[str], differences: list[str]) -> str:
    """All that is needed to see the difference again."""
    return "\n".join(
        [
            f"rules {json.dumps(rules.to_dict())}",
            f"seed {seed}, start {start}, {len(actions)} actions:",
            json.dumps(actions),
            "engine and reference differ:",
            *differences,
        ]
    )


# What is compared


def compare_all(game: Game, other: ReferenceGame, texts: list[str], in_full: int) -> list[str]:
    """Every difference, as text. Of seats other than ``in_full`` what they alone know, and that
    the public part of their view is the same.
    """
    differences = unequal("legal actions", sorted(texts), sorted(other.legal()))
    differences += compare_dicts("position", engine_position(game), reference_position(other))
    public = game.state.view(np.uint8)[:PUBLIC_BYTES].tobytes()
    for seat in range(game.rules.players):
        array = view_of(game, seat)
        if array.view(np.uint8)[:PUBLIC_BYTES].tobytes() != public:
            differences.append(f"view of {seat}: the public part is not the game's")
        view = Record(array, whole=seat == in_full)
        facts = comparable_facts(other, seat) if seat == in_full else private_facts(other, seat)
        seen = facts_of_view(game.rules, view) if seat == in_full else private(game.rules, view)
        differences += compare_dicts(f"view of {seat}", seen, facts)
    return differences


def compare_dicts(what: str, engine: dict[str, Any], reference: dict[str, Any]) -> list[str]:
    """Differences of two dictionaries with the same keys."""
    if engine == reference:
        return []
    differences = unequal(f"{what}, keys", sorted(engine), sorted(reference))
    for key in engine:
        if key in reference:
            differences += unequal(f"{what}, {key}", engine[key], reference[key])
    return differences


def unequal(what: str, engine: Any, reference: Any) -> list[str]:
    if engine == reference:
        return []
    return [f"- {what}:\n  engine    {engine}\n  reference {reference}"]
