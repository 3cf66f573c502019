"""The guide for users: its Python runs, its tables are complete, its links lead somewhere."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from bohnanza_env.engine.decisions import Decision
from bohnanza_env.engine.rules import Rules
from bohnanza_env.rewards import REWARDS
from bohnanza_env.view import VIEW_DTYPE

DOCS = Path(__file__).resolve().parent.parent / "docs"
GUIDE = (DOCS / "guide.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    return re.split(r"^## ", GUIDE.split(f"\n## {title}\n")[1], flags=re.MULTILINE)[0]


def first_column(text: str) -> list[str]:
    return re.findall(r"^\| `(\w+)`", text, re.MULTILINE)


def anchors(text: str) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in titles}


def test_the_snippets_run_one_after_another(capsys: pytest.CaptureFixture) -> None:
    names: dict[str, object] = {"__name__": "guide"}
    found = list(re.finditer(r"```python\n(.*?)```", GUIDE, re.DOTALL))
    assert len(found) >= 9
    for match in found:
        line = GUIDE[: match.start(1)].count("\n")  # faults are reported with the guide's own lines
        source = "\n" * line + match[1]
        exec(compile(source, str(DOCS / "guide.md"), "exec"), names)
    assert "coins by seat" in capsys.readouterr().out


def test_the_table_of_rules_has_every_field() -> None:
    listed = first_column(section("Rules and editions"))
    assert listed == [field.name for field in fields(Rules)]


def test_the_table_of_decisions_has_every_decision() -> None:
    listed = first_column(section("Decisions"))
    assert listed == [decision.text for decision in Decision if decision is not Decision.OVER]


def test_the_table_of_rewards_has_every_reward() -> None:
    assert first_column(section("Rewards")) == list(REWARDS)


def test_fields_of_the_view_exist() -> None:
    known = VIEW_DTYPE.names or ()
    rows = re.findall(r"^\|.*\| (`.*`) \|$", section("Public and hidden"), re.MULTILINE)
    assert len(rows) == 12
    for name in re.findall(r"`(\w+\*?)`", " ".join(rows)):
        fits = [field for field in known if re.fullmatch(name.replace("*", r"\w+"), field)]
        assert fits, name


@pytest.mark.parametrize("document", ["guide.md", "formats.md"])
def test_links_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)]+)\)", (DOCS / document).read_text(encoding="utf-8"))
    assert links
    for link in links:
        file, _, anchor = link.partition("#")
        target = DOCS / (file or document)
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text(encoding="utf-8")), link
