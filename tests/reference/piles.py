"""The deck and the discard pile: taking cards, exhaustion, shuffling."""

from collections import Counter
from collections.abc import Callable

from .cards import whole_deck
from .state import GameState


def note_new_deck(game: GameState) -> None:
    """Section 9: what everybody knows about a deck that has just been shuffled."""
    counts = Counter(game.deck)
    game.deck_at_shuffle = {bean: counts[bean] for bean in game.rules["beans"]}
    game.turned_up = dict.fromkeys(game.rules["beans"], 0)
    game.drawn_since = [0] * game.rules["players"]


def deal_first_hands(game: GameState) -> None:
    """R3: the whole deck is shuffled, and hands are dealt whole, clockwise from the start."""
    game.deck = list(game.shuffle(game.shuffles, whole_deck(game.rules["beans"])))
    game.shuffles += 1
    note_new_deck(game)
    for seat, size in zip(game.clockwise_from(game.start), game.rules["first_hands"], strict=True):
        hand, game.deck = game.deck[:size], game.deck[size:]
        game.players[seat].hand = hand
        game.drawn_since[seat] += size
        game.record("deal", player=seat, beans=list(hand))


def reshuffle(game: GameState) -> None:
    """R19: the discard pile, as it is now, becomes the deck."""
    game.deck = list(game.shuffle(game.shuffles, list(game.discard)))
    game.discard = []
    game.shuffles += 1
    note_new_deck(game)
    game.record("reshuffle", exhaustions=game.exhaustions, deck=list(game.deck))


def take_cards(game: GameState, wanted: int, deliver: Callable[[list[str]], None]) -> None:
    """R19, R20, R21: take cards from the deck one at a time, as many as can be had.

    `deliver` gets the cards: once for each stretch that no shuffle interrupts, and once with no
    cards where not even the first could be had.
    """
    taken = 0
    stretch: list[str] = []
    while taken < wanted and not game.final_reached:
        if not game.deck and not game.discard:
            game.stopped = True
            break
        if not game.deck:
            reshuffle(game)  # R20: late, for the same exhaustion
        stretch.append(game.deck.pop(0))
        taken += 1
        if not game.deck:
            game.exhaustions += 1
            if not game.final_reached and game.discard:
                deliver(stretch)
                stretch = []
                reshuffle(game)
    if stretch or taken == 0:
        deliver(stretch)


def draw_to_hand(game: GameState, seat: int, wanted: int) -> None:
    """R13: cards go to the back of the hand in the order drawn (R5)."""

    def deliver(beans: list[str]) -> None:
        game.players[seat].hand.extend(beans)
        game.drawn_since[seat] += len(beans)
        game.record("draw", player=seat, beans=list(beans))

    take_cards(game, wanted, deliver)


def turn_up(game: GameState, wanted: int) -> list[str]:
    """R9: cards are turned up and never enter a hand; returns those turned up."""
    shown: list[str] = []

    def deliver(beans: list[str]) -> None:
        shown.extend(beans)
        game.face_up.extend(beans)
        for bean in beans:
            game.turned_up[bean] += 1
        game.record("reveal", beans=list(beans))

    take_cards(game, wanted, deliver)
    return shown
