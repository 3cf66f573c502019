"""The rule index speaks of every rule, and every rule is tested."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bohnanza_env.docs import DOCUMENTS
from bohnanza_env.docs_rules import DECISIONS, READINGS, SECTIONS, coverage

TESTS = Path(__file__).parent
RULES = range(1, 37)


def test_every_rule_has_its_sentence_in_order():
    listed = [rule for rules in SECTIONS.values() for rule in rules]
    assert listed == list(RULES)
    for rules in SECTIONS.values():
        for sentence in rules.values():
            assert sentence.endswith(".")
            assert "  " not in sentence


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_tested(rule: int):
    tests, cases = coverage().get(rule, ([], []))
    assert tests or cases, f"no test has r{rule} in its name and no case lists R{rule}"


def test_no_other_rules_are_named():
    assert set(coverage()) <= set(RULES)
    assert {rule for rule, _ in READINGS} | set(DECISIONS) <= set(RULES)


def test_numbers_are_found_in_names_and_cases(tmp_path: Path):
    (tmp_path / "cases" / "deep").mkdir(parents=True)
    (tmp_path / "test_one.py").write_text(
        "def test_r7_and_r12_meet(): ...\n\n\nclass A:\n    def test_with_r8(self): ...\n"
        "\n\ndef helper_r9(): ...\ndef test_r2d2_for10_or11(): ...\n"
    )
    case = tmp_path / "cases" / "deep" / "a.json"
    case.write_text(json.dumps({"rules": ["R7", "R30", "E1"]}))
    found = coverage(tmp_path)
    assert {rule: (len(tests), len(cases)) for rule, (tests, cases) in found.items()} == {
        7: (1, 1),
        8: (1, 0),
        12: (1, 0),
        30: (0, 1),
    }


def test_the_document_links_to_files_that_exist():
    text = DOCUMENTS["rules.md"]()
    links = [part.split(")")[0] for part in text.split("](")[1:]]
    assert len(links) > len(RULES)
    for link in links:
        assert (TESTS.parent / "docs" / link).is_file(), link


def test_every_choice_and_reading_is_in_the_document():
    text = DOCUMENTS["rules.md"]()
    for sentence in [*DECISIONS.values(), *(reading for _, reading in READINGS)]:
        assert sentence in text
