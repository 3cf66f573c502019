"""The card table: how many cards of each bean there are and what a harvest pays."""

from collections.abc import Iterable

CARDS: dict[str, int] = {
    "coffee": 24,
    "wax": 22,
    "blue": 20,
    "chili": 18,
    "stink": 16,
    "green": 14,
    "soy": 12,
    "black_eyed": 10,
    "red": 8,
    "garden": 6,
    "cocoa": 4,
    "field": 3,
}

# For each bean: (cards needed, coins paid), the cheapest tier first.
TIERS: dict[str, list[tuple[int, int]]] = {
    "coffee": [(4, 1), (7, 2), (10, 3), (12, 4)],
    "wax": [(4, 1), (7, 2), (9, 3), (11, 4)],
    "blue": [(4, 1), (6, 2), (8, 3), (10, 4)],
    "chili": [(3, 1), (6, 2), (8, 3), (9, 4)],
    "stink": [(3, 1), (5, 2), (7, 3), (8, 4)],
    "green": [(3, 1), (5, 2), (6, 3), (7, 4)],
    "soy": [(2, 1), (4, 2), (6, 3), (7, 4)],
    "black_eyed": [(2, 1), (4, 2), (5, 3), (6, 4)],
    "red": [(2, 1), (3, 2), (4, 3), (5, 4)],
    "garden": [(2, 2), (3, 3)],
    "cocoa": [(2, 2), (3, 3), (4, 4)],
    "field": [(3, 3)],
}

TABLE_ORDER: list[str] = list(CARDS)


def payout(bean: str, count: int) -> int:
    """R1: the coins for `count` cards harvested together, those of the highest tier reached."""
    coins = 0
    for cards_needed, coins_paid in TIERS[bean]:
        if count >= cards_needed:
            coins = coins_paid
    return coins


def in_table_order(beans: Iterable[str]) -> list[str]:
    """The same beans, sorted as in the card table."""
    return sorted(beans, key=TABLE_ORDER.index)


def whole_deck(bean_cards: dict[str, int]) -> list[str]:
    """Every card of an edition in table order."""
    return in_table_order(bean for bean, cards in bean_cards.items() for _ in range(cards))
