"""Where compiled code is kept on disk, and what happens if that does not work."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from compiled_package import HITS, SCRIPT, Package

from bohnanza_env.engine import compilation


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


def test_without_a_writable_folder_it_compiles_in_memory_with_one_warning(
    package: Package,
) -> None:
    package.cache.write_text("a file in place of the folder")
    output, errors = package.run()
    assert output == ["111", "0", "2"]
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
    assert len(left) == len(kept) + 1 + 2  # one folder for each of the two modules


def test_using_a_folder_dates_it(package: Package) -> None:
    package.run()
    folders = list(package.cache.iterdir())
    for folder in folders:
        os.utime(folder, (0, 0))
    package.run(HITS)  # uses both and adds another
    assert set(folders) < set(package.cache.iterdir())
    assert all(folder.stat().st_mtime > time.time() - 3600 for folder in folders)


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
