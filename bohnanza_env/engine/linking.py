"""How compiled functions are put together: each entry point is optimised once, as a whole.

Numba by itself optimises every function and makes machine code of it, and again of all that it
calls, so a function five calls deep is optimised five times over. Here a function that compiled
code calls is a *part*: translated to LLVM's language and no further. An *entry point*, a function
that Python calls, takes in all parts that it reaches and is optimised as one. The machine code is
the same in kind; the first compilation takes a fraction of the time.

Both are pipelines of Numba (``numba.njit(pipeline_class=...)``) that hand in a code library of
their own before the step that translates. A part in the cache names the parts that it calls.

Large parts that many entry points reach can be *shared*: they are optimised and made machine code
of once, and entry points jump there. In the cache, entry points name the shared parts they need.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from llvmlite import binding as llvm
from numba.core import compiler, funcdesc, typed_passes, types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_machinery import LoweringPass, register_pass

__all__ = ["EntryCompiler", "PartCompiler", "join", "load", "save"]


class _NoEnvironments:
    """The code generator of parts, whose variables have no address before they are linked."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing: entry points set what they took in."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


def _reached(libraries: list[Any], through_shared: bool = False) -> Iterator[Any]:
    """All that these libraries link to, and what those do, each once; what shared parts do only
    where ``through_shared`` says so.
    """
    seen: set[int] = set()
    left = list(libraries)
    while left:
        library = left.pop()
        if id(library) not in seen:
            seen.add(id(library))
            yield library
            if isinstance(library, _Part) and (through_shared or not library.shared):
                left += library._linking_libraries


class _Part(JITCodeLibrary):
    """A function that only compiled code calls: neither optimised nor, unless it is shared, made
    machine code of.

    Attributes:
        origin: module and name of the function, and the types of its arguments.
        outlined: never put into the code of its callers.
        shared: its machine code is made once, and all entry points jump there.
    """

    origin: tuple[str, str, tuple[Any, ...]]
    outlined = shared = False
    _code: Any = None  # the library with the machine code

    @property
    def codegen(self) -> Any:
        return _NoEnvironments(self._codegen)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def own_module(self) -> Any:
        """The module of this function alone, to be linked into any number of others."""
        self._ensure_finalized()
        module = super()._get_module_for_linking()
        if self.outlined:
            for function in module.functions:
                if not function.is_declaration:
                    function.add_function_attribute("noinline")
        return module

    def _get_module_for_linking(self) -> Any:
        """The module with all that it needs, for functions that are not compiled this way.

        That includes shared parts: in a cache of Numba's own, nobody would know that machine code
        jumps to them.
        """
        whole = self.own_module().clone()
        for library in _reached(self._linking_libraries, through_shared=True):
            part = isinstance(library, _Part)
            module = library.own_module() if part else library._get_module_for_linking()
            whole.link_in(module, preserve=True)
        return whole

    def get_pointer_to_function(self, name: str) -> int:
        return 0  # nobody calls a part from Python

    @property
    def symbol(self) -> str:
        """The name of its function in machine code."""
        return next(f.name for f in self.own_module().functions if not f.is_declaration)

    def provide(self) -> None:
        """Make the machine code of a shared part, once a process, and tell LLVM where it lies."""
        if self._code is None:
            self._code = _Entry(self._codegen, self.name)
            self._code.enable_object_caching()
            module = self.own_module().clone()
            module.get_function(self.symbol).linkage = "external"
            self._code._final_module.link_in(module)
            self._code._linking_libraries = list(self._linking_libraries)
            self._code.finalize()
        llvm.add_symbol(self.symbol, self._code.get_pointer_to_function(self.symbol))

    def saved(self) -> tuple[Any, ...]:
        """What :func:`_loaded` makes the part from again."""
        if self.shared:
            self.provide()
            code = self._code.serialize_using_object_code()
            return self.name, self.origin, self.own_module().as_bitcode(), self._code.needs, code
        module, parts = self.own_module().clone(), []
        for library in self._linking_libraries:
            if isinstance(library, _Part):
                parts.append(library.origin)
            else:  # one of Numba's own helpers
                _link(library, module)
        return self.name, self.origin, module.as_bitcode(), parts, None


def _link(library: Any, module: Any) -> None:
    """Put into a module what it calls, or see to it that it is there to be jumped to."""
    if not isinstance(library, _Part):
        module.link_in(library._get_module_for_linking(), preserve=True)
    elif library.shared:
        library.provide()
    else:
        module.link_in(library.own_module(), preserve=True)


def _part_of(module: str, function: str, argument_types: tuple[Any, ...]) -> _Part:
    """The part of that origin, from the cache as a rule."""
    part = getattr(import_module(module), function).part
    part.compile(argument_types)
    return part.overloads[argument_types].library


def _loaded(
    codegen: Any, name: str, origin: Any, bitcode: bytes, parts: list[Any], code: Any
) -> _Part:
    library = _Part(codegen, name)
    library.origin = origin
    library._final_module = llvm.parse_bitcode(bitcode)
    library._linking_libraries += [_part_of(*origin) for origin in parts]
    library.finalize()
    if code is not None:
        library.shared = True
        _provide(parts)
        library._code = codegen.unserialize_library(code)
        library.provide()
    return library


def _provide(origins: list[Any]) -> None:
    """Make or load the shared parts that machine code in the cache jumps to."""
    for origin in origins:
        _part_of(*origin).provide()


class _Entry(JITCodeLibrary):
    """A function that Python calls, or the machine code of a shared part.

    Attributes:
        needs: the origins of the shared parts that it jumps to.
    """

    needs: list[Any]

    def finalize(self) -> None:
        direct, self._linking_libraries = self._linking_libraries, []
        own = {f.name for f in self._final_module.functions if not f.is_declaration}
        self.needs, jumps = [], set()
        for library in _reached(direct):
            if not isinstance(library, _Part):
                self._linking_libraries.append(library)
                continue
            _link(library, self._final_module)
            if library.shared:
                self.needs.append(library.origin)
                jumps.add(library.symbol)
        self._check_all_is_there(jumps)
        for function in self._final_module.functions:
            if not function.is_declaration and function.name not in own:
                function.linkage = "internal"  # LLVM then knows all its callers
        super().finalize()
        self._linking_libraries = direct

    def _check_all_is_there(self, jumps: set[str]) -> None:
        """Better an error than a call into nowhere."""
        if self._linking_libraries:
            return  # Numba's helpers are linked later
        for function in self._final_module.functions:
            name = function.name
            if function.is_declaration and name.startswith("_ZN") and name not in jumps:
                raise RuntimeError(f"{self.name}: not linked: {name}")


def _lasting_name(name: str, argument_types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
    """Numba's name for a function's code, with its types told in full instead of in short.

    Numba's short names of records are numbers in the order in which a process meets them: parts of
    different processes would not find each other, or find the code for another record.
    """
    text = "; ".join(map(str, argument_types))
    digest = hashlib.sha256(text.encode()).hexdigest()[:20]
    return funcdesc.default_mangler(name, (digest,), abi_tags=abi_tags, uid=uid)


@register_pass(mutates_CFG=False, analysis_only=True)
class _AsPart(LoweringPass):
    _name = "bohnanza_part"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        _use_library(state, _Part)
        function = state.func_id
        state.library.origin = (function.modname, function.func_name, tuple(state.args))
        state.library.outlined = getattr(function.func, "outlined", False)
        state.library.shared = getattr(function.func, "shared", False)
        # Numba numbers functions as they come. In the cache, parts that were compiled by different
        # processes meet: there the number tells the version of the source.
        if "<locals>" not in function.func_qualname:
            number = getattr(function.func, "source_number", function.unique_id)
            function.unique_id = number
            state.targetctx = state.targetctx.subtarget(mangler=_lasting_name)
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class _AsEntry(LoweringPass):
    _name = "bohnanza_entry"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        _use_library(state, _Entry)
        return False


def _use_library(state: Any, kind: type) -> None:
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    state.library = library


class _Compiler(compiler.CompilerBase):
    choice: type

    def define_pipelines(self) -> list[Any]:
        manager = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(self.choice, typed_passes.AnnotateTypes)
        manager.finalize()
        return [manager]


class PartCompiler(_Compiler):
    """Numba's pipeline for a function that compiled code calls."""

    choice = _AsPart


class EntryCompiler(_Compiler):
    """Numba's pipeline for a function that Python calls."""

    choice = _AsEntry


# --- What the decorator and its cache need ------------------------------------------------------


def _widened(numba_type: Any) -> Any:
    plain = types.unliteral(numba_type)
    return types.int64 if isinstance(plain, types.Integer) else plain


def join(entry: Any, part: Any) -> None:
    """Let compiled callers take the part, and pass every integer as int64, constants included.

    Numba would compile a function once for each combination of integer types and of constants
    among its arguments (one with a kind, a seat and a count easily 20 times). One version each
    makes the first compilation several times shorter, and narrow integers cannot overflow inside.

    Args:
        entry: the dispatcher that Python calls; it gets the attribute ``part``.
        part: the dispatcher of the same function for compiled code.
    """
    entry.part = part
    entry.get_overload = part.get_overload
    entry.get_call_template = lambda args, kws: part.get_call_template(
        tuple(map(_widened, args)), {name: _widened(kind) for name, kind in kws.items()}
    )


def save(result: Any, usual: Callable[[Any], Any]) -> Any:
    """What to pickle of Numba's compile result; ``usual`` is Numba's way, for entry points."""
    if not isinstance(result.library, _Part):
        return result.library.needs, usual(result)
    description = result.fndesc
    description.typemap = description.calltypes = None  # large, and of no more use
    return {
        "saved": result.library.saved(),
        "description": description,
        "environment": result.environment,
        "signature": result.signature,
    }


def load(target: Any, payload: Any, usual: Callable[[Any, Any], Any]) -> Any:
    """The compile result again, from what :func:`save` gave."""
    if isinstance(payload, dict):
        return _load_part(target, **payload)
    needs, rest = payload
    _provide(needs)
    return usual(target, rest)


def _load_part(
    target: Any, saved: tuple[Any, ...], description: Any, environment: Any, signature: Any
) -> Any:
    library = _loaded(target.codegen(), *saved)
    return compiler.compile_result(
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=target.get_executable(library, description, environment),
        fndesc=description,
        signature=signature,
        objectmode=False,
        lifted=(),
    )
