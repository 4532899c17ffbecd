"""Loads, stores, block pointers, descriptors, atomics, and operations that move elements."""

import numpy as np
import triton
import triton.language as tl

from bounds import Close, Exact
from case import Case, Descriptor, In, InOut, Out
from dtypes import DTYPES, FLOATS, INTEGERS, encode, storage
from inputs import Source

BITS = Exact(payload=True, reason="elements are moved, not computed")
EXACT = Exact()


@triton.jit
def masked_load_kernel(x_ptr, out_ptr, n, OTHER: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=(at < n) & (at % 3 != 1), other=OTHER)
    tl.store(out_ptr + at, x)


@triton.jit
def masked_store_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = (at < n) & (at % 5 != 2)
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask=keep), mask=keep)


@triton.jit
def strided_kernel(x_ptr, out_ptr, rows, columns, row_stride, column_stride, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    column = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    inside = (row < rows) & (column < columns)
    x = tl.load(x_ptr + row * row_stride + column * column_stride, mask=inside, other=0)
    tl.store(out_ptr + row * columns + column, x, mask=inside)


@triton.jit
def scalar_kernel(x_ptr, out_ptr, n):
    i = tl.program_id(0)
    tl.store(out_ptr + i, tl.load(x_ptr + (n - 1 - i)))


@triton.jit
def block_pointer_kernel(x_ptr, out_ptr, rows, columns, PADDING: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_block_ptr(x_ptr, (rows, columns), (columns, 1), (0, 0), (ROWS, COLUMNS), (1, 0))
    wide = tl.cdiv(columns, COLUMNS) * COLUMNS
    for i in range(0, tl.cdiv(columns, COLUMNS)):
        x = tl.load(source, boundary_check=(0, 1), padding_option=PADDING)
        row = tl.arange(0, ROWS)[:, None]
        column = i * COLUMNS + tl.arange(0, COLUMNS)[None, :]
        tl.store(out_ptr + row * wide + column, x)
        source = tl.advance(source, (0, COLUMNS))


@triton.jit
def block_pointer_store_kernel(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    offsets = (tl.program_id(0) * ROWS, tl.program_id(1) * COLUMNS)
    source = tl.make_block_ptr(x_ptr, (columns, rows), (1, columns), (offsets[1], offsets[0]), (COLUMNS, ROWS), (0, 1))
    target = tl.make_block_ptr(out_ptr, (rows, columns), (columns, 1), offsets, (ROWS, COLUMNS), (1, 0))
    tl.store(target, tl.trans(tl.load(source, boundary_check=(0, 1))), boundary_check=(0, 1))


@triton.jit
def host_descriptor_kernel(source, target, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row = tl.program_id(0) * ROWS
    column = tl.program_id(1) * COLUMNS
    x = source.load([row - 4, column + 8])
    target.store([row, column], x)


@triton.jit
def device_descriptor_kernel(x_ptr, out_ptr, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    target = tl.make_tensor_descriptor(out_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    row = tl.program_id(0) * ROWS
    column = tl.program_id(1) * COLUMNS
    target.store([row, column], source.load([row, column]) + source.load([row + 3, column]))


@triton.jit
def descriptor_reduce_kernel(x_ptr, out_ptr, rows, columns, KIND: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    target = tl.make_tensor_descriptor(out_ptr, shape=[rows, columns], strides=[columns, 1], block_shape=[ROWS, COLUMNS])
    row = tl.program_id(0) * ROWS
    column = tl.program_id(1) * COLUMNS
    x = source.load([row, column])
    if KIND == "add":
        target.atomic_add([row, column], x)
    elif KIND == "max":
        target.atomic_max([row, column], x)
    else:
        target.atomic_xor([row, column], x)


@triton.jit
def atomic_kernel(x_ptr, target_ptr, old_ptr, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    keep = at % 7 != 3
    if KIND == "add":
        old = tl.atomic_add(target_ptr + at, x, mask=keep)
    elif KIND == "max":
        old = tl.atomic_max(target_ptr + at, x, mask=keep)
    elif KIND == "min":
        old = tl.atomic_min(target_ptr + at, x, mask=keep)
    elif KIND == "and":
        old = tl.atomic_and(target_ptr + at, x, mask=keep)
    elif KIND == "or":
        old = tl.atomic_or(target_ptr + at, x, mask=keep)
    elif KIND == "xor":
        old = tl.atomic_xor(target_ptr + at, x, mask=keep)
    else:
        old = tl.atomic_xchg(target_ptr + at, x, mask=keep)
    tl.store(old_ptr + at, old, mask=keep)


@triton.jit
def compare_and_swap_kernel(expected_ptr, x_ptr, target_ptr, old_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    old = tl.atomic_cas(target_ptr + at, tl.load(expected_ptr + at), tl.load(x_ptr + at))
    tl.store(old_ptr + at, old)


@triton.jit
def scalar_atomic_kernel(x_ptr, target_ptr, n, KIND: tl.constexpr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    if KIND == "add":
        tl.atomic_add(target_ptr + i % n, x)
    elif KIND == "max":
        tl.atomic_max(target_ptr + i % n, x)
    elif KIND == "min":
        tl.atomic_min(target_ptr + i % n, x)
    elif KIND == "or":
        tl.atomic_or(target_ptr + i % n, x)
    else:
        tl.atomic_xor(target_ptr + i % n, x)


@triton.jit
def colliding_atomic_kernel(index_ptr, x_ptr, target_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(target_ptr + tl.load(index_ptr + at), tl.load(x_ptr + at))


@triton.jit
def counter_kernel(counter_ptr, out_ptr):
    for i in range(16):
        tl.store(out_ptr + i, tl.atomic_add(counter_ptr, i))
    tl.store(out_ptr + 16, tl.atomic_cas(counter_ptr, 120, -1))
    tl.store(out_ptr + 17, tl.atomic_cas(counter_ptr, 120, -2))
    tl.store(out_ptr + 18, tl.atomic_xchg(counter_ptr, 77))


@triton.jit
def gather_kernel(x_ptr, index_ptr, out_ptr, AXIS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, TAKEN: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    if AXIS == 0:
        at = tl.arange(0, TAKEN)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    else:
        at = tl.arange(0, ROWS)[:, None] * TAKEN + tl.arange(0, TAKEN)[None, :]
    tl.store(out_ptr + at, tl.gather(x, tl.load(index_ptr + at), AXIS))


@triton.jit
def shape_kernel(x_ptr, out_ptr, KIND: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, 16)[:, None] * 32 + tl.arange(0, 32)[None, :])
    if KIND == "trans":
        y = tl.trans(x)
    elif KIND == "reshape":
        y = tl.reshape(x, (64, 8))
    elif KIND == "ravel":
        y = tl.reshape(tl.ravel(x), (32, 16))
    elif KIND == "permute":
        y = tl.reshape(tl.permute(tl.reshape(x, (4, 8, 16)), (2, 0, 1)), (16, 32))
    elif KIND == "flip":
        y = tl.flip(x, 1)
    elif KIND == "split_join":
        left, right = tl.split(tl.reshape(x, (16, 16, 2)))
        y = tl.reshape(tl.join(right, left), (16, 32))
    elif KIND == "interleave":
        left, right = tl.split(tl.permute(tl.reshape(x, (16, 2, 16)), (0, 2, 1)))
        y = tl.interleave(left, right)
    elif KIND == "broadcast":
        y = x + tl.broadcast_to(tl.load(x_ptr + tl.arange(0, 32))[None, :], (16, 32))
    elif KIND == "expand":
        y = tl.reshape(tl.expand_dims(x, 1), (16, 32))
    else:
        y = tl.where(x == x, tl.full((16, 32), 7, x.dtype), tl.zeros((16, 32), x.dtype))
    flat = tl.ravel(y)
    tl.store(out_ptr + tl.arange(0, 512), flat)


@triton.jit
def cat_kernel(x_ptr, y_ptr, out_ptr):
    at = tl.arange(0, 64)
    both = tl.cat(tl.load(x_ptr + at), tl.load(y_ptr + at), can_reorder=True)
    tl.store(out_ptr + tl.arange(0, 128), tl.sort(both))


@triton.jit
def sort_kernel(x_ptr, out_ptr, DESCENDING: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + at, tl.sort(tl.load(x_ptr + at), descending=DESCENDING))


@triton.jit
def topk_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, K: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :])
    tl.store(out_ptr + tl.arange(0, ROWS)[:, None] * K + tl.arange(0, K)[None, :], tl.topk(x, K))


@triton.jit
def histogram_kernel(x_ptr, out_ptr, n, BINS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x_ptr + at, mask=at < n, other=0), BINS, mask=at < n)
    tl.store(out_ptr + tl.arange(0, BINS), counts)


@triton.jit
def programs_kernel(out_ptr):
    x, y, z = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    columns, rows = tl.num_programs(0), tl.num_programs(1)
    at = (z * rows + y) * columns + x
    first, second = tl.swizzle2d(y, x, rows, columns, 2)
    tl.store(out_ptr + at * 4 + 0, x + 10 * y + 100 * z)
    tl.store(out_ptr + at * 4 + 1, tl.num_programs(2))
    tl.store(out_ptr + at * 4 + 2, first)
    tl.store(out_ptr + at * 4 + 3, second)


def _values(name, count, dtype):
    return Source(name).values(count, dtype)


def _load_cases():
    for dtype in DTYPES:
        for other in (0, 1):
            if dtype.startswith("f8"):
                other = float(other)  # the front end has no conversion from integers
            name = f"masked_load-{other}/{dtype}"

            def arguments(name=name, dtype=dtype):
                return [In(_values(name, 1024, dtype), dtype), Out((1024,), dtype), 1000]

            yield Case(name, masked_load_kernel, arguments, BITS, grid=(4,), constants={"OTHER": other, "BLOCK": 256})
        name = f"masked_store/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            return [In(source.values(1024, dtype), dtype), InOut(source.values(1024, dtype), dtype), 1000]

        yield Case(name, masked_store_kernel, arguments, BITS, grid=(4,), constants={"BLOCK": 256})
    for dtype in ("i8", "i64", "f16", "f32"):
        for kind, strides in (("rows", (37, 1)), ("columns", (1, 29)), ("apart", (80, 2))):
            name = f"strided-{kind}/{dtype}"

            def arguments(name=name, dtype=dtype, strides=strides):
                return [In(_values(name, 29 * 80, dtype), dtype), Out((29, 37), dtype), 29, 37, *strides]

            constants = {"ROWS": 16, "COLUMNS": 32}
            yield Case(name, strided_kernel, arguments, BITS, grid=(2, 2), constants=constants)
        name = f"scalar/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(_values(name, 40, dtype), dtype), Out((40,), dtype), 40]

        yield Case(name, scalar_kernel, arguments, BITS, grid=(40,))
    for dtype in ("i16", "i32", "f16", "bf16", "f32"):
        for padding in ("zero", "nan"):
            if padding == "nan" and dtype.startswith("i"):
                continue
            name = f"block_pointer-{padding}/{dtype}"

            def arguments(name=name, dtype=dtype):
                return [In(_values(name, 13 * 40, dtype), dtype), Out((16, 48), dtype), 13, 40]

            constants = {"PADDING": padding, "ROWS": 16, "COLUMNS": 16}
            bound = EXACT if padding == "nan" else BITS
            yield Case(name, block_pointer_kernel, arguments, bound, constants=constants)
        name = f"block_pointer_store/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(_values(name, 19 * 45, dtype), dtype), Out((19, 45), dtype), 19, 45]

        yield Case(name, block_pointer_store_kernel, arguments, BITS, grid=(2, 3), constants={"ROWS": 16, "COLUMNS": 16})


def _descriptor_cases():
    for dtype in ("i8", "i32", "f16", "bf16", "f32", "f8e4"):
        columns = 64 if storage(dtype).itemsize > 1 else 128
        name = f"host_descriptor/{dtype}"

        def arguments(name=name, dtype=dtype, columns=columns):
            values = _values(name, 48 * columns, dtype).reshape(48, columns)
            source = Descriptor(In(values, dtype), (16, 32))
            return [source, Descriptor(Out((40, columns), dtype), (16, 32))]

        constants = {"ROWS": 16, "COLUMNS": 32}
        yield Case(name, host_descriptor_kernel, arguments, BITS, grid=(3, columns // 32), constants=constants)
    for dtype in ("i32", "f16", "f32"):
        name = f"device_descriptor/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(_values(name, 44 * 64, dtype), dtype), Out((44, 64), dtype), 44, 64]

        constants = {"ROWS": 16, "COLUMNS": 32}
        yield Case(name, device_descriptor_kernel, arguments, EXACT, grid=(3, 2), constants=constants, scratch=True)
    for kind, dtype in (("add", "i32"), ("add", "u64"), ("add", "f32"), ("max", "i32"), ("xor", "u32")):
        name = f"descriptor_{kind}/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            if dtype == "f32":
                # Whole numbers, and no denormals, which the bulk reduction flushes.
                x, y = (encode(source.integers(44 * 64, -99, 100).astype(np.float64), dtype) for _ in range(2))
            else:
                x, y = source.values(44 * 64, dtype), source.values(44 * 64, dtype)
            return [In(x, dtype), InOut(y, dtype), 44, 64]

        constants = {"KIND": kind, "ROWS": 16, "COLUMNS": 32}
        yield Case(name, descriptor_reduce_kernel, arguments, EXACT, grid=(3, 2), constants=constants, scratch=True)


def _atomic_cases():
    words = ("i32", "u32", "i64", "u64")
    kinds = [(kind, dtype) for kind in ("add", "max", "min", "and", "or", "xor", "xchg") for dtype in words]
    kinds += [("add", dtype) for dtype in FLOATS]
    kinds += [(kind, dtype) for kind in ("max", "min", "xchg") for dtype in ("f32", "f64")]
    for kind, dtype in kinds:
        name = f"atomic_{kind}/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            if dtype in FLOATS:
                # Of moderate size: atom.add.f32 flushes denormals, and max and min compare bits, which orders no NaN.
                x, y = (source.spread(256, dtype, -8, 8) for _ in range(2))
            else:
                x, y = source.pairs(256, dtype)
            return [In(x, dtype), InOut(y, dtype), Out((256,), dtype)]

        yield Case(name, atomic_kernel, arguments, EXACT, constants={"KIND": kind, "BLOCK": 256})
    for dtype in ("i32", "i64", "u32", "f32", "i16"):
        name = f"atomic_cas/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            if dtype in FLOATS:
                expected, x = source.spread(256, dtype), source.spread(256, dtype)
            else:
                expected, x = source.values(256, dtype), source.values(256, dtype)
            target = np.where(source.integers(256, 0, 2) == 0, expected, x[::-1])
            return [In(expected, dtype), In(x, dtype), InOut(target.copy(), dtype), Out((256,), dtype)]

        yield Case(name, compare_and_swap_kernel, arguments, EXACT, constants={"BLOCK": 256})
    for kind in ("add", "max", "min", "or", "xor"):
        for dtype in words:
            name = f"scalar_atomic_{kind}/{dtype}"

            def arguments(name=name, dtype=dtype):
                source = Source(name)
                return [In(source.values(200, dtype), dtype), InOut(source.values(7, dtype), dtype), 7]

            yield Case(name, scalar_atomic_kernel, arguments, EXACT, grid=(200,), constants={"KIND": kind})
    for dtype in ("i32", "i64", "u32", "f32", "f64", "f16"):
        name = f"colliding_atomic_add/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            index = source.integers(1024, 0, 50).astype(np.int32)
            # Small whole numbers: their sums are exact in every order.
            whole = source.integers(1024, 0, 16)
            x = encode(whole.astype(np.float64), dtype) if dtype in FLOATS else whole.astype(storage(dtype))
            return [In(index, "i32"), In(x, dtype), InOut(np.zeros(50, storage(dtype)), dtype)]

        yield Case(name, colliding_atomic_kernel, arguments, EXACT, grid=(4,), constants={"BLOCK": 256})
    name = "colliding_atomic_add_fractions/f32"

    def arguments(name=name):
        source = Source(name)
        index = source.integers(1024, 0, 50).astype(np.int32)
        x = encode(source.uniform(1024), "f32")
        return [In(index, "i32"), In(x, "f32"), InOut(np.zeros(50, np.float32), "f32")]

    order = Close(2.0**-20, 0.0, "about 20 positive addends in any order")
    yield Case(name, colliding_atomic_kernel, arguments, order, grid=(4,), constants={"BLOCK": 256})
    yield Case("atomic_counter/i32", counter_kernel, lambda: [InOut(np.zeros(1, np.int32), "i32"), Out((19,), "i32")], EXACT)


def _shape_cases():
    for dtype in ("i8", "i32", "i64", "f16", "bf16", "f32"):
        for axis in (0, 1):
            name = f"gather-{axis}/{dtype}"
            shape = (32, 64) if axis == 0 else (16, 32)

            def arguments(name=name, dtype=dtype, axis=axis, shape=shape):
                source = Source(name)
                index = source.integers(shape[0] * shape[1], 0, (16, 64)[axis]).astype(np.int32)
                return [In(source.values(16 * 64, dtype), dtype), In(index, "i32"), Out(shape, dtype)]

            constants = {"AXIS": axis, "ROWS": 16, "COLUMNS": 64, "TAKEN": 32}
            yield Case(name, gather_kernel, arguments, BITS, constants=constants)
    kinds = ("trans", "reshape", "ravel", "permute", "flip", "split_join", "interleave", "broadcast", "expand", "full")
    for dtype in ("i8", "i32", "f16", "f32"):
        for kind in kinds:
            name = f"{kind}/{dtype}"

            def arguments(name=name, dtype=dtype):
                return [In(_values(name, 512, dtype), dtype), Out((512,), dtype)]

            bound = EXACT if kind in ("broadcast", "flip") else BITS
            yield Case(name, shape_kernel, arguments, bound, constants={"KIND": kind})
    for dtype in ("i8", "i16", "i32", "i64", "u8", "u32", "f16", "bf16", "f32", "f64"):

        def numbers(name, count, dtype=dtype):
            source = Source(name)
            if dtype in INTEGERS:
                return source.values(count, dtype)
            return encode(np.floor(source.normal(count, 40.0)) / 4.0 + 0.125, dtype)  # no NaN, no two zeros

        for descending in (False, True):
            name = f"sort-{'down' if descending else 'up'}/{dtype}"

            def arguments(name=name, dtype=dtype, numbers=numbers):
                return [In(numbers(name, 8 * 128), dtype), Out((8, 128), dtype)]

            constants = {"DESCENDING": descending, "ROWS": 8, "COLUMNS": 128}
            yield Case(name, sort_kernel, arguments, EXACT, constants=constants)
        name = f"topk/{dtype}"

        def arguments(name=name, dtype=dtype, numbers=numbers):
            return [In(numbers(name, 8 * 64), dtype), Out((8, 16), dtype)]

        yield Case(name, topk_kernel, arguments, EXACT, constants={"ROWS": 8, "COLUMNS": 64, "K": 16})
    for dtype in ("i32", "f32"):
        name = f"cat/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            arrays = [source.integers(64, -1000, 1000).astype(storage(dtype)) for _ in range(2)]
            return [In(array, dtype) for array in arrays] + [Out((128,), dtype)]

        yield Case(name, cat_kernel, arguments, EXACT)
    for bins in (16, 128):
        name = f"histogram-{bins}/i32"

        def arguments(name=name, bins=bins):
            return [In(Source(name).integers(1024, 0, bins).astype(np.int32), "i32"), Out((bins,), "i32"), 1000]

        yield Case(name, histogram_kernel, arguments, EXACT, constants={"BINS": bins, "BLOCK": 1024})
    yield Case("programs", programs_kernel, lambda: [Out((2 * 5 * 6 * 4,), "i32")], EXACT, grid=(6, 5, 2))


def cases():
    yield from _load_cases()
    yield from _descriptor_cases()
    yield from _atomic_cases()
    yield from _shape_cases()
