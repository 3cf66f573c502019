"""The rules as a record that compiled functions read."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from .action_space import BLOCK_NAMES, action_blocks
from .cards import FIELD_BEAN, MAX_COINS_PER_HARVEST, bean
from .limits import BEAN_CAPACITY, DECK_CAPACITY, SEAT_CAPACITY
from .rules import Rules
from .state import record_dtype

__all__ = ["RULES_DTYPE", "rules_array"]

RULES_DTYPE = record_dtype(
    [
        ("players", "i8"),
        ("beans", "i8"),  # kinds of bean in the deck
        ("cards", "i8"),  # cards in the deck
        ("field_bean", "i8"),  # number of the field bean, -1 where it is not in the deck
        ("fields", "i8"),
        ("field_positions", "i8"),
        ("field_price", "i8"),  # 0: not sold
        ("coins_leave_game", "i8"),
        ("field_beans", "i8"),  # R27
        ("reveal", "i8"),
        ("draw_everyone", "i8"),  # 0: the active player draws
        ("draw", "i8"),  # cards
        ("cards_a_turn", "i8"),  # cards off the deck: the reveal and all draws
        ("final_exhaustion", "i8"),
        ("tie_by_hand", "i8"),  # 1: most hand cards (R23)
        ("duel", "i8"),
        ("active_proposals", "i8"),
        ("other_proposals", "i8"),
        ("trade_limit", "i8"),  # DECK_CAPACITY where there is none
        ("trading", "i8"),
        ("window_off", "i8"),
        ("window_always", "i8"),
        ("compact", "i8"),
        ("harvest_when_needed", "i8"),
        ("hand_positions", "i8"),
        ("settled_positions", "i8"),
        ("actions", "i8"),  # size of the action space
        # First index of each block of the action space, -1 where it is absent.
        *[(f"{name}_at", "i8") for name in BLOCK_NAMES],
        ("first_hands", "i2", (SEAT_CAPACITY,)),  # by seat from the start player
        ("bean_cards", "i2", (BEAN_CAPACITY,)),
        ("beanometer", "i2", (BEAN_CAPACITY, MAX_COINS_PER_HARVEST)),  # cards for 1 … 4 coins
        # The same by bean + 1 (0: an empty field) and cards in the field: coins of a harvest, coins
        # of the next tier (0: there is none), cards missing to it.
        ("field_facts", "i1", (BEAN_CAPACITY + 1, DECK_CAPACITY + 1, 3)),
    ]
)


@lru_cache(maxsize=64)
def rules_array(rules: Rules) -> np.ndarray:
    """The rules as an array of one record, shape (1,), dtype ``RULES_DTYPE``; read-only by use."""
    array = np.zeros(1, RULES_DTYPE)
    record = array[0]
    names = rules.bean_names
    record.players, record.beans, record.cards = rules.players, len(names), rules.deck_size
    record.field_bean = names.index(FIELD_BEAN) if FIELD_BEAN in names else -1
    for name in (
        "fields field_positions field_price coins_leave_game field_beans reveal cards_a_turn "
        "final_exhaustion duel active_proposals other_proposals trading hand_positions "
        "settled_positions"
    ).split():
        setattr(record, name, int(getattr(rules, name)))
    record.draw_everyone, record.draw = rules.draw[0] == "everyone", rules.draw[1]
    record.tie_by_hand = rules.tie == "most_hand_cards"
    record.trade_limit = DECK_CAPACITY if rules.trade_limit is None else rules.trade_limit
    record.window_off, record.window_always = rules.window == "off", rules.window == "always"
    record.compact = rules.protocol == "compact"
    record.harvest_when_needed = rules.harvest == "when_needed"
    starts = {block.name: block.start for block in action_blocks(rules)}
    for name in BLOCK_NAMES:
        setattr(record, f"{name}_at", starts.get(name, -1))
    record.actions = action_blocks(rules)[-1].stop
    record.first_hands[: rules.players] = rules.hands
    for number, name in enumerate(names):
        record.bean_cards[number] = rules.beans[name]
        record.beanometer[number] = bean(name).beanometer
        record.field_facts[number + 1] = _field_facts(bean(name).beanometer)
    return array


def _field_facts(beanometer: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Of a field of one bean, by its number of cards; see ``RULES_DTYPE``."""
    facts = []
    tiers = [(need, tier + 1) for tier, need in enumerate(beanometer) if need > 0]
    for cards in range(DECK_CAPACITY + 1):
        earned = max((coins for need, coins in tiers if need <= cards), default=0)
        need, coins = min(((n, c) for n, c in tiers if n > cards), default=(0, 0))
        facts.append((earned, coins, need - cards if coins else 0))
    return facts
