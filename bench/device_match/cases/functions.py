"""Mathematical functions of tl and libdevice, and random numbers. Bounds are those that NVIDIA documents for the
instruction or function, plus one unit for the executor's own rounding."""

import numpy as np
import triton
import triton.language as tl
from triton.language.extra import libdevice

from bounds import Close, Exact, Observed, Ulp
from case import Case, Out
from cases.elementwise import elementwise
from dtypes import encode, storage
from inputs import COUNT, Source, specials

# fmt: off
@triton.jit
def exp(x): return tl.exp(x)
@triton.jit
def exp2(x): return tl.exp2(x)
@triton.jit
def log(x): return tl.log(x)
@triton.jit
def log2(x): return tl.log2(x)
@triton.jit
def sin(x): return tl.sin(x)
@triton.jit
def cos(x): return tl.cos(x)
@triton.jit
def sqrt(x): return tl.sqrt(x)
@triton.jit
def sqrt_rn(x): return tl.sqrt_rn(x)
@triton.jit
def rsqrt(x): return tl.rsqrt(x)
@triton.jit
def erf(x): return tl.erf(x)
@triton.jit
def floor(x): return tl.floor(x)
@triton.jit
def ceil(x): return tl.ceil(x)
@triton.jit
def sigmoid(x): return tl.sigmoid(x)
@triton.jit
def nv_tanh(x): return libdevice.tanh(x)
@triton.jit
def nv_tan(x): return libdevice.tan(x)
@triton.jit
def nv_sin(x): return libdevice.sin(x)
@triton.jit
def nv_cos(x): return libdevice.cos(x)
@triton.jit
def nv_sinpi(x): return libdevice.sinpi(x)
@triton.jit
def nv_cospi(x): return libdevice.cospi(x)
@triton.jit
def nv_asin(x): return libdevice.asin(x)
@triton.jit
def nv_acos(x): return libdevice.acos(x)
@triton.jit
def nv_atan(x): return libdevice.atan(x)
@triton.jit
def nv_sinh(x): return libdevice.sinh(x)
@triton.jit
def nv_cosh(x): return libdevice.cosh(x)
@triton.jit
def nv_asinh(x): return libdevice.asinh(x)
@triton.jit
def nv_acosh(x): return libdevice.acosh(x)
@triton.jit
def nv_atanh(x): return libdevice.atanh(x)
@triton.jit
def nv_exp(x): return libdevice.exp(x)
@triton.jit
def nv_exp2(x): return libdevice.exp2(x)
@triton.jit
def nv_exp10(x): return libdevice.exp10(x)
@triton.jit
def nv_expm1(x): return libdevice.expm1(x)
@triton.jit
def nv_log(x): return libdevice.log(x)
@triton.jit
def nv_log2(x): return libdevice.log2(x)
@triton.jit
def nv_log10(x): return libdevice.log10(x)
@triton.jit
def nv_log1p(x): return libdevice.log1p(x)
@triton.jit
def nv_cbrt(x): return libdevice.cbrt(x)
@triton.jit
def nv_rcbrt(x): return libdevice.rcbrt(x)
@triton.jit
def nv_erf(x): return libdevice.erf(x)
@triton.jit
def nv_erfc(x): return libdevice.erfc(x)
@triton.jit
def nv_erfinv(x): return libdevice.erfinv(x)
@triton.jit
def nv_normcdf(x): return libdevice.normcdf(x)
@triton.jit
def nv_lgamma(x): return libdevice.lgamma(x)
@triton.jit
def nv_tgamma(x): return libdevice.tgamma(x)
@triton.jit
def nv_sqrt(x): return libdevice.sqrt(x)
@triton.jit
def nv_rsqrt(x): return libdevice.rsqrt(x)
@triton.jit
def nv_round(x): return libdevice.round(x)
@triton.jit
def nv_rint(x): return libdevice.rint(x)
@triton.jit
def nv_nearbyint(x): return libdevice.nearbyint(x)
@triton.jit
def nv_trunc(x): return libdevice.trunc(x)
@triton.jit
def nv_floor(x): return libdevice.floor(x)
@triton.jit
def nv_ceil(x): return libdevice.ceil(x)
@triton.jit
def nv_abs(x): return libdevice.abs(x)
@triton.jit
def nv_saturatef(x): return libdevice.saturatef(x)
@triton.jit
def nv_isnan(x): return libdevice.isnan(x)
@triton.jit
def nv_isinf(x): return libdevice.isinf(x)
@triton.jit
def nv_signbit(x): return libdevice.signbit(x)
@triton.jit
def nv_llrint(x): return libdevice.llrint(x)
@triton.jit
def nv_llround(x): return libdevice.llround(x)
@triton.jit
def nv_float2int_rn(x): return libdevice.float2int_rn(x)
@triton.jit
def nv_float2int_rd(x): return libdevice.float2int_rd(x)
@triton.jit
def nv_float_as_int(x): return libdevice.float_as_int(x)
@triton.jit
def nv_int_as_float(x): return libdevice.int_as_float(x)
@triton.jit
def nv_int2float_rz(x): return libdevice.int2float_rz(x)
@triton.jit
def nv_ilogb(x): return libdevice.ilogb(x)
@triton.jit
def nv_logb(x): return libdevice.logb(x)
@triton.jit
def nv_rcp_rn(x): return libdevice.rcp_rn(x)
@triton.jit
def nv_sqrt_rn(x): return libdevice.sqrt_rn(x)
@triton.jit
def nv_fast_expf(x): return libdevice.fast_expf(x)
@triton.jit
def nv_fast_logf(x): return libdevice.fast_logf(x)
@triton.jit
def nv_fast_sinf(x): return libdevice.fast_sinf(x)
@triton.jit
def nv_fast_cosf(x): return libdevice.fast_cosf(x)
@triton.jit
def nv_atan2(x, y): return libdevice.atan2(x, y)
@triton.jit
def nv_pow(x, y): return libdevice.pow(x, y)
@triton.jit
def nv_hypot(x, y): return libdevice.hypot(x, y)
@triton.jit
def nv_fmod(x, y): return libdevice.fmod(x, y)
@triton.jit
def nv_remainder(x, y): return libdevice.remainder(x, y)
@triton.jit
def nv_copysign(x, y): return libdevice.copysign(x, y)
@triton.jit
def nv_nextafter(x, y): return libdevice.nextafter(x, y)
@triton.jit
def nv_fdim(x, y): return libdevice.fdim(x, y)
@triton.jit
def nv_ldexp(x, y): return libdevice.ldexp(x, y)
@triton.jit
def nv_div_rn(x, y): return libdevice.div_rn(x, y)
@triton.jit
def nv_add_rn(x, y): return libdevice.add_rn(x, y)
@triton.jit
def nv_add_rz(x, y): return libdevice.add_rz(x, y)
@triton.jit
def nv_mul_ru(x, y): return libdevice.mul_ru(x, y)
@triton.jit
def nv_fast_dividef(x, y): return libdevice.fast_dividef(x, y)
@triton.jit
def nv_fma(x, y, z): return libdevice.fma(x, y, z)
@triton.jit
def nv_fma_rn(x, y, z): return libdevice.fma_rn(x, y, z)
# fmt: on

EXACT = Exact()
SMALLEST = 2.0**-126  # fp32 results below it are denormal


def _range(low, high):
    def draw(source, dtype):
        return encode(source.uniform(COUNT, low, high), dtype)

    return draw


def _range_and_specials(low, high):
    def draw(source, dtype):
        x = encode(source.uniform(COUNT, low, high), dtype)
        special = specials(dtype)
        x[: len(special)] = special
        return x

    return draw


def _positive(source, dtype):
    """Every size of number, zero, infinity and NaN, some negative numbers."""
    x = source.spread(COUNT, dtype, -60, 60)
    x = np.where(np.arange(COUNT) % 16 == 0, x, np.abs(x)).astype(storage(dtype))
    special = specials(dtype)
    x[: len(special)] = special
    return x


def _anything(source, dtype):
    return source.values(COUNT, dtype)


ROOT = "sqrt.approx.f32 and rsqrt.approx.f32: relative error 2^-22.9 at most"
LIBDEVICE = "CUDA's documented maximum, and one unit for the executor"

# function: [(type, inputs, bound)]
UNARY = {
    exp: [
        ("f32", _range_and_specials(-86.0, 86.0), Ulp(3, "ex2.approx.f32 of the rounded product x * log2(e)", slope=1.0, floor=SMALLEST)),
        ("f64", _range_and_specials(-700.0, 700.0), Ulp(2, LIBDEVICE)),
    ],
    exp2: [
        ("f32", _range_and_specials(-125.0, 125.0), Ulp(3, "ex2.approx.f32: 2 ulp", floor=SMALLEST)),
        ("f64", _range_and_specials(-1000.0, 1000.0), Ulp(2, LIBDEVICE)),
    ],
    log: [("f32", _positive, Ulp(3, LIBDEVICE)), ("f64", _positive, Ulp(2, LIBDEVICE))],
    log2: [("f32", _positive, Ulp(3, LIBDEVICE)), ("f64", _positive, Ulp(2, LIBDEVICE))],
    sin: [("f32", _range_and_specials(-100.0, 100.0), Ulp(3, LIBDEVICE)), ("f64", _range_and_specials(-100.0, 100.0), Ulp(3, LIBDEVICE))],
    cos: [("f32", _range_and_specials(-100.0, 100.0), Ulp(3, LIBDEVICE)), ("f64", _range_and_specials(-100.0, 100.0), Ulp(3, LIBDEVICE))],
    sqrt: [("f32", _positive, Ulp(3, ROOT, floor=2.0**-60)), ("f64", _positive, EXACT)],
    sqrt_rn: [("f32", _positive, EXACT)],
    rsqrt: [("f32", _range(1e-6, 1e6), Ulp(3, ROOT)), ("f64", _range(1e-6, 1e6), Ulp(2, LIBDEVICE))],
    erf: [("f32", _range_and_specials(-4.0, 4.0), Ulp(3, LIBDEVICE)), ("f64", _range_and_specials(-4.0, 4.0), Ulp(3, LIBDEVICE))],
    floor: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    ceil: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    sigmoid: [("f32", _range(-20.0, 20.0), Ulp(8, "1 / (1 + exp(-x)): ex2.approx of a rounded product, then div.full", slope=1.0))],
    nv_tanh: [("f32", _range_and_specials(-6.0, 6.0), Ulp(3, LIBDEVICE)), ("f64", _range_and_specials(-6.0, 6.0), Ulp(3, LIBDEVICE))],
    nv_tan: [("f32", _range(-10.0, 10.0), Ulp(5, LIBDEVICE)), ("f64", _range(-10.0, 10.0), Ulp(3, LIBDEVICE))],
    nv_sin: [("f32", _range(-100.0, 100.0), Ulp(3, LIBDEVICE))],
    nv_cos: [("f32", _range(-100.0, 100.0), Ulp(3, LIBDEVICE))],
    nv_sinpi: [("f32", _range(-4.0, 4.0), Ulp(3, LIBDEVICE))],
    nv_cospi: [("f32", _range(-4.0, 4.0), Ulp(3, LIBDEVICE))],
    nv_asin: [("f32", _range_and_specials(-1.0, 1.0), Ulp(4, LIBDEVICE)), ("f64", _range(-1.0, 1.0), Ulp(3, LIBDEVICE))],
    nv_acos: [("f32", _range_and_specials(-1.0, 1.0), Ulp(4, LIBDEVICE)), ("f64", _range(-1.0, 1.0), Ulp(3, LIBDEVICE))],
    nv_atan: [("f32", _range_and_specials(-30.0, 30.0), Ulp(3, LIBDEVICE)), ("f64", _range(-30.0, 30.0), Ulp(3, LIBDEVICE))],
    nv_sinh: [("f32", _range(-20.0, 20.0), Ulp(4, LIBDEVICE))],
    nv_cosh: [("f32", _range(-20.0, 20.0), Ulp(3, LIBDEVICE))],
    nv_asinh: [("f32", _range(-20.0, 20.0), Ulp(4, LIBDEVICE))],
    nv_acosh: [("f32", _range(1.0, 20.0), Ulp(5, LIBDEVICE))],
    nv_atanh: [("f32", _range(-0.99, 0.99), Ulp(4, LIBDEVICE))],
    nv_exp: [("f32", _range_and_specials(-86.0, 86.0), Ulp(3, LIBDEVICE)), ("f64", _range(-700.0, 700.0), Ulp(2, LIBDEVICE))],
    nv_exp2: [("f32", _range(-125.0, 125.0), Ulp(3, LIBDEVICE))],
    nv_exp10: [("f32", _range(-36.0, 36.0), Ulp(3, LIBDEVICE))],
    nv_expm1: [("f32", _range_and_specials(-20.0, 20.0), Ulp(2, LIBDEVICE)), ("f64", _range(-20.0, 20.0), Ulp(2, LIBDEVICE))],
    nv_log: [("f32", _positive, Ulp(2, LIBDEVICE))],
    nv_log2: [("f32", _positive, Ulp(2, LIBDEVICE))],
    nv_log10: [("f32", _positive, Ulp(3, LIBDEVICE))],
    nv_log1p: [("f32", _range_and_specials(-0.99, 100.0), Ulp(2, LIBDEVICE)), ("f64", _range(-0.99, 100.0), Ulp(2, LIBDEVICE))],
    nv_cbrt: [("f32", _range(-1000.0, 1000.0), Ulp(2, LIBDEVICE))],
    nv_rcbrt: [("f32", _range(0.001, 1000.0), Ulp(2, LIBDEVICE))],
    nv_erf: [("f32", _range(-4.0, 4.0), Ulp(3, LIBDEVICE))],
    nv_erfc: [("f32", _range(-4.0, 9.0), Ulp(6, LIBDEVICE))],
    nv_erfinv: [("f32", _range(-0.99, 0.99), Ulp(4, LIBDEVICE))],
    nv_normcdf: [("f32", _range(-5.0, 5.0), Ulp(7, LIBDEVICE))],
    nv_lgamma: [("f32", _range(0.01, 30.0), Close(2e-6, 2e-6, "6 ulp away from the zeros at 1 and 2"))],
    nv_tgamma: [("f32", _range(0.1, 20.0), Ulp(9, LIBDEVICE))],
    nv_sqrt: [("f32", _positive, Ulp(3, ROOT, floor=2.0**-60)), ("f64", _positive, EXACT)],
    nv_rsqrt: [("f32", _range(1e-6, 1e6), Ulp(3, ROOT))],
    nv_round: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_rint: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_nearbyint: [("f32", _anything, EXACT)],
    nv_trunc: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_floor: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_ceil: [("f32", _anything, EXACT)],
    nv_abs: [("f32", _anything, EXACT), ("f64", _anything, EXACT), ("i32", _anything, EXACT), ("i64", _anything, EXACT)],
    nv_saturatef: [("f32", _anything, EXACT)],
    nv_logb: [("f32", _anything, Observed("libdevice, compiled to flush subnormals, gives -150 for each of them"))],
    nv_rcp_rn: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_sqrt_rn: [("f32", _anything, EXACT), ("f64", _anything, EXACT)],
    nv_fast_expf: [("f32", _range(-20.0, 20.0), Ulp(4, "ex2.approx of a rounded product", slope=1.2))],
    nv_fast_logf: [("f32", _range(0.01, 100.0), Close(2.0**-21, 2.0**-21, "lg2.approx: 2^-21.4 near 1, 3 ulp elsewhere"))],
    nv_fast_sinf: [("f32", _range(-3.14, 3.14), Close(0.0, 2.0**-20, "sin.approx: 2^-20.5 in [-pi, pi]"))],
    nv_fast_cosf: [("f32", _range(-3.14, 3.14), Close(0.0, 2.0**-20, "cos.approx: 2^-20.5 in [-pi, pi]"))],
}

# function: (type of x, type of the result, inputs)
TO_INTEGER = {
    nv_isnan: ("f32", "i1", _anything),
    nv_isinf: ("f32", "i1", _anything),
    nv_signbit: ("f32", "i1", _anything),
    nv_llrint: ("f32", "i64", _range(-1e6, 1e6)),
    nv_llround: ("f32", "i64", _range(-1000.0, 1000.0)),
    nv_float2int_rn: ("f32", "i32", _anything),
    nv_float2int_rd: ("f32", "i32", _anything),
    nv_float_as_int: ("f32", "i32", _anything),
    nv_int_as_float: ("i32", "f32", _anything),
    nv_int2float_rz: ("i32", "f32", _anything),
    nv_ilogb: ("f32", "i32", _range(0.001, 1000.0)),
}


def _pair(left, right):
    def draw(source, dtype):
        return left(source, dtype), right(source, dtype)

    return draw


def _pairs(source, dtype):
    return source.pairs(COUNT, dtype)


BINARY = {
    nv_atan2: [("f32", _pair(_range(-10.0, 10.0), _range(-10.0, 10.0)), Ulp(4, LIBDEVICE)), ("f64", _pair(_range(-10.0, 10.0), _range(-10.0, 10.0)), Ulp(3, LIBDEVICE))],
    nv_pow: [("f32", _pair(_range(0.01, 20.0), _range(-10.0, 10.0)), Ulp(9, LIBDEVICE)), ("f64", _pair(_range(0.01, 20.0), _range(-10.0, 10.0)), Ulp(3, LIBDEVICE))],
    nv_hypot: [("f32", _pair(_range(-10.0, 10.0), _range(-10.0, 10.0)), Ulp(4, LIBDEVICE))],
    nv_fmod: [("f32", _pair(_range(-100.0, 100.0), _range(0.5, 10.0)), EXACT), ("f64", _pair(_range(-100.0, 100.0), _range(0.5, 10.0)), EXACT)],
    nv_remainder: [("f32", _pair(_range(-100.0, 100.0), _range(0.5, 10.0)), EXACT)],
    nv_copysign: [("f32", _pairs, EXACT), ("f64", _pairs, EXACT)],
    nv_nextafter: [("f32", _pairs, Observed("libdevice, compiled to flush subnormals, steps from them in ways of its own"))],
    nv_fdim: [("f32", _pairs, EXACT)],
    nv_div_rn: [("f32", _pairs, EXACT), ("f64", _pairs, EXACT)],
    nv_add_rn: [("f32", _pairs, EXACT)],
    nv_add_rz: [("f32", _pairs, EXACT)],
    nv_mul_ru: [("f32", _pairs, Observed("a product that rounding would lift to the smallest normal is flushed before"))],
    nv_fast_dividef: [("f32", _pair(_range(-10.0, 10.0), _range(0.1, 10.0)), Ulp(3, "div.approx.f32: 2 ulp"))],
}  # fmt: skip


@triton.jit
def random_kernel(out_ptr, seed, KIND: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if KIND == "rand":
        value = tl.rand(seed, at)
    elif KIND == "randn":
        value = tl.randn(seed, at)
    elif KIND == "randint":
        value = tl.randint(seed, at)
    elif KIND == "randint4x":
        a, b, c, d = tl.randint4x(seed, at)
        value = a ^ (b * 3) ^ (c * 5) ^ (d * 7)
    elif KIND == "rand4x":
        a, b, c, d = tl.rand4x(seed, at)
        value = a + b * 2.0 + c * 4.0 + d * 8.0
    elif KIND == "philox7":
        value = tl.randint(seed, at, n_rounds=7)
    else:
        value = tl.rand(seed, at.to(tl.int64) * 1000003)
    tl.store(out_ptr + at, value)


def _random_cases():
    sine = Close(1e-5, 1e-5, "Box-Muller with approximate log, sqrt, sine and cosine")
    for kind, out, bound in (
        ("rand", "f32", EXACT), ("randn", "f32", sine), ("randint", "i32", EXACT), ("randint4x", "i32", EXACT),
        ("rand4x", "f32", EXACT), ("philox7", "i32", EXACT), ("rand_int64_offset", "f32", EXACT),
    ):  # fmt: skip
        for seed in (0, 12345, (1 << 40) + 7):
            name = f"random/{kind}-{seed}"
            constants = {"KIND": kind, "BLOCK": 256}

            def arguments(out=out, seed=seed):
                return [Out((COUNT,), out), seed]

            yield Case(name, random_kernel, arguments, bound, grid=(COUNT // 256,), constants=constants)


def cases():
    for function, variants in UNARY.items():
        for dtype, draw, bound in variants:
            name = f"{function.__name__}/{dtype}"

            def one(name=name, dtype=dtype, draw=draw):
                return [(draw(Source(name), dtype), dtype)]

            yield elementwise(name, function, one, dtype, bound)
    for function, (dtype, out, draw) in TO_INTEGER.items():
        name = f"{function.__name__}/{dtype}"

        def one(name=name, dtype=dtype, draw=draw):
            return [(draw(Source(name), dtype), dtype)]

        yield elementwise(name, function, one, out, EXACT)
    for function, variants in BINARY.items():
        for dtype, draw, bound in variants:
            name = f"{function.__name__}/{dtype}"

            def two(name=name, dtype=dtype, draw=draw):
                return [(array, dtype) for array in draw(Source(name), dtype)]

            yield elementwise(name, function, two, dtype, bound)
    for dtype in ("f32", "f64"):
        name = f"nv_ldexp/{dtype}"

        def scaled(name=name, dtype=dtype):
            source = Source(name)
            return [(source.spread(COUNT, dtype), dtype), (source.integers(COUNT, -40, 40).astype(np.int32), "i32")]

        yield elementwise(name, nv_ldexp, scaled, dtype, EXACT)
    for function in (nv_fma, nv_fma_rn):
        for dtype in ("f32", "f64"):
            name = f"{function.__name__}/{dtype}"

            def three(name=name, dtype=dtype):
                source = Source(name)
                return [(source.values(COUNT, dtype), dtype) for _ in range(3)]

            yield elementwise(name, function, three, dtype, EXACT)
    yield from _random_cases()
