"""A view shows what RULES §9 lists, and nothing that §9 calls hidden."""

import numpy as np
import pytest
from weighted_play import ALL_RULES, find, play, rules_name

from bohnanza_env.engine.decisions import Answer, Decision
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.state import NOBODY, PUBLIC_FIELDS, TABLE
from bohnanza_env.view import view_of

AMIGO = Rules.of("amigo", 4)
CLASSIC = Rules.of("classic", 4)
DUEL = Rules.of("duel", 2)


def different_fields(game: Game, other: Game, seat: int) -> list[str]:
    """Names of the fields in which a seat's views of two games differ by any byte."""
    one, two = view_of(game, seat), view_of(other, seat)
    return [name for name in one.dtype.names if one[name].tobytes() != two[name].tobytes()]


def changed(game: Game, change, *arguments) -> Game:
    other = game.copy()
    change(other.state[0], *arguments)
    return other


# What a seat may see or remember: two games that differ in just that. ``s`` is the seat.


def set_field(name, value, index=()):
    def change(g, s):
        at = index(g, s) if callable(index) else index
        if at == ():
            setattr(g, name, value if not callable(value) else value(getattr(g, name)))
        else:
            g[name][at] = value if not callable(value) else value(g[name][at])

    return change


def plus_one(number):
    return number + 1


def other_flag(flag):
    return 1 - flag


def swap_hand_ends(g, s):
    last = int(g.hand_size[s]) - 1
    g.hand[s, 0], g.hand[s, last] = int(g.hand[s, last]), int(g.hand[s, 0])


def exchange_hand_bean(g, s):
    g.hand_beans[s, g.hand[s, 0]] -= 1
    g.hand[s, 0] = (g.hand[s, 0] + 1) % 8
    g.hand_beans[s, g.hand[s, 0]] += 1


def swap_top_coins(g, s):
    seat = int(np.argmax(g.coins))
    top = int(g.coins[seat]) - 1
    row = g.coin_stack[seat]
    row[top], row[top - 1] = int(row[top - 1]), int(row[top])


def swap_top_discards(g, s):
    top = int(g.discard_size) - 1
    g.discard[top], g.discard[top - 1] = int(g.discard[top - 1]), int(g.discard[top])


def any_game(g) -> bool:
    return g.turn > 3


def mixed_hand(g) -> bool:
    s = int(g.active)
    return g.hand_size[s] > 1 and g.hand[s, 0] != g.hand[s, g.hand_size[s] - 1]


def mixed_coins(g) -> bool:
    seat = int(np.argmax(g.coins))
    top = int(g.coins[seat]) - 1
    return g.coins[seat] > 1 and g.coin_stack[seat, top] != g.coin_stack[seat, top - 1]


def mixed_discards(g) -> bool:
    top = int(g.discard_size) - 1
    return g.discard_size > 3 and g.discard[top] != g.discard[top - 1]


PLANT, FLOOR, COMPOSE = Decision.PLANT, Decision.FLOOR, Decision.COMPOSE
RESPOND, GIVE, OVER = Decision.RESPOND, Decision.GIVE, Decision.OVER
OTHER = (3, 1)  # a seat that is not the one who looks, and a bean or field
SHOWN = [
    ("order of the own hand", AMIGO, PLANT, mixed_hand, swap_hand_ends),
    ("beans of the own hand", AMIGO, PLANT, any_game, exchange_hand_bean),
    ("bean of a field", AMIGO, PLANT, any_game, set_field("field_bean", plus_one, OTHER)),
    ("cards of a field", AMIGO, PLANT, any_game, set_field("field_count", plus_one, OTHER)),
    ("set-aside cards", AMIGO, FLOOR, any_game, set_field("set_aside", plus_one, OTHER)),
    ("coins", AMIGO, PLANT, any_game, set_field("coins", plus_one, 3)),
    ("beans of coins", AMIGO, PLANT, any_game, set_field("coin_beans", plus_one, OTHER)),
    ("order of coins that may pay", CLASSIC, PLANT, mixed_coins, swap_top_coins),
    ("hand sizes", AMIGO, PLANT, any_game, set_field("hand_size", plus_one, 3)),
    ("fields owned", CLASSIC, PLANT, any_game, set_field("field_slots", plus_one, 3)),
    ("fields gained", CLASSIC, PLANT, any_game, set_field("field_gained", other_flag, 3)),
    ("face-up cards", AMIGO, FLOOR, any_game, set_field("face_up", 7, 1)),
    ("face-up beans", DUEL, PLANT, any_game, set_field("face_up_beans", plus_one, 1)),
    ("deck size", AMIGO, PLANT, any_game, set_field("deck_size", plus_one)),
    ("exhaustions", AMIGO, PLANT, any_game, set_field("exhaustions", plus_one)),
    ("whether a phase 4 follows", AMIGO, PLANT, any_game, set_field("stopped", 1)),
    ("discard pile", AMIGO, PLANT, any_game, set_field("discard_beans", plus_one, 1)),
    ("size of the discard pile", AMIGO, PLANT, any_game, set_field("discard_size", plus_one)),
    ("order of a duel's discard pile", DUEL, PLANT, mixed_discards, swap_top_discards),
    ("a duel's offer", DUEL, PLANT, any_game, set_field("duel_offer", plus_one, 1)),
    ("coins that left the game", DUEL, PLANT, any_game, set_field("removed", plus_one, 1)),
    ("start seat", AMIGO, PLANT, any_game, set_field("start", plus_one)),
    ("turn", AMIGO, PLANT, any_game, set_field("turn", plus_one)),
    ("active seat", AMIGO, FLOOR, any_game, set_field("active", plus_one)),
    ("decision", AMIGO, PLANT, any_game, set_field("decision", FLOOR)),
    ("who decides", AMIGO, FLOOR, any_game, set_field("to_act", plus_one)),
    ("cards planted", AMIGO, PLANT, any_game, set_field("planted", other_flag)),
    ("proposer", AMIGO, RESPOND, any_game, set_field("proposer", plus_one)),
    ("recipient", AMIGO, RESPOND, any_game, set_field("recipient", 5)),
    ("partner", AMIGO, GIVE, any_game, set_field("partner", 5)),
    ("offered beans", AMIGO, RESPOND, any_game, set_field("offer", plus_one, 1)),
    ("requested beans", AMIGO, RESPOND, any_game, set_field("request", plus_one, 1)),
    ("that it counters", AMIGO, RESPOND, any_game, set_field("countering", other_flag)),
    ("answers", AMIGO, GIVE, any_game, set_field("answers", Answer.COUNTER, 3)),
    ("settled proposals", AMIGO, FLOOR, any_game, set_field("settled_count", plus_one)),
    ("settled proposer", AMIGO, FLOOR, any_game, set_field("settled_proposer", plus_one, 0)),
    ("settled recipient", AMIGO, FLOOR, any_game, set_field("settled_recipient", 5, 0)),
    ("settled partner", AMIGO, FLOOR, any_game, set_field("settled_partner", plus_one, 0)),
    ("settled counter", AMIGO, FLOOR, any_game, set_field("settled_counter", other_flag, 0)),
    ("settled answers", AMIGO, FLOOR, any_game, set_field("settled_answers", plus_one, (0, 1))),
    ("settled offer", AMIGO, FLOOR, any_game, set_field("settled_offer", plus_one, (0, 1))),
    ("settled request", AMIGO, FLOOR, any_game, set_field("settled_request", plus_one, (0, 1))),
    ("cards moved since", AMIGO, FLOOR, any_game, set_field("settled_fresh", plus_one)),
    ("proposals left", AMIGO, FLOOR, any_game, set_field("proposals_left", plus_one, 3)),
    ("a round was held", AMIGO, FLOOR, any_game, set_field("round_held", other_flag)),
    ("a round is under way", AMIGO, FLOOR, any_game, set_field("round_open", other_flag)),
    ("who has passed", AMIGO, FLOOR, any_game, set_field("passed", other_flag, 3)),
    ("own draft: recipient", AMIGO, COMPOSE, any_game, set_field("draft_recipient", 5)),
    ("own draft: offer", AMIGO, COMPOSE, any_game, set_field("draft_offer", plus_one, 1)),
    ("own draft: request", AMIGO, COMPOSE, any_game, set_field("draft_request", plus_one, 1)),
    ("own copies: bean", AMIGO, GIVE, any_game, set_field("give_bean", 8)),
    ("own copies: number", AMIGO, GIVE, any_game, set_field("give_taken", plus_one)),
    ("deck at the last shuffle", AMIGO, PLANT, any_game, set_field("deck_at_shuffle", 9, 1)),
    ("cards turned up since", AMIGO, PLANT, any_game, set_field("turned_up", 9, 1)),
    ("cards drawn since", AMIGO, PLANT, any_game, set_field("drawn_since", plus_one, 3)),
    ("cards known to be held", AMIGO, PLANT, any_game, set_field("known", plus_one, OTHER)),
    ("winners", AMIGO, OVER, any_game, set_field("winners", other_flag, 3)),
]


@pytest.mark.parametrize(
    ("rules", "decision", "condition", "change"),
    [case[1:] for case in SHOWN],
    ids=[case[0] for case in SHOWN],
)
def test_views_differ_in_what_is_known(rules, decision, condition, change) -> None:
    game = find(rules, decision, condition)
    seat = game.to_act if game.to_act != NOBODY else 0
    if decision == PLANT:
        assert seat == game.state["active"][0]
    other = changed(game, change, seat)
    assert len(different_fields(game, other, seat)) >= 1


def test_everybody_sees_every_public_field() -> None:
    game = find(AMIGO, FLOOR, any_game)
    for name, *_ in PUBLIC_FIELDS:
        other = game.copy()
        other.state.view(np.uint8)[:] = game.state.view(np.uint8)
        other.state[name] += 1
        for seat in range(4):
            assert different_fields(game, other, seat) == [name]


# What nobody may see -------------------------------------------------------------------------


def reorder_deck(g, s, rng):
    rng.shuffle(g.deck[: g.deck_size])


def exchange_other_hands_with_the_deck(g, s, rng):
    for seat in range(len(g.hand)):
        for i in range(g.hand_size[seat] if seat != s else 0):
            if g.deck_size:
                place = int(rng.integers(g.deck_size))
                g.hand[seat, i], g.deck[place] = int(g.deck[place]), int(g.hand[seat, i])
        if seat != s:
            g.hand_beans[seat] = np.bincount(
                g.hand[seat, : g.hand_size[seat]], minlength=g.hand_beans.shape[1]
            )


def change_generator(g, s, rng):
    g.seed = rng.integers(2**63)
    g.generator[:] = rng.integers(2**31, size=4)
    g.shuffles += 1


def reorder_piles_that_are_only_shuffled(g, s, rng):
    rng.shuffle(g.discard[: g.discard_size])


def change_draft(g, s, rng):
    if g.decision == COMPOSE and g.to_act != s:
        g.draft_recipient = rng.integers(TABLE + 1)
        g.draft_offer[:] = rng.integers(3, size=len(g.draft_offer))
        g.draft_request[:] = rng.integers(3, size=len(g.draft_request))


def change_pending_answers(g, s, rng):
    for seat in range(len(g.pending_answers)):
        if seat != s:
            g.pending_answers[seat] = rng.integers(3)


def change_copies(g, s, rng):
    own = {int(g.proposer): 0, int(g.partner): 1}.get(s, -1)
    for side in range(2):
        if side != own:
            g.chosen_hand[side] = rng.integers(2, size=len(g.chosen_hand[side]))
    if s != g.active:
        g.chosen_face_up[:] = rng.integers(2, size=len(g.chosen_face_up))
    if g.to_act != s:
        g.give_side, g.give_bean = rng.integers(2), rng.integers(8)
        g.give_taken, g.give_from = rng.integers(3), rng.integers(3)


HIDDEN = [
    reorder_deck,
    exchange_other_hands_with_the_deck,
    change_generator,
    change_draft,
    change_pending_answers,
    change_copies,
]


@pytest.mark.parametrize("rules", ALL_RULES[::5], ids=rules_name)
def test_hidden_things_do_not_show(rules: Rules) -> None:
    rng = np.random.default_rng(1)
    changes = HIDDEN if rules.duel else [*HIDDEN, reorder_piles_that_are_only_shuffled]
    every = 5 if rules.deck_size < 20 else 199
    for ply, game in enumerate(play(rules, seed=2)):
        rare = game.decision in (COMPOSE, RESPOND, GIVE) and ply % 47 == 0
        if ply % every == 0 or rare or game.over:
            for seat in range(rules.players):
                other = game.copy()
                for change in changes:
                    change(other.state[0], seat, rng)
                assert different_fields(game, other, seat) == [], (ply, seat)
                if seat == game.to_act:  # nor does what is legal
                    assert (Game.from_state(rules, other.state).mask == game.mask).all(), ply


def test_coins_that_cannot_pay_have_no_order() -> None:
    game = find(AMIGO, PLANT, mixed_coins)
    assert different_fields(game, changed(game, swap_top_coins, 0), 0) == []


def test_others_do_not_see_a_draft_or_the_choice_of_copies() -> None:
    game = find(AMIGO, COMPOSE, lambda g: g.draft_offer.any())
    view = view_of(game, (game.to_act + 1) % 4)
    assert view["draft_recipient"][0] == NOBODY
    assert not view["draft_offer"].any()
    assert not view["draft_request"].any()
    game = find(AMIGO, GIVE, lambda g: g.give_taken > 0)
    watcher = next(s for s in range(4) if s not in game.state[["proposer", "partner"]][0])
    view = view_of(game, watcher)
    assert view["give_bean"][0] == -1
    assert not view["chosen_hand"].any()


def test_only_the_seats_of_the_game_have_views() -> None:
    game = Game(AMIGO)
    for seat in (-1, 4):
        with pytest.raises(IndexError, match="expected 0 to 3"):
            view_of(game, seat)
