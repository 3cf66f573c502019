"""What everybody can work out about a hand from public events (RULES §9)."""

from __future__ import annotations

from .compilation import compiled

__all__ = ["hand_card_left", "shown_to_hold"]


@compiled
def shown_to_hold(game, seat, bean, amount):
    """``seat`` has shown that it can give ``amount`` of a bean, face-up cards counted."""
    in_hand = int(amount)
    if seat == game.active:
        in_hand -= int(game.face_up_beans[bean])
    if in_hand > game.known[seat, bean]:
        game.known[seat, bean] = in_hand


@compiled
def hand_card_left(game, seat, bean):
    """A card has left the hand of ``seat`` for all to see."""
    if game.known[seat, bean] > 0:
        game.known[seat, bean] -= 1
