"""The card table (R1) and harmless helpers on beans."""

from __future__ import annotations

from collections.abc import Iterable

# Bean → the numbers of cards that pay, with their coins, rising (R1). Table order matters (R30).
PAYOUTS: dict[str, tuple[tuple[int, int], ...]] = {
    "coffee": ((4, 1), (7, 2), (10, 3), (12, 4)),
    "wax": ((4, 1), (7, 2), (9, 3), (11, 4)),
    "blue": ((4, 1), (6, 2), (8, 3), (10, 4)),
    "chili": ((3, 1), (6, 2), (8, 3), (9, 4)),
    "stink": ((3, 1), (5, 2), (7, 3), (8, 4)),
    "green": ((3, 1), (5, 2), (6, 3), (7, 4)),
    "soy": ((2, 1), (4, 2), (6, 3), (7, 4)),
    "black_eyed": ((2, 1), (4, 2), (5, 3), (6, 4)),
    "red": ((2, 1), (3, 2), (4, 3), (5, 4)),
    "garden": ((2, 2), (3, 3)),
    "cocoa": ((2, 2), (3, 3), (4, 4)),
    "field": ((3, 3),),
}
RANK = {bean: rank for rank, bean in enumerate(PAYOUTS)}


def payout(bean: str, count: int) -> int:
    """Coins for harvesting that many cards (R1): the highest tier reached."""
    coins = 0
    for cards, paid in PAYOUTS[bean]:
        if count >= cards:
            coins = paid
    return coins


def in_table_order(beans: Iterable[str]) -> list[str]:
    return sorted(beans, key=RANK.__getitem__)
