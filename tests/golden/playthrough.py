"""Golden playthroughs: which games there are, how they are played and how they are written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from bohnanza_env.actions import ActionSpace
from bohnanza_env.engine.decisions import Answer, Event
from bohnanza_env.engine.editions import EDITIONS
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import new_generator, random_below
from bohnanza_env.engine.rules import Rules

from .digest import short, texts_digest, view_digest

FOLDER = Path(__file__).parent
ALL_VIEWS_EVERY = 10  # plies
LONGEST_GROUP = 64  # characters of the legal actions that begin with one word
PLAY_STREAM = 1_000_000  # no shuffle of a game has this number

# Edition -> players with the staged and the compact protocol; a duel has no trading.
PLAYERS: dict[str, tuple[int, ...]] = {
    "amigo": (4, 5),
    "classic": (5, 3),
    "rio_grande": (3, 6),
    "new_beans": (7, 4),
    "field_beans": (4, 5),
    "duel": (2,),
    "duel_three_fields": (2,),
    "mini": (2, 3),
    "mini_exact": (2, 2),
}
SEEDS = {"field_beans": 106}  # two players gain a field (R27), which is rare
# Shares of the first words of legal actions, 10 where none is given.
SHARES = {
    "accept": 60,
    "buy_field": 5,
    "counter": 25,
    "discard": 4,
    "end_trading": 40,
    "harvest": 2,
    "pass": 30,
    "propose table": 25,
    "reject": 15,
    "submit": 30,
    "withdraw": 1,
}
HOW = (
    "one of the first words of the legal actions ('propose table' counts as one) by the shares "
    "in tests/golden/playthrough.py, words sorted, then one of its actions, sorted, evenly; both "
    f"by bohnanza_env.engine.random, seed as above, stream {PLAY_STREAM}"
)

Chooser = Callable[[int, list[str]], str | None]  # ply, legal texts -> text; None: stop here


def chosen_games() -> dict[str, tuple[Rules, int, int]]:
    """File name -> rules, seed and start player of each golden game."""
    games = {}
    for number, (edition, all_players) in enumerate(PLAYERS.items()):
        for protocol, players in zip(("staged", "compact"), all_players, strict=False):
            rules = Rules.of(edition, players, protocol=protocol)
            name = f"{edition}-{players}-{protocol}.txt"
            seed = SEEDS.get(edition, 100 + number)
            games[name] = rules, seed, number % players
    return games


def wanted() -> set[tuple[str, str]]:
    """Every edition with every protocol that it can be traded in."""
    pairs = set()
    for edition, (players, _) in EDITIONS.items():
        trading = not Rules.of(edition, players[0]).duel
        pairs |= {(edition, p) for p in ("staged", "compact")[: 2 if trading else 1]}
    return pairs


def weighted_chooser(seed: int) -> Chooser:
    """Plays as ``HOW`` says."""
    generator = new_generator(seed, PLAY_STREAM)

    def choose(ply: int, legal: list[str]) -> str:
        groups = grouped(legal)
        left = random_below(generator, sum(SHARES.get(word, 10) for word in groups))
        for word, texts in groups.items():
            left -= SHARES.get(word, 10)
            if left < 0:
                return texts[random_below(generator, len(texts))]
        raise AssertionError

    return choose


def recorded_chooser(actions: list[str]) -> Chooser:
    """Plays what is written, as long as it is legal."""

    def choose(ply: int, legal: list[str]) -> str | None:
        return actions[ply] if ply < len(actions) and actions[ply] in legal else None

    return choose


def grouped(texts: list[str]) -> dict[str, list[str]]:
    """First word -> texts, all sorted."""
    groups: dict[str, list[str]] = {}
    for text in sorted(texts):
        word = text if text == "propose table" else text.split()[0]
        groups.setdefault(word, []).append(text)
    return dict(sorted(groups.items()))


# Writing ----------------------------------------------------------------------------------


def lines_of(rules: Rules, seed: int, start: int, choose: Chooser) -> Iterator[str]:
    """The file, line by line; it ends early where there is nothing to choose."""
    game, space = Game(rules, seed, start, log=True), ActionSpace.of(rules)
    yield from header(rules, seed, start, space)
    decisions: Counter[str] = Counter()
    events = Counter(events_of(game))
    ply = 0
    while not game.over:
        texts = space.texts(game.mask, game.to_act)
        action = choose(ply, texts)
        if ply % ALL_VIEWS_EVERY == 0:
            yield "views " + " ".join(view_digest(game, seat) for seat in range(rules.players))
        yield ply_line(game, ply, texts, action)
        if action is None:
            return
        decisions[game.decision.text] += 1
        game.step(space.index(action, game.to_act))
        events.update(events_of(game))
        ply += 1
    yield "views " + " ".join(view_digest(game, seat) for seat in range(rules.players))
    yield f"scores {game.scores}"
    yield f"winners {game.winners}"
    yield f"decisions {dict(sorted(decisions.items()))}"
    yield f"events {dict(sorted(events.items()))}"


def header(rules: Rules, seed: int, start: int, space: ActionSpace) -> Iterator[str]:
    yield f"rules {json.dumps(rules.to_dict())}"
    yield f"seed {seed}"
    yield f"start {start}"
    yield f"chosen {HOW}"
    texts = [space.text(index, 0) for index in range(space.size)]
    yield f"actions {space.size}, those of seat 0 in order {texts_digest(texts)}"
    yield "ply seat decision [legal] > action; coins; digest of the seat's view"


def ply_line(game: Game, ply: int, texts: list[str], action: str | None) -> str:
    seat = game.to_act
    coins = ",".join(map(str, game.scores))
    return (
        f"{ply} {seat} {game.decision.text} [{legal_text(texts)}] > {action}; {coins}; "
        f"{view_digest(game, seat)}"
    )


def legal_text(texts: list[str]) -> str:
    """As in ``plant blue 0|blue 1, pass``; a long list of one word as its number and digest."""
    parts = []
    for word, group in grouped(texts).items():
        rest = [text[len(word) + 1 :] for text in group]
        part = f"{word} {'|'.join(rest)}".strip()
        if len(part) > LONGEST_GROUP:
            part = f"{word} {len(group)} ways {short('|'.join(rest))}"
        parts.append(part)
    return ", ".join(parts)


def events_of(game: Game) -> list[str]:
    """The kinds of the events of the last step; of answers and harvests, of what sort."""
    log = game.log[0]
    kinds = []
    for kind, _, other, _, _, detail, _ in log["entries"][: int(log["written"])].tolist():
        name = Event(kind).name.lower()
        if kind == Event.ANSWER:
            name += f" {Answer(detail).text}"
        if kind == Event.HARVEST and other < 0:
            name += " for a field"
        kinds.append(name)
    return kinds


# Reading ----------------------------------------------------------------------------------


def recorded_actions(lines: list[str]) -> list[str]:
    """What was played in a file."""
    return [line.split("] > ")[1].split(";")[0] for line in lines if line[0].isdigit()]


def recorded_counts(lines: list[str], what: str) -> dict[str, int]:
    """The ``decisions`` or ``events`` at the end of a file."""
    line = next(line for line in reversed(lines) if line.startswith(f"{what} "))
    return json.loads(line.removeprefix(f"{what} ").replace("'", '"'))
