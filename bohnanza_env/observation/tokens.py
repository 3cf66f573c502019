"""The ``tokens`` encoding: the last public events as rows of small numbers (DESIGN §4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Answer, Event, Source
from bohnanza_env.engine.limits import EVENT_CAPACITY
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import RULES_DTYPE, rules_array
from bohnanza_env.view import VIEW_DTYPE

from .pieces import player_names, tier_bounds
from .rows import player_code

if TYPE_CHECKING:
    from gymnasium.spaces import Box

__all__ = ["TOKEN_COLUMNS", "TokenColumn", "TokenLayout", "tokens_kernel", "write_tokens"]

TOKEN_COLUMNS = (
    "kind",
    "player",
    "other",
    "bean",
    "amount",
    "field",
    "source",
    "coins",
    "field_gained",
    "answer",
    "exhaustions",
)
_COLUMNS = len(TOKEN_COLUMNS)
_FIELD, _SOURCE, _COINS, _FIELD_GAINED, _ANSWER_COLUMN, _EXHAUSTIONS = (
    TOKEN_COLUMNS.index(n)
    for n in ("field", "source", "coins", "field_gained", "answer", "exhaustions")
)
_PLANT, _HARVEST, _ANSWER = int(Event.PLANT), int(Event.HARVEST), int(Event.ANSWER)
_RESHUFFLE, _END = int(Event.RESHUFFLE), int(Event.END)


@compiled
def _detail(event, token, kind):
    """Columns that only some kinds have; what ``other`` and ``detail`` mean depends on them."""
    if kind == _PLANT:
        token[_FIELD] = event[5] + 1
        token[_SOURCE] = event[2] + 1
    elif kind == _HARVEST:
        token[_FIELD] = event[5] + 1
        token[_COINS] = max(0, int(event[2]))
        token[_FIELD_GAINED] = 1 if event[2] < 0 else 0
    elif kind == _ANSWER:
        token[_ANSWER_COLUMN] = event[5]
    elif kind in (_RESHUFFLE, _END):
        token[_EXHAUSTIONS] = event[5]


@compiled
def write_tokens(rules, view, out):
    """Write the last events, oldest first, into ``out``, int16 (64, columns); zeros behind them."""
    out[:, :] = 0
    shown = min(int(view.event_count), EVENT_CAPACITY)
    for i in range(shown):
        event = view.events[(view.event_count - shown + i) % EVENT_CAPACITY]
        token = out[i]
        kind = int(event[0])
        token[0] = kind + 1
        token[1] = player_code(rules, view.seat, event[1])
        if kind != _PLANT and kind != _HARVEST:
            token[2] = player_code(rules, view.seat, event[2])
        token[3] = event[3] + 1
        token[4] = max(0, int(event[4]))
        _detail(event, token, kind)


@compiled
def tokens_kernel(rules_bytes, view_bytes, out):
    """``write_tokens`` from Python (byte arrays, see ``engine.kernels``)."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    write_tokens(rules, view, out)


@dataclass(frozen=True)
class TokenColumn:
    """One number of each event.

    Attributes:
        name: see ``TOKEN_COLUMNS``.
        kind: ``"count"``, ``"flag"`` or ``"category"``.
        high: its largest value; the smallest is 0.
        meaning: in words.
        values: of a category, what each code from 0 stands for.
    """

    name: str
    kind: str
    high: int
    meaning: str
    values: tuple[str, ...] = ()


class TokenLayout:
    """The list of the last 64 public events. Use :meth:`of`, which keeps one a rules value.

    Rows run from the oldest event to the newest; rows of zeros fill the rest. The events belong
    beside the flat vector, which holds everything else.

    Attributes:
        rules: the rules.
        columns: what each number of a row means; the same columns under all rules.
        shape: shape of the array, (64, columns).
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.columns: tuple[TokenColumn, ...] = _columns(rules)
        self.shape = (EVENT_CAPACITY, len(self.columns))

    @staticmethod
    @lru_cache(maxsize=64)
    def of(rules: Rules) -> TokenLayout:
        """The layout of these rules."""
        return TokenLayout(rules)

    @cached_property
    def space(self) -> Box:
        """The Gymnasium space of the array, the same object each time."""
        from gymnasium.spaces import Box

        high = np.array([column.high for column in self.columns], np.int16)
        high = np.broadcast_to(high, self.shape)
        return Box(np.zeros_like(high), high, dtype=np.int16)

    def tokens(self, view: np.ndarray) -> npt.NDArray[np.int16]:
        """The events of a view (shape (1,), dtype ``VIEW_DTYPE``), freshly made."""
        out = np.empty(self.shape, np.int16)
        tokens_kernel(rules_array(self.rules).view(np.uint8), view.view(np.uint8), out)
        return out


def _columns(rules: Rules) -> tuple[TokenColumn, ...]:
    players = ("nobody", *player_names(rules))
    others = (*players, "table")
    beans = ("none", *rules.bean_names)
    fields = ("none", *map(str, range(rules.field_positions)))

    def category(name: str, values: tuple[str, ...], meaning: str) -> TokenColumn:
        return TokenColumn(name, "category", len(values) - 1, meaning, values)

    kinds = ("no event", *(event.name.lower() for event in Event))
    sources = ("none", *(source.text for source in Source))
    return (
        category("kind", kinds, "what happened"),
        category("player", players, "who did it"),
        category("other", others, "to whom or with whom"),
        category("bean", beans, "the bean; none where nobody else may know it"),
        TokenColumn("amount", "count", rules.deck_size, "cards"),
        category("field", fields, "plant, harvest: the field"),
        category("source", sources, "plant: where the card came from"),
        TokenColumn("coins", "count", tier_bounds(rules)[0], "harvest: coins earned"),
        TokenColumn(
            "field_gained", "flag", int(rules.field_beans), "harvest: it gained a field (R27)"
        ),
        category("answer", tuple(a.text for a in Answer), "answer: which one"),
        TokenColumn(
            "exhaustions", "count", rules.final_exhaustion, "reshuffle, end: exhaustions so far"
        ),
    )
