"""Cases: rule scenarios as data (``bohnanza-case/1``), played and compared."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from bohnanza_env.actions import BLOCK_NAMES, ActionSpace
from bohnanza_env.engine.errors import IllegalActionError
from bohnanza_env.engine.game import Game

from .faults import DocumentError, Faults, shown
from .json_files import load_json
from .position_load import PositionError, read_position
from .position_parse import PLAYER_KEYS, POSITION_KEYS
from .position_write import write_position

__all__ = ["CaseError", "read_case", "run_case"]

FORMAT = "bohnanza-case/1"
CASE_KEYS = "format name rules position play legal illegal exact expect".split()
EXPECT_KEYS = [*(k for k in POSITION_KEYS if k not in ("format", "rules")), "coins"]

_STEP = re.compile(r"\s*(\d+)\s*:\s*(\S.*)")
_TWO_WORDS = ("propose", "give", "discard")  # "propose table", "give hand", …
_VERBS = {name for name in BLOCK_NAMES if not name.startswith(("propose_", "give_", "discard_"))}
_VERBS.update(_TWO_WORDS)
_UNORDERED = ("set_aside", "offer", "removed")  # cards kept in table order


class CaseError(DocumentError):
    """A case that cannot be played. The message lists every fault with its place."""

    what = "case"


def read_case(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The case in a file, checked.

    Raises:
        CaseError: not a case; the message names the file.
        OSError: the file cannot be read.
    """
    try:
        case = load_json(path)
        _Case(case)
    except CaseError as error:
        raise CaseError([f"{os.fspath(path)}: {fault}" for fault in error.faults]) from None
    except ValueError as error:
        raise CaseError([f"{os.fspath(path)}: {error}"]) from None
    return case


def run_case(case: Mapping[str, Any]) -> list[str]:
    """Play a case; returns what differs from what it states, nothing when all is well.

    Raises:
        CaseError: a case that cannot be played, with every fault and its place.
    """
    return _Case(case).run()


class _Case:
    """A checked case and its game."""

    def __init__(self, data: object) -> None:
        faults = Faults()
        keys = faults.mapping("", data, CASE_KEYS)
        if isinstance(data, Mapping) and keys.get("format") != FORMAT:
            faults.expect("format", repr(FORMAT), keys.get("format"))
        if not isinstance(keys.get("name", ""), str):
            faults.expect("name", "a text", keys["name"])
        for i, rule in enumerate(faults.sequence("rules", keys.get("rules", []))):
            if not isinstance(rule, str):
                faults.expect(f"rules[{i}]", "a text like 'R16'", rule)
        self.exact = faults.flag("exact", keys.get("exact", False))
        play = faults.sequence("play", keys.get("play", []))
        self.play = [_step(faults, f"play[{i}]", step) for i, step in enumerate(play)]
        self.legal = self._stated(faults, "legal", keys)
        self.illegal = self._stated(faults, "illegal", keys)
        self.expect = faults.mapping("expect", keys.get("expect", {}), EXPECT_KEYS)
        self._check_expect(faults)
        game = self._game(faults, keys)
        if faults.found or game is None:
            raise CaseError(faults.found)
        self.game: Game = game
        self.space = ActionSpace.of(game.rules)
        names = self.game.rules.bean_names
        self.order = {name: number for number, name in enumerate(names)}
        self.differences: list[str] = []

    @staticmethod
    def _game(faults: Faults, keys: dict[str, Any]) -> Game | None:
        if "position" not in keys:
            faults.add("position", "missing")
            return None
        try:
            return read_position(keys["position"]) if _is_object(faults, keys) else None
        except PositionError as error:
            for fault in error.faults:
                faults.found.append(f"position.{fault}")
            return None

    def _stated(
        self, faults: Faults, key: str, keys: dict[str, Any]
    ) -> dict[int, list[tuple[int, str]]]:
        """Actions by the number of plays after which they are looked at."""
        stated: dict[int, list[tuple[int, str]]] = {}
        given = keys.get(key, {})
        if not isinstance(given, Mapping):
            faults.expect(key, "an object: number of plays → actions", given)
            return stated
        for number, actions in given.items():
            place = f"{key}.{number}"
            if not re.fullmatch(r"0|[1-9]\d{0,8}", str(number)) or int(number) > len(self.play):
                faults.add(place, f"expected a number of plays, 0–{len(self.play)}")
                continue
            listed = faults.sequence(place, actions)
            stated[int(number)] = [
                _step(faults, f"{place}[{i}]", action) for i, action in enumerate(listed)
            ]
        return stated

    def _check_expect(self, faults: Faults) -> None:
        players = faults.sequence("expect.players", self.expect.get("players", []))
        for i, player in enumerate(players):
            faults.mapping(f"expect.players[{i}]", player, PLAYER_KEYS)

    # Playing ------------------------------------------------------------------------------

    def run(self) -> list[str]:
        for number, step in enumerate(self.play):
            self._check_actions(number)
            if not self._play(number, *step):
                return self.differences
        self._check_actions(len(self.play))
        self._compare()
        return self.differences

    def _differs(self, text: str) -> None:
        self.differences.append(text)

    def _play(self, number: int, seat: int, text: str) -> bool:
        """A listed action; decisions of others before it are passed where that is legal."""
        game, space = self.game, self.space
        where = f"play {number}, {seat}: {text}"
        while not game.over and game.to_act != seat:
            skip = space.block("pass").start
            if not game.mask[skip]:
                asked = f"{game.decision.text} of seat {game.to_act}"
                self._differs(f"{where}: {asked} comes first and may not pass")
                return False
            game.step(skip)
        if game.over:
            self._differs(f"{where}: the game is over")
            return False
        try:
            game.step(space.index(text, seat))
        except IllegalActionError as error:
            self._differs(f"{where}: {error}")
            return False
        except ValueError as error:
            self._differs(f"{where}: {error}")
            return False
        return True

    # Comparing ----------------------------------------------------------------------------

    def _legal_now(self) -> set[tuple[int, str]]:
        game = self.game
        if game.over:
            return set()
        seat = game.to_act
        return {(seat, text) for text in self.space.texts(game.mask, seat)}

    def _check_actions(self, number: int) -> None:
        legal = self._legal_now()
        stated = self.legal.get(number)
        if stated is not None:
            for seat, text in stated:
                if (seat, text) not in legal:
                    self._differs(f"after {number}: {seat}: {text} is not legal")
            if self.exact:
                for seat, text in sorted(legal - set(stated)):
                    self._differs(f"after {number}: {seat}: {text} is legal")
        for seat, text in self.illegal.get(number, []):
            if (seat, text) in legal:
                self._differs(f"after {number}: {seat}: {text} is legal")
            elif seat == self.game.to_act and not self._rejected(seat, text):
                self._differs(f"after {number}: {seat}: {text} was not rejected without a change")

    def _rejected(self, seat: int, text: str) -> bool:
        game = self.game
        before = game.state.tobytes()
        try:
            game.step(self.space.index(text, seat))
        except ValueError:  # no such action, or an illegal one
            return game.state.tobytes() == before
        return False

    def _compare(self) -> None:
        position = write_position(self.game)
        for key, wanted in self.expect.items():
            if key == "players":
                self._compare_players(wanted, position["players"])
            elif key == "coins":
                self._compare_value("coins", wanted, self.game.scores)
            elif key == "deck_top":
                found = position["deck"][: len(wanted)] if isinstance(wanted, list) else []
                self._compare_value("deck_top", wanted, found)
            elif isinstance(wanted, Mapping) and key in ("round", "draft", "standing"):
                self._compare_object(key, wanted, position[key])
            else:
                self._compare_value(key, wanted, position[key])

    def _compare_players(self, wanted: Any, found: list[dict[str, Any]]) -> None:
        if len(wanted) > len(found):
            self._differs(f"players: expected {len(wanted)}, found {len(found)}")
        for seat, (player, real) in enumerate(zip(wanted, found, strict=False)):
            self._compare_object(f"players[{seat}]", player, real)

    def _compare_object(self, place: str, wanted: Mapping[str, Any], found: Any) -> None:
        """Only the keys given."""
        if found is None:
            self._differs(f"{place}: expected {shown(wanted)}, found nothing")
            return
        for key, value in wanted.items():
            if key in found:
                self._compare_value(f"{place}.{key}", value, found[key])
            else:
                self._differs(f"{place}.{key}: expected {value}, found nothing")

    def _compare_value(self, place: str, wanted: Any, found: Any) -> None:
        in_order = not any(place.endswith(name) for name in _UNORDERED)
        if not in_order and isinstance(wanted, list):
            wanted = sorted(wanted, key=lambda bean: self.order.get(str(bean), len(self.order)))
        if wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
            self._differs(f"{place}: expected {wanted}, found {found}")


def _is_object(faults: Faults, keys: dict[str, Any]) -> bool:
    if isinstance(keys["position"], Mapping):
        return True
    faults.expect("position", "an object", keys["position"])
    return False


def _step(faults: Faults, place: str, value: object) -> tuple[int, str]:
    """``seat: action`` as two values; the action's first word must be one of RULES §8."""
    match = _STEP.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        faults.expect(place, "a text 'seat: action'", value)
        return 0, ""
    words = match[2].split()
    if words[0] not in _VERBS:
        faults.add(place, f"no action of RULES §8: {shown(match[2])}")
    return int(match[1]) if len(match[1]) < 9 else -1, " ".join(words)
