"""The one decorator through which every compiled function of the project is made.

``compiled`` is ``numba.njit`` without the interpreter lock and with a disk cache that stays right
when sources change. Numba's own cache looks only at the file that holds a function: after an edit
in a *called* function of another file, or of a constant, it runs stale code. Here the functions of
a module M lie in a folder named by a digest of everything that their code may be made from:

- the text of M and of every module of the package that M imports, transitively. They are found by
  a scan of the text that errs by taking in too much: imports in functions, comments and docstrings
  (such as this one) count as well, and a name bound to a package stands for every module in it. A
  package's ``__init__.py`` counts only if an import names the package itself (or just dots), so
  kernels that import from modules depend on less;
- versions (Python, NumPy, Numba, llvmlite) and Numba's optimisation settings. Numba itself keys by
  CPU, by signature, and by a function's bytecode and closure.

So an edit compiles anew what reaches the edited module, and nothing else. Functions of other files
(scripts, notebooks) or of files edited since the digest was taken are compiled in memory, which is
slower and never stale. What the digest cannot see must not get into compiled code: environment
variables, data files (constants must be written in Python), patched modules, and what comes only
through ``importlib`` or another module's ``numba.extending``. ``linking`` tells how functions that
call each other become one piece of code.

Environment variables, read when the package is imported:

``BOHNANZA_CACHE_DIR``
    Folder of the cache. Default: ``bohnanza-env`` under ``NUMBA_CACHE_DIR`` if that is set, else
    the user's cache folder (``~/.cache/bohnanza-env``, or the platform's equivalent). Nothing is
    written beside the sources. If it cannot be written, functions are compiled in memory, with one
    warning; a folder that can only be read is still read.
``BOHNANZA_QUIET``
    Set to 1 to silence the line that announces the first compilation.
``NUMBA_BOUNDSCHECK``
    Set to 1 for checked runs, in which an index out of range raises ``IndexError``. They have
    folders of their own (``<digest>-checked``).
``NUMBA_DISABLE_JIT``
    Set to 1 to run everything as plain Python.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import time
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, overload

import llvmlite
import numba
import numpy

from .linking import EntryCompiler, PartCompiler, join, load, save

__all__ = ["announce_compilation", "cache_folder", "compiled"]

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_PACKAGE_NAME = os.path.basename(_PACKAGE_FOLDER)
_SECONDS_KEPT = 7 * 24 * 3600.0  # folders unused for longer are removed

# Settings of numba.config that change the code that Numba makes and that its cache does not key by.
_CODE_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "USING_SVML")

# What an import statement names: "a.b as c, d", or "(a, b)" with comments that may hold brackets.
_IMPORT = re.compile(rb"import[ \t]*(\((?:[^)#]|#[^\n]*)*\)|[^\n;]*)")
_FROM = re.compile(rb"from[ \t]*([.\w]+)[ \t]*$")


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def compiled(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(
    function: Any = None,
    /,
    *,
    cache: bool = True,
    allocates: bool = False,
    outlined: bool = False,
    shared: bool = False,
    **options: Any,
) -> Any:
    """Compile a function with Numba on its first call, or load it from the cache.

    Use it bare (``@compiled``) or with options; those not named here go to ``numba.njit``.
    ``nogil=True`` is the default, ``cache=False`` compiles in memory. Functions that make arrays
    say ``allocates=True``; all others count no references, which makes them several times faster,
    and must not return an array. ``outlined=True`` keeps what is seldom done out of the code of its
    callers, ``shared=True`` makes code once that many of them jump to (see ``linking``). The result
    is a Numba dispatcher, with the Python function in ``py_func``. Under ``NUMBA_DISABLE_JIT=1`` it
    is the Python function itself, which then also has ``py_func``.

    Raises ``TypeError`` for anything but a Python function. What goes wrong with the cache only
    costs time: the function is compiled in memory, with a warning.
    """

    def decorate(python_function: Any) -> Any:
        python_function.outlined, python_function.shared = outlined, shared
        settings = {"nogil": True, "no_cfunc_wrapper": True, "_nrt": allocates, **options}
        entry = numba.njit(pipeline_class=EntryCompiler, **settings)(python_function)
        if entry is python_function:  # compilation is disabled
            entry.py_func = python_function
            return entry
        settings["no_cpython_wrapper"] = True
        part = numba.njit(pipeline_class=PartCompiler, **settings)(python_function)
        join(entry, part)
        if cache:
            _attach_cache(entry, part=False)
            _attach_cache(part, part=True)
        return entry

    return decorate if function is None else decorate(function)


def announce_compilation() -> None:
    """Say on stderr, at a process's first cache miss, that it compiles; not if BOHNANZA_QUIET=1."""
    if "announced" in _said:
        return
    _said.add("announced")
    if os.environ.get("BOHNANZA_QUIET", "0") in ("", "0") and sys.stderr is not None:
        text = "bohnanza-env: compiling for this machine, once (everything: about a minute) ...\n"
        sys.stderr.write(text)
        sys.stderr.flush()


_said: set[str] = set()


def _warn_uncached(reason: object) -> None:
    """Warn, once per process, that compiled functions are not kept on disk."""
    if "uncached" not in _said:
        _said.add("uncached")
        warnings.warn(
            f"bohnanza-env keeps no compiled code on disk ({reason}), so every process compiles "
            "anew; set BOHNANZA_CACHE_DIR to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )


# --- The digests of the sources; modules are named by their path: "engine/legal.py" -------------


def _stamp(path: str) -> tuple[int, int]:
    """Return what changes when a file is edited: its time of change and its size."""
    return (status := os.stat(path)).st_mtime_ns, status.st_size


@functools.cache
def _sources() -> dict[str, tuple[str, tuple[int, int], bytes]]:
    """Return path, stamp and text of the package's modules, all read at the first decoration.

    Files that cannot be read (a zip archive has none) are left out, and their functions not cached.
    """
    sources = {}
    for folder, subfolders, files in os.walk(_PACKAGE_FOLDER):
        subfolders[:] = [name for name in subfolders if name[0] != "." and name != "__pycache__"]
        for path in (os.path.join(folder, file) for file in files if file.endswith(".py")):
            with contextlib.suppress(OSError):
                stamp = _stamp(path)  # before the text, so that an edit in between shows
                sources[_module_name(path)] = (path, stamp, Path(path).read_bytes())
    return sources


def _module_name(path: str) -> str:
    return os.path.relpath(path, _PACKAGE_FOLDER).replace(os.sep, "/")


def _imports(module: str) -> Iterator[str]:
    """Yield the modules and folders that imports may mean; many of them need not exist."""
    text = _sources()[module][2].replace(b"\r", b"").replace(b"\\\n", b" ")
    for found in _IMPORT.finditer(text):
        before = text[text.rfind(b"\n", 0, found.start()) + 1 : found.start()]
        named = found[1].decode(errors="replace")
        if not (source := _FROM.search(before)):
            if re.search(rf"(^|[(,\s]){_PACKAGE_NAME}\b", named):
                yield ""  # this binds the package, and so all that is in it
            continue
        dotted = source[1].decode(errors="replace")
        parts = [part for part in dotted.split(".") if part]
        if dots := len(dotted) - len(dotted.lstrip(".")):
            parts = module.split("/")[:-dots] + parts
        elif parts.pop(0) != _PACKAGE_NAME:
            continue
        yield "/".join(parts) + ".py"
        folder = "".join(part + "/" for part in parts)
        yield folder + "__init__.py"
        for name in re.findall(r"\w+", named):
            yield f"{folder}{name}.py"
            yield f"{folder}{name}/"


@functools.cache
def _scanned(module: str) -> tuple[bytes, frozenset[str]]:
    """Return the digest of one module's own text, and the modules that it imports itself."""
    sources = _sources()
    targets = set(_imports(module))
    found = targets & sources.keys()
    for folder in targets - found:
        if folder + "__init__.py" in sources:
            found.update(name for name in sources if name.startswith(folder))
    return hashlib.sha256(sources[module][2]).digest(), frozenset(found)


@functools.cache
def _reached(module: str) -> frozenset[str]:
    """Return a module and all that it imports, transitively; cycles are no obstacle."""
    found, left = {module}, [module]
    while left:
        new = _scanned(left.pop())[1] - found
        found |= new
        left += new
    return frozenset(found)


@functools.cache
def _digest(module: str) -> str:
    """Return the digest that names the cache folder of a module's functions."""
    versions = (sys.version, numba.__version__, numpy.__version__, llvmlite.__version__)
    settings = [getattr(numba.config, name, None) for name in _CODE_SETTINGS]
    texts = [(name, _scanned(name)[0]) for name in sorted(_reached(module))]
    key = (_PACKAGE_NAME, versions, settings, module, texts)
    return hashlib.sha256(repr(key).encode()).hexdigest()[:20]


def _unchanged(module: str) -> bool:
    """Tell whether the files that a module's digest is made from are still the same on disk."""
    with contextlib.suppress(OSError):
        sources = (_sources()[name] for name in _reached(module))
        return all(_stamp(path) == stamp for path, stamp, _ in sources)
    return False


# --- The folders -------------------------------------------------------------------------------


@functools.cache
def cache_folder() -> Path | None:
    """Return the absolute path of the cache, existing or not; ``None`` if none can be named."""
    try:
        return _root_folder().absolute()
    except (RuntimeError, OSError):  # no home folder, or no working folder
        return None


def _root_folder() -> Path:
    """Return the folder under which each module's digest has a folder."""
    environment = os.environ.get
    if chosen := environment("BOHNANZA_CACHE_DIR"):
        return Path(chosen).expanduser()
    if chosen := environment("NUMBA_CACHE_DIR"):
        return Path(chosen).expanduser() / "bohnanza-env"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bohnanza-env"
    if sys.platform == "win32" and (chosen := environment("LOCALAPPDATA")):
        return Path(chosen) / "bohnanza-env"
    user_cache = environment("XDG_CACHE_HOME", "")
    return (Path(user_cache) if user_cache[:1] == "/" else Path.home() / ".cache") / "bohnanza-env"


@functools.cache
def _mark_used(folder: str) -> None:
    """Date a module's folder to now, so that no other process removes it."""
    with contextlib.suppress(OSError):
        os.utime(folder)


@functools.cache
def _remove_old_folders(root: Path) -> None:
    """Remove folders long unused, once per process and only in one that adds to the cache.

    A folder is renamed first, to vanish whole; who still looks for something in it compiles anew.
    """
    for path in list(root.glob("*")):  # nothing if it cannot be listed
        with contextlib.suppress(OSError):
            if path.name.startswith(".removed-"):
                shutil.rmtree(path, ignore_errors=True)
            elif re.fullmatch(r"[0-9a-f]{20}(-checked)?", path.name):
                if time.time() - path.stat().st_mtime > _SECONDS_KEPT:
                    removed = path.rename(path.with_name(f".removed-{uuid.uuid4().hex}"))
                    shutil.rmtree(removed, ignore_errors=True)


# --- The link to Numba -------------------------------------------------------------------------


def _attach_cache(dispatcher: Any, part: bool) -> None:
    """Give a dispatcher the project's cache, if its function comes from a file of the package.

    This is what ``Dispatcher.enable_caching`` does, with another class; no setting of Numba is
    changed, so other packages' functions keep their own cache.
    """
    path = os.path.abspath(dispatcher.py_func.__code__.co_filename)
    if not path.startswith(_PACKAGE_FOLDER + os.sep):
        return
    try:
        source = _sources().get(_module_name(path))
        if source is not None and _stamp(path) == source[1]:
            dispatcher._cache = _cache_class()(dispatcher.py_func)
            dispatcher._cache.part = part
            dispatcher.py_func.source_number = int(_digest(_module_name(path))[:12], 16)
    except Exception as problem:  # noqa: BLE001 - Numba's internals have moved: go without
        _warn_uncached(repr(problem))


class _Locator:
    """Tells Numba where the files of one function lie (its interface of cache locators)."""

    def __init__(self, python_function: Any) -> None:
        self.module = _module_name(os.path.abspath(python_function.__code__.co_filename))
        self._line = python_function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        # Without a root, the path cannot be read or written, which is handled.
        checked = "-checked" if numba.config.BOUNDSCHECK else ""
        return os.path.join(cache_folder() or os.devnull, _digest(self.module) + checked)

    def get_source_stamp(self) -> str:
        return _digest(self.module)

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        os.makedirs(self.get_cache_path(), exist_ok=True)


@functools.cache
def _cache_class() -> Any:
    """Return the class of a function's cache; made late, so that a failure can be handled."""
    from numba.core.caching import CompileResultCacheImpl, FunctionCache

    class ProjectCacheImpl(CompileResultCacheImpl):
        """Numba's way to store compiled functions, always with the project's locator."""

        def __init__(self, python_function: Any) -> None:
            self._locator = _Locator(python_function)
            self._lineno = python_function.__code__.co_firstlineno
            module = os.path.splitext(os.path.basename(self._locator.module))[0]
            name = f"{module}.{python_function.__qualname__}"
            self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))

        def reduce(self, cres: Any) -> Any:
            return save(cres, super().reduce)

        def rebuild(self, target_context: Any, payload: Any) -> Any:
            return load(target_context, payload, super().rebuild)

    class ProjectCache(FunctionCache):
        """Numba's cache of one function, in which no failure is ever more than a miss."""

        _impl_class = ProjectCacheImpl
        part = False

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            _mark_used(self.cache_path)
            loaded = None
            try:
                with contextlib.suppress(OSError):
                    loaded = super().load_overload(sig, target_context)
            except Exception:  # noqa: BLE001 - a damaged file: start this function's index anew
                with contextlib.suppress(Exception):
                    self.flush()
            if loaded is None:
                announce_compilation()
            return loaded

        def save_overload(self, sig: Any, data: Any) -> None:
            if not _unchanged(self._impl.locator.module):  # this code may be of either version
                return
            try:
                # Numba numbers data files by what the index holds; two processes that save at once
                # would write different signatures to one file. A name of its own prevents that.
                unique = f"{self._impl.filename_base}.{uuid.uuid4().hex[:12]}"
                self._cache_file._data_name_pattern = unique + ".{number:d}.nbc"
                super().save_overload(sig, data)
                _remove_old_folders(Path(self.cache_path).parent)
            except Exception as problem:  # noqa: BLE001 - a full disk or whatever: go without
                _warn_uncached(repr(problem))

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            # The folder is chosen at import; this also holds if checks are switched on later.
            checked = bool(numba.config.BOUNDSCHECK)
            return (*super()._index_key(sig, codegen), checked, self.part)

    return ProjectCache
