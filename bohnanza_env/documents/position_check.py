"""Reading a position, second part: what can never be, whoever decides.

Each check names the keys that it needs and is left out where one of them could not be read.
"""

from __future__ import annotations

from collections.abc import Callable

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.game import winners_of
from bohnanza_env.engine.limits import EVENT_CAPACITY

from .faults import Faults
from .position_decisions import check_decision
from .position_model import Position

__all__ = ["check_position", "fill_in", "remaining_cards"]

Check = Callable[[Position, Faults], None]

_PHASE_TWO = (
    Decision.FLOOR,
    Decision.COMPOSE,
    Decision.RESPOND,
    Decision.CHOOSE,
    Decision.GIVE,
    Decision.FACEUP,
)
# Decisions that can be asked although no phase 4 follows any more (R20, R21).
_AFTER_FINAL = (*_PHASE_TWO, Decision.PLANT_SET_ASIDE, Decision.OVER)


def check_position(position: Position, faults: Faults) -> None:
    """Note everything that does not fit together; fills in what is worked out on the way."""
    for keys, check in _CHECKS:
        if faults.broken.isdisjoint(keys):
            check(position, faults)


# Cards ------------------------------------------------------------------------------------


def remaining_cards(position: Position) -> list[int]:
    """The edition's cards by bean that the position places nowhere; negative: too many (R2)."""
    left = [position.rules.beans[name] for name in position.rules.bean_names]
    piles = [position.deck, position.deck_top, position.discard]
    lists = [pile for pile in piles if pile is not None]
    lists += [position.face_up, position.offer, position.removed]
    for seat in position.seats:
        lists += [seat.hand, seat.coins, seat.set_aside]
        for planted in seat.fields:
            if planted is not None:
                left[planted[0]] -= planted[1]
    for cards in lists:
        for bean in cards:
            left[bean] -= 1
    return left


def _check_cards(position: Position, faults: Faults) -> None:
    """R2, bean by bean."""
    if position.deck is not None and position.deck_top is not None:
        faults.add("deck_top", "cannot be given beside deck")
        return
    names = position.rules.bean_names
    left = remaining_cards(position)
    for bean, cards in enumerate(left):
        if cards < 0:
            has = position.rules.beans[names[bean]]
            faults.add("beans", f"{has - cards} cards of {names[bean]}, these rules have {has}")
    lost = [f"{n} {names[bean]}" for bean, n in enumerate(left) if n > 0]
    if lost and position.deck is not None and position.discard is not None:
        faults.add("discard", f"deck and discard are given, but in no place lie {', '.join(lost)}")


def _check_places(position: Position, faults: Faults) -> None:
    """Places that these rules do not have."""
    rules = position.rules
    if not rules.duel:
        faults.need(not position.offer, "offer", "cards are left to the opponent only in a duel")
        most = rules.reveal
        shown = len(position.face_up)
        faults.need(shown <= most, "face_up", f"{shown} cards, but {most} at most are turned up")
    if not rules.coins_leave_game:
        faults.need(not position.removed, "removed", "no coins leave the game by these rules")
    for i, seat in enumerate(position.seats):
        if rules.duel:
            what = "nothing is set aside in a duel"
            faults.need(not seat.set_aside, f"players[{i}].set_aside", what)
        for bean, known in enumerate(seat.known):
            held, name = seat.hand.count(bean), rules.bean_names[bean]
            if known > held:
                what = f"{known} cards, but the hand holds {held}"
                faults.add(f"players[{i}].known.{name}", what)


def _check_removed(position: Position, faults: Faults) -> None:
    """R26: a purchase takes its price out of the game, nothing else does."""
    rules = position.rules
    if rules.coins_leave_game:
        bought = sum(len(seat.fields) > rules.fields for seat in position.seats)
        price, removed = bought * rules.field_price, len(position.removed)
        what = f"{removed} coins, but {bought} fields bought cost {price} (R26)"
        faults.need(removed <= price, "removed", what)


def _check_hands(position: Position, faults: Faults) -> None:
    """No hand may outgrow the action space, now or later (R5 knows no limit)."""
    rules = position.rules
    room = rules.hand_positions
    if room >= rules.deck_size:
        return
    for i, seat in enumerate(position.seats):
        place, held = f"players[{i}].hand", len(seat.hand)
        if held > room:
            faults.add(place, f"{held} cards; these rules have room for {room}")
        elif held + _growth(position, i) > room:
            what = f"{held} cards could become more than the {room} that these rules have room for"
            faults.add(place, what)


def _growth(position: Position, seat: int) -> int:
    """A bound on the cards by which a hand can still grow.

    As ``Rules.hand_positions``, from here on: what lies in this hand is in no later deck.
    """
    rules = position.rules
    if position.final or position.decision == Decision.OVER:
        return 0
    deck = _deck_size(position)
    held = len(position.seats[seat].hand)
    fixed = 0 if rules.field_price else sum(len(player.coins) for player in position.seats)
    supply, growth = deck, rules.hand_growth(deck)
    for _ in range(rules.final_exhaustion - position.exhaustions - 1):
        supply += max(0, rules.deck_size - fixed - held - growth)
        growth = rules.hand_growth(supply)
    return growth


# The deck and the end ---------------------------------------------------------------------


def fill_in(position: Position) -> None:
    """The first turn that fits, where the position does not say."""
    if position.turn is None:
        position.turn = (position.active - position.start) % position.rules.players


def _check_turn(position: Position, faults: Faults) -> None:
    """Turns go clockwise, and each takes its cards off the deck (R13)."""
    turn, rules = position.turn, position.rules
    if turn is None or not position.turn_given:
        return
    if (position.start + turn - position.active) % rules.players:
        what = f"in turn {turn} from start player {position.start} on, another seat is active"
        faults.add("active", what)
    taken = rules.deck_size * (position.exhaustions + 1) - _deck_size(position)
    most = max(0, taken) // rules.cards_a_turn
    faults.need(turn <= most, "turn", f"{turn}, but at most {most} can have ended by now")


def _deck_size(position: Position) -> int:
    if position.deck is not None:
        return len(position.deck)
    rest = sum(max(0, cards) for cards in remaining_cards(position))
    return len(position.deck_top or []) + rest


def _check_exhaustions(position: Position, faults: Faults) -> None:
    """R19, R20, R21."""
    empty = _deck_size(position) == 0
    if empty and position.exhaustions == 0:
        faults.add("exhaustions", "0, but the deck is exhausted (R19)")
    if position.final:
        why = "stopped" if position.stopped else "exhaustions"
        faults.need(empty, why, "the last exhaustion is over, but the deck holds cards")
        decision = position.decision
        what = f"{decision.text} is not asked after the last exhaustion (R20, R21)"
        faults.need(decision in _AFTER_FINAL, "decision", what)


def _check_planted(position: Position, faults: Faults) -> None:
    planting = position.decision == Decision.PLANT
    what = "cards are counted in phase 1 only"
    faults.need(position.planted == 0 or planting, "planted", what)


def _check_where_cards_lie(position: Position, faults: Faults) -> None:
    """What lies before the players depends on the phase."""
    decision = position.decision
    if decision not in _PHASE_TWO:
        what = f"no cards are face up at {decision.text}"
        faults.need(not position.face_up, "face_up", what)
    if decision in (Decision.PLANT, Decision.DISCARD, Decision.FACEUP):
        faults.need(not position.offer, "offer", f"it is planted before {decision.text} (R28)")
    set_aside = (*_PHASE_TWO, Decision.PLANT_SET_ASIDE)
    for i, seat in enumerate(position.seats):
        if decision not in set_aside and seat.set_aside:
            faults.add(f"players[{i}].set_aside", f"nothing is set aside at {decision.text}")
        if decision == Decision.OVER and any(seat.fields):
            faults.add(f"players[{i}].fields", "all fields are harvested at the end (R22)")


def _check_winners(position: Position, faults: Faults) -> None:
    right: list[int] = []
    if position.decision == Decision.OVER:
        coins, hands = zip(*((len(s.coins), len(s.hand)) for s in position.seats), strict=True)
        right = winners_of(position.rules, position.start, coins, hands)
    if position.winners is None:
        position.winners = right
    elif sorted(position.winners) != right:
        faults.add("winners", f"expected {right} (R22, R23), got {position.winners}")
    if position.decision == Decision.OVER:
        faults.need(position.final, "over", "the last exhaustion has not come (R19)")


# What everybody remembers -----------------------------------------------------------------


def _check_memory(position: Position, faults: Faults) -> None:
    """RULES §9: the deck at the last shuffle is the deck now and what has left it since."""
    if position.deck is None:
        return  # shuffled now: see below
    names, rules = position.rules.bean_names, position.rules
    drawn = sum(seat.drawn_since for seat in position.seats)
    seen = [position.deck.count(b) + up for b, up in enumerate(position.turned_up)]
    if position.deck_at_shuffle is None:
        if drawn:
            faults.add("deck_at_shuffle", "missing (needed with drawn_since)")
        position.deck_at_shuffle = seen
    before = position.deck_at_shuffle
    for bean, cards in enumerate(before):
        has = rules.beans[names[bean]]
        place = f"deck_at_shuffle.{names[bean]}"
        faults.need(cards <= has, place, f"{cards} cards, these rules have {has}")
        what = f"{cards} cards, but deck and turned_up hold {seen[bean]}"
        faults.need(seen[bean] <= cards, place, what)
    gone = sum(before) - sum(seen)
    what = f"the players drew {drawn} cards since, but {gone} are gone"
    faults.need(gone == drawn, "deck_at_shuffle", what)


def _check_fresh_memory(position: Position, faults: Faults) -> None:
    """A deck that is shuffled in reading has not been drawn from."""
    if position.deck is not None:
        return
    why = "cannot be given where the deck is shuffled in reading"
    faults.need(position.deck_at_shuffle is None, "deck_at_shuffle", why)
    faults.need(not any(position.turned_up), "turned_up", why)
    drawn = any(seat.drawn_since for seat in position.seats)
    faults.need(not drawn, "players", f"drawn_since {why}")


def _check_events(position: Position, faults: Faults) -> None:
    events = len(position.events)
    if position.event_count is None:
        position.event_count = events
    expected = min(position.event_count, EVENT_CAPACITY)
    what = f"expected the last {expected} of {position.event_count} events, got {events}"
    faults.need(events == expected, "events", what)


_PILES = {"deck", "deck_top", "discard"}
_CARDS = _PILES | {"face_up", "offer", "removed", "players"}
_PHASE = {"decision", "over"}

_CHECKS: list[tuple[set[str], Check]] = [
    (_CARDS, _check_cards),
    ({"face_up", "offer", "removed", "players"}, _check_places),
    ({"removed", "players"}, _check_removed),
    (_CARDS | {"exhaustions", "stopped"} | _PHASE, _check_hands),
    (_CARDS | {"turn", "start", "active", "exhaustions"}, _check_turn),
    (_CARDS | {"exhaustions", "stopped", "beans"} | _PHASE, _check_exhaustions),
    ({"planted"} | _PHASE, _check_planted),
    ({"face_up", "offer", "players"} | _PHASE, _check_where_cards_lie),
    ({"players", "start", "winners", "exhaustions", "stopped"} | _PHASE, _check_winners),
    (_PILES | {"deck_at_shuffle", "turned_up", "players"}, _check_memory),
    (_PILES | {"deck_at_shuffle", "turned_up", "players"}, _check_fresh_memory),
    ({"events", "event_count"}, _check_events),
    (
        {"players", "active", "face_up", "offer", "to_act", "round", "draft", "standing"}
        | {"settled", "exhaustions", "deck", "stopped"}
        | _PHASE,
        check_decision,
    ),
]
