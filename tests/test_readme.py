"""What the README shows is run: its Python, its commands' names, its links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SNIPPETS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_readme_has_a_random_loop_and_a_training_snippet() -> None:
    assert len(SNIPPETS) == 2
    assert "agent_iter" in SNIPPETS[0]
    assert "MaskablePPO" in SNIPPETS[1]


@pytest.mark.parametrize("number", [0, 1])
def test_a_snippet_of_the_readme_runs(number: int, capsys: pytest.CaptureFixture) -> None:
    names: dict[str, object] = {}
    exec(compile(SNIPPETS[number], f"README.md, snippet {number + 1}", "exec"), names)
    if number == 0:
        scores = eval(capsys.readouterr().out)
        assert len(scores) == 4
        assert all(coins >= 0 for coins in scores)
    else:
        assert names["model"].num_timesteps >= 256  # type: ignore[attr-defined]


def test_links_and_places_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    places = re.findall(r"^\| `([^`]+)`(?:, `([^`]+)`)? \|", README, re.MULTILINE)
    assert links
    for link in links:
        assert (ROOT / link).exists(), link
    for names in places:
        for place in filter(None, names):
            beside = ROOT / "bohnanza_env" / place
            assert (ROOT / place).exists() or beside.exists(), place


def test_make_targets_named_in_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z-]+)\b", README)) - {"it"}
    assert {"demo", "test", "help"} <= named
    assert named <= targets
