"""Every conversion between element types, and bit casts."""

import numpy as np
import triton
import triton.language as tl

from bounds import Exact, Observed
from case import Case, In, Out
from dtypes import DTYPES, FLOATS, FP8, INTEGERS, decode, encode, is_float, storage, width
from inputs import COUNT, Source

BLOCK = 256


@triton.jit
def convert_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at).to(out_ptr.dtype.element_ty))


@triton.jit
def convert_toward_zero_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    tl.store(out_ptr + at, x.to(out_ptr.dtype.element_ty, fp_downcast_rounding="rtz"))


@triton.jit
def bitcast_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at).to(out_ptr.dtype.element_ty, bitcast=True))


@triton.jit
def implicit_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at))


def _case(kind, kernel, source, target, make, bound):
    name = f"{kind}/{source}-{target}"

    def arguments():
        return [In(make(Source(name)), source), Out((COUNT,), target)]

    return Case(name, kernel, arguments, bound, grid=(COUNT // BLOCK,), constants={"BLOCK": BLOCK})


def _values(dtype):
    if dtype in FP8:
        return lambda source: np.tile(np.arange(256, dtype=np.uint8), COUNT // 256)
    return lambda source: source.values(COUNT, dtype)


def _halfway(source_dtype, target):
    """Values of the wider type, a third of them right between or next to two neighbours of the narrower type."""

    def make(source):
        x = source.values(COUNT, source_dtype)
        grid = source.bits(COUNT + 1, target) if target not in FP8 else source.raw(COUNT + 1).astype(np.uint8)
        with np.errstate(all="ignore"):
            low = decode(grid[:-1], target)
            next_pattern = grid[:-1].view(f"u{grid.itemsize}") + np.array(1, dtype=f"u{grid.itemsize}")
            high = decode(next_pattern.view(grid.dtype), target)
            nudge = source.integers(COUNT, -1, 2) * np.abs(low) * 2.0**-40
            middle = (low + high) / 2 + nudge
        use = np.isfinite(middle) & (source.integers(COUNT, 0, 3) < 2)
        return np.where(use, encode(np.where(use, middle, 0.0), source_dtype), x).astype(storage(source_dtype))

    return make


def _in_range(source_dtype, target):
    """Floats whose integer part the target holds; what lies outside is undefined."""

    def make(source):
        info = np.iinfo(storage(target))
        x = source.values(COUNT, source_dtype) if source_dtype not in FP8 else source.raw(COUNT).astype(np.uint8)
        value = decode(x, source_dtype)
        with np.errstate(all="ignore"):
            inside = np.isfinite(value) & (value > float(info.min) - 1) & (value < float(info.max))
        top = min(float(info.max) * 0.99, 60000.0)
        other = encode(source.uniform(COUNT, max(float(info.min), -top), top), source_dtype)
        other_value = decode(other, source_dtype)
        other = np.where((other_value < float(info.max)) & np.isfinite(other_value), other, encode(np.array(1.0), source_dtype))
        return np.where(inside, x, other).astype(storage(source_dtype))

    return make


EXACT = Exact()
HALF_OR_SINGLE = ("f16", "bf16", "f32")


def cases():
    for source in DTYPES:
        for target in DTYPES:
            if source == target or source in FP8 and target in FP8:
                continue
            if target in FP8 and source not in HALF_OR_SINGLE or source in FP8 and target not in HALF_OR_SINGLE:
                continue  # Triton has no such conversion on this device
            if is_float(source) and target in INTEGERS:
                yield _case("convert", convert_kernel, source, target, _in_range(source, target), EXACT)
            elif is_float(source) and is_float(target) and width(target) < width(source):
                yield _case("convert", convert_kernel, source, target, _halfway(source, target), EXACT)
            else:
                yield _case("convert", convert_kernel, source, target, _values(source), EXACT)
    for source in FLOATS:
        for target in INTEGERS:
            reason = "LLVM leaves the conversion of NaN and of numbers out of range undefined"
            yield _case("convert_out_of_range", convert_kernel, source, target, _values(source), Observed(reason))
    for source, target in (("f32", "f16"), ("f32", "bf16")):
        kernel = convert_toward_zero_kernel
        yield _case("convert_toward_zero", kernel, source, target, _halfway(source, target), EXACT)
    same_size = [
        ("i8", "u8"), ("i8", "f8e4"), ("f8e5", "i8"), ("u8", "f8e5"), ("i16", "f16"), ("f16", "i16"), ("bf16", "i16"), ("u16", "bf16"),
        ("f16", "bf16"), ("i32", "f32"), ("f32", "i32"), ("u32", "f32"), ("f32", "u32"), ("i64", "f64"), ("f64", "i64"), ("f64", "u64"),
    ]  # fmt: skip
    for source, target in same_size:
        yield _case("bitcast", bitcast_kernel, source, target, _values(source), Exact(payload=True))
    for source, target in (("i32", "i8"), ("i32", "i64"), ("f32", "f16"), ("f32", "bf16"), ("i16", "f32"), ("i1", "f32")):
        yield _case("implicit", implicit_kernel, source, target, _values(source), EXACT)
    for dtype in DTYPES:
        yield _case("copy", implicit_kernel, dtype, dtype, _values(dtype), Exact(payload=True))
