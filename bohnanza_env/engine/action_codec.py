"""Actions as index, value and text: the one codec (DESIGN §3, texts of RULES §8)."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from .action_space import Block, action_blocks
from .rules import Rules

__all__ = ["Action", "ActionSpace"]

# Texts whose first words differ from the name of their block.
_WORDS = {
    "propose_table": "propose table",
    "give_hand": "give hand",
    "give_face_up": "give face_up",
    "discard_hand": "discard hand",
}


class Action(NamedTuple):
    """One action as a small value.

    Attributes:
        name: the block (``engine.action_space.BLOCK_NAMES``).
        arguments: whole numbers as the block's parameters say: beans by number in
            ``Rules.beans`` (of ``swap`` -1 for nothing), players as steps clockwise from the
            one who acts, fields and positions from 0.
    """

    name: str
    arguments: tuple[int, ...] = ()


class ActionSpace:
    """The action space of some rules. Use :meth:`of`, which keeps one a rules value.

    Attributes:
        rules: the rules.
        blocks: the named runs of actions, in order, without gaps.
        size: number of actions.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.blocks: tuple[Block, ...] = action_blocks(rules)
        self.size = self.blocks[-1].stop
        self._by_name = {block.name: block for block in self.blocks}
        self._beans = rules.bean_names
        self._actions = [self._decode(i) for i in range(self.size)]
        self._indices = {action: i for i, action in enumerate(self._actions)}
        self._texts = [self._write_all(seat) for seat in range(rules.players)]
        self._from_text = [{text: i for i, text in enumerate(texts)} for texts in self._texts]

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: Rules) -> ActionSpace:
        """The action space of these rules."""
        return ActionSpace(rules)

    def block(self, name: str) -> Block:
        """The block of that name; ``KeyError`` where the rules have no such action."""
        return self._by_name[name]

    def decode(self, index: int) -> Action:
        """Index to value; ``IndexError`` out of range."""
        if not 0 <= index < self.size:
            raise IndexError(f"action {index}: expected 0 to {self.size - 1}")
        return self._actions[index]

    def encode(self, action: Action) -> int:
        """Value to index; ``KeyError`` if these rules have no such action."""
        return self._indices[Action(*action)]

    def text(self, index: int, seat: int) -> str:
        """The text of RULES §8 for an action of ``seat`` (players are absolute there)."""
        return self._texts[seat][index]

    def index(self, text: str, seat: int) -> int:
        """Text to index, for an action of ``seat``; ``ValueError`` if there is no such action."""
        try:
            return self._from_text[seat][" ".join(text.split())]
        except KeyError:
            forms = ", ".join(self._form(block) for block in self.blocks)
            raise ValueError(f"no action {text!r} for seat {seat}; actions: {forms}") from None

    def texts(self, mask: np.ndarray, seat: int) -> list[str]:
        """The texts of all actions that a mask allows to ``seat``."""
        return [self._texts[seat][i] for i in np.flatnonzero(mask)]

    # ------------------------------------------------------------------------------------

    def _decode(self, index: int) -> Action:
        block = next(b for b in self.blocks if index < b.stop)
        if not block.shape:
            return Action(block.name)
        numbers = [int(n) for n in np.unravel_index(index - block.start, block.shape)]
        if block.parameters[0] == "player":
            numbers[0] += 1
        if block.name == "swap":  # 0 is nothing; ``get`` leaves out the value of ``give``
            numbers[2] += numbers[2] >= numbers[1]
            numbers[1:] = [numbers[1] - 1, numbers[2] - 1]
        return Action(block.name, tuple(numbers))

    def _write_all(self, seat: int) -> list[str]:
        return [self._write(action, seat) for action in self._actions]

    def _write(self, action: Action, seat: int) -> str:
        words = [_WORDS.get(action.name, action.name)]
        parameters = self._by_name[action.name].parameters
        for parameter, number in zip(parameters, action.arguments, strict=True):
            if parameter == "player":
                words.append(str((seat + number) % self.rules.players))
            elif parameter in ("bean", "give", "get"):
                words.append("-" if number < 0 else self._beans[number])
            else:
                words.append(str(number))
        return " ".join(words)

    @staticmethod
    def _form(block: Block) -> str:
        words = _WORDS.get(block.name, block.name)
        return " ".join([words, *(f"<{p}>" for p in block.parameters)])
