"""The decorator of compiled functions and its disk cache, tried on small throw-away packages."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from bohnanza_env.engine import compilation

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
SCRIPT = """
import sys
import numpy
from {package}.kernel import run, helper
from {package}.engine import compilation
print(run(numpy.arange(3), 1))
hits, misses = (
    sum(sum(getattr(function.stats, name).values()) for function in (run, helper.add))
    for name in ("cache_hits", "cache_misses")
)
print(hits, misses)
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
        shutil.copy(compilation.__file__, self.root / "engine")
        self.write("kernel.py", KERNEL)
        self.write("helper.py", HELPER)
        self.write("constants.py", "STEP = 100\n")
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


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


def test_the_second_process_compiles_nothing_until_a_source_is_edited(package: Package) -> None:
    output, errors = package.run()
    assert output == ["111", "0", "2"]
    assert errors.count("compiling for this machine") == 1
    assert len(errors.splitlines()) == 1

    output, errors = package.run()
    assert output == ["111", "1", "0"]  # the callee is part of the caller's code
    assert errors == ""

    # Files that no compiled function depends on change nothing.
    package.write("cli.py", "from . import kernel\nNAME = 'new'\n")
    assert package.run()[0] == ["111", "1", "0"]

    # A called function of another file.
    package.write("helper.py", HELPER.replace("+ 10", "+ 20"))
    output, errors = package.run(BOHNANZA_QUIET="1")
    assert output == ["121", "0", "2"]
    assert errors == ""

    # A constant of a module that has nothing to do with compilation.
    package.write("constants.py", "STEP = 200\n")
    assert package.run()[0] == ["221", "0", "2"]

    # The old code is still there, and right again, once the edits are taken back.
    package.write("helper.py", HELPER)
    package.write("constants.py", "STEP = 100\n")
    assert package.run()[0] == ["111", "1", "0"]

    assert not list(package.root.rglob("*.nb?")), "nothing may be written beside the sources"
    assert not list(package.root.rglob("__pycache__"))


def test_checked_runs_check_although_the_cache_is_warm(package: Package) -> None:
    overrun = """
import numpy
from {package}.kernel import run
from {package}.engine.compilation import cache_folder
values = numpy.arange(16)[4:8]  # whatever is read beyond it still lies in the array
try:
    run(values, 6)
    print("unchecked", cache_folder().name)
except IndexError:
    print("checked", cache_folder().name)
"""
    (word, folder), _ = package.run(overrun)
    assert word == "unchecked"
    for _ in range(2):  # compiled, then from the cache
        assert package.run(overrun, NUMBA_BOUNDSCHECK="1")[0] == ["checked", f"{folder}-checked"]
    assert package.run(overrun)[0] == ["unchecked", folder]

    later = "import numba, {package}.kernel\nnumba.config.BOUNDSCHECK = 1\n"
    assert package.run(later + overrun)[0] == ["checked", folder]


def test_without_a_writable_folder_it_compiles_in_memory_with_one_warning(
    package: Package,
) -> None:
    package.cache.write_text("a file in place of the folder")
    tail = "print(compilation.cache_folder())\n"
    output, errors = package.run(SCRIPT + tail)
    assert output == ["111", "0", "2", "None"]
    assert errors.count("RuntimeWarning") == 1
    assert errors.count("BOHNANZA_CACHE_DIR") == 1
    assert package.cache.is_file()


def test_a_warm_folder_that_cannot_be_written_is_read(package: Package) -> None:
    package.run()
    unwritable = """
import os
def refuse(*arguments, **options):
    raise PermissionError("read-only")
os.utime = os.mkdir = os.makedirs = os.replace = refuse
"""
    output, errors = package.run(unwritable + SCRIPT)
    assert (output, errors) == (["111", "1", "0"], "")
    output, errors = package.run(unwritable + SCRIPT.replace("(3)", "(3.0)"))
    assert output == ["111.0", "1", "1"]  # a new signature of the caller; the callee is cached
    assert errors.count("RuntimeWarning") == 1


def test_damaged_files_are_compiled_anew(package: Package) -> None:
    package.run()
    for file in package.cache.rglob("*.nb?"):
        file.write_bytes(b"")
    for expected in (["111", "0", "2"], ["111", "1", "0"]):
        output, errors = package.run()
        assert output == expected
        assert "Warning" not in errors


def test_compilation_in_several_processes_at_once(package: Package) -> None:
    # Different signatures of one function at the same time, and one signature twice.
    kinds = ("int64", "float64", "int64")
    scripts = [SCRIPT.replace("(3)", f"(3, dtype=numpy.{kind})") for kind in kinds]
    processes = [package.start(script) for script in scripts]
    for process, kind in zip(processes, kinds, strict=True):
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert output.split()[0] == ("111.0" if kind == "float64" else "111")
    assert package.run(scripts[0])[0][0] == "111"
    assert package.run(scripts[1])[0][0] == "111.0"


def test_disabled_compilation_gives_the_python_function(package: Package) -> None:
    script = """
import types
from {package}.kernel import run
assert type(run) is types.FunctionType
assert run.py_func is run
print(run([1, 2], 1))
"""
    assert package.run(script, NUMBA_DISABLE_JIT="1") == (["112"], "")
    assert not package.cache.exists()


def test_numba_itself_stays_as_it_is(package: Package) -> None:
    script = """
import os, numba
from numba.core import caching, dispatcher
def state():
    values = {name: getattr(numba.config, name) for name in dir(numba.config) if name.isupper()}
    return (
        values, dict(os.environ), caching.CacheImpl._locator_classes[:], caching.FunctionCache,
        caching.FunctionCache._impl_class, dispatcher.FunctionCache,
        dispatcher.Dispatcher.enable_caching,
    )
before = state()
import numpy
from {package}.kernel import run
run(numpy.arange(3), 1)
assert state() == before
print(type(run._cache).__name__, numba.njit(cache=True)(run.py_func)._cache.cache_path)
"""
    numba_cache = str(package.base / "numba")
    (own, other), _ = package.run(script, NUMBA_CACHE_DIR=numba_cache)
    assert own == "ProjectCache"
    assert other.startswith(numba_cache)


def test_functions_of_other_files_are_compiled_in_memory(package: Package) -> None:
    (package.base / "users.py").write_text(
        "from tried.engine.compilation import compiled\n\n"
        "@compiled\ndef twice(x):\n    return 2 * x\n"
    )
    script = "from users import twice\nprint(twice(4), type(twice._cache).__name__)"
    assert package.run(script) == (["8", "NullCache"], "")


def test_a_module_edited_in_a_running_process_is_not_cached(package: Package) -> None:
    edited = """
import pathlib
import {package}.engine.compilation as compilation
compilation.cache_digest()
path = pathlib.Path(compilation.__file__).parent.parent / "helper.py"
path.write_text(path.read_text().replace("+ 10", "+ 3000"))
"""
    assert package.run(edited + SCRIPT)[0] == ["3101", "0", "2"]
    assert not list(package.cache.rglob("*.nb?"))
    package.write("helper.py", HELPER)
    assert package.run()[0] == ["111", "0", "2"]


def test_old_caches_are_removed_and_recent_ones_kept(package: Package) -> None:
    now = time.time()
    package.cache.mkdir()
    kept = [f"{number:020x}" for number in range(8)]
    old = [f"{number:020x}" for number in range(8, 14)]
    for name in (*kept, *old, "something-else"):
        (package.cache / name).mkdir()
        (package.cache / name / "file").write_text("")
        age = 3600 if name in kept else 30 * 24 * 3600
        os.utime(package.cache / name, (now - age, now - age))
    package.run()
    left = {folder.name for folder in package.cache.iterdir()}
    assert left >= {*kept, "something-else"}
    assert not left & set(old)
    assert len(left) == len(kept) + 2


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"BOHNANZA_CACHE_DIR": "one", "NUMBA_CACHE_DIR": "two"}, "one"),
        ({"NUMBA_CACHE_DIR": "two"}, "two/bohnanza-env"),
        ({}, None),
    ],
)
def test_where_the_cache_lies(
    variables: dict[str, str], expected: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("BOHNANZA_CACHE_DIR", "NUMBA_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    folder = compilation._root_folder()
    if expected is not None:
        assert folder == Path(expected)
    else:
        assert folder.is_absolute()
        assert folder.name == "bohnanza-env"


def test_the_package_itself() -> None:
    digest = compilation.cache_digest()
    assert len(digest) == 20
    folder = compilation.cache_folder()
    assert folder is None or folder.name in (digest, f"{digest}-checked")
    assert compilation.__file__ in compilation._sources()[1]
    start = time.perf_counter()
    compilation._sources.__wrapped__()
    assert time.perf_counter() - start < 0.5  # a few milliseconds, unless the machine is busy
