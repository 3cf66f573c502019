"""The one decorator through which every compiled function of the project is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, overload

import numba
from numba import config

P = ParamSpec("P")
R = TypeVar("R")


@overload
def compiled(function: Callable[P, R], /) -> Callable[P, R]: ...


@overload
def compiled(**options: Any) -> Callable[[Callable[P, R]], Callable[P, R]]: ...


def compiled(function: Any = None, /, **options: Any) -> Any:
    """Compile a function with Numba, without the interpreter lock, cached on disk."""

    def decorate(plain: Any) -> Any:
        if config.DISABLE_JIT:
            plain.py_func = plain
            return plain
        return numba.njit(nogil=True, cache=True, **options)(plain)

    return decorate if function is None else decorate(function)
