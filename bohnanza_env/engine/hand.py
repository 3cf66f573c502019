"""The ordered hand (R5): new cards go to the back, gaps close, nothing else moves."""

from __future__ import annotations

from .compilation import compiled
from .knowledge import hand_card_left

__all__ = ["put_at_back", "take_from_hand"]


@compiled
def put_at_back(game, seat, bean):
    """A card joins the hand."""
    size = int(game.hand_size[seat])
    game.hand[seat, size] = bean
    game.hand_beans[seat, bean] += 1
    game.hand_size[seat] = size + 1


@compiled
def take_from_hand(game, seat, position):
    """The card at ``position`` leaves the hand, for all to see; returns its bean."""
    size = int(game.hand_size[seat]) - 1
    bean = int(game.hand[seat, position])
    for i in range(position, size):
        game.hand[seat, i] = game.hand[seat, i + 1]
    game.hand[seat, size] = -1
    game.hand_size[seat] = size
    game.hand_beans[seat, bean] -= 1
    hand_card_left(game, seat, bean)
    return bean
