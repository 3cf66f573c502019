"""Cases: rule scenarios as data, played and compared."""

from typing import Any

from .game import ReferenceGame
from .state import Shuffle


def keep_order(number: int, cards: list[str]) -> list[str]:
    """A shuffle that leaves the cards as they are."""
    return list(cards)


def run_case(case: dict[str, Any], shuffle: Shuffle = keep_order) -> list[str]:
    """Play a case; returns what differs from what it states, nothing when all is well."""
    game = ReferenceGame.from_position(case["position"], shuffle)
    failures: list[str] = []
    for number, step in enumerate([*case.get("play", []), None]):
        failures += check_actions(game, case, number)
        if step is None:
            break
        seat, text = split_step(step)
        problem = play_step(game, seat, text)
        if problem:
            return [*failures, f"play {number}, {step}: {problem}"]
    return failures + check_expected(game, case.get("expect", {}))


def split_step(step: str) -> tuple[int, str]:
    """`seat: action` as two values."""
    seat, text = step.split(":", 1)
    return int(seat), text.strip()


def play_step(game: ReferenceGame, seat: int, text: str) -> str | None:
    """Other seats' decisions before the listed one are passed; returns what went wrong."""
    while not game.over and game.to_act != seat:
        if "pass" not in game.legal():
            return f"seat {game.to_act} decides {game.decision} and may not pass"
        game.apply("pass")
    try:
        game.apply(text)
    except ValueError as error:
        return str(error)
    return None


def check_actions(game: ReferenceGame, case: dict[str, Any], number: int) -> list[str]:
    """Compare the actions that must or must not be legal after `number` plays."""
    failures = []
    legal = {f"{game.to_act}: {text}" for text in game.legal()}
    stated = case.get("legal", {}).get(str(number))
    if stated is not None:
        failures += [f"after {number}: {step} is not legal" for step in stated if step not in legal]
        if case.get("exact", False):
            extra = sorted(legal - set(stated))
            failures += [f"after {number}: {step} is legal" for step in extra]
    for step in case.get("illegal", {}).get(str(number), []):
        if step in legal:
            failures.append(f"after {number}: {step} is legal")
            continue
        seat, text = split_step(step)
        if seat == game.to_act and not rejects_unchanged(game, text):
            failures.append(f"after {number}: {step} was not rejected without a change")
    return failures


def rejects_unchanged(game: ReferenceGame, text: str) -> bool:
    """Whether an illegal action raises and changes nothing."""
    before, events = game.position(), len(game.events)
    try:
        game.apply(text)
    except ValueError:
        return game.position() == before and len(game.events) == events
    return False


def check_expected(game: ReferenceGame, expected: dict[str, Any]) -> list[str]:
    """Compare the given keys with the position at the end."""
    position = game.position()
    position["coins"] = game.scores()
    failures = []
    for key, value in expected.items():
        if key == "players":
            pairs = zip(value, position["players"], strict=False)
            for seat, (wanted, found) in enumerate(pairs):
                failures += [
                    f"player {seat}, {part}: expected {wanted[part]}, found {found.get(part)}"
                    for part in wanted
                    if found.get(part) != wanted[part]
                ]
        elif position.get(key) != value:
            failures.append(f"{key}: expected {value}, found {position.get(key)}")
    return failures
