"""The one decorator through which every compiled function of the project is made.

``compiled`` is ``numba.njit`` without the interpreter lock and with a disk cache that stays right
when sources change. Numba's own cache looks only at the file that holds a function: after an edit
in a *called* function of another file, or of a constant, it runs stale code. Here the cache folder
is named by a digest of everything that compiled code may be made from:

- every file of the folder of this module (``engine/``), data files included;
- every module of the package whose text contains ``compiled`` or ``numba``;
- every module of the package that one of these imports, transitively (found by a scan of the text,
  which errs by taking in too much: imports in comments or functions count as well);
- versions (Python, NumPy, Numba, llvmlite) and Numba's optimisation settings. Numba itself keys by
  CPU, by signature, and by a function's bytecode and closure.

So an edit of a command line or of a document does not compile anything anew. Only functions from
such a file, unchanged since the digest was taken, are cached; any other (a script's, a notebook's)
is compiled in memory, which is slower and never stale. What the digest cannot see must not be baked
into compiled code as a global: environment variables, files outside ``engine/``, patched modules.

Environment variables, read when the package is imported:

``BOHNANZA_CACHE_DIR``
    Folder of the cache. Default: ``bohnanza-env`` under ``NUMBA_CACHE_DIR`` if that is set, else
    the user's cache folder (``~/.cache/bohnanza-env``, or the platform's equivalent). Nothing is
    written beside the sources. If it cannot be written, functions are compiled in memory, with one
    warning; a folder that can only be read is still read.
``BOHNANZA_QUIET``
    Set to 1 to silence the line that announces the first compilation.
``NUMBA_BOUNDSCHECK``
    Set to 1 for checked runs, in which an index out of range raises ``IndexError``. They have a
    cache folder of their own (``<digest>-checked``).
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
from numba.core import types

__all__ = ["announce_compilation", "cache_digest", "cache_folder", "compiled"]

P = ParamSpec("P")
R = TypeVar("R")

_ENGINE_FOLDER = os.path.dirname(os.path.abspath(__file__))
_PACKAGE_FOLDER = os.path.dirname(_ENGINE_FOLDER)
_PACKAGE_NAME = os.path.basename(_PACKAGE_FOLDER)

# Caches of other digests: this many of the most recently used are kept whatever their age, and none
# is removed that was used within this many seconds (another checkout or a running process).
_OTHER_CACHES_KEPT = 4
_SECONDS_KEPT = 7 * 24 * 3600.0

# Settings of numba.config that change the code that Numba makes and that its cache does not key by.
_CODE_SETTINGS = ("OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "DEBUGINFO_DEFAULT", "USING_SVML")

# What an import statement names: "a.b as c, d", or "(a, b)" with comments that may hold brackets.
_IMPORT = re.compile(rb"import[ \t]*(\((?:[^)#]|#[^\n]*)*\)|[^\n;]*)")
_FROM = re.compile(rb"from[ \t]*([.\w]+)[ \t]*$")


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def compiled(
    *, cache: bool = True, **options: Any
) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(function: Any = None, /, *, cache: bool = True, **options: Any) -> Any:
    """Compile a function with Numba on its first call, or load it from the cache.

    Use it bare (``@compiled``) or with options (``@compiled(inline="always")``), which go to
    ``numba.njit``; ``nogil=True`` is the default, ``cache=False`` compiles in memory. The result is
    a Numba dispatcher, with the Python function in ``py_func``. Under ``NUMBA_DISABLE_JIT=1`` it is
    the Python function itself, which then also has ``py_func``.

    Raises ``TypeError`` for anything but a Python function. Whatever goes wrong with the cache only
    costs time: the function is compiled in memory, with one warning per process.
    """

    def decorate(python_function: Any) -> Any:
        dispatcher = numba.njit(**{"nogil": True, "no_cfunc_wrapper": True, **options})(
            python_function
        )
        if dispatcher is python_function:  # compilation is disabled
            dispatcher.py_func = python_function
            return dispatcher
        _widen_arguments(dispatcher)
        if cache:
            _attach_cache(dispatcher)
        return dispatcher

    return decorate if function is None else decorate(function)


def _widen_arguments(dispatcher: Any) -> None:
    """Let compiled callers pass every integer as int64, constants included.

    Numba would compile a function once for each combination of integer types and of constants
    among its arguments (one with a kind, a seat and a count easily 20 times). One version each
    makes the first compilation several times shorter, and narrow integers cannot overflow inside.
    """
    specialised = dispatcher.get_call_template

    def widened(args: Any, kws: Any) -> Any:
        return specialised(
            tuple(_widened(a) for a in args), {name: _widened(a) for name, a in kws.items()}
        )

    dispatcher.get_call_template = widened


def _widened(numba_type: Any) -> Any:
    plain = types.unliteral(numba_type)
    return types.int64 if isinstance(plain, types.Integer) else plain


def cache_digest() -> str:
    """Return the digest of sources, versions and settings that names this cache's folder."""
    return _sources()[0]


@functools.cache
def cache_folder() -> Path | None:
    """Return this process's cache folder, created if needed, or ``None`` if there can be none.

    The folder may still turn out to be read-only: then what it holds is used, and nothing added.
    """
    folder = _folder()
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            return None
    return folder


def announce_compilation() -> None:
    """Say on stderr, once per process, that code is being compiled (not if ``BOHNANZA_QUIET=1``).

    Called on the first cache miss; a process that finds everything in the cache says nothing.
    """
    if "announced" in _said:
        return
    _said.add("announced")
    if os.environ.get("BOHNANZA_QUIET", "0") in ("", "0") and sys.stderr is not None:
        sys.stderr.write(
            "bohnanza-env: compiling for this machine, once"
            " (the whole engine takes about half a minute) ...\n"
        )
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


# --- The digest of the sources ---------------------------------------------------------------


def _stamp(path: str) -> tuple[int, int]:
    """Return what changes when a file is edited: its time of change and its size."""
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


@functools.cache
def _sources() -> tuple[str, dict[str, tuple[int, int]]]:
    """Return the digest, and the stamp of each file in it by its absolute path.

    Files that cannot be read (a package in a zip archive has none) are left out, and functions in
    them are then not cached.
    """
    texts: dict[str, bytes] = {}
    stamps: dict[str, tuple[int, int]] = {}
    chosen: list[str] = []
    for folder, subfolders, names in os.walk(_PACKAGE_FOLDER):
        subfolders[:] = [name for name in subfolders if name[0] != "." and name != "__pycache__"]
        in_engine = (folder + os.sep).startswith(_ENGINE_FOLDER + os.sep)
        for name in names:
            if not (name.endswith(".py") or (in_engine and name[0] != ".")):
                continue
            path = os.path.join(folder, name)
            try:
                stamps[path] = _stamp(path)  # before the text, so that an edit in between shows
                with open(path, "rb") as file:
                    texts[path] = file.read()
            except OSError:
                continue
            if in_engine or b"compiled" in texts[path] or b"numba" in texts[path]:
                chosen.append(path)
    found = set(chosen)
    while chosen:
        path = chosen.pop()
        if path.endswith(".py"):
            new = {target for target in _imports(path, texts[path]) if target in texts} - found
            found |= new
            chosen += new

    digest = hashlib.sha256()
    versions = (sys.version, numba.__version__, numpy.__version__, llvmlite.__version__)
    settings = [getattr(numba.config, name, None) for name in _CODE_SETTINGS]
    digest.update(repr((_PACKAGE_NAME, versions, settings)).encode())
    for path in sorted(found):
        name = os.path.relpath(path, _PACKAGE_FOLDER).replace(os.sep, "/")
        digest.update(f"\0{name}\0{len(texts[path])}\0".encode())
        digest.update(texts[path])
    return digest.hexdigest()[:20], {path: stamps[path] for path in found}


def _imports(path: str, text: bytes) -> Iterator[str]:
    """Yield the paths that a module's imports may mean; many of them need not exist."""
    text = text.replace(b"\r", b"").replace(b"\\\n", b" ")
    for found in _IMPORT.finditer(text):
        before = text[text.rfind(b"\n", 0, found.start()) + 1 : found.start()]
        named = found[1].decode(errors="replace")
        if source := _FROM.search(before):
            modules, names = [source[1].decode(errors="replace")], re.findall(r"\w+", named)
        else:
            modules, names = re.findall(r"[\w.]+", named), []
        for module in modules:
            dots = len(module) - len(module.lstrip("."))
            parts = [part for part in module.split(".") if part]
            if dots:
                folder = path
                for _ in range(dots):
                    folder = os.path.dirname(folder)
            elif parts and parts[0] == _PACKAGE_NAME:
                folder, parts = _PACKAGE_FOLDER, parts[1:]
            else:
                continue
            target = os.path.join(folder, *parts)
            yield target + ".py"
            yield os.path.join(target, "__init__.py")
            for name in names:
                yield os.path.join(target, name + ".py")
                yield os.path.join(target, name, "__init__.py")


def _sources_unchanged() -> bool:
    """Tell whether the files on disk are still those of the digest."""
    try:
        return all(_stamp(path) == stamp for path, stamp in _sources()[1].items())
    except OSError:
        return False


# --- The folder ------------------------------------------------------------------------------


@functools.cache
def _folder() -> Path | None:
    """Return the path of this process's cache folder, existing or not, if one can be named."""
    checked = "-checked" if numba.config.BOUNDSCHECK else ""
    try:
        return _root_folder().absolute() / (cache_digest() + checked)
    except (RuntimeError, OSError):  # no home folder, or no working folder
        return None


def _root_folder() -> Path:
    """Return the folder under which each digest has a folder."""
    environment = os.environ.get
    if chosen := environment("BOHNANZA_CACHE_DIR"):
        return Path(chosen).expanduser()
    if chosen := environment("NUMBA_CACHE_DIR"):
        return Path(chosen).expanduser() / "bohnanza-env"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "bohnanza-env"
    if sys.platform == "win32":
        local = environment("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "bohnanza-env"
    user_cache = environment("XDG_CACHE_HOME", "")
    return (Path(user_cache) if user_cache[:1] == "/" else Path.home() / ".cache") / "bohnanza-env"


@functools.cache
def _mark_used() -> None:
    """Date the cache folder to now, once per process, so that no other process removes it."""
    if (folder := _folder()) is not None:
        with contextlib.suppress(OSError):
            os.utime(folder)


@functools.cache
def _remove_old_caches() -> None:
    """Remove the folders of old digests, once per process and only in one that adds to the cache.

    A folder is renamed first, so that it vanishes whole; a process that still looks for something
    in it compiles that anew.
    """
    current = _folder()
    if current is None:
        return
    others: list[tuple[float, Path]] = []
    with contextlib.suppress(OSError):
        for path in current.parent.iterdir():
            if path.name.startswith(".removed-"):
                shutil.rmtree(path, ignore_errors=True)
            elif path != current and re.fullmatch(r"[0-9a-f]{20}(-checked)?", path.name):
                others.append((path.stat().st_mtime, path))
    for used, path in sorted(others, reverse=True)[_OTHER_CACHES_KEPT:]:
        if time.time() - used > _SECONDS_KEPT:
            removed = path.with_name(f".removed-{uuid.uuid4().hex}")
            with contextlib.suppress(OSError):
                path.rename(removed)
                shutil.rmtree(removed, ignore_errors=True)


# --- The link to Numba -----------------------------------------------------------------------


def _attach_cache(dispatcher: Any) -> None:
    """Give a dispatcher the project's cache, if its function comes from a file of the digest.

    This is what ``Dispatcher.enable_caching`` does, with another class; no setting of Numba is
    changed, so other packages' functions keep their own cache.
    """
    path = os.path.abspath(dispatcher.py_func.__code__.co_filename)
    try:
        if path not in _sources()[1] or _stamp(path) != _sources()[1][path]:
            return
        dispatcher._cache = _cache_class()(dispatcher.py_func)
    except Exception as problem:  # noqa: BLE001 - Numba's internals have moved: go without
        _warn_uncached(repr(problem))


class _Locator:
    """Tells Numba where the files of one function lie (its interface of cache locators)."""

    def __init__(self, python_function: Any) -> None:
        self._py_file = os.path.abspath(python_function.__code__.co_filename)
        self._line = python_function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        # The folders of the package are kept apart: Numba's file names hold only the last part of
        # a module's name. Without a folder, the path cannot be read or written, which is handled.
        below = os.path.relpath(os.path.dirname(self._py_file), _PACKAGE_FOLDER)
        return os.path.normpath(os.path.join(_folder() or os.devnull, below))

    def get_source_stamp(self) -> str:
        return cache_digest()

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
            module = os.path.splitext(os.path.basename(self._locator._py_file))[0]
            name = f"{module}.{python_function.__qualname__}"
            self._filename_base = self.get_filename_base(name, getattr(sys, "abiflags", ""))

    class ProjectCache(FunctionCache):
        """Numba's cache of one function, in which no failure is ever more than a miss."""

        _impl_class = ProjectCacheImpl

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            _mark_used()
            loaded = None
            try:
                loaded = super().load_overload(sig, target_context)
            except OSError:
                pass
            except Exception:  # noqa: BLE001 - a damaged file: start this function's index anew
                with contextlib.suppress(Exception):
                    self.flush()
            if loaded is None:
                announce_compilation()
            return loaded

        def save_overload(self, sig: Any, data: Any) -> None:
            if not _sources_unchanged():  # edited since: this code may be of either version
                return
            try:
                # Numba numbers data files by what the index holds; two processes that save at once
                # would write different signatures to one file. A name of its own prevents that.
                unique = f"{self._impl.filename_base}.{uuid.uuid4().hex[:12]}"
                self._cache_file._data_name_pattern = unique + ".{number:d}.nbc"
                super().save_overload(sig, data)
            except Exception as problem:  # noqa: BLE001 - a full disk or whatever: go without
                _warn_uncached(repr(problem))
            else:
                _remove_old_caches()

        def _index_key(self, sig: Any, codegen: Any) -> Any:
            # The folder is chosen at import; this also holds if checks are switched on later.
            checked = bool(numba.config.BOUNDSCHECK)
            return (*super()._index_key(sig, codegen), checked)

    return ProjectCache
