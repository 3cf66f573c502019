"""``Rules``: everything in which editions and house rules differ, as one validated value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from .cards import BEAN_NAMES, BEANS, FIELD_BEAN
from .editions import EDITIONS, edition_fields, edition_players
from .errors import RulesError
from .limits import (
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
        faults = _faults(self)
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
        if self.first_hands is None and _is_int(self.players):
            put(self, "first_hands", (5,) * max(0, min(self.players, SEAT_CAPACITY)))
        elif isinstance(self.first_hands, list):
            put(self, "first_hands", tuple(self.first_hands))
        if isinstance(self.draw, list):
            put(self, "draw", tuple(self.draw))
        if self.field_price is None:
            put(self, "field_price", 0)
        if self.active_proposals is None and _is_int(self.players):
            put(self, "active_proposals", 2 * (self.players - 1))

    @classmethod
    def of(cls, edition: str = "amigo", players: int = 4, **overrides: Any) -> Rules:
        """The rules of an edition at a number of players, with fields overridden by name.

        Raises:
            RulesError: unknown edition or field, a number of players the edition does not
                list (R3), or values that cannot be played.
        """
        if edition not in EDITIONS:
            names = ", ".join(EDITIONS)
            raise RulesError([f"edition: unknown edition {edition!r}; known editions: {names}"])
        allowed = edition_players(edition)
        if not _is_int(players) or players not in allowed:
            listed = ", ".join(map(str, allowed))
            raise RulesError([f"players: {edition} is for {listed} players, not {players!r}"])
        _refuse_unknown_fields(overrides)
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
        """Rules from a document: an edition with overrides, or all fields (DESIGN §6)."""
        if not isinstance(data, Mapping):
            raise RulesError([f"rules: expected an object, got {type(data).__name__}"])
        given = {str(k): v for k, v in data.items()}
        edition = given.pop("edition", None)
        if edition is None or edition == "custom":
            _refuse_unknown_fields(given)
            missing = [n for n in ("players", "beans") if n not in given]
            if missing:
                raise RulesError([f"{n}: missing (needed without an edition)" for n in missing])
            return cls(**given)
        if not isinstance(edition, str):
            raise RulesError([f"edition: expected a name, got {edition!r}"])
        if "players" not in given:
            raise RulesError(["players: missing"])
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
        if not self.trading or self.duel:
            return 0
        return proposals if self.protocol == "compact" else 2 * proposals

    @property
    def hand_positions(self) -> int:
        """The largest hand that a game from the start can lead to, or a safe bound above it.

        Every turn with a draw takes ``reveal`` and the drawn cards off the deck, and the deck is
        filled at most ``final_exhaustion`` times with at most all cards. A hand grows by its own
        draws and shrinks by one card at least in each own turn (R7).
        """
        who, cards = self.draw
        per_turn = self.reveal + cards * (self.players if who == "everyone" else 1)
        turns = -(-self.deck_size * self.final_exhaustion // per_turn)
        own = -(-turns // self.players)
        drawn = turns * cards if who == "everyone" else own * cards
        bound = max(self.hands) + drawn - max(0, own - 1)
        return min(self.deck_size, max(bound, _SMALLEST_HAND_POSITIONS))


def _is_int(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _refuse_unknown_fields(given: Mapping[str, Any]) -> None:
    known = [f.name for f in fields(Rules)]
    unknown = [n for n in given if n not in known]
    if unknown:
        allowed = ", ".join(n for n in known if n != "edition")
        raise RulesError([f"{n}: unknown field; the fields are {allowed}" for n in unknown])


def _faults(rules: Rules) -> list[str]:
    """Every fault of the fields, each beginning with the name of the field."""
    faults: list[str] = []

    def need(ok: bool, name: str, right: str) -> None:
        if not ok:
            faults.append(f"{name}: expected {right}, got {getattr(rules, name)!r}")

    def integer(name: str, low: int, high: int) -> None:
        value = getattr(rules, name)
        need(_is_int(value) and low <= value <= high, name, f"a whole number {low}–{high}")

    def flag(name: str) -> None:
        need(isinstance(getattr(rules, name), bool), name, "true or false")

    def one_of(name: str, names: tuple[str, ...]) -> None:
        need(getattr(rules, name) in names, name, "one of " + ", ".join(names))

    integer("players", 2, SEAT_CAPACITY)
    integer("fields", 1, FIELD_CAPACITY - 1)
    integer("field_price", 0, PRICE_CAPACITY)
    integer("reveal", 1, FACE_UP_CAPACITY)
    integer("final_exhaustion", 1, _LARGEST_EXHAUSTION)
    integer("active_proposals", 0, PROPOSAL_CAPACITY)
    integer("other_proposals", 0, PROPOSAL_CAPACITY)
    for name in ("coins_leave_game", "field_beans", "duel", "trading"):
        flag(name)
    one_of("tie", _TIES)
    one_of("window", _WINDOWS)
    one_of("protocol", _PROTOCOLS)
    one_of("harvest", _HARVESTS)
    limit = rules.trade_limit
    positive = _is_int(limit) and limit is not None and limit >= 1
    need(limit is None or positive, "trade_limit", "null or a whole number of at least 1")
    who_and_cards = isinstance(rules.draw, tuple) and len(rules.draw) == 2
    good_draw = (
        who_and_cards
        and rules.draw[0] in _DRAWERS
        and _is_int(rules.draw[1])
        and 1 <= rules.draw[1] <= _LARGEST_DRAW
    )
    need(good_draw, "draw", f'["active" or "everyone", 1–{_LARGEST_DRAW}]')
    need(isinstance(rules.edition, str), "edition", "a name")
    faults += _bean_faults(rules.beans)
    if not faults:
        faults += _faults_together(rules)
    return faults


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


def _faults_together(rules: Rules) -> list[str]:
    """Faults of fields that are right one by one."""
    faults = []
    hands = rules.first_hands
    if (
        not isinstance(hands, tuple)
        or len(hands) != rules.players
        or not all(_is_int(h) and h >= 0 for h in hands)
    ):
        faults.append(
            f"first_hands: expected {rules.players} numbers of at least 0, one a seat, "
            f"got {hands!r}"
        )
    elif sum(hands) >= rules.deck_size:
        faults.append(
            f"first_hands: {sum(hands)} cards use up the deck of {rules.deck_size} (RULES §2)"
        )
    if rules.field_beans and (FIELD_BEAN not in rules.beans or rules.fields != 2):
        faults.append("field_beans: needs field beans in the deck and two fields (R27)")
    if rules.field_beans and rules.field_price:
        faults.append("field_price: a third field is not sold where field beans gain it (R27)")
    if rules.coins_leave_game and not rules.field_price:
        faults.append("coins_leave_game: needs a field_price (R26)")
    if rules.duel and (rules.players != 2 or rules.trading or rules.draw[0] != "active"):
        faults.append("duel: needs 2 players, trading false and a draw by the active player (R28)")
    proposals = rules.proposals + (rules.players - 1) * rules.other_proposals
    if proposals > PROPOSAL_CAPACITY:
        faults.append(
            f"active_proposals, other_proposals: {proposals} proposals a turn in all; "
            f"at most {PROPOSAL_CAPACITY}"
        )
    return faults
