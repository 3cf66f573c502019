"""Invariants of a game record: cards, counters and what is publicly known."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np

from .action_space import action_blocks
from .decisions import Decision
from .kernels import legal_kernel
from .rules import Rules
from .rules_record import rules_array
from .state import GAME_DTYPE

TRADING = (Decision.FLOOR, Decision.COMPOSE, Decision.RESPOND, Decision.CHOOSE, Decision.GIVE)


class Table:
    """A record and its rules, cut to what the rules use."""

    def __init__(self, rules: Rules, state: np.ndarray) -> None:
        self.rules, self.state = rules, state
        names = GAME_DTYPE.names or ()
        self.game: Any = SimpleNamespace(**{name: state[name][0] for name in names})
        game = self.game
        self.seats, self.beans = range(rules.players), range(len(rules.beans))
        self.cards = np.array(list(rules.beans.values()))
        self.decision = Decision(int(game.decision))
        self.to_act, self.active = int(game.to_act), int(game.active)

    def count(self, cards: np.ndarray) -> np.ndarray:
        """Cards by bean; whatever is no bean is left out."""
        right = cards[(cards >= 0) & (cards < len(self.beans))]
        return np.bincount(right, minlength=len(self.beans))

    def by_bean(self, numbers: np.ndarray) -> np.ndarray:
        return numbers[..., : len(self.beans)].astype(int)

    def held(self, seat: int) -> np.ndarray:
        """What a seat may give (R9)."""
        held = self.count(self.game.hand[seat])
        if seat == self.active:
            held = held + self.count(self.game.face_up)
        return held

    def masks(self) -> dict[str, np.ndarray]:
        """Legal actions by the name of their block."""
        blocks = action_blocks(self.rules)
        mask = np.zeros(blocks[-1].stop, np.int8)
        legal_kernel(rules_array(self.rules).view(np.uint8), self.state.view(np.uint8), mask)
        return {block.name: mask[block.start : block.stop] for block in blocks}


def _right_list(t: Table, cards: np.ndarray, size: int) -> bool:
    """Beans up to ``size``, -1 behind."""
    if not 0 <= size <= len(cards):
        return False
    front, behind = cards[:size], cards[size:]
    return bool(((front >= 0) & (front < len(t.beans))).all() and (behind == -1).all())


# Cards ---------------------------------------------------------------------------------------


def check_lists(t: Table) -> Iterator[str]:
    """Hands, piles, coins and face-up cards: as many beans as the sizes say, -1 behind them."""
    game = t.game
    for seat in range(len(game.hand)):
        for name, cards, size in (
            ("hand", game.hand[seat], game.hand_size[seat]),
            ("coin_stack", game.coin_stack[seat], game.coins[seat]),
        ):
            if not _right_list(t, cards, int(size)):
                yield f"{name} of seat {seat} does not hold {size} beans"
    face_up = 0 if t.rules.duel else int(game.face_up_size)
    for name, cards, size in (
        ("deck", game.deck, int(game.deck_size)),
        ("discard", game.discard, int(game.discard_size)),
        ("face_up", game.face_up, face_up),
    ):
        if not _right_list(t, cards, size):
            yield f"{name} does not hold {size} beans"


def check_conservation(t: Table) -> Iterator[str]:
    """The whole deck is somewhere, bean by bean (R2)."""
    game = t.game
    cards = t.count(game.deck) + t.count(game.discard) + t.count(game.hand.ravel())
    cards += t.count(game.coin_stack.ravel()) + t.by_bean(game.set_aside).sum(axis=0)
    cards += t.by_bean(game.duel_offer) + t.by_bean(game.removed)
    cards += t.by_bean(game.face_up_beans) if t.rules.duel else t.count(game.face_up)
    for bean, count in zip(game.field_bean.ravel(), game.field_count.ravel(), strict=True):
        if 0 <= bean < len(t.beans):
            cards[bean] += count
    for bean in t.beans:
        if cards[bean] != t.cards[bean]:
            yield f"{cards[bean]} cards of {t.rules.bean_names[bean]}, not {t.cards[bean]}"


def counter_check(name: str, source: str) -> Callable[[Table], Iterator[str]]:
    def check(t: Table) -> Iterator[str]:
        cards, counted = getattr(t.game, source), getattr(t.game, name)
        if (np.atleast_2d(counted)[:, len(t.beans) :] != 0).any():
            yield "beans that the rules do not have"
        rows = zip(np.atleast_2d(cards), np.atleast_2d(counted), strict=True)
        for row, (some, numbers) in enumerate(rows):
            if (t.count(some) != t.by_bean(numbers)).any():
                yield f"row {row} does not count {source}"

    check.__doc__ = f"``{name}`` counts ``{source}``."
    return check


def check_face_up_beans(t: Table) -> Iterator[str]:
    """``face_up_beans`` counts the cards face up; a duel has no other record of them."""
    beans = t.by_bean(t.game.face_up_beans)
    if (beans < 0).any() or beans.sum() != t.game.face_up_size:
        yield f"not {t.game.face_up_size} cards"
    elif not t.rules.duel and (t.count(t.game.face_up) != beans).any():
        yield "does not count face_up"


def check_fields(t: Table) -> Iterator[str]:
    """A field has a bean exactly where it has cards, and only owned fields have any."""
    game = t.game
    for seat in range(len(game.field_bean)):
        slots = int(game.field_slots[seat])
        pairs = zip(game.field_bean[seat], game.field_count[seat], strict=True)
        for field, (bean, count) in enumerate(pairs):
            empty = bean == -1 and count == 0
            full = 0 <= bean < len(t.beans) and count > 0 and field < slots
            if not (empty or full):
                yield f"field {field} of seat {seat}: bean {bean}, {count} cards"


def check_field_slots(t: Table) -> Iterator[str]:
    """The fields of the start and at most one extra where the rules have one (R24)."""
    for seat in t.seats:
        gained, slots = int(t.game.field_gained[seat]), int(t.game.field_slots[seat])
        if not 0 <= gained <= t.rules.field_positions - t.rules.fields:
            yield f"seat {seat}: gained {gained}"
        elif slots != t.rules.fields + gained:
            yield f"seat {seat}: {slots} fields"


def check_removed(t: Table) -> Iterator[str]:
    """Coins leave the game for fields only (R26); a position may begin with fewer."""
    paid = t.rules.field_price * int(t.game.field_gained.sum()) if t.rules.coins_leave_game else 0
    if t.game.removed.sum() > paid or (t.game.removed < 0).any():
        yield f"{t.game.removed.sum()} coins left the game, at most {paid} could"


def check_set_aside(t: Table) -> Iterator[str]:
    """Cards are set aside in phases 2 and 3 only (R10, R12); never in a duel."""
    if (t.game.set_aside < 0).any():
        yield "a negative number"
    allowed = not t.rules.duel and t.decision in (*TRADING, Decision.PLANT_SET_ASIDE)
    if (t.game.set_aside > 0).any() and not allowed:
        yield f"cards at {t.decision.text}"


def check_face_up_when(t: Table) -> Iterator[str]:
    """Cards lie face up in phase 2 only, at a duel's faceup always some."""
    size = t.game.face_up_size
    if size > 0 and t.decision not in (*TRADING, Decision.FACEUP):
        yield f"{size} cards at {t.decision.text}"
    if size == 0 and t.decision == Decision.FACEUP:
        yield "no card to plant"


def check_duel_offer(t: Table) -> Iterator[str]:
    """An offer waits only for who is asked about it, or lies there at the end (R28)."""
    offer = t.game.duel_offer
    if (offer < 0).any() or (offer.any() and t.decision not in (Decision.OFFER_IN, Decision.OVER)):
        yield f"{offer.sum()} cards at {t.decision.text}"
    elif not offer.any() and t.decision == Decision.OFFER_IN:
        yield "no card to plant or discard"


# Knowledge -----------------------------------------------------------------------------------


def check_known(t: Table) -> Iterator[str]:
    """Nobody is known to hold what they do not hold (RULES §9)."""
    for seat in t.seats:
        known = t.by_bean(t.game.known[seat])
        if (known < 0).any() or (known > t.count(t.game.hand[seat])).any():
            yield f"seat {seat}"


def check_deck_beans(t: Table) -> Iterator[str]:
    """The deck's cards were in it at the last shuffle and were not turned up since."""
    left = t.by_bean(t.game.deck_at_shuffle) - t.by_bean(t.game.turned_up)
    if (t.game.turned_up < 0).any() or (t.count(t.game.deck) > left).any():
        yield "more of a bean than can be there"
    if t.game.deck_size + t.game.drawn_since.sum() != left.sum():
        yield "deck and cards drawn are not the cards shuffled"


def check_exhaustions(t: Table) -> Iterator[str]:
    """The deck is empty only at an exhaustion, and for good at the final one (R19, R20)."""
    game = t.game
    if not 0 <= game.exhaustions <= t.rules.final_exhaustion or game.stopped not in (0, 1):
        yield f"{game.exhaustions}, stopped {game.stopped}"
    elif game.deck_size > 0 and (game.stopped or game.exhaustions == t.rules.final_exhaustion):
        yield "cards in the deck after the end of drawing"
    elif game.deck_size == 0 and game.exhaustions == 0:
        yield "an empty deck"


def check_shuffles(t: Table) -> Iterator[str]:
    """One shuffle first and one after each exhaustion, unless the deck still lies empty."""
    if t.game.shuffles != t.game.exhaustions + (t.game.deck_size > 0):
        yield f"{t.game.shuffles} after {t.game.exhaustions} exhaustions"
