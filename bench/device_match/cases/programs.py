"""Control flow, and whole kernels as people write them."""

import numpy as np
import triton
import triton.language as tl

from bounds import Close, Exact
from case import Case, In, InOut, Out
from dtypes import encode
from inputs import Source

EXACT = Exact()


@triton.jit
def collatz_kernel(out_ptr, start):
    i = tl.program_id(0)
    x = start + i
    steps = 0
    while x != 1:
        if x % 2 == 0:
            x = x // 2
        else:
            x = 3 * x + 1
        steps += 1
    tl.store(out_ptr + i, steps)


@triton.jit
def lane_gcd_kernel(x_ptr, y_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.load(y_ptr + at)
    while tl.max(y, 0) > 0:
        rest = x % tl.where(y == 0, 1, y)
        x, y = tl.where(y == 0, x, y), tl.where(y == 0, 0, rest)
    tl.store(out_ptr + at, x)


@triton.jit
def loops_kernel(out_ptr, n, step, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    total = tl.zeros((BLOCK,), tl.int32)
    for j in range(i, n, step):
        total += j * tl.arange(0, BLOCK)
    for j in range(n, i, -3):
        total ^= j
    for j in tl.static_range(3):
        total = total * 3 + j
    for j in tl.range(0, i, num_stages=2):
        if j % 2 == 0:
            total += 1
        else:
            total -= 7
    tl.store(out_ptr + i * BLOCK + tl.arange(0, BLOCK), total)


@triton.jit
def sign_of(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


@triton.jit
def branches_kernel(x_ptr, out_ptr, MODE: tl.constexpr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    if x == 3:
        return
    pair = (sign_of(x), x * 2)
    if MODE == 0:
        y = pair[0] + pair[1]
    else:
        y = pair[0] if x % 2 == 0 else pair[1]
    tl.store(out_ptr + i, y)


@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=-float("inf")).to(tl.float32)
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * columns + at, e / tl.sum(e, 0), mask=at < columns)


@triton.jit
def builtin_softmax_kernel(x_ptr, out_ptr, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    at = tl.arange(0, ROWS)[:, None] * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    tl.store(out_ptr + at, tl.softmax(tl.load(x_ptr + at), dim=1, keep_dims=True))


@triton.jit
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, out_ptr, columns, eps, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    inside = at < columns
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, 0) / columns
    centred = tl.where(inside, x - mean, 0.0)
    rstd = tl.rsqrt(tl.sum(centred * centred, 0) / columns + eps)
    y = centred * rstd * tl.load(weight_ptr + at, mask=inside) + tl.load(bias_ptr + at, mask=inside)
    tl.store(out_ptr + row * columns + at, y, mask=inside)


@triton.jit
def attention_kernel(q_ptr, k_ptr, v_ptr, out_ptr, length, scale, CAUSAL: tl.constexpr, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):
    start = tl.program_id(0) * M
    row = start + tl.arange(0, M)
    feature = tl.arange(0, D)
    q = tl.load(q_ptr + row[:, None] * D + feature[None, :], mask=row[:, None] < length, other=0.0)
    best = tl.full((M,), -float("inf"), tl.float32)
    weight = tl.zeros((M,), tl.float32)
    total = tl.zeros((M, D), tl.float32)
    end = tl.minimum(start + M, length) if CAUSAL else length
    for first in range(0, end, N):
        column = first + tl.arange(0, N)
        k = tl.load(k_ptr + column[None, :] * D + feature[:, None], mask=column[None, :] < length, other=0.0)
        scores = tl.dot(q, k) * scale
        scores = tl.where(column[None, :] < length, scores, -float("inf"))
        if CAUSAL:
            scores = tl.where(column[None, :] <= row[:, None], scores, -float("inf"))
        larger = tl.maximum(best, tl.max(scores, 1))
        p = tl.exp2(scores - larger[:, None])
        shrink = tl.exp2(best - larger)
        weight = weight * shrink + tl.sum(p, 1)
        v = tl.load(v_ptr + column[:, None] * D + feature[None, :], mask=column[:, None] < length, other=0.0)
        total = tl.dot(p.to(v.dtype), v, total * shrink[:, None])
        best = larger
    out = total / weight[:, None]
    tl.store(out_ptr + row[:, None] * D + feature[None, :], out.to(out_ptr.dtype.element_ty), mask=row[:, None] < length)


@triton.jit
def cross_entropy_kernel(logits_ptr, target_ptr, loss_ptr, classes, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    total = 0.0
    for first in range(0, classes, BLOCK):
        at = first + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + row * classes + at, mask=at < classes, other=-float("inf"))
        larger = tl.maximum(best, tl.max(x, 0))
        total = total * tl.exp(best - larger) + tl.sum(tl.exp(x - larger), 0)
        best = larger
    hit = tl.load(logits_ptr + row * classes + tl.load(target_ptr + row))
    tl.store(loss_ptr + row, tl.log(total) + best - hit)


@triton.jit
def quantise_kernel(x_ptr, out_ptr, scale_ptr, columns, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, COLUMNS)
    x = tl.load(x_ptr + row * columns + at, mask=at < columns, other=0.0)
    scale = tl.div_rn(tl.max(tl.abs(x), 0), 127.0)
    scaled = tl.div_rn(x, scale)
    rounded = tl.floor(scaled + 0.5)
    tl.store(out_ptr + row * columns + at, tl.clamp(rounded, -127.0, 127.0).to(tl.int8), mask=at < columns)
    tl.store(scale_ptr + row, scale)


@triton.jit
def pack_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.zeros((BLOCK,), tl.int32)
    for i in tl.static_range(8):
        nibble = tl.load(x_ptr + at * 8 + i).to(tl.int32) & 0xF
        word |= nibble << (4 * i)
    tl.store(out_ptr + at, word)


@triton.jit
def unpack_kernel(x_ptr, scale_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    word = tl.load(x_ptr + at // 8)
    nibble = (word >> ((at % 8) * 4)) & 0xF
    signed = tl.where(nibble >= 8, nibble - 16, nibble)
    tl.store(out_ptr + at, signed.to(tl.float32) * tl.load(scale_ptr + at // 32))


@triton.jit
def rotary_kernel(x_ptr, cos_ptr, sin_ptr, half, HALF: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, HALF)
    inside = at < half
    cos = tl.load(cos_ptr + row * half + at, mask=inside)
    sin = tl.load(sin_ptr + row * half + at, mask=inside)
    left = tl.load(x_ptr + row * 2 * half + at, mask=inside)
    right = tl.load(x_ptr + row * 2 * half + half + at, mask=inside)
    tl.store(x_ptr + row * 2 * half + at, left * cos - right * sin, mask=inside)
    tl.store(x_ptr + row * 2 * half + half + at, right * cos + left * sin, mask=inside)


@triton.jit
def gelu_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at).to(tl.float32)
    tl.store(out_ptr + at, 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476)))


def _floats(name, count, dtype, scale=1.0):
    return encode(Source(name).normal(count, scale), dtype)


def _control_flow():
    yield Case("collatz", collatz_kernel, lambda: [Out((40,), "i32"), 1], EXACT, grid=(40,))
    yield Case("collatz-27", collatz_kernel, lambda: [Out((20,), "i32"), 20], EXACT, grid=(20,))

    def pairs():
        source = Source("gcd")
        return [In(source.integers(128, 1, 100000).astype(np.int32), "i32") for _ in range(2)] + [Out((128,), "i32")]

    yield Case("gcd", lane_gcd_kernel, pairs, EXACT, constants={"BLOCK": 128})
    for n, step in ((17, 1), (40, 7), (3, 5)):
        yield Case(f"loops-{n}-{step}", loops_kernel, lambda n=n, step=step: [Out((6, 32), "i32"), n, step], EXACT, grid=(6,), constants={"BLOCK": 32})
    for mode in (0, 1):

        def numbers(mode=mode):
            return [In(Source("branches").integers(64, -5, 6).astype(np.int32), "i32"), Out((64,), "i32")]

        yield Case(f"branches-{mode}", branches_kernel, numbers, EXACT, grid=(64,), constants={"MODE": mode})


def _rows():
    step = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-19}
    reason = "ex2.approx, div.full and the order of the sum; then one unit of the result's type"
    for dtype in ("f16", "bf16", "f32"):
        name = f"softmax/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(_floats(name, 12 * 100, dtype, 2.0), dtype), Out((12, 100), dtype), 100]

        yield Case(name, softmax_kernel, arguments, Close(step[dtype], 1e-7, reason), grid=(12,), constants={"COLUMNS": 128})
        name = f"layer_norm/{dtype}"

        def arguments(name=name, dtype=dtype):
            tensors = [In(_floats(f"{name}-{i}", size, dtype), dtype) for i, size in enumerate((12 * 100, 100, 100))]
            return [*tensors, Out((12, 100), dtype), 100, 1e-5]

        bound = Close(step[dtype], step[dtype], "rsqrt.approx, div.full and the order of two sums")
        yield Case(name, layer_norm_kernel, arguments, bound, grid=(12,), constants={"COLUMNS": 128})
        name = f"gelu/{dtype}"

        def arguments(name=name, dtype=dtype):
            return [In(_floats(name, 1024, dtype, 2.0), dtype), Out((1024,), dtype)]

        bound = Close(step[dtype], 1e-6, "erf: 2 ulp; the sum 1 + erf cancels for negative numbers")
        yield Case(name, gelu_kernel, arguments, bound, grid=(4,), constants={"BLOCK": 256})
        name = f"rotary/{dtype}"

        def arguments(name=name, dtype=dtype):
            tables = [In(_floats(f"{name}-{i}", 10 * 24, dtype, 0.5), dtype) for i in range(2)]
            return [InOut(_floats(name, 10 * 48, dtype), dtype), *tables, 24]

        yield Case(name, rotary_kernel, arguments, EXACT, grid=(10,), constants={"HALF": 32})
        for causal in (False, True):
            name = f"attention{'-causal' if causal else ''}/{dtype}"

            def arguments(name=name, dtype=dtype):
                tensors = [In(_floats(f"{name}-{part}", 50 * 32, dtype), dtype) for part in "qkv"]
                return [*tensors, Out((50, 32), dtype), 50, 0.25]

            tolerance = {"f16": 2.0**-9, "bf16": 2.0**-6, "f32": 2.0**-9}[dtype]
            bound = Close(tolerance, tolerance, "tensor-core sums, ex2.approx, and p rounded to the operands' type (tf32 for fp32)")
            constants = {"CAUSAL": causal, "M": 16, "N": 16, "D": 32}
            yield Case(name, attention_kernel, arguments, bound, grid=(4,), constants=constants)
    name = "builtin_softmax/f32"

    def arguments(name=name):
        return [In(_floats(name, 16 * 64, "f32", 2.0), "f32"), Out((16, 64), "f32")]

    yield Case(name, builtin_softmax_kernel, arguments, Close(step["f32"], 1e-7, reason), constants={"ROWS": 16, "COLUMNS": 64})
    name = "cross_entropy/f32"

    def arguments(name=name):
        target = Source(name).integers(20, 0, 300).astype(np.int64)
        return [In(_floats(name, 20 * 300, "f32", 2.0), "f32"), In(target, "i64"), Out((20,), "f32"), 300]

    yield Case(name, cross_entropy_kernel, arguments, Close(2.0**-19, 1e-6, reason), grid=(20,), constants={"BLOCK": 128})


def _integers():
    name = "quantise/f32"

    def arguments(name=name):
        return [In(_floats(name, 12 * 100, "f32"), "f32"), Out((12, 100), "i8"), Out((12,), "f32"), 100]

    yield Case(name, quantise_kernel, arguments, EXACT, grid=(12,), constants={"COLUMNS": 128})
    name = "pack/u8"

    def arguments(name=name):
        return [In(Source(name).bits(2048, "u8"), "u8"), Out((256,), "i32")]

    yield Case(name, pack_kernel, arguments, EXACT, grid=(2,), constants={"BLOCK": 128})
    name = "unpack/i32"

    def arguments(name=name):
        source = Source(name)
        return [In(source.bits(256, "i32"), "i32"), In(_floats(name, 64, "f32"), "f32"), Out((2048,), "f32")]

    yield Case(name, unpack_kernel, arguments, EXACT, grid=(8,), constants={"BLOCK": 256})


def cases():
    yield from _control_flow()
    yield from _rows()
    yield from _integers()
