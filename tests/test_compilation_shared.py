"""Functions whose machine code is made once, for all entry points that call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from compiled_package import Package

INNER = """
from .engine.compilation import compiled

@compiled(shared=True)
def inner(values, index):
    return values[index] * 2
"""
SHARED = """
from .engine.compilation import compiled
from .inner import inner

@compiled(shared=True)
def outer(values, index):
    return inner(values, index) + 1
"""
ENTRY = """
from .engine.compilation import compiled
from .outer import outer

@compiled
def entry(values):
    return outer(values, 0) + {number}
"""
# The results of both entry points, then who of the shared functions came from the cache.
CALL = """
import numpy
from {package} import one, two, outer, inner
values = numpy.arange(10, 20)
print(one.entry(values), two.entry(values))
for function in (outer.outer.part, inner.inner.part):
    print(*(sum(c.values()) for c in (function.stats.cache_hits, function.stats.cache_misses)))
"""


@pytest.fixture
def package(tmp_path: Path) -> Package:
    made = Package(tmp_path)
    made.write("inner.py", INNER)
    made.write("outer.py", SHARED)
    made.write("one.py", ENTRY.replace("{number}", "100"))
    made.write("two.py", ENTRY.replace("{number}", "200"))
    return made


def test_entry_points_jump_to_one_machine_code(package: Package) -> None:
    script = """
import numpy
from {package} import one, two, outer
values = numpy.arange(10, 20)
print(one.entry(values), two.entry(values))
part, = outer.outer.part.overloads.values()
for module in (one, two):
    (result,) = module.entry.overloads.values()
    defined = [line for line in result.library.get_llvm_str().splitlines() if "define " in line]
    print(bool(defined), any(part.library.symbol in line for line in defined))
"""
    assert package.run(script)[0] == ["121", "221", "True", "False", "True", "False"]


def test_the_second_process_loads_it(package: Package) -> None:
    assert package.run(CALL)[0] == ["121", "221", "0", "1", "0", "1"]
    assert package.run(CALL)[0] == ["121", "221", "1", "0", "1", "0"]


@pytest.mark.parametrize("lost", ["inner.inner*", "outer.outer*", "one.entry*", "*er.*er*"])
def test_whatever_is_lost_is_made_anew(package: Package, lost: str) -> None:
    package.run(CALL)
    found = list(package.cache.rglob(lost))
    assert found
    for file in found:
        file.unlink()
    assert package.run(CALL)[0][:2] == ["121", "221"]
    assert package.run(CALL)[0] == ["121", "221", "1", "0", "1", "0"]


def test_an_edit_reaches_the_entry_points(package: Package) -> None:
    package.run(CALL)
    package.write("inner.py", INNER.replace("* 2", "* 3"))
    assert package.run(CALL)[0] == ["131", "231", "0", "1", "0", "1"]


def test_processes_at_the_same_time(package: Package) -> None:
    started = [package.start(CALL) for _ in range(3)]
    for process in started:
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        assert output.split()[:2] == ["121", "221"]


@pytest.mark.parametrize("plain", [True, False])
def test_functions_compiled_by_numba_alone_call_it(package: Package, plain: bool) -> None:
    """Themselves shared or not, with a shared function below."""
    if plain:
        package.write("outer.py", SHARED.replace("(shared=True)", ""))
    script = """
import numba, numpy
from {package}.outer import outer

@numba.njit
def mine(values):
    return outer(values, 1) + 1000

print(mine(numpy.arange(10, 20)))
"""
    assert package.run(script)[0] == ["1023"]
    assert package.run(script)[0] == ["1023"]


@pytest.mark.parametrize("plain", [True, False])
def test_functions_in_a_cache_of_numba_find_it(package: Package, plain: bool) -> None:
    """They know nothing of shared functions, and have to be whole."""
    if plain:
        package.write("outer.py", SHARED.replace("(shared=True)", ""))
    mine = """
import numba
from {package}.outer import outer

@numba.njit(cache=True)
def mine(values):
    return outer(values, 1) + 1000
"""
    (package.base / "mine.py").write_text(mine.replace("{package}", package.name))
    script = """
import numpy
from mine import mine
print(mine(numpy.arange(10, 20)), sum(mine.stats.cache_hits.values()))
from {package} import one
print(one.entry(numpy.arange(10, 20)))
"""
    assert package.run(script)[0] == ["1023", "0", "121"]
    assert package.run(script)[0] == ["1023", "1", "121"]


def test_without_a_cache_on_disk(package: Package) -> None:
    nowhere = package.base / "file"
    nowhere.write_text("")
    output, errors = package.run(CALL, BOHNANZA_CACHE_DIR=str(nowhere))
    assert output[:2] == ["121", "221"]
    assert errors.count("keeps no compiled code") == 1
