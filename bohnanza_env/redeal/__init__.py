"""Other games that look the same to one seat: sampling what its view leaves open (DESIGN §2).

What is sampled, and how
------------------------

*Cards.* Hidden cards are those in no place that the view shows. They lie in the deck and in the
other hands. An arrangement of them, by bean, is consistent with the view when

a. every hand and the deck have their size, and each hand holds what it is publicly known to hold
   (``known``; this covers a standing offer, an acceptance and those who may be chosen);
b. the deck's beans are among N = ``deck_at_shuffle`` - ``turned_up``: cards of the deck at the last
   shuffle that were not turned up since;
c. the first ``hand_size`` - ``drawn_since`` cards of a hand (where that is more than 0) are cards
   that were not in the deck at the last shuffle: new cards go to the back. There are at most
   ``bean_cards`` - ``deck_at_shuffle`` of these, less those at the front of the own hand;
d. another seat that is asked which copies it gives has a choice (R32).

The target is the uniform distribution over all consistent arrangements (the order inside each hand
and of the deck counts, copies of a bean do not). Without known cards and before the first reshuffle
a shuffle of the hidden cards is exactly that. Else a first consistent arrangement (what must lie
somewhere is put there, the rest is shuffled) is mixed by random exchanges of two cards, eight for
each card in another hand. An exchange that would break a condition is not made, which leaves the
target distribution unchanged; the deck's order and that inside the front and the back part of each
hand are exactly uniform again in the end.

*Approximations.* (1) The number of exchanges is finite, and where conditions are very tight two
consistent arrangements may not be connected by exchanges of two cards. (2) Of the cards that (c)
says nothing about, it is not used that old ones lie before new ones. (3) Condition (c) may be
missed where 64 exchanges a card did not reach it; no view shows it. (a), (b) and (d) always hold.
(4) How the others have played is not used as evidence, nor is the list of events beyond
what the view's summaries hold of it.

*The rest*, given the cards: another seat's draft goes to a uniformly drawn possible recipient and
is what a geometric number (mean 1) of uniformly drawn legal additions makes; a hidden answer to a
table proposal is an acceptance with probability 1/2 where it could be one; copies that another
giver has chosen are drawn step by step, uniformly among legal ones, up to a uniformly drawn one of
the choices that this seat meets. The seed of future shuffles is 64 fresh random bits. Orders that
no rule reads (the discard pile outside a duel, coins that cannot pay for a field) are arbitrary.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.game import Game
from bohnanza_env.engine.random import generator_of
from bohnanza_env.engine.rules import Rules
from bohnanza_env.engine.rules_record import RULES_DTYPE, rules_array
from bohnanza_env.engine.state import GAME_DTYPE
from bohnanza_env.view import VIEW_DTYPE

from .cards import sample_cards
from .choices import sample_choices
from .conditions import WORK_DTYPE
from .shown import copy_own, fill_coins, fill_discard, fill_hidden_numbers, fill_private

__all__ = ["redeal", "redeal_kernel", "write_redeal"]


@compiled(allocates=True)
def write_redeal(rules: Any, view: Any, game: Any, generator: Any, mask: Any) -> bool:
    """Overwrite ``game`` with a game of which ``view`` is a view.

    Args:
        rules: a record.
        view: a record.
        game: a record; all of it is written, whatever it held.
        generator: four words (``engine.random``), the caller's own; it goes on.
        mask: int8, one for each action; left with unspecified contents.

    Returns:
        False where no game has this view; ``game`` is then unspecified.
    """
    work = np.zeros(1, WORK_DTYPE)[0]
    copy_own(view, game)
    fill_discard(rules, view, game)
    fill_coins(rules, view, game)
    fill_private(view, game)
    fill_hidden_numbers(game, generator)
    if not sample_cards(rules, view, game, work, generator):
        return False
    sample_choices(rules, view, game, work, generator, mask)
    return True


@compiled
def redeal_kernel(
    rules_bytes: Any, view_bytes: Any, game_bytes: Any, generator: Any, mask: Any
) -> bool:
    """``write_redeal`` from Python (byte arrays, see ``engine.kernels``)."""
    rules, view = rules_bytes.view(RULES_DTYPE)[0], view_bytes.view(VIEW_DTYPE)[0]
    return write_redeal(rules, view, game_bytes.view(GAME_DTYPE)[0], generator, mask)


def redeal(rules: Rules, view: np.ndarray, generator: np.ndarray | int) -> Game:
    """A game that one seat cannot tell from the one it sees; see the head of this module.

    Args:
        rules: the rules of the game.
        view: from ``view_of``; shape (1,), dtype ``VIEW_DTYPE``.
        generator: four words from ``engine.random.new_generator``, which go on, or a seed.

    Raises:
        ValueError: no game of these rules has this view.
        TypeError: not a view, or neither a generator nor a seed.
    """
    if not isinstance(view, np.ndarray) or view.dtype != VIEW_DTYPE or view.shape != (1,):
        raise TypeError("view: expected an array of shape (1,) and dtype VIEW_DTYPE")
    if not 0 <= view["seat"][0] < rules.players:
        raise ValueError("redeal: no game of these rules has this view")
    state = np.zeros(1, GAME_DTYPE)
    possible = redeal_kernel(
        rules_array(rules).view(np.uint8),
        np.ascontiguousarray(view).view(np.uint8),
        state.view(np.uint8),
        generator_of(generator),
        np.zeros(rules_array(rules)["actions"][0], np.int8),
    )
    if not possible:
        raise ValueError("redeal: no game of these rules has this view")
    return Game.from_state(rules, state)
