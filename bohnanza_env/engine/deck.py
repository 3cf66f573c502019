"""The deck, the discard pile and the exhaustions (RULES §6)."""

from __future__ import annotations

from .compilation import compiled
from .decisions import Event
from .events import emit
from .random import seed_generator, shuffle

__all__ = [
    "after_card",
    "deck_is_final",
    "discard",
    "ready_to_draw",
    "shuffle_first_deck",
    "take_top",
]

_RESHUFFLE = int(Event.RESHUFFLE)


@compiled
def discard(game, bean):
    """A card goes on top of the discard pile."""
    game.discard[game.discard_size] = bean
    game.discard_beans[bean] += 1
    game.discard_size += 1


@compiled
def deck_is_final(rules, game):
    """Whether no phase 4 follows any more: the final exhaustion, or R20's end."""
    return game.stopped != 0 or game.exhaustions >= rules.final_exhaustion


@compiled
def _begin_shuffle(game):
    """Shuffle k is drawn from (seed, k), whatever happened before."""
    low = int(game.seed & 0xFFFFFFFF)
    high = int(game.seed >> 32)
    seed_generator(game.generator, low, high, game.shuffles)
    game.shuffles += 1


@compiled
def _note_deck(rules, game):
    """The new deck's beans are public; what followed from the old one is over."""
    for bean in range(rules.beans):
        game.deck_at_shuffle[bean] = 0
        game.turned_up[bean] = 0
    for i in range(game.deck_size):
        game.deck_at_shuffle[game.deck[i]] += 1
    for seat in range(rules.players):
        game.drawn_since[seat] = 0


@compiled
def shuffle_first_deck(rules, game):
    """The whole deck, in table order, is shuffled."""
    size = 0
    for bean in range(rules.beans):
        for _ in range(rules.bean_cards[bean]):
            game.deck[size] = bean
            size += 1
    game.deck_size = size
    _begin_shuffle(game)
    shuffle(game.generator, game.deck, size)
    _note_deck(rules, game)


@compiled
def _reshuffle(rules, game, log):
    """The discard pile becomes the deck (R19)."""
    size = int(game.discard_size)
    for i in range(size):
        game.deck[i] = game.discard[i]
        game.discard[i] = -1
    game.deck_size = size
    game.discard_size = 0
    for bean in range(rules.beans):
        game.discard_beans[bean] = 0
    _begin_shuffle(game)
    shuffle(game.generator, game.deck, size)
    _note_deck(rules, game)
    emit(game, log, _RESHUFFLE, -1, -1, -1, size, game.exhaustions, -1)


@compiled
def ready_to_draw(rules, game, log):
    """Whether there is a card to draw; where the piles are empty the game stops here (R20)."""
    if deck_is_final(rules, game):
        return False
    if game.deck_size > 0:
        return True
    if game.discard_size == 0:
        game.stopped = 1
        return False
    _reshuffle(rules, game, log)  # the exhaustion was counted when it happened
    return True


@compiled
def take_top(game):
    """The top card leaves the deck; the caller notes the event, then calls ``after_card``."""
    game.deck_size -= 1
    bean = int(game.deck[game.deck_size])
    game.deck[game.deck_size] = -1
    return bean


@compiled
def after_card(rules, game, log):
    """Exhaustion is noticed at the moment the last card is drawn (R19)."""
    if game.deck_size > 0:
        return
    game.exhaustions += 1
    if not deck_is_final(rules, game) and game.discard_size > 0:
        _reshuffle(rules, game, log)
