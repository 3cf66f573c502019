"""The decorator of compiled functions, tried on small throw-away packages."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from compiled_package import BOT, HELPER, HITS, SCRIPT, Package

from bohnanza_env.engine import compilation


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
    assert package.run()[0] == ["221", "1", "1"]  # the callee does not depend on it

    # The old code is still there, and right again, once the edits are taken back.
    package.write("helper.py", HELPER)
    package.write("constants.py", "STEP = 100\n")
    assert package.run()[0] == ["111", "1", "0"]

    assert not list(package.root.rglob("*.nb?")), "nothing may be written beside the sources"
    assert not list(package.root.rglob("__pycache__"))


def test_an_edit_recompiles_only_what_reaches_the_edited_module(package: Package) -> None:
    assert package.run(HITS)[0][3:] == ["11", "111", "115"]
    assert package.run(HITS)[0] == ["hit", "hit", "hit", "11", "111", "115"]

    package.write("bot.py", BOT.replace("+ 5", "+ 6"))
    assert package.run(HITS)[0] == ["hit", "hit", "miss", "11", "111", "116"]
    package.write("constants.py", "STEP = 200\n")
    assert package.run(HITS)[0] == ["hit", "miss", "miss", "11", "211", "216"]
    package.write("helper.py", HELPER.replace("+ 10", "+ 20"))
    assert package.run(HITS)[0] == ["miss", "miss", "miss", "21", "221", "226"]
    assert package.run(HITS)[0] == ["hit", "hit", "hit", "21", "221", "226"]

    # The file of a package counts where an import names the package.
    package.write("__init__.py", "NAME = 'new'\n")
    assert package.run(HITS)[0][:3] == ["hit", "miss", "miss"]


# The result of ``choose`` in module NAME, and whether the two parts below came from the cache.
PARTS = """
import numpy
from {package}.NAME import choose
from {package}.kernel import run, helper
result = choose(numpy.arange(3))
parts = (run.part, helper.add.part)
print(result, *(sum(part.stats.cache_hits.values()) for part in parts))
"""


def test_what_compiled_code_calls_is_loaded_with_all_that_it_calls(package: Package) -> None:
    package.write("other.py", BOT)
    assert package.run(PARTS.replace("NAME", "bot"))[0] == ["115", "0", "0"]
    assert package.run(PARTS.replace("NAME", "other"))[0] == ["115", "1", "1"]
    # Who edits what is called by something called gets the new code.
    package.write("helper.py", HELPER.replace("+ 10", "+ 20"))
    assert package.run(PARTS.replace("NAME", "other"))[0] == ["125", "0", "0"]


def test_parts_of_different_processes_fit_together(package: Package) -> None:
    """One process has compiled what calls, another what is called."""
    package.write("other.py", BOT)
    assert package.run(PARTS.replace("NAME", "bot"))[0] == ["115", "0", "0"]
    found = list(package.cache.rglob("helper.add*"))
    assert found
    for file in found:
        file.unlink()
    assert package.run(PARTS.replace("NAME", "other"))[0] == ["115", "1", "0"]


def test_parts_that_take_records_fit_together(package: Package) -> None:
    """Numba numbers the types of records as each process meets them."""
    package.write(
        "helper.py",
        """
import numpy
from .engine.compilation import compiled
ROW = numpy.dtype([("a", "i8"), ("b", "i8")], align=True)

@compiled
def second(row):
    return row.b

@compiled
def add(row):
    return second(row) + 10
""",
    )
    for module in ("one", "two"):
        package.write(
            f"{module}.py",
            """
from .engine.compilation import compiled
from .helper import ROW, add

@compiled
def choose(values):
    return add(values.view(ROW)[0])
""",
        )
    script = """
import numba, numpy
for name in NAMES:
    numba.typeof(numpy.zeros(1, [(name, "i8")]))
from {package}.MODULE import choose
from {package}.helper import second, add
print(choose(numpy.arange(16, dtype=numpy.int64).view(numpy.uint8)))
"""
    first = script.replace("NAMES", "'x'").replace("MODULE", "one")
    assert package.run(first)[0] == ["11"]
    found = list(package.cache.rglob("helper.second*"))
    assert found
    for file in found:
        file.unlink()
    second = script.replace("NAMES", "'abcdef'").replace("MODULE", "two")
    assert package.run(second)[0] == ["11"]


def test_what_a_module_reaches(package: Package) -> None:
    (package.root / "more").mkdir()
    package.write("more/__init__.py", "")
    package.write("more/leaf.py", "from ..engine import compilation\n")
    package.write("bot.py", "from . import more\n")  # more.leaf can be reached by attribute
    package.write("cli.py", "import numpy, {package}.bot as bot\n")  # and so can the package
    package.write("constants.py", "from .helper import add\n")  # a cycle
    package.write("helper.py", "from .constants \\\n import (STEP)\n")
    script = """
from {package}.engine import compilation
for module in ("engine/compilation.py", "more/leaf.py", "bot.py", "cli.py", "helper.py"):
    print(",".join(sorted(compilation._reached(module) - {module})) or "nothing")
print(compilation._digest("helper.py") == compilation._digest("constants.py"))
"""
    engine = "engine/__init__.py,engine/compilation.py,engine/linking.py"
    everything = f"__init__.py,bot.py,constants.py,{engine},helper.py,kernel.py"
    assert package.run(script)[0] == [
        "engine/linking.py",
        engine,
        f"__init__.py,{engine},more/__init__.py,more/leaf.py",
        f"{everything},more/__init__.py,more/leaf.py",
        "constants.py",
        "False",
    ]


def test_one_version_serves_constants_and_narrow_integers(package: Package) -> None:
    package.write(
        "narrow.py",
        """
import numpy
from .engine.compilation import compiled
from .helper import add

@compiled
def total(values):
    return add(3) + add(4) + add(values[0]) + add(numpy.uint8(7)) + add(value=numpy.int32(2))
""",
    )
    script = """
import numpy
from {package}.narrow import total, add
print(total(numpy.full(1, 100, dtype=numpy.int8)), *add.part.signatures, sep=";")
"""
    assert package.run(script)[0] == ["166;(int64,)"]


def test_checked_runs_check_although_the_cache_is_warm(package: Package) -> None:
    overrun = """
import numpy
from {package}.kernel import run
values = numpy.arange(16)[4:8]  # whatever is read beyond it still lies in the array
folder = run._cache.cache_path.rpartition("/")[2]
try:
    run(values, 6)
    print("unchecked", folder)
except IndexError:
    print("checked", folder)
"""
    (word, folder), _ = package.run(overrun)
    assert word == "unchecked"
    for _ in range(2):  # compiled, then from the cache
        assert package.run(overrun, NUMBA_BOUNDSCHECK="1")[0] == ["checked", f"{folder}-checked"]
    assert package.run(overrun)[0] == ["unchecked", folder]

    later = "import numba, {package}.kernel\nnumba.config.BOUNDSCHECK = 1\n"
    assert package.run(later + overrun)[0] == ["checked", folder]


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
compilation._sources()
path = pathlib.Path(compilation.__file__).parent.parent / "helper.py"
path.write_text(path.read_text().replace("+ 10", "+ 3000"))
"""
    assert package.run(edited + SCRIPT)[0] == ["3101", "0", "2"]
    assert not list(package.cache.rglob("*.nb?"))
    package.write("helper.py", HELPER)
    assert package.run()[0] == ["111", "0", "2"]


def test_the_package_itself() -> None:
    folder = compilation.cache_folder()
    assert folder is None or folder.is_absolute()
    modules = list(compilation._sources())
    assert "engine/compilation.py" in modules
    assert compilation._reached("engine/linking.py") == {"engine/linking.py"}
    assert len({compilation._digest(module) for module in modules}) == len(modules)
    cached = (compilation._sources, compilation._scanned, compilation._reached, compilation._digest)
    for function in cached:
        function.cache_clear()
    start = time.perf_counter()
    for module in modules:
        compilation._digest(module)
    assert time.perf_counter() - start < 0.5  # a few milliseconds, unless the machine is busy
