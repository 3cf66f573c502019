"""A small throw-away package with compiled functions, to try their decorator on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from bohnanza_env.engine import compilation, linking

KERNEL = """
from {package}.constants import STEP
from .engine.compilation import compiled
from . import (
    helper,  # a comment (with a bracket)
)

@compiled
def run(values, index):
    return values[index] + helper.add(STEP)
"""
HELPER = """
from {package}.engine.compilation import compiled

@compiled(inline="never")
def add(value):
    return value + 10
"""
BOT = """
from .engine.compilation import compiled
from .kernel import run

@compiled
def choose(values):
    return run(values, 0) + 5
"""
SCRIPT = """
import numpy
from {package}.kernel import run, helper
print(run(numpy.arange(3), 1))
hits, misses = (
    sum(sum(getattr(function.stats, name).values()) for function in (run, helper.add.part))
    for name in ("cache_hits", "cache_misses")
)
print(hits, misses)
"""


# Prints whether each function was found in the cache when it was called from Python.
HITS = """
import numpy
from {package}.kernel import run, helper
from {package}.bot import choose
values = numpy.arange(3)
results = [helper.add(1), run(values, 1), choose(values)]
for function in (helper.add, run, choose):
    stats = function.stats
    print("hit" if stats.cache_hits and not stats.cache_misses else "miss")
print(*results)
"""


class Package:
    """A package with a copy of the module under test and two compiled functions in two files."""

    def __init__(self, folder: Path, name: str = "tried") -> None:
        self.name = name
        self.base = folder
        self.cache = folder / "cache"
        self.root = folder / name
        (self.root / "engine").mkdir(parents=True)
        for init in (self.root / "__init__.py", self.root / "engine" / "__init__.py"):
            init.write_text("")
        for module in (compilation, linking):
            shutil.copy(module.__file__, self.root / "engine")
        self.write("kernel.py", KERNEL)
        self.write("helper.py", HELPER)
        self.write("constants.py", "STEP = 100\n")
        self.write("bot.py", BOT)
        self.write("cli.py", "from . import kernel\n")

    def write(self, file: str, text: str) -> None:
        (self.root / file).write_text(text.replace("{package}", self.name))

    def start(self, script: str = SCRIPT, **environment: str) -> subprocess.Popen[str]:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("NUMBA_", "BOHNANZA_", "PYTHON", "XDG_"))
        }
        variables = {"BOHNANZA_CACHE_DIR": str(self.cache), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.Popen(
            [sys.executable, "-c", script.replace("{package}", self.name)],
            cwd=self.base,
            env={**inherited, **variables, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, script: str = SCRIPT, **environment: str) -> tuple[list[str], str]:
        process = self.start(script, **environment)
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        return output.split(), errors
