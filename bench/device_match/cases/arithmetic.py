"""Integer and float arithmetic, bit operations, shifts, comparisons, selection."""

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from bounds import Exact, Ulp, Observed
from cases.elementwise import elementwise
from dtypes import FLOATS, INTEGERS, SIGNED, decode, encode, storage, width
from inputs import COUNT, Source

# fmt: off
@triton.jit
def add(x, y): return x + y
@triton.jit
def subtract(x, y): return x - y
@triton.jit
def multiply(x, y): return x * y
@triton.jit
def true_divide(x, y): return x / y
@triton.jit
def floor_divide(x, y): return x // y
@triton.jit
def remainder(x, y): return x % y
@triton.jit
def ceil_divide(x, y): return tl.cdiv(x, y)
@triton.jit
def bit_and(x, y): return x & y
@triton.jit
def bit_or(x, y): return x | y
@triton.jit
def bit_xor(x, y): return x ^ y
@triton.jit
def shift_left(x, y): return x << y
@triton.jit
def shift_right(x, y): return x >> y
@triton.jit
def equal(x, y): return x == y
@triton.jit
def not_equal(x, y): return x != y
@triton.jit
def less(x, y): return x < y
@triton.jit
def less_equal(x, y): return x <= y
@triton.jit
def greater(x, y): return x > y
@triton.jit
def greater_equal(x, y): return x >= y
@triton.jit
def minimum(x, y): return tl.minimum(x, y)
@triton.jit
def maximum(x, y): return tl.maximum(x, y)
@triton.jit
def minimum_nan(x, y): return tl.minimum(x, y, propagate_nan=tl.PropagateNan.ALL)
@triton.jit
def maximum_nan(x, y): return tl.maximum(x, y, propagate_nan=tl.PropagateNan.ALL)
@triton.jit
def umulhi(x, y): return tl.umulhi(x, y)
@triton.jit
def both_nonzero(x, y): return (x != 0) & (y != 0)
@triton.jit
def div_rn(x, y): return tl.div_rn(x, y)
@triton.jit
def fdiv_ieee(x, y): return tl.fdiv(x, y, ieee_rounding=True)
@triton.jit
def select_smaller(x, y): return tl.where(x < y, x, y)
@triton.jit
def multiply_add(x, y, z): return x * y + z
@triton.jit
def fma(x, y, z): return tl.fma(x, y, z)
@triton.jit
def clamp(x, low, high): return tl.clamp(x, low, high)
@triton.jit
def clamp_nan(x, low, high): return tl.clamp(x, low, high, propagate_nan=tl.PropagateNan.ALL)
@triton.jit
def where(condition, x, y): return tl.where(condition, x, y)
@triton.jit
def negate(x): return -x
@triton.jit
def invert(x): return ~x
@triton.jit
def absolute(x): return tl.abs(x)
@triton.jit
def logical_not(x): return x == 0
@triton.jit
def add_scalar(x): return x + 3
@triton.jit
def reflected_subtract(x): return 10 - x
@triton.jit
def multiply_half(x): return x * 0.5
@triton.jit
def polynomial(x): return ((x * 0.25 + 1.5) * x - 2.0) * x + 0.125
@triton.jit
def rotate_xor_shift(x):
    x ^= x << 3
    x ^= x >> 5
    return x * 5 + 1
@triton.jit
def popc(x): return libdevice.popc(x)
@triton.jit
def clz(x): return libdevice.clz(x)
@triton.jit
def ffs(x): return libdevice.ffs(x)
@triton.jit
def brev(x): return libdevice.brev(x)
@triton.jit
def mulhi(x, y): return libdevice.mulhi(x, y)
@triton.jit
def mul24(x, y): return libdevice.mul24(x, y)
@triton.jit
def hadd(x, y): return libdevice.hadd(x, y)
@triton.jit
def rhadd(x, y): return libdevice.rhadd(x, y)
@triton.jit
def sad(x, y, z): return libdevice.sad(x, y, z)
@triton.jit
def byte_perm(x, y, z): return libdevice.byte_perm(x, y, z)
# fmt: on

EXACT = Exact()


def _pairs(name, dtype):
    def make():
        x, y = Source(name).pairs(COUNT, dtype)
        return [(x, dtype), (y, dtype)]

    return make


def _divisors(name, dtype):
    """No zero, and no most negative number by -1: LLVM leaves both undefined."""

    def make():
        x, y = Source(name).pairs(COUNT, dtype)
        y = np.where(y == 0, 3, y).astype(y.dtype)
        if dtype in SIGNED:
            overflow = (x == np.iinfo(x.dtype).min) & (y == -1)
            y = np.where(overflow, 5, y).astype(y.dtype)
        return [(x, dtype), (y, dtype)]

    return make


def _shifts(name, dtype):
    """Amounts below the width: larger ones are undefined."""

    def make():
        source = Source(name)
        amount = source.integers(COUNT, 0, width(dtype)).astype(storage(dtype))
        return [(source.values(COUNT, dtype), dtype), (amount, dtype)]

    return make


def _quotients_away_from_integers(name, dtype):
    """frem is x - trunc(x / y) * y on the device; the quotient stays clear of integers so that trunc is certain."""

    def make():
        source = Source(name)
        y = encode(source.uniform(COUNT, 0.5, 4.0), dtype)
        quotient = source.integers(COUNT, -8, 8) + source.uniform(COUNT, 0.2, 0.8)
        return [(encode(quotient * decode(y, dtype), dtype), dtype), (y, dtype)]

    return make


def _integer_cases():
    plain = [add, subtract, multiply, bit_and, bit_or, bit_xor, minimum, maximum, select_smaller]
    compare = [equal, not_equal, less, less_equal, greater, greater_equal, both_nonzero]
    for dtype in INTEGERS:
        for function in plain:
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _pairs(name, dtype), dtype, EXACT)
        for function in compare:
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _pairs(name, dtype), "i1", EXACT)
        for function in (floor_divide, remainder):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _divisors(name, dtype), dtype, EXACT)
        for function in (shift_left, shift_right):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _shifts(name, dtype), dtype, EXACT)
        for function in (invert, absolute, negate, add_scalar, rotate_xor_shift):
            if function is negate and dtype not in SIGNED:
                continue
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _values(name, [dtype]), dtype, EXACT)
        name = f"where/{dtype}"
        yield elementwise(name, where, _values(name, ["i1", dtype, dtype]), dtype, EXACT)
        name = f"multiply_add/{dtype}"
        yield elementwise(name, multiply_add, _values(name, [dtype] * 3), dtype, EXACT)
    for dtype in ("i32", "i64"):
        name = f"cdiv/{dtype}"

        def make(name=name, dtype=dtype):
            source = Source(name)
            x = source.integers(COUNT, 0, 1 << 30).astype(storage(dtype))
            return [(x, dtype), (source.integers(COUNT, 1, 1 << 20).astype(storage(dtype)), dtype)]

        yield elementwise(name, ceil_divide, make, dtype, EXACT)
    for dtype in ("i32", "i64", "u32", "u64"):
        name = f"umulhi/{dtype}"
        yield elementwise(name, umulhi, _pairs(name, dtype), dtype, EXACT)
        name = f"libdevice.mulhi/{dtype}"
        yield elementwise(name, mulhi, _pairs(name, dtype), dtype, EXACT)
    for dtype in ("i32", "i64"):
        for function in (popc, clz, ffs):
            name = f"libdevice.{function.__name__}/{dtype}"
            yield elementwise(name, function, _values(name, [dtype]), "i32", EXACT)
        name = f"libdevice.brev/{dtype}"
        yield elementwise(name, brev, _values(name, [dtype]), dtype, EXACT)
    for function in (mul24, hadd, rhadd):
        for dtype in ("i32", "u32"):
            name = f"libdevice.{function.__name__}/{dtype}"
            yield elementwise(name, function, _pairs(name, dtype), dtype, EXACT)
    name = "libdevice.byte_perm/i32"
    yield elementwise(name, byte_perm, _values(name, ["i32"] * 3), "i32", EXACT)
    name = "libdevice.sad/i32"
    yield elementwise(name, sad, _values(name, ["i32", "i32", "u32"]), "i32", EXACT)
    for function in (bit_and, bit_or, bit_xor, equal, not_equal):
        name = f"{function.__name__}/i1"
        yield elementwise(name, function, _pairs(name, "i1"), "i1", EXACT)
    name = "logical_not/i1"
    yield elementwise(name, logical_not, _values(name, ["i1"]), "i1", EXACT)
    # One type is converted to the other before the operation.
    for left, right, out in (
        ("i8", "i32", "i32"), ("u8", "i16", "i16"), ("i32", "u32", "u32"), ("i64", "u32", "i64"), ("u16", "u64", "u64"),
        ("i1", "i32", "i32"), ("i32", "f32", "f32"), ("i64", "f16", "f16"), ("f16", "f32", "f32"), ("bf16", "f16", "f32"),
        ("bf16", "f32", "f32"), ("f32", "f64", "f64"), ("u8", "bf16", "bf16"),
    ):  # fmt: skip
        for function in (add, multiply):
            name = f"{function.__name__}/{left}-{right}"
            yield elementwise(name, function, _values(name, [left, right]), out, EXACT)


def _values(name, dtypes):
    def make():
        source = Source(name)
        return [(source.values(COUNT, dtype), dtype) for dtype in dtypes]

    return make


def _float_cases():
    for dtype in FLOATS:
        for function in (add, subtract, multiply, minimum, maximum, minimum_nan, maximum_nan, select_smaller):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _pairs(name, dtype), dtype, EXACT)
        for function in (equal, not_equal, less, less_equal, greater, greater_equal):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _pairs(name, dtype), "i1", EXACT)
        for function in (negate, absolute):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _values(name, [dtype]), dtype, EXACT)
        for function in (multiply_half, reflected_subtract, polynomial):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _values(name, [dtype]), dtype, EXACT)
        name = f"where/{dtype}"
        yield elementwise(name, where, _values(name, ["i1", dtype, dtype]), dtype, Exact(payload=True))
        for function in (multiply_add, fma):
            name = f"{function.__name__}/{dtype}"
            yield elementwise(name, function, _values(name, [dtype] * 3), dtype, EXACT)
        for function in (clamp, clamp_nan):
            name = f"{function.__name__}/{dtype}"

            def make(name=name, dtype=dtype):
                source = Source(name)
                low = encode(source.uniform(COUNT, -4.0, 0.0), dtype)
                high = encode(source.uniform(COUNT, 0.0, 4.0), dtype)
                return [(source.values(COUNT, dtype), dtype), (low, dtype), (high, dtype)]

            yield elementwise(name, function, make, dtype, EXACT)
        name = f"remainder/{dtype}"
        make = _quotients_away_from_integers(name, dtype)
        bound = Exact(reason="one fma of the truncated quotient: the remainder of two floats is a float")
        yield elementwise(name, remainder, make, dtype, bound)

    for dtype, bound in {
        "f16": Ulp(1, "divided in fp32 with an error of 2 ulp, then rounded"),
        "bf16": Ulp(1, "divided in fp32 with an error of 2 ulp, then rounded"),
        "f32": Ulp(2, "div.full.f32: at most 2 ulp; denormal operands and results are flushed", floor=2.0**-124),
        "f64": EXACT,
    }.items():
        name = f"true_divide/{dtype}"

        def moderate(name=name, dtype=dtype):
            source = Source(name)
            return [(source.spread(COUNT, dtype, -10, 10), dtype) for _ in range(2)]

        yield elementwise(name, true_divide, moderate, dtype, bound)
    name = "true_divide_specials/f32"
    reason = "div.full.f32 documents no result for huge divisors and denormals"
    yield elementwise(name, true_divide, _pairs(name, "f32"), "f32", Observed(reason))
    name = "true_divide_specials/f64"
    yield elementwise(name, true_divide, _pairs(name, "f64"), "f64", EXACT)
    for function in (div_rn, fdiv_ieee):
        name = f"{function.__name__}/f32"
        bound = EXACT if function is div_rn else Ulp(2, "div.full.f32 where ieee_rounding is ignored", floor=2.0**-124)
        make = _pairs(name, "f32")
        if function is fdiv_ieee:

            def make(name=name):
                source = Source(name)
                return [(source.spread(COUNT, "f32", -10, 10), "f32") for _ in range(2)]

        yield elementwise(name, function, make, "f32", bound)
    for left, right in (("i32", "i32"), ("i8", "i8"), ("u16", "u16")):
        name = f"true_divide/{left}"
        bound = Ulp(2, "integers are divided as fp32, by div.full.f32")
        yield elementwise(name, true_divide, _divisors(name, left), "f32", bound)


def cases():
    yield from _integer_cases()
    yield from _float_cases()
