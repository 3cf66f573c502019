"""The table as plain text, 80 columns wide, without colours.

Everything is drawn from views (``bohnanza_env.view``), so a text can show no more than the seats
whose views it is given may know. Three faces: :func:`render_public` (what a spectator knows),
:func:`render_view` (what one player knows) and :func:`render_open` (all hands; ask for it only
where nobody plays against anybody). :func:`render_game` draws any of them from a game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap
from typing import Any

import numpy as np

from bohnanza_env.engine.action_codec import ActionSpace
from bohnanza_env.engine.cards import bean as card
from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import NOBODY, TABLE
from bohnanza_env.view import view_of

__all__ = ["OPEN", "WIDTH", "render_game", "render_open", "render_public", "render_view"]

WIDTH = 80
OPEN = "open"  # for ``render_game``: all hands
_INDENT = "    "
_UNBROKEN = "\N{NO-BREAK SPACE}"


def render_game(game: Game, seat: int | str | None = None, mask: np.ndarray | None = None) -> str:
    """Draw a game as ``seat`` knows it, as a spectator does (``None``), or with ``OPEN`` hands.

    ``mask`` as for :func:`render_view`; a spectator never sees it.
    """
    if seat is None:
        return render_public(game.rules, view_of(game, 0))
    if seat == OPEN:
        views = [view_of(game, i) for i in range(game.rules.players)]
        return render_open(game.rules, views, mask)
    return render_view(game.rules, view_of(game, int(seat)), mask)


def render_public(rules: Rules, view: np.ndarray) -> str:
    """What everybody knows. Any seat's view will do: only its public fields are read."""
    return _render(rules, view[0], {}, None)


def render_view(rules: Rules, view: np.ndarray, mask: np.ndarray | None = None) -> str:
    """What the seat of this view knows.

    Args:
        rules: the rules.
        view: the view, an array of shape (1,).
        mask: the mask of the decider, to list the legal actions. It is only used where this seat
            decides.
    """
    record = view[0]
    seat = int(record.seat)
    return _render(rules, record, {seat: record}, mask if int(record.to_act) == seat else None)


def render_open(rules: Rules, views: Sequence[np.ndarray], mask: np.ndarray | None = None) -> str:
    """Everything but the order of the deck: all hands, drafts and answers.

    Args:
        rules: the rules.
        views: the view of every seat, in order.
        mask: the mask of the decider, to list the legal actions.
    """
    return _render(rules, views[0][0], {i: view[0] for i, view in enumerate(views)}, mask)


def _render(rules: Rules, public: Any, private: Mapping[int, Any], mask: np.ndarray | None) -> str:
    """Draw the public fields of one view, and of the ``private`` ones what their seats know."""
    lines = [*_title(rules, public), ""]
    for seat in range(rules.players):
        lines += _player(rules, public, private.get(seat), seat)
    lines.append("")
    lines += _table(rules, public)
    if public.decision == Decision.OVER:
        lines += _end(rules, public)
    else:
        lines += _proposals(rules, public)
        lines += _decision(rules, public, private)
        if mask is not None:
            lines += _legal(rules, public, mask)
    return "\n".join(lines) + "\n"


# -- pieces ------------------------------------------------------------------------------------


def _title(rules: Rules, public: Any) -> list[str]:
    left = rules.final_exhaustion - int(public.exhaustions)
    ends = "" if left <= 0 else f" (the game ends at the {_ordinal(rules.final_exhaustion)})"
    return [
        f"Bohnanza · {rules.edition}, {rules.players} players · turn {int(public.turn) + 1}",
        f"deck {int(public.deck_size)} · discard pile {int(public.discard_size)} · "
        f"exhaustions {int(public.exhaustions)}{ends}",
    ]


def _player(rules: Rules, public: Any, own: Any | None, seat: int) -> list[str]:
    marks = [
        word
        for word, here in (
            ("active", seat == public.active),
            ("decides", seat == public.to_act),
            ("start", seat == public.start),
            ("you", own is not None and own is public),
        )
        if here
    ]
    facts = [f"coins {int(public.coins[seat])}", f"hand {int(public.hand_size[seat])}"]
    if rules.trading:
        facts.append(f"proposals {int(public.proposals_left[seat])}")
        if public.round_open and public.passed[seat]:
            facts.append("passed")
    name = f"player_{seat}" + (f" [{', '.join(marks)}]" if marks else "")
    lines = [f"{name:<34}{' · '.join(facts)}"]
    for position in range(int(public.field_slots[seat])):
        lines.append(_INDENT + _field(rules, public, seat, position))
    if any(public.set_aside[seat]):
        lines += _list("set aside: ", _counts(rules, public.set_aside[seat]))
    if any(public.coin_beans[seat]) and rules.field_price:
        lines += _list("coins earned from: ", _counts(rules, public.coin_beans[seat]))
    if own is not None:
        cards = [_name(rules, b) for b in own.hand[: int(public.hand_size[seat])]]
        lines += _list("hand, front first: ", ", ".join(cards) or "empty")
    elif any(public.known[seat]):
        lines += _list("known in hand: ", _counts(rules, public.known[seat]))
    return lines


def _field(rules: Rules, public: Any, seat: int, position: int) -> str:
    count = int(public.field_count[seat, position])
    if count == 0:
        return f"field {position}: empty"
    kind = card(rules.bean_names[int(public.field_bean[seat, position])])
    coins = kind.coins(count)
    text = f"field {position}: {count:2} {kind.name:<12}{coins} {'coin' if coins == 1 else 'coins'}"
    tiers = [(c, n) for c, n in enumerate(kind.beanometer, start=1) if n > count]
    return text + (f", {tiers[0][0]} at {tiers[0][1]}" if tiers else "")


def _table(rules: Rules, public: Any) -> list[str]:
    lines = []
    if public.face_up_size > 0:
        if rules.duel:
            shown = _counts(rules, public.face_up_beans)
        else:
            cards = public.face_up[: int(public.face_up_size)]
            shown = ", ".join(_name(rules, b) for b in cards)
        lines += _list("face up: ", shown, "")
    if any(public.duel_offer):
        lines += _list("left by the other player: ", _counts(rules, public.duel_offer), "")
    if any(public.discard_beans):
        lines += _list("discard pile: ", _counts(rules, public.discard_beans), "")
    if rules.duel and public.discard_size > 0:  # built in the open, and its top may be taken (R28)
        top = public.discard[int(public.discard_size) - 1]
        lines += _list("on top of it: ", _name(rules, top), "")
    if any(public.removed):
        lines += _list("coins out of the game: ", _counts(rules, public.removed), "")
    return lines


def _proposals(rules: Rules, public: Any) -> list[str]:
    """The proposals answered in this turn and the one that stands."""
    lines = []
    for i in range(int(public.settled_count)):
        deal = _deal(
            rules,
            int(public.settled_proposer[i]),
            int(public.settled_recipient[i]),
            public.settled_offer[i],
            public.settled_request[i],
        )
        word = "answered counter-proposal" if public.settled_counter[i] else "answered"
        answers = _answers(rules, public.settled_answers[i])
        partner = int(public.settled_partner[i])
        if partner != NOBODY and int(public.settled_recipient[i]) == TABLE:
            answers += f"; with player_{partner}"
        lines += _list(f"{word}: ", f"{deal}: {answers}", "")
    if public.standing:
        deal = _deal(
            rules, int(public.proposer), int(public.recipient), public.offer, public.request
        )
        answers = _answers(rules, public.answers)
        word = "counter-proposal: " if public.countering else "proposal: "
        lines += _list(word, deal + (f": {answers}" if answers else ""), "")
    return lines


def _decision(rules: Rules, public: Any, private: Mapping[int, Any]) -> list[str]:
    seat, decision = int(public.to_act), Decision(int(public.decision))
    lines = [f"decision: player_{seat}, {decision.text}"]
    if decision == Decision.PLANT:
        lines[0] += f" ({int(public.planted)} planted in this turn)"
    own = private.get(seat)
    if own is not None and decision == Decision.COMPOSE:
        draft = _deal(rules, seat, int(own.draft_recipient), own.draft_offer, own.draft_request)
        lines += _list("draft: ", draft, "")
    if own is not None and decision == Decision.GIVE:
        chosen = [f"hand {i}" for i in np.flatnonzero(own.chosen_hand)]
        chosen += [f"face_up {i}" for i in np.flatnonzero(own.chosen_face_up)]
        lines.append(f"choosing copies of {_name(rules, own.give_bean)}")
        lines += _list("chosen so far: ", ", ".join(chosen) or "none", "")
    if decision == Decision.RESPOND and public.recipient == TABLE:
        for other, view in private.items():
            if view.own_answer != Answer.NONE:
                lines.append(f"player_{other} has answered: {Answer(int(view.own_answer)).text}")
    return lines


def _legal(rules: Rules, public: Any, mask: np.ndarray) -> list[str]:
    space, seat = ActionSpace.of(rules), int(public.to_act)
    texts = [f"{i} {space.text(int(i), seat)}" for i in np.flatnonzero(mask)]
    return _list("legal: ", ", ".join(text.replace(" ", _UNBROKEN) for text in texts), "")


def _end(rules: Rules, public: Any) -> list[str]:
    winners = [f"player_{seat}" for seat in np.flatnonzero(public.winners)]
    coins = ", ".join(str(int(c)) for c in public.coins[: rules.players])
    return [f"game over: {' and '.join(winners)} won; coins {coins}"]


# -- words -------------------------------------------------------------------------------------


def _name(rules: Rules, number: Any) -> str:
    return rules.bean_names[int(number)]


def _counts(rules: Rules, counts: Any) -> str:
    """Cards counted by bean, e.g. ``2 red, 1 soy``."""
    return ", ".join(
        f"{int(n)}{_UNBROKEN}{name}"
        for name, n in zip(rules.bean_names, counts, strict=False)
        if n > 0
    )


def _deal(rules: Rules, proposer: int, recipient: int, offer: Any, request: Any) -> str:
    to = "the table" if recipient == TABLE else f"player_{recipient}"
    gives, asks = _counts(rules, offer) or "nothing", _counts(rules, request) or "nothing"
    return f"player_{proposer} to {to}, {gives} for {asks}"


def _answers(rules: Rules, answers: Any) -> str:
    return ", ".join(
        f"player_{seat} {Answer(int(answers[seat])).text}"
        for seat in range(rules.players)
        if answers[seat] != Answer.NONE
    )


def _list(head: str, text: str, indent: str = _INDENT) -> list[str]:
    """A line, broken at the width; what follows is indented by as much again."""
    lines = wrap(
        head + text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + _INDENT,
        break_on_hyphens=False,
    )
    return [line.replace(_UNBROKEN, " ") for line in lines]


def _ordinal(number: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(number, f"{number}th")
