"""The table as text: what it shows, what it must not show, and that it never fails."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from bohnanza_env import Game, Rules
from bohnanza_env.engine.decisions import Decision
from bohnanza_env.redeal import redeal
from bohnanza_env.render.text import OPEN, WIDTH, render_game, render_public, render_view
from bohnanza_env.view import view_of

TABLES = [Rules.of("amigo", 3), Rules.of("duel", 2), Rules.of("rio_grande", 4, protocol="compact")]
OFTEN = 6  # decisions of each kind that are drawn


def positions(rules: Rules, seed: int = 0):
    """Positions of random games: each kind of decision some times, and the end."""
    rng = np.random.default_rng(seed)
    seen: Counter = Counter()
    for deal in range(3):
        game = Game(rules, deal)
        while not game.over:
            seen[game.decision] += 1
            if seen[game.decision] <= OFTEN:
                yield game
            game.step(int(rng.choice(game.legal_actions())))
        yield game


@pytest.mark.parametrize("rules", TABLES, ids=lambda r: r.edition)
def test_every_decision_can_be_drawn_for_everybody(rules):
    decisions = set()
    for game in positions(rules):
        decisions.add(game.decision)
        for seat in (None, OPEN, *range(rules.players)):
            lines = render_game(game, seat, game.mask).splitlines()
            assert max(map(len, lines)) <= WIDTH
            assert all(line.isprintable() and "\xa0" not in line for line in lines)
            if not game.over:
                assert f"decision: player_{game.to_act}, {game.decision.text}" in "\n".join(lines)
    if rules.edition == "amigo":
        assert len(decisions) == 9
    if rules.duel:
        assert {Decision.OFFER_IN, Decision.DISCARD, Decision.FACEUP} <= decisions


@pytest.mark.parametrize("rules", TABLES, ids=lambda r: r.edition)
def test_nothing_hidden_is_shown(rules):
    """A table whose hidden cards lie otherwise looks the same."""
    changed = 0
    for number, game in enumerate(positions(rules, seed=1)):
        for seat in range(rules.players):
            other = redeal(rules, view_of(game, seat), number)
            changed += bool((other.state["hand"] != game.state["hand"]).any())
            assert render_game(other, seat, other.mask) == render_game(game, seat, game.mask)
            # A spectator knows less than any seat, and a player's draft and answer are not known.
            assert render_game(other, None, other.mask) == render_game(game, None, game.mask)
    assert changed > 20


def test_the_public_table_is_the_same_whoevers_view_it_is_drawn_from():
    for game in positions(TABLES[0]):
        texts = {render_public(game.rules, view_of(game, seat)) for seat in range(3)}
        assert len(texts) == 1
        assert "front first" not in texts.pop()


def test_only_the_decider_sees_what_is_legal():
    game = Game(Rules.of("amigo", 4), 3)
    assert "legal: " in render_game(game, 0, game.mask)
    assert "legal: " in render_game(game, OPEN, game.mask)
    for seat in (None, 1, 2, 3):
        assert "legal: " not in render_game(game, seat, game.mask)


def test_the_text_says_what_the_table_shows():
    game = Game(Rules.of("amigo", 4), 1)
    record = game.state[0]
    record.field_bean[2, 1], record.field_count[2, 1] = 0, 5
    record.coins[2] = 7
    record.set_aside[1, 3] = 2
    record.known[3, 4] = 1
    lines = render_view(game.rules, view_of(game, 0), game.mask).splitlines()
    assert lines[0] == "Bohnanza · amigo, 4 players · turn 1"
    assert lines[1] == "deck 84 · discard pile 0 · exhaustions 0 (the game ends at the 3rd)"
    hand = ", ".join(game.rules.bean_names[b] for b in record.hand[0, :5])
    assert f"    hand, front first: {hand}" in lines
    assert "    field 1:  5 blue        1 coin, 2 at 6" in lines
    assert "    set aside: 2 green" in lines
    assert "    known in hand: 1 soy" in lines
    assert any(line.startswith("player_0 [active, decides, start, you]") for line in lines)
    assert any(line.startswith("player_2 ") and "coins 7 · hand 5" in line for line in lines)
    assert lines[-2] == "decision: player_0, plant (0 planted in this turn)"


def test_proposals_are_spelt_out():
    game = Game(Rules.of("amigo", 4), 1)
    space_text = {text: i for i, text in enumerate(_texts(game))}
    game.step(game.legal_actions()[0])
    game.step(space_text["pass"])
    game.step(space_text["propose 2"])
    bean = next(
        i for i in game.legal_actions() if i < len(space_text) and "offer" in _texts(game)[i]
    )
    game.step(int(bean))
    name = _texts(game)[bean].split()[1]
    draft = f"draft: player_0 to player_2, 1 {name} for nothing"
    assert draft in render_game(game, 0)
    assert draft in render_game(game, OPEN)
    assert "draft" not in render_game(game, 2)
    assert "draft" not in render_game(game)
    game.step(space_text["submit"])
    assert f"proposal: player_0 to player_2, 1 {name} for nothing" in render_game(game)
    game.step(space_text["reject"])
    assert f"player_0 to player_2, 1 {name} for nothing: player_2 reject" in render_game(game, 3)


def _texts(game: Game) -> list[str]:
    from bohnanza_env.actions import ActionSpace

    space = ActionSpace.of(game.rules)
    return [space.text(i, max(game.to_act, 0)) for i in range(space.size)]
