"""``Rules``: everything in which editions and house rules differ, as one validated value."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .cards import BEAN_NAMES, BEANS, FIELD_BEAN
from .editions import EDITIONS, edition_fields, edition_players
from .errors import RulesError
from .limits import (
    DECK_CAPACITY,
    FACE_UP_CAPACITY,
    FIELD_CAPACITY,
    PRICE_CAPACITY,
    PROPOSAL_CAPACITY,
    SEAT_CAPACITY,
)

__all__ = ["Rules"]

_TIES = ("last_clockwise", "most_hand_cards")
_DRAWERS = ("active", "everyone")
_WINDOWS = ("before_reshuffle", "always", "off")
_PROTOCOLS = ("staged", "compact")
_HARVESTS = ("any_time", "when_needed")
_LARGEST_DRAW = 9
_LARGEST_EXHAUSTION = 5
# Three exhaustions of the printed decks lead to hands of at most 45 cards (DESIGN §1). The slack
# above lets unusual positions be loaded too.
_SMALLEST_HAND_POSITIONS = 48


@dataclass(frozen=True)
class Rules:
    """The rules of one game (RULES §2, §8).

    Make one with :meth:`Rules.of` (an edition, with overrides) or from all fields. Validation
    happens at construction: :class:`RulesError` names every field that is wrong.

    Attributes:
        players: seats at the table, 2–7.
        beans: bean name → cards in the deck, in the order of the card table (do not mutate).
        fields: fields each player starts with, 1–3.
        first_hands: cards dealt to the k-th seat from the start player (R3).
        field_price: coins for one extra field, 0 where none is sold (R24).
        coins_leave_game: the price is removed instead of discarded (R26).
        field_beans: two field beans gain a third field (R27).
        reveal: cards turned up in phase 2 (R9; in a duel R28).
        draw: ``("active" | "everyone", k)``, the draw of phase 4 (R13).
        final_exhaustion: the exhaustion of the deck that ends the game (R19).
        tie: ``"last_clockwise"`` or ``"most_hand_cards"`` (R23).
        duel: the two-player turn of R28.
        active_proposals: proposals of the active player in a turn (R33);
            default 2 × (players − 1).
        other_proposals: proposals of each other player in a turn (R33).
        trade_limit: cards that one side of a deal may hold, ``None`` for any number (R33).
        trading: ``False`` turns phase 2 into a reveal (R33).
        window: ``"before_reshuffle"``, ``"always"`` or ``"off"`` (R34).
        protocol: ``"staged"`` or ``"compact"`` (R35).
        harvest: ``"any_time"`` or ``"when_needed"`` (R36).
        edition: the edition these rules started from, ``"custom"`` if none. A label only.
    """

    players: int
    beans: Mapping[str, int]
    fields: int = 2
    first_hands: tuple[int, ...] | None = None
    field_price: int = 0
    coins_leave_game: bool = False
    field_beans: bool = False
    reveal: int = 2
    draw: tuple[str, int] = ("active", 3)
    final_exhaustion: int = 3
    tie: str = "last_clockwise"
    duel: bool = False
    active_proposals: int | None = None
    other_proposals: int = 1
    trade_limit: int | None = None
    trading: bool = True
    window: str = "before_reshuffle"
    protocol: str = "staged"
    harvest: str = "any_time"
    edition: str = "custom"
    _hash: ClassVar[int]  # one a value; looked up at every step from Python

    def __post_init__(self) -> None:
        self._normalise()
        wrong = _faults({f.name: getattr(self, f.name) for f in fields(self)})
        faults = [fault for of_field in wrong.values() for fault in of_field]
        faults += _faults_together(self, wrong)
        if faults:
            raise RulesError(faults)
        values = [getattr(self, f.name) for f in fields(self) if f.name != "beans"]
        object.__setattr__(self, "_hash", hash((tuple(self.beans.items()), *values)))

    def _normalise(self) -> None:
        """Fill in the defaults that depend on other fields and fix orders and types."""
        put = object.__setattr__
        if isinstance(self.beans, Mapping):
            known = {n: self.beans[n] for n in BEAN_NAMES if n in self.beans}
            strange = {n: c for n, c in self.beans.items() if n not in known}
            put(self, "beans", {**known, **strange})
        seats_known = _right("players", self.players)[0]
        if self.first_hands is None and seats_known:
            put(self, "first_hands", (5,) * self.players)
        elif isinstance(self.first_hands, list):
            put(self, "first_hands", tuple(self.first_hands))
        if isinstance(self.draw, list):
            put(self, "draw", tuple(self.draw))
        if self.field_price is None:
            put(self, "field_price", 0)
        if self.active_proposals is None and seats_known:
            put(self, "active_proposals", 2 * (self.players - 1))

    @classmethod
    def of(cls, edition: str = "amigo", players: int = 4, **overrides: Any) -> Rules:
        """The rules of an edition at a number of players, with fields overridden by name.

        Raises:
            RulesError: unknown edition or field, a number of players the edition does not
                list (R3), or values that cannot be played.
        """
        faults = _edition_faults(edition, {"players": players})
        faults += _unknown_fields(overrides)
        if faults:
            raise RulesError([*faults, *_faults_of_given(overrides)])
        return cls(
            **{
                "players": players,
                "edition": edition,
                **edition_fields(edition, players),
                **overrides,
            }
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Rules:
        """Rules from a document: an edition with overrides, or all fields (DESIGN §6).

        With ``beans`` given the fields stand for themselves and ``edition`` is a label only.
        """
        if not isinstance(data, Mapping):
            raise RulesError([f"rules: expected an object, got {type(data).__name__}"])
        given = {str(k): v for k, v in data.items()}
        edition = given.pop("edition", None)
        complete = {"players", "beans", "fields"} <= given.keys()
        if edition is None or edition == "custom" or complete:
            missing = [n for n in ("players", "beans") if n not in given]
            faults = [f"{n}: missing (needed without an edition)" for n in missing]
            faults += _unknown_fields(given)
            if faults:
                raise RulesError([*faults, *_faults_of_given(given)])
            return cls(**given, edition="custom" if edition is None else edition)
        if "players" not in given:
            faults = ["players: missing", *_edition_faults(edition, {}), *_unknown_fields(given)]
            raise RulesError([*faults, *_faults_of_given(given)])
        return cls.of(edition, given.pop("players"), **given)

    def to_dict(self) -> dict[str, Any]:
        """All fields as JSON values; ``from_dict`` of it gives equal rules."""
        data = {f.name: getattr(self, f.name) for f in fields(self)}
        data["beans"] = dict(self.beans)
        data["first_hands"] = list(self.hands)
        data["draw"] = list(self.draw)
        return {"edition": data.pop("edition"), **data}

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        # The hash of texts differs from process to process, so it must not travel.
        return Rules.from_dict, (self.to_dict(),)

    # What follows from the fields ---------------------------------------------------------

    @property
    def bean_names(self) -> tuple[str, ...]:
        """Names by bean number."""
        return tuple(self.beans)

    @property
    def deck_size(self) -> int:
        """Cards in the whole deck."""
        return sum(self.beans.values())

    @property
    def hands(self) -> tuple[int, ...]:
        """``first_hands`` once the default is filled in."""
        assert self.first_hands is not None
        return self.first_hands

    @property
    def proposals(self) -> int:
        """``active_proposals`` once the default is filled in."""
        assert self.active_proposals is not None
        return self.active_proposals

    @property
    def field_positions(self) -> int:
        """Fields that a player can come to own: those of the start and one extra (R24)."""
        extra = self.field_price > 0 or (self.field_beans and self.fields == 2)
        return self.fields + int(extra)

    @property
    def settled_positions(self) -> int:
        """Proposals that can be settled in one turn; a staged one can bring one counter."""
        proposals = self.proposals + (self.players - 1) * self.other_proposals
        if not self.trading:
            return 0
        return proposals if self.protocol == "compact" else 2 * proposals

    @property
    def cards_a_turn(self) -> int:
        """Cards that a turn takes off the deck, its reveal and its draws, where all are there."""
        who, cards = self.draw
        return self.reveal + cards * (self.players if who == "everyone" else 1)

    def hand_growth(self, supply: int) -> int:
        """The most cards by which a hand can grow while ``supply`` cards leave the deck.

        It grows by its own draws and shrinks by one card at least in each own turn (R7).
        """
        who, cards = self.draw
        turns = -(-supply // self.cards_a_turn)
        own = -(-turns // self.players)
        drawn = cards * (turns if who == "everyone" else own)
        return min(supply, drawn - max(0, own - 1))

    @property
    def hand_positions(self) -> int:
        """The largest hand that a game from the start can lead to, or a safe bound above it.

        The deck is filled at most ``final_exhaustion`` times with at most all cards.
        """
        bound = max(self.hands) + self.hand_growth(self.deck_size * self.final_exhaustion)
        return min(self.deck_size, max(bound, _SMALLEST_HAND_POSITIONS))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _edition_faults(edition: object, players: Mapping[str, object]) -> list[str]:
    """Faults of an edition and of ``players``, where they are given (R3)."""
    if not isinstance(edition, str) or edition not in EDITIONS:
        names = ", ".join(EDITIONS)
        faults = [f"edition: unknown edition {edition!r}; known editions: {names}"]
        return [*faults, *_faults_of_given(players)]
    allowed = edition_players(edition)
    listed = ", ".join(map(str, allowed))
    return [
        f"players: {edition} is for {listed} players, not {number!r}"
        for number in players.values()
        if not _is_int(number) or number not in allowed
    ]


def _faults_of_given(given: Mapping[str, Any]) -> list[str]:
    known = {f.name for f in fields(Rules)}
    found = _faults({name: value for name, value in given.items() if name in known})
    return [fault for of_field in found.values() for fault in of_field]


def _unknown_fields(given: Mapping[str, Any]) -> list[str]:
    known = [f.name for f in fields(Rules)]
    allowed = ", ".join(n for n in known if n != "edition")
    return [f"{n}: unknown field; the fields are {allowed}" for n in given if n not in known]


def _is_hands(value: object) -> bool:
    return isinstance(value, tuple | list) and all(_is_int(h) and h >= 0 for h in value)


def _is_draw(value: object) -> bool:
    if not isinstance(value, tuple | list) or len(value) != 2:
        return False
    who, cards = value
    return (
        isinstance(who, str) and who in _DRAWERS and _is_int(cards) and 1 <= cards <= _LARGEST_DRAW
    )


# field -> lowest and highest value
_NUMBERS = {
    "players": (2, SEAT_CAPACITY),
    "fields": (1, FIELD_CAPACITY - 1),
    "field_price": (0, PRICE_CAPACITY),
    "reveal": (1, FACE_UP_CAPACITY),
    "final_exhaustion": (1, _LARGEST_EXHAUSTION),
    "active_proposals": (0, PROPOSAL_CAPACITY),
    "other_proposals": (0, PROPOSAL_CAPACITY),
    "trade_limit": (1, DECK_CAPACITY),
}
_FLAGS = ("coins_leave_game", "field_beans", "duel", "trading")
_CHOICES = {"tie": _TIES, "window": _WINDOWS, "protocol": _PROTOCOLS, "harvest": _HARVESTS}
# Fields that may be None: there is none, or the default that follows from other fields.
_OPTIONAL = ("first_hands", "field_price", "active_proposals", "trade_limit")


def _right(name: str, value: Any) -> tuple[bool, str]:
    """Whether a value is one that the field may have, and what would be."""
    if name in _NUMBERS:
        low, high = _NUMBERS[name]
        right = "null or a whole number" if name == "trade_limit" else "a whole number"
        return _is_int(value) and low <= value <= high, f"{right} {low}–{high}"
    if name in _FLAGS:
        return isinstance(value, bool), "true or false"
    if name in _CHOICES:
        names = _CHOICES[name]
        return isinstance(value, str) and value in names, "one of " + ", ".join(names)
    if name == "first_hands":
        return _is_hands(value), "numbers of at least 0, one a seat"
    if name == "draw":
        return _is_draw(value), f'["active" or "everyone", 1–{_LARGEST_DRAW}]'
    return isinstance(value, str), "a name"


def _faults(values: Mapping[str, Any]) -> dict[str, list[str]]:
    """The faults of fields by themselves, by name; fields that are not given have none."""
    found: dict[str, list[str]] = {}
    for name, value in values.items():
        if name == "beans":
            faults = _bean_faults(value)
        elif value is None and name in _OPTIONAL:
            continue
        else:
            ok, right = _right(name, value)
            faults = [] if ok else [f"{name}: expected {right}, got {value!r}"]
        if faults:
            found[name] = faults
    return found


def _bean_faults(beans: object) -> list[str]:
    if not isinstance(beans, Mapping) or not beans:
        return [f"beans: expected an object bean → cards, got {beans!r}"]
    known = {b.name: b.cards for b in BEANS}
    faults = [
        f"beans: unknown bean {name!r}; known beans: {', '.join(known)}"
        for name in beans
        if name not in known
    ]
    for name, cards in beans.items():
        if name in known and not (_is_int(cards) and 1 <= cards <= known[name]):
            faults.append(f"beans: expected 1–{known[name]} cards of {name}, got {cards!r}")
    return faults


def _faults_together(rules: Rules, wrong: Collection[str]) -> list[str]:
    """Faults of fields that are right one by one, judged where all fields concerned are."""
    faults = []

    def judged(*names: str) -> bool:
        return not any(name in wrong for name in names)

    if judged("players", "first_hands"):
        if len(rules.hands) != rules.players:
            faults.append(
                f"first_hands: expected {rules.players} numbers of at least 0, one a seat, "
                f"got {rules.hands!r}"
            )
        elif judged("beans") and sum(rules.hands) >= rules.deck_size:
            faults.append(
                f"first_hands: {sum(rules.hands)} cards use up the deck of {rules.deck_size} "
                "(RULES §2)"
            )
    if judged("field_beans", "fields", "beans") and rules.field_beans:
        if FIELD_BEAN not in rules.beans or rules.fields != 2:
            faults.append("field_beans: needs field beans in the deck and two fields (R27)")
    if judged("field_beans", "field_price") and rules.field_beans and rules.field_price:
        faults.append("field_price: a third field is not sold where field beans gain it (R27)")
    if judged("coins_leave_game", "field_price"):
        if rules.coins_leave_game and not rules.field_price:
            faults.append("coins_leave_game: needs a field_price (R26)")
    if judged("duel", "players", "trading", "draw") and rules.duel:
        if rules.players != 2 or rules.trading or rules.draw[0] != "active":
            faults.append(
                "duel: needs 2 players, trading false and a draw by the active player (R28)"
            )
    if judged("players", "active_proposals", "other_proposals"):
        proposals = rules.proposals + (rules.players - 1) * rules.other_proposals
        if proposals > PROPOSAL_CAPACITY:
            faults.append(
                f"active_proposals, other_proposals: {proposals} proposals a turn in all; "
                f"at most {PROPOSAL_CAPACITY}"
            )
    return faults
