"""The arrows of the design run one way, and importing the package stays light (DESIGN §8)."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bohnanza_env

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "bohnanza_env"

# Each part may import those of the lines before it, and itself; parts of one line know nothing of
# each other.
LAYERS = [
    ["engine"],
    ["actions", "arguments", "rewards", "tallies", "view"],
    ["bots", "documents", "observation", "redeal", "render"],
    ["checkpoints", "global_state", "networks", "position", "record", "search", "stepping"],
    ["observed_game"],
    ["checking"],
    ["aec", "single_agent", "vector"],
    ["bohnanza_v0", "seat_vector"],
    ["arena", "sb3"],
    ["cli", "docs_rules"],
    ["docs"],
]
LAYER_OF = {part: number for number, parts in enumerate(LAYERS) for part in parts}
LIGHT = {"numpy", "numba", "llvmlite", "gymnasium", "pettingzoo"}
EXTRAS = {"checkpoints", "networks", "arena", "cli", "docs", "sb3"}
# Numba itself loads SciPy and PyYAML where they are installed.
HEAVY = (
    "torch matplotlib rich typer pandas pydantic stable_baselines3 tensorboard openskill".split()
)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_modules(path: Path) -> set[str]:
    """Full names of all modules that a file imports anywhere, relative imports resolved."""
    package = path.relative_to(ROOT).parent.parts
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            name = ".".join(base + ([node.module] if node.module else []))
            found.add(name)
            found |= {f"{name}.{alias.name}" for alias in node.names}
    return found


def part_of(module: str) -> str | None:
    """``bohnanza_env.bots.greedy`` → ``bots``; None for what is not in the package."""
    names = module.split(".")
    return names[1] if names[0] == "bohnanza_env" and len(names) > 1 else None


SOURCES = sorted(PACKAGE.rglob("*.py"))
# All but the package's own ``__init__.py``, which names parts without being one.
PARTS = [path for path in SOURCES if part_of(module_name(path)) is not None]


def test_every_part_has_its_layer():
    assert {part_of(module_name(path)) for path in PARTS} <= LAYER_OF.keys()


@pytest.mark.parametrize("path", PARTS, ids=module_name)
def test_arrows_run_one_way(path: Path):
    own = part_of(module_name(path))
    for module in imported_modules(path):
        other = part_of(module)
        if other in LAYER_OF and other != own:
            assert LAYER_OF[other] < LAYER_OF[own], f"{own} imports {module}"


def test_the_engine_imports_nothing_of_the_package_outside_it():
    for path in sorted((PACKAGE / "engine").glob("*.py")):
        parts = {part_of(module) for module in imported_modules(path)}
        assert parts <= {None, "engine"}, f"{path.name} imports {parts}"


# What plays whole games by bots, and shows a bot its view of one.
PLAYS_GAMES = {"loops.py", "table.py"}


def test_bots_cannot_get_at_whole_games():
    """They get a view, the mask and a generator (DESIGN §2)."""
    files = [path for path in (PACKAGE / "bots").glob("*.py") if path.name not in PLAYS_GAMES]
    assert len(files) > 5
    for path in files:
        names = imported_modules(path)
        hidden = {"bohnanza_env.engine.game", "bohnanza_env.engine.state.GAME_DTYPE"}
        assert not names & hidden, path.name


def test_search_simulates_no_games_but_those_it_has_dealt_itself():
    """What plays fairly never meets a ``Game``; planning with open hands is no player."""
    files = [p for p in (PACKAGE / "search").glob("*.py") if not p.name.startswith("open_hand")]
    assert len(files) > 5
    for path in files:
        assert "bohnanza_env.engine.game" not in imported_modules(path), path.name


def test_global_random_state_is_not_used():
    calls = re.compile(
        r"\b(?:np|numpy)\.random\.(?!default_rng|Generator|SeedSequence|PCG64|BitGenerator)\w+"
        r"|^\s*import random\b|^\s*from random import",
        re.MULTILINE,
    )
    for path in SOURCES:
        assert not calls.findall(path.read_text()), path.name


IMPORT_EVERYTHING = """
import json, sys
import bohnanza_env
for name in bohnanza_env.__all__:
    getattr(bohnanza_env, name)
json.dump(sorted({name.split(".")[0] for name in sys.modules}), sys.stdout)
"""


def test_importing_the_package_pulls_in_only_what_it_needs():
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_EVERYTHING],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    loaded = set(json.loads(done.stdout))
    assert loaded >= {"bohnanza_env", "numba", "pettingzoo"}
    assert not loaded & set(HEAVY)


def test_other_libraries_stay_in_the_parts_that_are_extras():
    for path in SOURCES:
        if part_of(module_name(path)) in EXTRAS:
            continue
        tops = {module.split(".")[0] for module in imported_modules(path)}
        outside = tops - set(sys.stdlib_module_names) - {"bohnanza_env"}
        assert outside <= LIGHT, path.name


def test_no_public_name_is_hidden_by_a_module_of_the_same_name() -> None:
    modules = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.parent.name for path in PACKAGE.glob("*/__init__.py")
    }
    assert set(bohnanza_env.__all__) & modules == {"bohnanza_v0"}  # which is that module
