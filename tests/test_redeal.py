"""Re-dealt games: same view, whole, playable, and distributed as documented."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from math import factorial, sqrt

import numpy as np
import pytest
from weighted_play import ALL_RULES, find, play, rules_name

from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.game import SILENT_LOG, Game
from bohnanza_env.engine.invariants import invariants
from bohnanza_env.engine.kernels import play_randomly_kernel
from bohnanza_env.engine.random import new_generator
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import rules_array
from bohnanza_env.engine.state import TABLE
from bohnanza_env.redeal import redeal
from bohnanza_env.view import view_of

MINI = Rules.of("mini", 3)
RARE = (Decision.GIVE, Decision.CHOOSE, Decision.WINDOW, Decision.DISCARD, Decision.OFFER_IN)


def different_fields(view: np.ndarray, other: np.ndarray) -> list[str]:
    """Names of the fields whose bytes differ."""
    names = view.dtype.names
    return [name for name in names if view[name].tobytes() != other[name].tobytes()]


def play_on(game: Game, seed: int) -> None:
    play_randomly_kernel(
        rules_array(game.rules).view(np.uint8),
        game.state.view(np.uint8),
        SILENT_LOG.view(np.uint8),
        game.mask,
        new_generator(seed),
        100_000,
    )


def sampled(rules: Rules, seed: int, every: int) -> Iterator[tuple[int, Game]]:
    for ply, game in enumerate(play(rules, seed)):
        if ply % every == 0 or (game.decision in RARE and ply % 11 == 0) or game.over:
            yield ply, game


@pytest.mark.parametrize("rules", ALL_RULES, ids=rules_name)
def test_a_redealt_game_looks_the_same_and_plays_on(rules: Rules) -> None:
    generator = new_generator(7)
    every = 3 if rules.deck_size < 20 else 131
    for number, (ply, game) in enumerate(sampled(rules, 3, every)):
        for seat in range(rules.players):
            view = view_of(game, seat)
            other = redeal(rules, view, generator)
            assert different_fields(view, view_of(other, seat)) == [], (ply, seat)
            assert view.tobytes() == view_of(other, seat).tobytes()
            if seat == game.to_act:
                assert (other.mask == game.mask).all(), (ply, seat)
            if (number + seat) % rules.players == 0:
                assert invariants(rules, other.state) == [], (ply, seat)
            if number % 10 == seat:
                play_on(other, ply)
                assert other.over
                assert invariants(rules, other.state) == [], (ply, seat)


def test_the_same_generator_gives_the_same_game() -> None:
    view = view_of(find(MINI, Decision.FLOOR), 1)
    one, other = redeal(MINI, view, 5), redeal(MINI, view, new_generator(5))
    assert (one.state == other.state).all()
    assert (one.state != redeal(MINI, view, 6).state).all()


def test_the_generator_goes_on() -> None:
    view, generator = view_of(find(MINI, Decision.FLOOR), 1), new_generator(5)
    seeds = {int(redeal(MINI, view, generator).state["seed"][0]) for _ in range(20)}
    assert len(seeds) == 20


def test_hidden_cards_change() -> None:
    rules = Rules.of("amigo", 4)
    game = find(rules, Decision.FLOOR)
    view, true = view_of(game, 2), game.state[0]
    for seed in range(5):
        state = redeal(rules, view, seed).state[0]
        assert (state.hand[2] == true.hand[2]).all()
        assert (state.hand[1] != true.hand[1]).any()
        assert (state.deck != true.deck).any()


def test_a_view_that_cannot_be_is_refused() -> None:
    view = view_of(find(MINI, Decision.FLOOR), 1)
    view["deck_size"] += 1
    with pytest.raises(ValueError, match="no game of these rules has this view"):
        redeal(MINI, view, 0)


def test_uncompiled_games_are_the_same() -> None:
    script = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "import test_redeal; print(test_redeal.some_hidden_cards())"
    )
    result = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=os.path.dirname(os.path.dirname(__file__)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout.strip() == str(some_hidden_cards())


def some_hidden_cards() -> list[list[int]]:
    """Cards and seeds of games re-dealt from every third view of a game."""
    generator, found = new_generator(11), []
    for ply, game in enumerate(play(MINI, 4)):
        if ply % 3 == 0:
            state = redeal(MINI, view_of(game, ply % MINI.players), generator).state[0]
            found.append([*state.hand.ravel().tolist(), *state.deck.tolist(), int(state.seed)])
    return found


# The distribution of the cards ---------------------------------------------------------------


def arrangements(hidden: list[int], sizes: list[int]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """All contents of places in hands, by bean; ``hidden`` is what may lie in them."""
    if not sizes:
        yield ()
        return

    def fill(left: list[int], places: int) -> Iterator[tuple[tuple[int, ...], list[int]]]:
        if places == 0:
            yield (), left
            return
        for bean, count in enumerate(left):
            if count:
                rest = [n - (b == bean) for b, n in enumerate(left)]
                for cards, after in fill(rest, places - 1):
                    yield (bean, *cards), after

    for first, rest in fill(hidden, sizes[0]):
        for others in arrangements(rest, sizes[1:]):
            yield (first, *others)


def giver_has_choice(game, hand: tuple[int, ...], beans: int) -> bool:
    given = game.offer if game.to_act == game.proposer else game.request
    for bean in range(beans):
        up = int(game.face_up_beans[bean]) if game.to_act == game.active else 0
        in_hand = hand.count(bean)
        if given[bean] and in_hand and in_hand + up > given[bean]:
            return True
    return False


def expected_shares(rules: Rules, game: Game, seat: int) -> dict:
    """Hands of the others -> probability under the documented target, by enumeration."""
    g, beans = game.state[0], len(rules.beans)
    others = [s for s in range(rules.players) if s != seat]
    hidden = g.hand_beans[others].sum(axis=0)[:beans].astype(int)
    hidden += np.bincount(g.deck[: g.deck_size], minlength=beans)
    in_deck_most = g.deck_at_shuffle[:beans].astype(int) - g.turned_up[:beans]
    olds = {s: max(0, int(g.hand_size[s]) - int(g.drawn_since[s])) for s in range(rules.players)}
    old_most = np.array(list(rules.beans.values())) - g.deck_at_shuffle[:beans]
    old_most -= np.bincount(g.hand[seat, : olds[seat]], minlength=beans)
    weights: dict = {}
    for hands in arrangements(hidden.tolist(), [int(g.hand_size[s]) for s in others]):
        deck = hidden - np.bincount([c for hand in hands for c in hand], minlength=beans)
        old = [c for s, hand in zip(others, hands, strict=True) for c in hand[: olds[s]]]
        by_seat = dict(zip(others, hands, strict=True))
        if (
            (deck <= in_deck_most).all()
            and (np.bincount(old, minlength=beans) <= old_most).all()
            and all(h.count(b) >= g.known[s, b] for s, h in by_seat.items() for b in range(beans))
            and not (
                game.decision == Decision.GIVE
                and game.to_act != seat
                and not giver_has_choice(g, by_seat[game.to_act], beans)
            )
        ):
            orders = factorial(int(deck.sum()))
            for count in deck:
                orders //= factorial(int(count))
            weights[hands] = orders
    total = sum(weights.values())
    return {hands: weight / total for hands, weight in weights.items()}


# Few enough cards for all hidden hands to be counted.
FEW = Rules.of("mini", 3, beans={"soy": 8, "red": 8, "garden": 6}, draw=("active", 3))


def find_open_position(decision: Decision, condition) -> tuple[Game, int, dict]:
    """A game, a seat that neither decides nor is active, and what it should expect."""
    for seed in range(100):
        for game in play(FEW, seed):
            state = game.state[0]
            if game.decision != decision or state.deck_size < 2 or not condition(state):
                continue
            seat = next(s for s in range(3) if s not in (game.to_act, state.active))
            if 4 <= state.hand_size.sum() - state.hand_size[seat] <= 6:
                expected = expected_shares(FEW, game, seat)
                if len(expected) > 12:
                    return game.copy(), seat, expected
    raise AssertionError(f"no open position at {decision.text}")


CARD_CASES = [
    ("nothing known", Decision.PLANT, lambda g: g.turn == 0),
    (
        "cards known",
        Decision.FLOOR,
        lambda g: g.exhaustions == 0 and (g.known.sum(axis=1) > 0).sum() > 1,
    ),
    (
        "just after a shuffle",
        Decision.PLANT,
        lambda g: g.exhaustions == 1 and (g.hand_size > g.drawn_since).sum() > 1,
    ),
    (
        "known after a shuffle",
        Decision.RESPOND,
        lambda g: g.exhaustions == 1 and g.known.sum() > 1,
    ),
    ("a giver", Decision.GIVE, lambda g: g.exhaustions == 0),
    ("a giver after a shuffle", Decision.GIVE, lambda g: g.exhaustions == 1),
]


@pytest.mark.parametrize(
    ("decision", "condition"),
    [case[1:] for case in CARD_CASES],
    ids=[case[0] for case in CARD_CASES],
)
def test_hands_come_as_often_as_they_should(decision: Decision, condition) -> None:
    game, seat, expected = find_open_position(decision, condition)
    others = [s for s in range(3) if s != seat]
    sizes = [int(n) for n in game.state["hand_size"][0]]
    view, generator, found, trials = view_of(game, seat), new_generator(1), Counter(), 3000
    for _ in range(trials):
        hands = redeal(FEW, view, generator).state["hand"][0]
        found[tuple(tuple(hands[s, : sizes[s]].tolist()) for s in others)] += 1
    assert set(found) <= set(expected)
    # Half the sum of differences; what pure chance would make of it, and 1.5 % for the mixing.
    distance = sum(abs(found[h] / trials - p) for h, p in expected.items()) / 2
    chance = sum(sqrt(2 / np.pi * p * (1 - p) / trials) for p in expected.values()) / 2
    assert distance < 1.25 * chance + 0.015


# What others have chosen unseen --------------------------------------------------------------

STAGED = Rules.of("amigo", 4)


def drawn(game: Game, seat: int, trials: int = 200) -> list:
    view, generator = view_of(game, seat), new_generator(2)
    return [redeal(game.rules, view, generator).state[0] for _ in range(trials)]


def test_the_draft_of_another_seat_is_open() -> None:
    game = find(STAGED, Decision.COMPOSE, lambda g: g.to_act == g.active and not g.countering)
    seat = (game.to_act + 1) % 4
    states = drawn(game, seat)
    recipients = Counter(int(s.draft_recipient) for s in states)
    assert set(recipients) == {*range(4), TABLE} - {game.to_act}
    assert min(recipients.values()) > 20
    sizes = Counter(int(s.draft_offer.sum() + s.draft_request.sum()) for s in states)
    assert sizes[0] > 60
    assert sizes[1] > 25
    assert max(sizes) > 2


def test_a_counter_goes_back_to_the_proposer() -> None:
    game = find(STAGED, Decision.COMPOSE, lambda g: g.countering == 1)
    state = game.state[0]
    seat = next(s for s in range(4) if s != game.to_act)
    proposer = int(state.settled_proposer[state.settled_count - 1])
    assert {int(s.draft_recipient) for s in drawn(game, seat)} == {proposer}


def test_answers_that_nobody_has_seen_are_open() -> None:
    game = find(
        STAGED,
        Decision.RESPOND,
        lambda g: g.recipient == TABLE and (g.pending_answers > 0).sum() == 2,
    )
    first, second, last = ((int(game.state["proposer"][0]) + k) % 4 for k in (1, 2, 3))
    own = int(game.state["pending_answers"][0, first])
    states = drawn(game, first)
    assert {int(s.pending_answers[first]) for s in states} == {own}
    answers = Counter(int(s.pending_answers[second]) for s in states)
    assert set(answers) <= {Answer.ACCEPT, Answer.REJECT}
    assert answers[Answer.REJECT] > 60
    assert {int(s.pending_answers[last]) for s in states} == {Answer.NONE}


def test_copies_of_others_are_open_and_own_ones_kept() -> None:
    def both_have_chosen(g) -> bool:
        return g.give_side == 1 and (g.chosen_hand[1] > 0).any()

    game = find(STAGED, Decision.GIVE, both_have_chosen)
    state = game.state[0]
    proposer, partner = int(state.proposer), int(state.partner)
    for one in drawn(game, partner):
        assert (one.chosen_hand[1] == state.chosen_hand[1]).all()
    for one in drawn(game, proposer):
        assert (one.chosen_hand[0] == state.chosen_hand[0]).all()
    watcher = next(s for s in range(4) if s not in (proposer, partner))
    assert len({one.chosen_hand.tobytes() for one in drawn(game, watcher)}) > 3


def test_what_is_no_view_is_refused() -> None:
    view = view_of(Game(Rules.of("mini", 3), 1), 2)
    for wrong in (None, view[0], np.zeros(1, np.int64), np.concatenate([view, view])):
        with pytest.raises(TypeError, match="view"):
            redeal(MINI, wrong, 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no game of these rules"):
        redeal(Rules.of("mini", 2), view, 1)
