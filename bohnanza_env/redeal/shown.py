"""What the view shows goes into the new game as it is."""

from __future__ import annotations

from typing import Any

from bohnanza_env.engine.compilation import compiled
from bohnanza_env.engine.decisions import Decision, Stage
from bohnanza_env.engine.random import next_word
from bohnanza_env.view import copy_public

__all__ = ["copy_own", "fill_coins", "fill_discard", "fill_hidden_numbers", "fill_private"]

_GIVE, _DECIDE = int(Decision.GIVE), int(Stage.DECIDE)


@compiled
def copy_own(view: Any, game: Any) -> None:
    """The public fields and the own hand; other hands and the deck are emptied."""
    copy_public(game, view)
    seat = view.seat
    game.hand[:, :] = -1
    game.hand_beans[:, :] = 0
    game.deck[:] = -1
    for i in range(len(view.hand)):
        game.hand[seat, i] = view.hand[i]
    for bean in range(len(view.hand_beans)):
        game.hand_beans[seat, bean] = view.hand_beans[bean]


@compiled
def fill_discard(rules: Any, view: Any, game: Any) -> None:
    """In a duel as it lies, else in table order."""
    if rules.duel != 0:
        for i in range(len(game.discard)):
            game.discard[i] = view.discard[i]
        return
    game.discard[:] = -1
    place = 0
    for bean in range(rules.beans):
        for _ in range(game.discard_beans[bean]):
            game.discard[place] = bean
            place += 1


@compiled
def fill_coins(rules: Any, view: Any, game: Any) -> None:
    """The coins that could pay lie on top, the others below in table order."""
    game.coin_stack[:, :] = -1
    for seat in range(rules.players):
        place = 0
        for bean in range(rules.beans):
            below = int(game.coin_beans[seat, bean])
            for i in range(rules.field_price):
                if view.coin_top[seat, i] == bean:
                    below -= 1
            for _ in range(below):
                game.coin_stack[seat, place] = bean
                place += 1
        for i in range(rules.field_price):
            if view.coin_top[seat, i] >= 0:
                game.coin_stack[seat, place] = view.coin_top[seat, i]
                place += 1


@compiled
def fill_private(view: Any, game: Any) -> None:
    """The own draft, answer and copies; those of others are cleared."""
    game.draft_recipient = view.draft_recipient
    for bean in range(len(game.draft_offer)):
        game.draft_offer[bean] = view.draft_offer[bean]
        game.draft_request[bean] = view.draft_request[bean]
    game.pending_answers[:] = 0
    game.pending_answers[view.seat] = view.own_answer
    game.give_side = 0
    game.give_bean = max(0, view.give_bean)
    game.give_taken = view.give_taken
    game.give_from = view.give_from
    game.chosen_hand[:, :] = 0
    side = 0 if game.proposer == view.seat else 1
    for i in range(len(view.chosen_hand)):
        game.chosen_hand[side, i] = view.chosen_hand[i]
    for i in range(len(view.chosen_face_up)):
        game.chosen_face_up[i] = view.chosen_face_up[i]
    if game.decision == _GIVE and game.to_act != game.proposer:
        game.give_side = 1


@compiled
def fill_hidden_numbers(game: Any, generator: Any) -> None:
    """A fresh seed; the number of shuffles follows from what all can see."""
    game.seed = (next_word(generator) << 32) | next_word(generator)
    game.shuffles = game.exhaustions + (1 if game.deck_size > 0 else 0)
    game.generator[:] = 0
    game.stage = _DECIDE
