"""``docs/rules.md``: the rules by number, the choices made, and what tests them.

The texts stand here; the tests and cases are found in the source checkout by the numbers of rules
that they name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["DECISIONS", "READINGS", "SECTIONS", "coverage", "rules_document"]

_TESTS = Path(__file__).resolve().parent.parent / "tests"
_NUMBER_IN_NAME = re.compile(r"(?:^|_)r(\d+)(?=_|$)")
_TEST = re.compile(r"^\s*def (test_\w+)", re.MULTILINE)

# Section -> rule -> what it says, in a sentence.
SECTIONS: dict[str, dict[int, str]] = {
    "Cards": {
        1: "A harvest pays the best tier of the bean's price list that its number of cards "
        "reaches; more cards than the last tier asks for earn nothing extra.",
        2: "Each coin is one of the harvested cards and leaves play; the others are discarded, so "
        "that every card of the deck lies in exactly one place at any time.",
    },
    "Editions": {
        3: "First hands are dealt seat by seat from the start player on; an edition refuses "
        "numbers of players that it is not made for.",
        4: "Which seat starts is an argument, 0 unless given, and known to all.",
    },
    "Hand": {
        5: "A hand keeps its order: cards join at the back, and one taken out leaves no gap.",
        6: "Only its owner sees a hand; everybody sees how large it is.",
    },
    "Turn": {
        7: "The active player plants the front card, then the next one if they like, and no third; "
        "without cards there is nothing to plant.",
        8: "A card goes to any own field that is empty or holds its bean, whichever of them the "
        "player prefers.",
        9: "Cards are turned up and traded together with hand cards, in any numbers on either side "
        "and with the active player in every deal; nothing else is ever traded.",
        10: "What one receives lies apart until phase 3 and cannot be traded again.",
        11: "Trading goes on without face-up cards, until the active player ends it.",
        12: "Whoever received cards plants all of them, in an order of their own; face-up cards "
        "that nobody took count as received by the active player.",
        13: "Phase 4 draws cards one by one to the back of the hand, for the active player or, by "
        "some editions, for everybody; then the turn passes to the left.",
    },
    "Harvest": {
        14: "Everybody may harvest at their own decisions, in the turns of others, too.",
        15: "A harvest empties the field, even if it earns nothing.",
        16: "A field of a single card is protected as long as its owner has a larger one.",
        17: "Fields may be sold before they have to be, to plant in the freed place.",
        18: "Who must plant a card without a place for it has to make one first; some harvest is "
        "always possible then.",
    },
    "Deck": {
        19: "The deck counts as exhausted with its last card; unless that was the final time, the "
        "discard pile is shuffled at once and drawing goes on.",
        20: "With nothing to shuffle the deck stays empty until a card is wanted; if there is "
        "still none by then, the game ends as after the final exhaustion.",
        21: "After a final exhaustion in phase 2 the turn goes on through phase 3; one in phase 4 "
        "ends the game on the spot.",
        22: "In the end all fields are sold, single cards as well; cards in hand count nothing.",
        23: "Equal coins are decided by the edition: the last player clockwise from the start, or "
        "the one who holds most cards.",
    },
    "Third field": {
        24: "Where a field is sold, one a player can be bought at any decision, and be used at "
        "once.",
        25: "The coins earned last pay for it and are discarded, the latest first.",
        26: "In the duel that has a shop they leave the game instead.",
        27: "With field beans nothing is sold: a harvest of exactly two of them brings the field.",
        28: "Two players do not trade: they place what the other left, plant, may discard a card, "
        "turn up cards with the discards that match, plant of those, leave the rest and draw.",
    },
    "Decisions": {
        29: "The floor is the active player's; passing lets each other player speak once, and "
        "trading may be ended once they could, or if none of them can.",
        30: "A proposal is put together card by card in table order, offers before requests; one "
        "that was answered is not repeated while no cards have moved.",
        31: "Only who holds the requested cards may accept; one proposed to directly may answer "
        "with a counter, and one to the table is answered by all before anybody sees.",
        32: "Who has more copies than leave chooses among them, by position, unseen by the others "
        "until the deal is done.",
        33: "Proposals of a turn are limited for each seat, counted when they are begun; cards of "
        "a side can be limited, and trading can be switched off.",
        34: "Before phase 4 those who can harvest are asked, by default only if a shuffle may come "
        "before they are asked again.",
        35: "The compact protocol trades one card or none for another in a single action, which "
        "stands for the steps of the staged one; copies leave by a fixed rule.",
        36: "A simpler game offers harvests only where a card has to be planted and fits nowhere.",
    },
}

# What printed rules leave open or say differently, and how it is played here.
DECISIONS: dict[int, str] = {
    12: "Phase 3 is played seat by seat, the active player first and the others clockwise.",
    14: "“At any time” means at each decision of a player, windows included, except while a "
    "proposal is composed or its partner or copies are chosen, and never while cards are drawn, "
    "shuffled or handed over.",
    19: "`rio_grande` shuffles at the moment of exhaustion like the other editions, although one "
    "summary waits until a card is needed.",
    20: "Two empty piles: printed rules are silent. The deck waits for discards, a late shuffle is "
    "no exhaustion of its own, and a reveal or draw that finds nothing ends the game (phases 2 and "
    "3 of that turn are still played after a reveal).",
    23: "Players who are level in coins and in hand cards share the win.",
    28: "A duel whose deck runs out while cards are turned up finishes with those cards; in the "
    "draw it ends at once. What is left to the opponent then is worth nothing.",
}

# How sentences of the rules are understood where they could be read in more than one way.
READINGS: tuple[tuple[int, str], ...] = (
    (
        29,
        "Whether anybody may still propose is looked at each time the floor changes hands. If "
        "nobody may, phase 2 is over there and then, also in the middle of a round and although "
        "a later seat could have harvested.",
    ),
    (
        29,
        "After a round in which nothing was submitted only a submission gives the active player "
        "the pass back; a proposal that was begun and withdrawn does not.",
    ),
    (
        30,
        "“No card moved” speaks of deals. Harvests and purchases in between do not make an "
        "answered proposal new.",
    ),
    (
        31,
        "A proposal to the table is allowed with one other player, too. It stays a table "
        "proposal: there is no counter to it.",
    ),
    (
        32,
        "Copies in a hand are told apart by their position, so that two equal cards are two ways "
        "to give one; equal face-up cards are one way.",
    ),
    (
        34,
        "The condition on the deck is judged once, before the first seat is asked; harvests in a "
        "window do not close those that follow.",
    ),
    (
        36,
        "Neither windows nor the floor offer a harvest then, and nobody gets the floor in a round "
        "for the sake of one.",
    ),
    (
        36,
        "A duel's decision on the offer can always be answered by discarding. Harvests are "
        "offered there by the same condition: no card of the offer fits anywhere.",
    ),
)

_HEAD = """\
# Rules

The rules as they are played here, by number. A number names the same rule in code, tests, cases and
error messages. The sentences are reminders, not the full text; what an edition fixes otherwise is a
field of `Rules` (`bohnanza_env/engine/rules.py`).

The tests of a rule have its number in their names: `pytest -k r16_` runs those of R16. Cases are
scenarios as data (`tests/cases/`, see [formats](formats.md)). What holds for every game of any
rules is checked in `tests/test_properties.py`. A second, slow implementation is compared with the
engine in whole games of every edition (`tests/test_against_reference.py`), and in every state of
`mini_exact`, a toy edition of four red and two garden beans, with one field each, one proposal each
in a turn, and no harvest but to make room (`tests/test_every_state.py`).
"""


def coverage(tests: Path = _TESTS) -> dict[int, tuple[list[Path], list[Path]]]:
    """Rule → the test files that name it in a test's name, and the case files that list it."""
    found: dict[int, tuple[list[Path], list[Path]]] = {}
    for path in sorted(tests.rglob("test_*.py")):
        names = _TEST.findall(path.read_text(encoding="utf-8"))
        for rule in {int(n) for name in names for n in _NUMBER_IN_NAME.findall(name)}:
            found.setdefault(rule, ([], []))[0].append(path)
    for path in sorted(tests.glob("cases/**/*.json")):
        for rule in _rules_of_case(path):
            found.setdefault(rule, ([], []))[1].append(path)
    return found


def _rules_of_case(path: Path) -> Iterator[int]:
    for name in json.loads(path.read_text(encoding="utf-8")).get("rules", []):
        if re.fullmatch(r"R\d+", name):
            yield int(name[1:])


def rules_document() -> str:
    """The text of ``docs/rules.md``."""
    parts = ["<!-- Generated by `python -m bohnanza_env.docs`. Do not edit. -->\n", _HEAD]
    covered = coverage()
    for title, rules in SECTIONS.items():
        text = f"## {title}\n\n| rule | in a sentence | tests | cases |\n|---|---|---|---|\n"
        for rule, sentence in rules.items():
            tests, cases = covered.get(rule, ([], []))
            text += f"| R{rule} | {sentence} | {_links(tests)} | {_links(cases)} |\n"
        parts.append(text)
    text = "## Choices\n\nWhere printed rules are silent or differ:\n\n"
    parts.append(text + "".join(f"- **R{rule}** {choice}\n" for rule, choice in DECISIONS.items()))
    text = "## Readings\n\nWhere a sentence could be understood otherwise:\n\n"
    parts.append(text + "".join(f"- **R{rule}** {reading}\n" for rule, reading in READINGS))
    return "\n".join(parts)


def _links(paths: list[Path]) -> str:
    links = []
    for path in paths:
        name = path.stem.removeprefix("test_")
        links.append(f"[{name}](../tests/{path.relative_to(_TESTS).as_posix()})")
    return ", ".join(links) or "–"
