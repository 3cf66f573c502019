"""The card table: every bean of the game, once.

Source: RULES §1. A bean's *number* inside a game is its index in ``Rules.beans``, which always
follows the order of this table.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BEANS", "BEAN_NAMES", "FIELD_BEAN", "MAX_COINS_PER_HARVEST", "Bean", "bean"]

MAX_COINS_PER_HARVEST = 4  # no beanometer has more tiers


@dataclass(frozen=True)
class Bean:
    """One kind of bean.

    Attributes:
        name: the name used in every text form, file and table.
        cards: copies printed (in the editions that contain the bean).
        beanometer: cards of one field needed for 1, 2, 3 and 4 coins; 0 where that number of
            coins cannot be earned (R1).
    """

    name: str
    cards: int
    beanometer: tuple[int, int, int, int]

    def coins(self, count: int) -> int:
        """Coins that ``count`` cards harvested together earn: the highest tier reached (R1)."""
        reached = [c for c, need in enumerate(self.beanometer, start=1) if 0 < need <= count]
        return max(reached, default=0)


BEANS: tuple[Bean, ...] = (
    Bean("coffee", 24, (4, 7, 10, 12)),
    Bean("wax", 22, (4, 7, 9, 11)),
    Bean("blue", 20, (4, 6, 8, 10)),
    Bean("chili", 18, (3, 6, 8, 9)),
    Bean("stink", 16, (3, 5, 7, 8)),
    Bean("green", 14, (3, 5, 6, 7)),
    Bean("soy", 12, (2, 4, 6, 7)),
    Bean("black_eyed", 10, (2, 4, 5, 6)),
    Bean("red", 8, (2, 3, 4, 5)),
    Bean("garden", 6, (0, 2, 3, 0)),
    Bean("cocoa", 4, (0, 2, 3, 4)),
    Bean("field", 3, (0, 0, 3, 0)),
)
BEAN_NAMES: tuple[str, ...] = tuple(b.name for b in BEANS)
FIELD_BEAN = "field"

_BY_NAME = {b.name: b for b in BEANS}


def bean(name: str) -> Bean:
    """The bean of that name; raises ``KeyError`` with the known names otherwise."""
    try:
        return _BY_NAME[name]
    except KeyError:
        raise KeyError(f"unknown bean {name!r}; known beans: {', '.join(BEAN_NAMES)}") from None
