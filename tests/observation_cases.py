"""Games and a second construction of the flat observation, for the tests of observations."""

from __future__ import annotations

from functools import cache

import numpy as np

from bohnanza_env.engine.cards import bean
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import TABLE
from bohnanza_env.observation import observe_kernel
from bohnanza_env.view import VIEW_DTYPE

CASES = {
    "amigo3": Rules.of("amigo", 3),
    "amigo4": Rules.of("amigo", 4),
    "amigo5": Rules.of("amigo", 5),
    "compact4": Rules.of("amigo", 4, protocol="compact"),
    "classic4": Rules.of("classic", 4),
    "field_beans4": Rules.of("field_beans", 4),
    "rio6": Rules.of("rio_grande", 6),
    "duel": Rules.of("duel", 2),
    "duel3": Rules.of("duel_three_fields", 2),
    "silent": Rules.of("amigo", 3, trading=False, window="off"),
    "limited": Rules.of("amigo", 3, trade_limit=2, window="always"),
}


@cache
def played(rules: Rules, seed: int = 5) -> tuple[np.ndarray, ...]:
    """The records of a game of random legal play, its end included."""
    game, rng = Game(rules, seed, start=seed % rules.players), np.random.default_rng(seed)
    states = [game.state.copy()]
    while not game.over:
        game.step(int(rng.choice(game.legal_actions())))
        states.append(game.state.copy())
    return tuple(states)


def sampled(rules: Rules, most: int = 60) -> list[Game]:
    """Positions of that game: some of every decision that occurs, and the end."""
    by_decision: dict[int, list[np.ndarray]] = {}
    for state in played(rules):
        by_decision.setdefault(int(state["decision"][0]), []).append(state)
    share = max(4, most // len(by_decision))
    return [
        Game.from_state(rules, state)
        for states in by_decision.values()
        for state in states[:: max(1, len(states) // share)]
    ]


def observe_into(rules: Rules, state: np.ndarray, seat: int, out: np.ndarray) -> int:
    view = np.zeros(1, VIEW_DTYPE)
    return observe_kernel(
        rules_array(rules).view(np.uint8), state.view(np.uint8), view.view(np.uint8), seat, out
    )


# --- The pieces, built a second time ---------------------------------------------------------


def expected(rules: Rules, view) -> dict[str, np.ndarray]:
    """All pieces of a view record by plain NumPy, without the kernel."""
    seats, beans, me = rules.players, len(rules.beans), int(view.seat)

    def code(seat) -> int:
        seat = int(seat)
        return 0 if seat < 0 else seats + 1 if seat == TABLE else (seat - me) % seats + 1

    def by_seat(values):
        return np.roll(np.asarray(values)[:seats], -me, axis=0)

    def padded(values, size):
        return np.array([*values, *[0] * (size - len(values))])

    final = view.stopped or view.exhaustions >= rules.final_exhaustion
    parts = {
        "decision": view.decision, "decider": code(view.to_act), "active": code(view.active),
        "start": code(view.start), "turn": view.turn, "exhaustions": view.exhaustions,
        "stopped": view.stopped, "phase_four": int(not final), "planted": view.planted,
        "deck_size": view.deck_size, "discard_size": view.discard_size,
        "last_asked": code((view.active + view.asked) % seats),
        "hand": padded(view.hand[: view.hand_size[me]] + 1, rules.hand_positions),
        "hand_beans": np.bincount(view.hand[: view.hand_size[me]], minlength=beans),
    }  # fmt: skip
    for name in "hand_size coins drawn_since winners field_gained passed proposals_left".split():
        parts[name] = by_seat(view[name])
    for name in "coin_beans set_aside known".split():
        parts[name] = by_seat(view[name])[:, :beans]
    for name in (
        "discard_beans deck_at_shuffle turned_up face_up_beans duel_offer removed offer request "
        "draft_offer draft_request"
    ).split():
        parts[name] = np.asarray(view[name])[:beans]
    parts["coin_top"] = by_seat(view.coin_top)[:, : rules.field_price][:, ::-1] + 1
    parts["face_up"] = padded(view.face_up[: view.face_up_size] + 1, rules.reveal)
    parts["discard"] = padded((view.discard[: view.discard_size] + 1)[::-1], rules.deck_size)

    parts |= expected_fields(rules, view, by_seat)
    grown, counts = parts["field_bean"] - 1, parts["field_count"]
    planted = [int(counts[grown == b].sum()) for b in range(beans)]
    seen = np.array(planted) + parts["hand_beans"]
    for name in "discard_beans face_up_beans duel_offer removed".split():
        seen = seen + parts[name]
    seen = seen + (parts["coin_beans"] + parts["set_aside"]).sum(0)
    parts["unseen"] = np.array(list(rules.beans.values())) - seen

    for name in (
        "round_held round_open round_submitted pass_blocked standing countering own_answer "
        "give_taken give_from settled_count"
    ).split():
        parts[name] = view[name]
    for name in "proposer recipient partner draft_recipient".split():
        parts[name] = code(view[name])
    parts["answers"] = by_seat(view.answers)
    parts["give_bean"] = view.give_bean + 1
    parts["chosen_hand"] = view.chosen_hand[: rules.hand_positions]
    parts["chosen_face_up"] = view.chosen_face_up[: rules.reveal]
    parts |= expected_settled(rules, view, code, by_seat)
    return {name: np.asarray(part) for name, part in parts.items()}


def expected_fields(rules: Rules, view, by_seat) -> dict[str, np.ndarray]:
    seats, slots, names = rules.players, rules.field_positions, rules.bean_names
    bean_of = by_seat(view.field_bean)[:, :slots]
    counts = by_seat(view.field_count)[:, :slots]
    fields = {name: np.zeros((seats, slots)) for name in "coins next missing kept".split()}
    for place in np.argwhere(counts > 0):
        at, count = tuple(place), int(counts[tuple(place)])
        kind = bean(names[bean_of[at]])
        better = [(need, c) for c, need in enumerate(kind.beanometer, 1) if need > count]
        fields["coins"][at] = kind.coins(count)
        if better:
            fields["next"][at], fields["missing"][at] = better[0][1], better[0][0] - count
        fields["kept"][at] = count == 1 and counts[at[0]].max() > 1
    return {
        "field_count": counts,
        "field_bean": np.where(counts > 0, bean_of + 1, 0),
        "field_coins": fields["coins"],
        "next_coins": fields["next"],
        "next_missing": fields["missing"],
        "protected": fields["kept"],
    }


def expected_settled(rules: Rules, view, code, by_seat) -> dict[str, np.ndarray]:
    rows, beans, count = rules.settled_positions, len(rules.beans), int(view.settled_count)
    newest_first = list(reversed(range(count)))
    parts = {
        "settled_since": count - view.settled_fresh,
        "settled_proposer": np.zeros(rows),
        "settled_recipient": np.zeros(rows),
        "settled_partner": np.zeros(rows),
        "settled_counter": np.zeros(rows),
        "settled_answers": np.zeros((rows, rules.players)),
        "settled_offer": np.zeros((rows, beans)),
        "settled_request": np.zeros((rows, beans)),
        "settled_give": np.zeros(rows),
        "settled_get": np.zeros(rows),
        "settled_answer": np.zeros(rows),
    }
    for i, row in enumerate(newest_first):
        for name in ("settled_proposer", "settled_recipient", "settled_partner"):
            parts[name][i] = code(view[name][row])
        parts["settled_counter"][i] = view.settled_counter[row]
        parts["settled_answers"][i] = by_seat(view.settled_answers[row])
        for name, short in (("settled_offer", "settled_give"), ("settled_request", "settled_get")):
            side = np.asarray(view[name][row])[:beans]
            parts[name][i] = side
            parts[short][i] = side.argmax() + 1 if side.any() else 0
        parts["settled_answer"][i] = max(view.settled_answers[row])
    return parts
