"""Copies of short rows of fixed length in a few vector instructions.

A loop over as many numbers as the rules have beans is compiled for any number of them and for
arrays that might overlap, and takes several times as long. Nothing is checked here, not even in
checked runs: callers say why a block fits.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, config, types
from numba.extending import intrinsic

from .limits import BEAN_CAPACITY, DECK_CAPACITY, SEAT_CAPACITY

__all__ = [
    "SEAT_BLOCK",
    "clear_shorts",
    "copy_array",
    "copy_hand",
    "copy_seats",
    "count_eight",
    "eight_beans",
    "fill_block",
    "first_bean",
    "nth_of_eight",
    "put_difference",
    "widen_beans",
]

SEAT_BLOCK = 8  # a power of two
assert SEAT_CAPACITY <= SEAT_BLOCK  # else seats would be missing in a block
assert BEAN_CAPACITY == 12  # a row by bean is read as eight bytes and four
_BYTE, _SHORT = ir.IntType(8), ir.IntType(16)


def _pointer(context: Any, builder: Any, array_type: Any, array: Any, at: Any, block: Any) -> Any:
    """The address of an array's element, as that of a block."""
    data = context.make_array(array_type)(context, builder, value=array).data
    return builder.bitcast(builder.gep(data, [at]), block.as_pointer())


def _widen_uncompiled(out: Any, at: int, beans: Any) -> None:
    out[at : at + BEAN_CAPACITY] = beans


@intrinsic
def _widen_compiled(typing_context, out, at, beans):
    """``out[at : at + BEAN_CAPACITY] = beans``, int8 into int16."""

    def generate(context, builder, signature, arguments):
        zero = ir.Constant(ir.IntType(64), 0)
        narrow, wide = ir.VectorType(_BYTE, BEAN_CAPACITY), ir.VectorType(_SHORT, BEAN_CAPACITY)
        source = _pointer(context, builder, signature.args[2], arguments[2], zero, narrow)
        target = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], wide)
        values = builder.load(source, align=1)
        builder.store(builder.sext(values, wide), target, align=2)
        return context.get_dummy_value()

    return types.void(out, types.int64, beans), generate


def _seats_uncompiled(out: Any, at: int, values: Any, first: int) -> None:
    found = values[first : first + SEAT_BLOCK]
    out[at : at + len(found)] = found


@intrinsic
def _seats_compiled(typing_context, out, at, values, first):
    """``out[at : at + SEAT_BLOCK] = values[first : first + SEAT_BLOCK]``, into int16."""

    def generate(context, builder, signature, arguments):
        out, at, values, first = arguments
        narrow = ir.IntType(signature.args[2].dtype.bitwidth)
        row, wide = ir.VectorType(narrow, SEAT_BLOCK), ir.VectorType(_SHORT, SEAT_BLOCK)
        source = _pointer(context, builder, signature.args[2], values, first, row)
        target = _pointer(context, builder, signature.args[0], out, at, wide)
        found = builder.load(source, align=1)
        if narrow != _SHORT:
            found = builder.sext(found, wide)
        builder.store(found, target, align=2)
        return context.get_dummy_value()

    return types.void(out, types.int64, values, types.int64), generate


def _copy_hand_uncompiled(target: Any, source: Any) -> None:
    target[:DECK_CAPACITY] = source[:DECK_CAPACITY]


@intrinsic
def _copy_hand_compiled(typing_context, target, source):
    """``target[:DECK_CAPACITY] = source[:DECK_CAPACITY]``, both int8."""

    def generate(context, builder, signature, arguments):
        zero, row = ir.Constant(ir.IntType(64), 0), ir.VectorType(_BYTE, DECK_CAPACITY)
        source = _pointer(context, builder, signature.args[1], arguments[1], zero, row)
        target = _pointer(context, builder, signature.args[0], arguments[0], zero, row)
        builder.store(builder.load(source, align=1), target, align=1)
        return context.get_dummy_value()

    return types.void(target, source), generate


def _array_uncompiled(target: Any, source: Any) -> None:
    target[:] = source


@intrinsic
def _array_compiled(typing_context, target, source):
    """``target[:] = source`` of two arrays of one type, which do not overlap."""

    def generate(context, builder, signature, arguments):
        target, source = (
            context.make_array(kind)(context, builder, value=array)
            for kind, array in zip(signature.args, arguments, strict=True)
        )
        cgutils.raw_memcpy(builder, target.data, source.data, source.nitems, source.itemsize)
        return context.get_dummy_value()

    return types.void(target, source), generate


def _fill_uncompiled(mask: Any, at: int, value: int) -> None:
    mask[at : at + BEAN_CAPACITY] = value


@intrinsic
def _fill_compiled(typing_context, mask, at, value):
    """``mask[at : at + BEAN_CAPACITY] = value``, int8."""

    def generate(context, builder, signature, arguments):
        row = ir.VectorType(_BYTE, BEAN_CAPACITY)
        target = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], row)
        value = builder.trunc(arguments[2], _BYTE)
        values = ir.Constant(row, ir.Undefined)
        for i in range(BEAN_CAPACITY):
            values = builder.insert_element(values, value, ir.Constant(ir.IntType(32), i))
        builder.store(values, target, align=1)
        return context.get_dummy_value()

    return types.void(mask, types.int64, types.int64), generate


def _clear_uncompiled(out: Any, at: int, count: int) -> None:
    out[at : at + count] = 0


@intrinsic
def _clear_compiled(typing_context, out, at, count):
    """``out[at : at + count] = 0``, int16."""

    def generate(context, builder, signature, arguments):
        out, at, count = arguments
        target = _pointer(context, builder, signature.args[0], out, at, _BYTE)
        size = builder.mul(count, ir.Constant(count.type, 2))
        cgutils.memset(builder, target, size, 0)
        return context.get_dummy_value()

    return types.void(out, types.int64, types.int64), generate


def _eight_uncompiled(values: Any, at: int) -> int:
    return int.from_bytes(values[at : at + 8].tobytes(), "little")


def _word(context: Any, builder: Any, kind: Any, values: Any, at: Any) -> Any:
    """Eight bytes, or the last four of a row by bean, as one number."""
    bits = builder.icmp_unsigned("<", at, ir.Constant(at.type, 8))
    whole, half = ir.IntType(64), ir.IntType(32)
    with builder.if_else(bits) as (low, high):
        with low:
            first = builder.load(_pointer(context, builder, kind, values, at, whole), align=1)
            end_low = builder.block
        with high:
            found = builder.load(_pointer(context, builder, kind, values, at, half), align=1)
            last = builder.zext(found, whole)
            end_high = builder.block
    word = builder.phi(whole)
    word.add_incoming(first, end_low)
    word.add_incoming(last, end_high)
    return word


@intrinsic
def _eight_compiled(typing_context, values, at):
    """A row by bean from ``at`` on, 0 or 8: eight or the last four numbers, side by side."""

    def generate(context, builder, signature, arguments):
        return _word(context, builder, signature.args[0], *arguments)

    return types.int64(values, types.int64), generate


def _first_uncompiled(values: Any) -> int:
    found = values.nonzero()[0]
    return int(found[0]) + 1 if len(found) else 0


@intrinsic
def _first_compiled(typing_context, values):
    """1 + the place of the first number that is not 0 in a row by bean, 0 if there is none."""

    def generate(context, builder, signature, arguments):
        kind, (row,) = signature.args[0], arguments
        whole, half = ir.IntType(64), ir.IntType(32)
        none, eight = ir.Constant(whole, 0), ir.Constant(whole, 8)
        low = builder.load(_pointer(context, builder, kind, row, none, whole), align=1)
        rest = builder.load(_pointer(context, builder, kind, row, eight, half), align=1)
        high = builder.zext(rest, whole)
        no_low = builder.icmp_unsigned("==", low, none)
        no_high = builder.icmp_unsigned("==", high, none)
        word = builder.select(no_low, high, low)
        zeros = builder.cttz(word, ir.Constant(ir.IntType(1), 0))
        place = builder.add(builder.lshr(zeros, ir.Constant(whole, 3)), ir.Constant(whole, 1))
        place = builder.add(place, builder.select(no_low, eight, none))
        return builder.select(builder.and_(no_low, no_high), none, place)

    return types.int64(values), generate


def _count_uncompiled(mask: Any, at: int) -> int:
    return int(mask[at : at + 8].sum())


@intrinsic
def _count_compiled(typing_context, mask, at):
    """``sum(mask[at : at + 8])`` of int8 numbers that are 0 or 1."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        source = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], word)
        return builder.ctpop(builder.load(source, align=1))

    return types.int64(mask, types.int64), generate


def _nth_uncompiled(mask: Any, at: int, nth: int) -> int:
    return int(mask[at : at + 8].nonzero()[0][nth])


@intrinsic
def _nth_compiled(typing_context, mask, at, nth):
    """Of eight int8 numbers, 0 or 1, the place of the ``nth`` 1, counted from 0."""

    def generate(context, builder, signature, arguments):
        word, each = ir.IntType(64), 0x0101010101010101  # a number in each byte
        source = _pointer(context, builder, signature.args[0], arguments[0], arguments[1], word)
        ones = ir.Constant(word, each)
        up_to = builder.mul(builder.load(source, align=1), ones)  # 1s up to each byte
        nth = builder.mul(builder.add(arguments[2], ir.Constant(word, 128)), ones)
        before = builder.and_(builder.sub(nth, up_to), ir.Constant(word, 128 * each))
        return builder.ctpop(before)  # bytes up to which there are no more than nth

    return types.int64(mask, types.int64, types.int64), generate


def _difference_uncompiled(out: Any, at: int, values: Any, first: int, word: int) -> None:
    found = values[first : first + 8]
    for k, value in enumerate(found):
        out[at + k] = value - (word >> (8 * k) & 255)


@intrinsic
def _difference_compiled(typing_context, out, at, values, first, word):
    """``out[at + k] = values[first + k]`` less byte k of ``word``, for k from 0 to 7, int16."""

    def generate(context, builder, signature, arguments):
        out, at, values, first, word = arguments
        row, narrow = ir.VectorType(_SHORT, 8), ir.VectorType(_BYTE, 8)
        source = _pointer(context, builder, signature.args[2], values, first, row)
        target = _pointer(context, builder, signature.args[0], out, at, row)
        taken = builder.zext(builder.bitcast(word, narrow), row)
        builder.store(builder.sub(builder.load(source, align=1), taken), target, align=2)
        return context.get_dummy_value()

    return types.void(out, types.int64, values, types.int64, types.int64), generate


_OFF = config.DISABLE_JIT
# ``widen_beans(out, at, beans)``: int8 numbers by bean into int16; needs BEAN_CAPACITY places.
widen_beans: Any = _widen_uncompiled if _OFF else _widen_compiled
# ``copy_seats(out, at, values, first)``: numbers by seat, int8 or int16, from seat ``first`` on
# into int16; needs SEAT_BLOCK places. What lies behind ``values`` in its record comes along.
copy_seats: Any = _seats_uncompiled if _OFF else _seats_compiled
# ``copy_hand(target, source)``: DECK_CAPACITY int8 numbers.
copy_hand: Any = _copy_hand_uncompiled if _OFF else _copy_hand_compiled
# ``copy_array(target, source)``: all of an array into one of the same length and type. A statement
# like ``target[:] = source`` would allocate, since the two might overlap.
copy_array: Any = _array_uncompiled if _OFF else _array_compiled
# ``fill_block(mask, at, value)``: BEAN_CAPACITY int8 numbers; needs as many places.
fill_block: Any = _fill_uncompiled if _OFF else _fill_compiled
# ``count_eight(mask, at)``: how many of eight int8 numbers are 1; the others are 0.
count_eight: Any = _count_uncompiled if _OFF else _count_compiled
# ``nth_of_eight(mask, at, nth)``: the place of the ``nth`` 1 among eight int8 numbers, from 0 on.
nth_of_eight: Any = _nth_uncompiled if _OFF else _nth_compiled
# ``clear_shorts(out, at, count)``: zeros into an int16 array.
clear_shorts: Any = _clear_uncompiled if _OFF else _clear_compiled
# ``eight_beans(values, at)``: of a row by bean the counts from ``at`` (0 or 8) on, the bytes of a
# number; such numbers can be added as long as no count exceeds 255.
eight_beans: Any = _eight_uncompiled if _OFF else _eight_compiled
# ``put_difference(out, at, values, first, word)``: int16 numbers from ``first`` on, less the bytes
# of a number (see ``eight_beans``), into eight places of ``out``.
put_difference: Any = _difference_uncompiled if _OFF else _difference_compiled
# ``first_bean(values)``: 1 + the first bean whose count is not 0, 0 if there is none.
first_bean: Any = _first_uncompiled if _OFF else _first_compiled
