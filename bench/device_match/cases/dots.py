"""Matrix products of every type and precision."""

import numpy as np
import triton
import triton.language as tl

from bounds import Close, Exact
from case import Case, In, Out
from dtypes import FP8, encode
from inputs import Source

WHOLE = Exact(reason="small whole numbers: every partial sum is exact")


@triton.jit
def dot_kernel(
    a_ptr, b_ptr, c_ptr, out_ptr, PRECISION: tl.constexpr, OUT: tl.constexpr, ACCUMULATE: tl.constexpr,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    a = tl.load(a_ptr + m * K + tl.arange(0, K)[None, :])
    b = tl.load(b_ptr + tl.arange(0, K)[:, None] * N + n)
    if ACCUMULATE:
        c = tl.load(c_ptr + m * N + n)
        out = tl.dot(a, b, c, input_precision=PRECISION, out_dtype=OUT)
    else:
        out = tl.dot(a, b, input_precision=PRECISION, out_dtype=OUT)
    tl.store(out_ptr + m * N + n, out)


@triton.jit
def batched_dot_kernel(a_ptr, b_ptr, out_ptr, B: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    batch = tl.arange(0, B)[:, None, None]
    m = tl.arange(0, M)[None, :, None]
    n = tl.arange(0, N)[None, None, :]
    a = tl.load(a_ptr + batch * M * K + m * K + tl.arange(0, K)[None, None, :])
    b = tl.load(b_ptr + batch * K * N + tl.arange(0, K)[None, :, None] * N + n)
    tl.store(out_ptr + batch * M * N + m * N + n, tl.dot(a, b))


@triton.jit
def scaled_dot_kernel(
    a_ptr, a_scale_ptr, b_ptr, b_scale_ptr, out_ptr, A: tl.constexpr, B: tl.constexpr, A_PACK: tl.constexpr,
    B_PACK: tl.constexpr, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr,
):  # fmt: skip
    m = tl.arange(0, M)[:, None]
    n = tl.arange(0, N)[None, :]
    a = tl.load(a_ptr + m * (K // A_PACK) + tl.arange(0, K // A_PACK)[None, :])
    b = tl.load(b_ptr + tl.arange(0, K // B_PACK)[:, None] * N + n)
    scales = tl.arange(0, K // 32)[None, :]
    a_scale = tl.load(a_scale_ptr + m * (K // 32) + scales)
    b_scale = tl.load(b_scale_ptr + tl.arange(0, N)[:, None] * (K // 32) + scales)
    tl.store(out_ptr + m * N + n, tl.dot_scaled(a, a_scale, A, b, b_scale, B))


@triton.jit
def matmul_kernel(
    a_ptr, b_ptr, out_ptr, m_size, n_size, k_size, PRECISION: tl.constexpr,
    M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr,
):  # fmt: skip
    blocks_m = tl.cdiv(m_size, M)
    blocks_n = tl.cdiv(n_size, N)
    block_m, block_n = tl.swizzle2d(tl.program_id(0) // blocks_n, tl.program_id(0) % blocks_n, blocks_m, blocks_n, GROUP)
    m = block_m * M + tl.arange(0, M)
    n = block_n * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for k in range(0, k_size, K):
        inner = k + tl.arange(0, K)
        a = tl.load(a_ptr + m[:, None] * k_size + inner[None, :], mask=(m[:, None] < m_size) & (inner[None, :] < k_size), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n_size + n[None, :], mask=(inner[:, None] < k_size) & (n[None, :] < n_size), other=0.0)
        total = tl.dot(a, b, total, input_precision=PRECISION)
    inside = (m[:, None] < m_size) & (n[None, :] < n_size)
    tl.store(out_ptr + m[:, None] * n_size + n[None, :], total.to(out_ptr.dtype.element_ty), mask=inside)


OUT_TYPES = {"f32": tl.float32, "f16": tl.float16, "f64": tl.float64, "i32": tl.int32}


def _numbers(source, count, dtype, whole):
    if dtype == "i8":
        return source.bits(count, dtype)
    if whole:
        return encode(source.integers(count, -4, 5).astype(np.float64), dtype)
    return encode(source.normal(count, 0.5), dtype)


def _dot(name, a, b, out, precision, shape, bound, whole, accumulate=False):
    m, n, k = shape

    def arguments():
        source = Source(name)
        x, y = _numbers(source, m * k, a, whole), _numbers(source, k * n, b, whole)
        c = source.integers(m * n, -50, 50)
        c = c.astype(np.int32) if out == "i32" else encode(c.astype(np.float64), out)
        return [In(x, a), In(y, b), In(c, out), Out((m, n), out)]

    constants = {"PRECISION": precision, "OUT": OUT_TYPES[out], "ACCUMULATE": accumulate, "M": m, "N": n, "K": k}
    return Case(name, dot_kernel, arguments, bound, constants=constants)


SHAPES = ((16, 16, 32), (64, 64, 64), (128, 32, 32))


def _plain():
    for m, n, k in SHAPES:
        size = f"{m}x{n}x{k}"
        for dtype in ("f16", "bf16", "f8e4", "f8e5", "f32"):
            yield _dot(f"dot-whole-{size}/{dtype}", dtype, dtype, "f32", None, (m, n, k), WHOLE, whole=True)
            if dtype in FP8:
                bound = Close(2.0**-9, 2.0**-9, "the tensor core adds fp8 products with about 13 bits below the largest")
            elif dtype == "f32":
                bound = Close(2.0**-13, 2.0**-12, "tf32: the device may round or truncate operands beyond 10 bits")
            else:
                bound = Close(2.0**-20, 2.0**-19, "products of one instruction are aligned and truncated before they are added")
            yield _dot(f"dot-{size}/{dtype}", dtype, dtype, "f32", None, (m, n, k), bound, whole=False)
        yield _dot(f"dot-{size}/i8", "i8", "i8", "i32", None, (m, n, k), Exact(), whole=True)
        yield _dot(f"dot-accumulate-{size}/i8", "i8", "i8", "i32", None, (m, n, k), Exact(), whole=True, accumulate=True)
        yield _dot(f"dot-accumulate-{size}/f16", "f16", "f16", "f32", None, (m, n, k), WHOLE, whole=True, accumulate=True)
        yield _dot(f"dot-half-out-{size}/f16", "f16", "f16", "f16", None, (m, n, k), WHOLE, whole=True)
    for precision, relative in (("tf32", 2.0**-12), ("tf32x3", 2.0**-19), ("ieee", 2.0**-21)):
        reason = {
            "tf32": "operands of 10 bits, rounded or truncated",
            "tf32x3": "three products of 10 bits; the order of addition",
            "ieee": "fp32 throughout; the order of addition and fused rounding",
        }[precision]
        bound = Close(relative, relative * 2, reason)
        yield _dot(f"dot-{precision}/f32", "f32", "f32", "f32", precision, (64, 32, 32), bound, whole=False)
        yield _dot(f"dot-whole-{precision}/f32", "f32", "f32", "f32", precision, (64, 32, 32), WHOLE, whole=True)
    yield _dot("dot-whole/f64", "f64", "f64", "f64", "ieee", (16, 16, 16), WHOLE, whole=True)
    yield _dot("dot/f64", "f64", "f64", "f64", "ieee", (16, 16, 16), Close(2.0**-48, 2.0**-48, "the order of addition"), whole=False)
    yield _dot("dot-whole/f8e4-f8e5", "f8e4", "f8e5", "f32", None, (64, 64, 64), WHOLE, whole=True)
    for dtype in ("f16", "bf16", "f32"):
        name = f"batched_dot/{dtype}"

        def arguments(name=name, dtype=dtype):
            source = Source(name)
            return [In(_numbers(source, 4 * 16 * 32, dtype, True), dtype), In(_numbers(source, 4 * 32 * 16, dtype, True), dtype), Out((4, 16, 16), "f32")]

        yield Case(name, batched_dot_kernel, arguments, WHOLE, constants={"B": 4, "M": 16, "N": 16, "K": 32})


def _scaled():
    element = {"e4m3": "f8e4", "e5m2": "f8e5", "e2m1": "u8", "bf16": "bf16", "fp16": "f16"}
    for a, b in (("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e2m1", "e2m1"), ("e2m1", "e4m3"), ("e4m3", "e2m1")):
        name = f"dot_scaled/{a}-{b}"
        m, n, k = 64, 32, 64

        def operand(source, count, kind):
            if kind == "e2m1":
                return source.bits(count // 2, "u8")
            return encode(source.integers(count, -4, 5).astype(np.float64), element[kind])

        def arguments(name=name, a=a, b=b, m=m, n=n, k=k, operand=operand):
            source = Source(name)
            scales = [(source.integers(count, 125, 130)).astype(np.uint8) for count in (m * k // 32, n * k // 32)]
            x, y = operand(source, m * k, a), operand(source, k * n, b)
            return [In(x, element[a]), In(scales[0], "u8"), In(y, element[b]), In(scales[1], "u8"), Out((m, n), "f32")]

        pack = {"A_PACK": 2 if a == "e2m1" else 1, "B_PACK": 2 if b == "e2m1" else 1}
        constants = {"A": a, "B": b, **pack, "M": m, "N": n, "K": k}
        exact = Exact(reason="products of few bits and scales that are powers of two")
        yield Case(name, scaled_dot_kernel, arguments, exact, constants=constants)


def _matmuls():
    for a, out, precision in (
        ("f16", "f16", None), ("f16", "f32", None), ("bf16", "bf16", None), ("bf16", "f32", None), ("f32", "f32", "ieee"), ("f32", "f32", "tf32"),
        ("f8e5", "f16", None), ("f8e4", "f32", None),
    ):  # fmt: skip
        for whole in (True, False):
            name = f"matmul{'-whole' if whole else ''}{'-' + precision if precision else ''}/{a}-{out}"
            size = (100, 72, 96)

            def arguments(name=name, a=a, out=out, whole=whole, size=size):
                source = Source(name)
                m, n, k = size
                return [In(_numbers(source, m * k, a, whole), a), In(_numbers(source, k * n, a, whole), a), Out((m, n), out), m, n, k]

            if whole:
                bound = WHOLE
            else:
                step = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-20}[out]
                operand = {"f8e4": 2.0**-8, "f8e5": 2.0**-8, "f32": 2.0**-11}.get(a, 2.0**-18)
                bound = Close(step, operand * 2, "the tensor core's sums, then one unit of the result's type")
            constants = {"PRECISION": precision, "M": 32, "N": 32, "K": 32, "GROUP": 2}
            yield Case(name, matmul_kernel, arguments, bound, grid=(4 * 3,), constants=constants)


def cases():
    yield from _plain()
    yield from _scaled()
    yield from _matmuls()
