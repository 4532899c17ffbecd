"""Reductions and scans, with the operations of tl and with own ones."""

import numpy as np
import triton
import triton.language as tl

from bounds import Close, Exact, Observed
from case import Case, In, Out
from dtypes import FLOATS, INTEGERS, encode, storage
from inputs import Source

EXACT = Exact()
TIES = Observed("which of x and -x has the larger size depends on the order of combining")
ROWS, COLUMNS = 16, 64


@triton.jit
def add(x, y):
    return x + y


@triton.jit
def larger_magnitude(x, y):
    return tl.where(tl.abs(x) >= tl.abs(y), x, y)


@triton.jit
def mean_and_spread(mean_a, m2_a, weight_a, mean_b, m2_b, weight_b):
    delta = mean_b - mean_a
    weight = weight_a + weight_b
    share = tl.where(weight == 0.0, 0.0, weight_b / weight)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * weight_a * share, weight


@triton.jit
def affine(a, b, c, d):
    return a * c, b * c + d


@triton.jit
def reduce_kernel(x_ptr, out_ptr, KIND: tl.constexpr, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    if KIND == "sum":
        y = tl.sum(x, AXIS)
    elif KIND == "max":
        y = tl.max(x, AXIS)
    elif KIND == "min":
        y = tl.min(x, AXIS)
    elif KIND == "xor":
        y = tl.xor_sum(x, AXIS)
    elif KIND == "or":
        y = tl.reduce_or(x, AXIS)
    elif KIND == "argmax":
        y = tl.argmax(x, AXIS)
    elif KIND == "argmin":
        y = tl.argmin(x, AXIS)
    elif KIND == "max_index":
        value, index = tl.max(x, AXIS, return_indices=True)
        y = value.to(tl.float32) * 1000 + index
    elif KIND == "custom":
        y = tl.reduce(x, AXIS, larger_magnitude)
    else:
        y = tl.sum(x, AXIS, keep_dims=True)
        y = tl.reshape(y, (ROWS * COLUMNS // x.shape[AXIS],))
    if AXIS is None:
        tl.store(out_ptr, y)
    elif AXIS == 0:
        tl.store(out_ptr + tl.arange(0, COLUMNS), y)
    else:
        tl.store(out_ptr + tl.arange(0, ROWS), y)


@triton.jit
def welford_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    mean, m2, weight = tl.reduce((x, tl.zeros_like(x), tl.full(x.shape, 1.0, x.dtype)), 1, mean_and_spread)
    row = tl.arange(0, ROWS)
    tl.store(out_ptr + row * 3 + 0, mean)
    tl.store(out_ptr + row * 3 + 1, m2)
    tl.store(out_ptr + row * 3 + 2, weight)


@triton.jit
def scan_kernel(x_ptr, out_ptr, KIND: tl.constexpr, AXIS: tl.constexpr, REVERSE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    x = tl.load(x_ptr + at)
    if KIND == "cumsum":
        y = tl.cumsum(x, AXIS, reverse=REVERSE)
    elif KIND == "cumprod":
        y = tl.cumprod(x, AXIS, reverse=REVERSE)
    else:
        y = tl.associative_scan(x, AXIS, larger_magnitude, reverse=REVERSE)
    tl.store(out_ptr + at, y)


@triton.jit
def recurrence_kernel(a_ptr, b_ptr, out_ptr, REVERSE: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    a, b = tl.associative_scan((tl.load(a_ptr + at), tl.load(b_ptr + at)), 1, affine, reverse=REVERSE)
    tl.store(out_ptr + at, b)


def _result_shape(axis):
    return {None: (1,), 0: (COLUMNS,), 1: (ROWS,)}[axis]


def _sum_type(dtype):
    """tl.sum widens small integers to 32 bits."""
    if dtype in ("i8", "i16", "i32"):
        return "i32"
    return "u32" if dtype in ("u8", "u16", "u32") else dtype


def _whole(name, dtype, largest=8):
    """Whole numbers whose sums every order gives exactly."""
    numbers = Source(name).integers(ROWS * COLUMNS, -largest, largest + 1)
    return encode(numbers.astype(np.float64), dtype)


def _reductions():
    for dtype in INTEGERS + FLOATS:
        for axis in (0, 1, None):
            for kind in ("sum", "max", "min", "argmax", "argmin", "custom", "xor", "keep_dims"):
                if kind == "xor" and dtype in FLOATS or kind in ("custom", "keep_dims") and (axis is None or dtype not in ("i32", "f32")):
                    continue
                if kind in ("argmax", "argmin") and (axis is None or dtype in ("u16", "i16", "u64")):
                    continue  # tl wants an axis; other types cover these
                name = f"{kind}-{'all' if axis is None else axis}/{dtype}"

                def arguments(name=name, dtype=dtype, kind=kind, axis=axis):
                    out = _sum_type(dtype) if kind in ("sum", "keep_dims") else "i32" if kind.startswith("arg") else dtype
                    if dtype in INTEGERS:
                        x = Source(name).values(ROWS * COLUMNS, dtype)
                    elif kind in ("max", "min", "custom"):
                        x = Source(name).spread(ROWS * COLUMNS, dtype, -8, 8)
                    else:
                        # Half-precision sums stay below 2^8, where bf16 still holds every whole number.
                        x = _whole(name, dtype, 1 if kind in ("sum", "keep_dims") and dtype == "bf16" else 8)
                        if dtype == "bf16" and kind == "sum" and axis is None:
                            x = np.where(np.arange(x.size) % 5 == 0, x, 0).astype(x.dtype)
                    return [In(x, dtype), Out(_result_shape(axis), out)]

                constants = {"KIND": kind, "AXIS": axis, "ROWS": ROWS, "COLUMNS": COLUMNS}
                bound = TIES if kind == "custom" and dtype in INTEGERS else EXACT
                yield Case(name, reduce_kernel, arguments, bound, constants=constants)
    for dtype in ("i1", "i8", "i32"):
        name = f"or-1/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            sparse = source.integers(ROWS * COLUMNS, 0, COLUMNS) == 0  # one of a row's elements, about
            x = np.where(sparse, source.bits(ROWS * COLUMNS, dtype), 0).astype(storage(dtype))
            return [In(x, dtype), Out((ROWS,), dtype)]

        constants = {"KIND": "or", "AXIS": 1, "ROWS": ROWS, "COLUMNS": COLUMNS}
        yield Case(name, reduce_kernel, arguments, EXACT, constants=constants)
    for dtype in FLOATS:
        name = f"sum_fractions-1/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(encode(Source(name).uniform(ROWS * COLUMNS), dtype), dtype), Out((ROWS,), dtype)]

        epsilon = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2.0**-24, "f64": 2.0**-53}[dtype]
        bound = Close(8 * epsilon, 0.0, "64 positive numbers in a tree of another shape: 6 levels of rounding, and one")
        constants = {"KIND": "sum", "AXIS": 1, "ROWS": ROWS, "COLUMNS": COLUMNS}
        yield Case(name, reduce_kernel, arguments, bound, constants=constants)
        for kind in ("max", "min"):
            name = f"{kind}_nan-1/{dtype}"

            def arguments(name=name, dtype=dtype):
                x = Source(name).values(ROWS * COLUMNS, dtype)
                return [In(x, dtype), Out((ROWS,), dtype)]

            constants = {"KIND": kind, "AXIS": 1, "ROWS": ROWS, "COLUMNS": COLUMNS}
            yield Case(name, reduce_kernel, arguments, EXACT, constants=constants)
    for dtype in ("i32", "f32"):
        name = f"max_index/{dtype}"

        def arguments(name=name, dtype=dtype):
            numbers = Source(name).integers(ROWS * COLUMNS, -20, 20)
            return [In(numbers.astype(storage(dtype)), dtype), Out((ROWS,), "f32")]

        constants = {"KIND": "max_index", "AXIS": 1, "ROWS": ROWS, "COLUMNS": COLUMNS}
        yield Case(name, reduce_kernel, arguments, EXACT, constants=constants)
    for dtype in ("f32", "f64"):
        name = f"welford/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(encode(Source(name).normal(ROWS * COLUMNS), dtype), dtype), Out((ROWS, 3), dtype)]

        bound = Close(1e-5, 1e-6, "the order of merging decides the last digits")
        yield Case(name, welford_kernel, arguments, bound, constants={"ROWS": ROWS, "COLUMNS": COLUMNS})


def _scans():
    for dtype in ("i8", "i16", "i32", "i64", "u32", "f16", "bf16", "f32", "f64"):
        for kind in ("cumsum", "cumprod", "custom"):
            for axis in (0, 1):
                for reverse in (False, True):
                    if reverse and dtype not in ("i32", "f32") or kind == "custom" and dtype not in ("i32", "f32", "f16"):
                        continue
                    name = f"scan-{kind}-{axis}{'-reverse' if reverse else ''}/{dtype}"

                    def arguments(name=name, dtype=dtype, kind=kind):
                        source = Source(name)
                        if dtype in INTEGERS:
                            x = source.values(ROWS * COLUMNS, dtype)
                        elif kind == "cumprod":
                            x = encode(1.0 - 2.0 * source.integers(ROWS * COLUMNS, 0, 2), dtype)
                        else:
                            x = _whole(name, dtype, 1 if dtype == "bf16" else 8)
                        # tl.cumsum widens small integers as tl.sum does.
                        out = _sum_type(dtype) if kind == "cumsum" else dtype
                        return [In(x, dtype), Out((ROWS, COLUMNS), out)]

                    constants = {"KIND": kind, "AXIS": axis, "REVERSE": reverse, "ROWS": ROWS, "COLUMNS": COLUMNS}
                    yield Case(name, scan_kernel, arguments, EXACT, constants=constants)
    for reverse in (False, True):
        for whole in (False, True):
            name = f"recurrence{'-reverse' if reverse else ''}{'-whole' if whole else ''}/f32"

            def arguments(name=name, whole=whole):
                source = Source(name)
                count = ROWS * COLUMNS
                if whole:
                    a = encode(1.0 - 2.0 * source.integers(count, 0, 2), "f32")
                    b = encode(source.integers(count, -8, 9).astype(np.float64), "f32")
                else:
                    a, b = encode(source.uniform(count, 0.5, 1.0), "f32"), encode(source.uniform(count), "f32")
                return [In(a, "f32"), In(b, "f32"), Out((ROWS, COLUMNS), "f32")]

            bound = EXACT if whole else Close(1e-5, 1e-6, "a tree of another shape rounds otherwise")
            constants = {"REVERSE": reverse, "ROWS": ROWS, "COLUMNS": COLUMNS}
            yield Case(name, recurrence_kernel, arguments, bound, constants=constants)


def cases():
    yield from _reductions()
    yield from _scans()
