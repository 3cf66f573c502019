"""The action space of one ``Rules`` value: named blocks of one ``Discrete`` space (DESIGN §3).

A block that the rules cannot use is absent. Players are given as steps clockwise from the one
who acts (1 … players − 1), so that an action means the same in every seat; fields, hand and
face-up positions count from 0; beans are numbers into ``Rules.beans``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from .rules import Rules

__all__ = ["BLOCK_NAMES", "Block", "action_blocks"]


@dataclass(frozen=True)
class Block:
    """A run of actions.

    Attributes:
        name: see ``BLOCK_NAMES``.
        start: index of its first action.
        shape: sizes of its parameters, the last one running fastest; ``()`` for one action.
        parameters: what the parameters are.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    parameters: tuple[str, ...]

    @property
    def size(self) -> int:
        """Actions in the block."""
        return prod(self.shape)

    @property
    def proposes(self) -> bool:
        """Whether its actions make a proposal, or begin to; a counter answers one."""
        return self.name in _PROPOSING

    @property
    def stop(self) -> int:
        """One past the last index."""
        return self.start + self.size


# name -> parameters. The order is the order in the space.
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "plant": ("bean", "field"),
    "harvest": ("field",),
    "buy_field": (),
    "pass": (),
    "end_trading": (),
    "propose": ("player",),
    "propose_table": (),
    "offer": ("bean",),
    "request": ("bean",),
    "submit": (),
    "withdraw": (),
    "swap": ("player", "give", "get"),
    "accept": (),
    "reject": (),
    "counter": (),
    "choose": ("player",),
    "give_hand": ("position",),
    "give_face_up": ("position",),
    "discard": ("bean",),
    "discard_hand": ("position",),
}
_PROPOSING = ("propose", "propose_table", "swap")
BLOCK_NAMES: tuple[str, ...] = tuple(_PARAMETERS)


@lru_cache(maxsize=64)
def action_blocks(rules: Rules) -> tuple[Block, ...]:
    """The blocks of these rules, in order, without gaps."""
    blocks = []
    start = 0
    for name, shape in _shapes(rules).items():
        blocks.append(Block(name, start, shape, _PARAMETERS[name]))
        start = blocks[-1].stop
    return tuple(blocks)


def _shapes(rules: Rules) -> dict[str, tuple[int, ...]]:
    """Block name → shape, in the order of the space."""
    beans, others = len(rules.beans), rules.players - 1
    staged = rules.trading and rules.protocol == "staged"
    usable = {
        "plant": (beans, rules.field_positions),
        "harvest": (rules.field_positions,),
        "pass": (),
    }
    if rules.field_price:
        usable["buy_field"] = ()
    if rules.trading:
        usable |= {"end_trading": (), "accept": (), "reject": ()}
    if staged:
        usable |= {
            "propose": (others,),
            "propose_table": (),
            "offer": (beans,),
            "request": (beans,),
            "submit": (),
            "withdraw": (),
            "counter": (),
            "choose": (others,),
            "give_hand": (rules.hand_positions,),
            "give_face_up": (rules.reveal,),
        }
    elif rules.trading:
        # What is given and what is got: nothing or a bean, never the same (R35). ``get`` leaves
        # out the value of ``give``.
        usable["swap"] = (others, beans + 1, beans)
    if rules.duel:
        usable |= {"discard": (beans,), "discard_hand": (rules.hand_positions,)}
    return {name: usable[name] for name in BLOCK_NAMES if name in usable}
