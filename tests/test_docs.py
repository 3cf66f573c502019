"""Generated documents are what the code says."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from bohnanza_env.actions import ActionSpace
from bohnanza_env.docs import DOCUMENTS, main
from bohnanza_env.engine.rules import Rules
from bohnanza_env.observation import ObservationLayout

DOCS = Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_is_up_to_date(name):
    assert (DOCS / name).read_text(encoding="utf-8") == DOCUMENTS[name](), (
        "run python -m bohnanza_env.docs"
    )


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_is_the_same_each_time(name):
    assert DOCUMENTS[name]() == DOCUMENTS[name]()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_tables_have_whole_rows(name):
    rows = [line for line in DOCUMENTS[name]().splitlines() if line.startswith("|")]
    for before, row in pairwise(rows):
        if before.startswith("|---"):
            assert row.count("|") == before.count("|")


def test_observation_table_lists_every_piece_with_its_range():
    text = DOCUMENTS["observation.md"]()
    for options in ({}, {"protocol": "compact"}):
        for piece in ObservationLayout.of(Rules.of("amigo", 4, **options)).pieces:
            index = f"{piece.start}–{piece.stop - 1}" if piece.size > 1 else f"{piece.start}"
            assert f"| {index} | `{piece.name}` |" in text


def test_action_table_lists_every_block_with_its_range():
    text = DOCUMENTS["actions.md"]()
    for rules in (Rules.of("amigo", 4), Rules.of("duel", 2)):
        for block in ActionSpace.of(rules).blocks:
            index = f"{block.start}–{block.stop - 1}" if block.size > 1 else f"{block.start}"
            assert f"| {index} | `{block.name}` |" in text


def test_check_tells_what_is_out_of_date(tmp_path, capsys):
    assert main(["--check"], tmp_path) == 1
    assert "observation.md is out of date" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(DOCUMENTS)
    assert main([], tmp_path / "missing") == 2
