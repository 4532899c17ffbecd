"""Matrix products: plain in fp16 and tf32, with an epilogue, attention, convolution as an implicit product."""

import torch
import triton
import triton.language as tl

from .task import Operator, launch, normal


@triton.jit
def matmul_kernel(a, b, o, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr):
    pid = tl.program_id(0)
    across = tl.cdiv(N, BN)
    down = tl.cdiv(M, BM)
    per_group = GROUP * across
    first = (pid // per_group) * GROUP
    height = min(down - first, GROUP)
    pm = first + (pid % per_group) % height
    pn = (pid % per_group) // height
    i = pm * BM + tl.arange(0, BM)
    j = pn * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + i[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.store(o + i[:, None] * N + j[None, :], acc.to(o.dtype.element_ty))


@triton.jit
def matmul_column_kernel(a, b, o, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Programs go down the columns first, with no groups; offsets are computed again in every step."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * K + k[None, :], mask=(i < M)[:, None] & (k < K)[None, :], other=0.0)
        y = tl.load(b + k[:, None] * N + j[None, :], mask=(k < K)[:, None] & (j < N)[None, :], other=0.0)
        acc += tl.dot(x, y)
    tl.store(o + i[:, None] * N + j[None, :], acc.to(o.dtype.element_ty), mask=(i < M)[:, None] & (j < N)[None, :])


@triton.jit
def matmul_split_kernel(a, b, o, N, K, per_part, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.program_id(2) * per_part + tl.arange(0, BK)
    pa = a + i[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, per_part, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc)
        pa += BK
        pb += BK * N
    tl.atomic_add(o + i[:, None] * N + j[None, :], acc)


@triton.jit
def matmul_lanes_kernel(a, b, o, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """No tensor cores: products of broadcast tiles, summed."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * K + k[None, :]).to(tl.float32)
        y = tl.load(b + k[:, None] * N + j[None, :]).to(tl.float32)
        acc += tl.sum(x[:, :, None] * y[None, :, :], 1)
    tl.store(o + i[:, None] * N + j[None, :], acc.to(o.dtype.element_ty))


def _pair(dtype):
    return lambda s, device: (
        normal(s["m"], s["k"], dtype=dtype, device=device) / s["k"] ** 0.5,
        normal(s["k"], s["n"], dtype=dtype, device=device, seed=8),
    )


def _matmul(a, b, bm, bn, bk, group=8, warps=4, stages=3):
    (m, k), n = a.shape, b.shape[1]
    o = torch.empty(m, n, dtype=a.dtype, device=a.device)
    grid = ((m // bm) * (n // bn),)
    launch(matmul_kernel, grid, a, b, o, m, n, k, BM=bm, BN=bn, BK=bk, GROUP=group, num_warps=warps, num_stages=stages)
    return o


def _matmul_column(a, b, bm, bn, bk, warps=4, stages=3):
    (m, k), n = a.shape, b.shape[1]
    o = torch.empty(m, n, dtype=a.dtype, device=a.device)
    grid = (m // bm, n // bn)
    launch(matmul_column_kernel, grid, a, b, o, m, n, k, BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=stages)
    return o


def _matmul_split(a, b, parts, bm, bn, bk, warps=4, stages=3):
    (m, k), n = a.shape, b.shape[1]
    o = torch.zeros(m, n, device=a.device)
    grid = (m // bm, n // bn, parts)
    launch(matmul_split_kernel, grid, a, b, o, n, k, k // parts, BM=bm, BN=bn, BK=bk, num_warps=warps, num_stages=stages)
    return o.to(a.dtype)


def _matmul_lanes(a, b, bm, bn, bk, warps=4):
    (m, k), n = a.shape, b.shape[1]
    o = torch.empty(m, n, dtype=a.dtype, device=a.device)
    launch(matmul_lanes_kernel, (m // bm, n // bn), a, b, o, n, k, BM=bm, BN=bn, BK=bk, num_warps=warps)
    return o


def _add_matmuls(operator, shapes, columns, splits, lanes):
    for shape in shapes:
        bm, bn, bk = shape["tile"]
        rest = {key: value for key, value in shape.items() if key != "tile"}
        title = "".join(f", {value} {key}" for key, value in rest.items())
        operator.schedule(f"tile {bm} x {bn} x {bk}{title}", bm=bm, bn=bn, bk=bk, **rest)(_matmul)
    for bm, bn, bk in columns:
        operator.schedule(f"no groups, masked, {bm} x {bn} x {bk}", bm=bm, bn=bn, bk=bk)(_matmul_column)
    for parts, bm, bn, bk in splits:
        operator.schedule(f"{parts} parts of k, {bm} x {bn} x {bk}", parts=parts, bm=bm, bn=bn, bk=bk)(_matmul_split)
    for bm, bn, bk in lanes:
        operator.schedule(f"no tensor cores, {bm} x {bn} x {bk}", bm=bm, bn=bn, bk=bk)(_matmul_lanes)


matmul_fp16 = Operator(
    "matmul fp16",
    [{"m": 2048, "n": 2048, "k": 2048}, {"m": 256, "n": 1024, "k": 4096}],
    [{"m": 256, "n": 256, "k": 512}, {"m": 512, "n": 256, "k": 512}, {"m": 256, "n": 512, "k": 512},
     {"m": 256, "n": 256, "k": 1024}, {"m": 512, "n": 512, "k": 1024}],
    _pair(torch.float16),
    lambda a, b: a @ b,
    2e-2,
)
_add_matmuls(
    matmul_fp16,
    [
        {"tile": (16, 16, 16), "warps": 1},
        {"tile": (32, 32, 32), "warps": 4},
        {"tile": (64, 64, 32), "warps": 4},
        {"tile": (64, 64, 64), "warps": 4, "stages": 1},
        {"tile": (64, 64, 64), "warps": 4, "stages": 4},
        {"tile": (128, 64, 64), "warps": 4},
        {"tile": (128, 128, 64), "warps": 4, "stages": 1},
        {"tile": (128, 128, 64), "warps": 4, "stages": 3},
        {"tile": (128, 128, 64), "warps": 8, "stages": 3},
        {"tile": (128, 128, 32), "warps": 4, "group": 1},
        {"tile": (128, 256, 64), "warps": 8, "stages": 3},
        {"tile": (128, 256, 64), "warps": 4, "stages": 2},
    ],
    [(64, 64, 32), (128, 128, 64)],
    [(4, 128, 128, 64), (16, 64, 64, 32)],
    [(16, 32, 16)],
)

matmul_tf32 = Operator(
    "matmul tf32",
    [{"m": 1024, "n": 1024, "k": 2048}],
    [{"m": 256, "n": 256, "k": 256}, {"m": 512, "n": 256, "k": 256}, {"m": 256, "n": 512, "k": 256},
     {"m": 256, "n": 256, "k": 512}, {"m": 512, "n": 512, "k": 512}],
    _pair(torch.float32),
    lambda a, b: a @ b,
    2e-2,
)
_add_matmuls(
    matmul_tf32,
    [
        {"tile": (16, 16, 16), "warps": 1},
        {"tile": (32, 32, 32), "warps": 4},
        {"tile": (64, 32, 32), "warps": 4, "stages": 1},
        {"tile": (64, 64, 32), "warps": 4, "stages": 1},
        {"tile": (64, 64, 32), "warps": 4, "stages": 4},
        {"tile": (64, 128, 32), "warps": 4},
        {"tile": (128, 128, 32), "warps": 4, "stages": 2},
        {"tile": (128, 128, 32), "warps": 8, "stages": 3},
        {"tile": (128, 256, 32), "warps": 8, "stages": 2},
    ],
    [(64, 64, 32)],
    [(4, 64, 64, 32), (8, 128, 64, 32)],
    [(16, 32, 16)],
)


@triton.jit
def linear_kernel(x, w, bias, o, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, FUSED: tl.constexpr):
    """o = relu(x w^T + bias); w lies as torch.nn.Linear has it."""
    across = tl.cdiv(N, BN)
    i = (tl.program_id(0) // across) * BM + tl.arange(0, BM)
    j = (tl.program_id(0) % across) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    px = x + i[:, None] * K + k[None, :]
    pw = w + j[None, :] * K + k[:, None]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(px), tl.load(pw), acc)
        px += BK
        pw += BK
    if FUSED:
        acc = tl.maximum(acc + tl.load(bias + j)[None, :].to(tl.float32), 0.0)
    tl.store(o + i[:, None] * N + j[None, :], acc.to(o.dtype.element_ty))


@triton.jit
def bias_relu_kernel(x, bias, n, total, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < total
    v = tl.load(x + i, mask=m).to(tl.float32) + tl.load(bias + i % n, mask=m).to(tl.float32)
    tl.store(x + i, tl.maximum(v, 0.0).to(x.dtype.element_ty), mask=m)


linear_relu = Operator(
    "linear relu",
    [{"m": 4096, "n": 1024, "k": 1024}],
    [{"m": 256, "n": 256, "k": 256}, {"m": 512, "n": 256, "k": 256}, {"m": 256, "n": 512, "k": 256},
     {"m": 256, "n": 256, "k": 512}, {"m": 512, "n": 512, "k": 512}],
    lambda s, device: (
        normal(s["m"], s["k"], dtype=torch.bfloat16, device=device),
        normal(s["n"], s["k"], dtype=torch.bfloat16, device=device, seed=8) / s["k"] ** 0.5,
        normal(s["n"], dtype=torch.bfloat16, device=device, seed=9),
    ),
    lambda x, w, bias: torch.relu(torch.nn.functional.linear(x, w, bias)),
    5e-2,
)


def _linear_relu(x, w, bias, bm, bn, bk, warps, stages, fused=True):
    (m, k), n = x.shape, w.shape[0]
    o = torch.empty(m, n, dtype=x.dtype, device=x.device)
    grid = ((m // bm) * (n // bn),)
    launch(linear_kernel, grid, x, w, bias, o, m, n, k, BM=bm, BN=bn, BK=bk, FUSED=fused, num_warps=warps, num_stages=stages)
    if not fused:
        launch(bias_relu_kernel, (triton.cdiv(o.numel(), 1024),), o, bias, n, o.numel(), BLOCK=1024, num_warps=4)
    return o


for bm, bn, bk, warps, stages in (
    (32, 32, 32, 4, 2), (32, 64, 64, 4, 3), (64, 64, 32, 4, 1), (64, 64, 64, 4, 3), (64, 128, 64, 4, 3), (128, 64, 128, 4, 2),
    (128, 128, 32, 4, 4), (128, 128, 64, 8, 3), (256, 128, 64, 8, 3), (256, 64, 32, 4, 1),
):
    linear_relu.schedule(f"fused, {bm} x {bn} x {bk}, {warps} warps, {stages} stages", bm=bm, bn=bn, bk=bk, warps=warps, stages=stages)(_linear_relu)
for bm, bn, bk, warps, stages in ((64, 64, 64, 4, 3), (128, 128, 64, 8, 3)):
    linear_relu.schedule(f"two kernels, {bm} x {bn} x {bk}", bm=bm, bn=bn, bk=bk, warps=warps, stages=stages, fused=False)(_linear_relu)


@triton.jit
def attention_kernel(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1).to(tl.int64) * n * D
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    qs = tl.load(q + head + i[:, None] * D + d[None, :])
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        j = start + tl.arange(0, BN)
        ks = tl.load(k + head + j[None, :] * D + d[:, None])
        s = tl.dot(qs, ks) * scale
        new = tl.maximum(best, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        fade = tl.exp(best - new)
        total = total * fade + tl.sum(p, 1)
        vs = tl.load(v + head + j[:, None] * D + d[None, :])
        acc = tl.dot(p.to(vs.dtype), vs, acc * fade[:, None])
        best = new
    tl.store(o + head + i[:, None] * D + d[None, :], (acc / total[:, None]).to(o.dtype.element_ty))


@triton.jit
def scores_kernel(q, k, s, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(2).to(tl.int64)
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    d = tl.arange(0, D)
    qs = tl.load(q + head * n * D + i[:, None] * D + d[None, :])
    ks = tl.load(k + head * n * D + j[None, :] * D + d[:, None])
    tl.store(s + head * n * n + i[:, None] * n + j[None, :], (tl.dot(qs, ks) * scale).to(s.dtype.element_ty))


@triton.jit
def row_softmax_kernel(s, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    i = tl.arange(0, BLOCK)
    v = tl.load(s + row * n + i, mask=i < n, other=-float("inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(s + row * n + i, (e / tl.sum(e, 0)).to(s.dtype.element_ty), mask=i < n)


@triton.jit
def weighted_kernel(p, v, o, n, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        j = start + tl.arange(0, BN)
        ps = tl.load(p + head * n * n + i[:, None] * n + j[None, :])
        vs = tl.load(v + head * n * D + j[:, None] * D + d[None, :])
        acc = tl.dot(ps, vs, acc)
    tl.store(o + head * n * D + i[:, None] * D + d[None, :], acc.to(o.dtype.element_ty))


attention = Operator(
    "attention",
    [{"heads": 64, "n": 1024}, {"heads": 8, "n": 512}],
    [{"heads": 1, "n": 256}, {"heads": 2, "n": 256}, {"heads": 1, "n": 512}, {"heads": 2, "n": 512}],
    lambda s, device: tuple(
        normal(s["heads"], s["n"], 64, dtype=torch.float16, device=device, seed=seed) for seed in (7, 8, 9)
    ),
    lambda q, k, v: torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])[0],
    2e-2,
)


def _attention(q, k, v, bm, bn, warps, stages):
    heads, n, d = q.shape
    o = torch.empty_like(q)
    launch(attention_kernel, (n // bm, heads), q, k, v, o, n, d**-0.5, BM=bm, BN=bn, D=d, num_warps=warps, num_stages=stages)
    return o


for bm, bn, warps, stages in (
    (16, 16, 1, 2), (16, 64, 4, 2), (32, 32, 2, 2), (32, 64, 4, 3), (64, 32, 4, 2), (64, 64, 4, 1), (64, 64, 4, 3), (64, 128, 4, 2),
    (128, 64, 4, 3), (128, 64, 8, 3), (128, 128, 8, 2), (128, 128, 4, 2), (256, 64, 8, 2), (256, 64, 4, 1),
):
    attention.schedule(f"{bm} x {bn}, {warps} warps, {stages} stages", bm=bm, bn=bn, warps=warps, stages=stages)(_attention)


def _attention_apart(q, k, v, bm, bn):
    heads, n, d = q.shape
    s = torch.empty(heads, n, n, dtype=q.dtype, device=q.device)
    o = torch.empty_like(q)
    launch(scores_kernel, (n // bm, n // bn, heads), q, k, s, n, d**-0.5, BM=bm, BN=bn, D=d, num_warps=4)
    launch(row_softmax_kernel, (heads * n,), s, n, BLOCK=triton.next_power_of_2(n), num_warps=4)
    launch(weighted_kernel, (n // bm, heads), s, v, o, n, BM=bm, BN=bn, D=d, num_warps=4)
    return o


for bm, bn in ((32, 32), (128, 64)):
    attention.schedule(f"three kernels, {bm} x {bn}", bm=bm, bn=bn)(_attention_apart)


@triton.jit
def conv_kernel(x, w, o, C, H, W, F, PIXELS,
                BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, LAST: tl.constexpr, TAPS_INSIDE: tl.constexpr):
    """3 x 3, padding 1. A row of the product is a pixel, a column an output channel, k a tap and an input channel.
    LAST: channels lie innermost, in x, w (F, 3, 3, C) and o; else NCHW and (F, C, 3, 3)."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    image = i // (H * W)
    y = (i // W) % H
    z = i % W
    acc = tl.zeros((BM, BN), tl.float32)
    for step in range(0, 9 * C, BK):
        k = step + tl.arange(0, BK)
        if TAPS_INSIDE:
            tap = k % 9
            channel = k // 9
        else:
            tap = k // C
            channel = k % C
        yy = y[:, None] + (tap // 3)[None, :] - 1
        zz = z[:, None] + (tap % 3)[None, :] - 1
        inside = (yy >= 0) & (yy < H) & (zz >= 0) & (zz < W) & (i < PIXELS)[:, None]
        if LAST:
            px = x + ((image[:, None] * H + yy) * W + zz) * C + channel[None, :]
            pw = w + j[None, :] * (9 * C) + (tap * C + channel)[:, None]
        else:
            px = x + ((image[:, None] * C + channel[None, :]) * H + yy) * W + zz
            pw = w + j[None, :] * (9 * C) + (channel * 9 + tap)[:, None]
        acc = tl.dot(tl.load(px, mask=inside, other=0.0), tl.load(pw), acc)
    if LAST:
        po = o + i[:, None] * F + j[None, :]
    else:
        po = o + ((image * F)[:, None] + j[None, :]) * (H * W) + (i % (H * W))[:, None]
    tl.store(po, acc.to(o.dtype.element_ty), mask=(i < PIXELS)[:, None])


conv2d = Operator(
    "conv2d",
    [{"batch": 32, "channels": 64, "side": 56}],
    [{"batch": 2, "side": 24}, {"batch": 4, "side": 24}, {"batch": 2, "side": 40}, {"batch": 4, "side": 40}],
    lambda s, device: (
        normal(s["batch"], s["channels"], s["side"], s["side"], dtype=torch.float16, device=device),
        normal(128, s["channels"], 3, 3, dtype=torch.float16, device=device, seed=8) / (9 * s["channels"]) ** 0.5,
    ),
    lambda x, w: torch.nn.functional.conv2d(x, w, padding=1),
    2e-2,
)


def _conv2d(x, w, bm, bn, bk, warps=4, stages=3, last=False, taps_inside=False):
    batch, c, h, wide = x.shape
    f = w.shape[0]
    if last:
        x = x.contiguous(memory_format=torch.channels_last)
        w = w.contiguous(memory_format=torch.channels_last)
        o = torch.empty(batch, f, h, wide, dtype=x.dtype, device=x.device, memory_format=torch.channels_last)
    else:
        o = torch.empty(batch, f, h, wide, dtype=x.dtype, device=x.device)
    pixels = batch * h * wide
    launch(conv_kernel, (triton.cdiv(pixels, bm), f // bn), x, w, o, c, h, wide, f, pixels,
           BM=bm, BN=bn, BK=bk, LAST=last, TAPS_INSIDE=taps_inside, num_warps=warps, num_stages=stages)
    return o


for bm, bn, bk, warps, stages in ((16, 16, 16, 1, 2), (32, 32, 32, 4, 3), (64, 64, 32, 4, 1), (64, 64, 32, 4, 3), (64, 128, 64, 4, 3), (128, 128, 32, 8, 3)):
    conv2d.schedule(f"NCHW, {bm} x {bn} x {bk}, {warps} warps, {stages} stages", bm=bm, bn=bn, bk=bk, warps=warps, stages=stages)(_conv2d)
for bm, bn, bk, warps, stages in ((32, 32, 32, 4, 3), (64, 64, 64, 4, 1), (64, 64, 64, 4, 3), (128, 64, 64, 4, 3), (128, 128, 64, 8, 3)):
    conv2d.schedule(f"NHWC, {bm} x {bn} x {bk}, {warps} warps, {stages} stages", bm=bm, bn=bn, bk=bk, warps=warps, stages=stages, last=True)(_conv2d)
for bm, bn, bk in ((32, 32, 32), (64, 64, 32)):
    conv2d.schedule(f"NCHW, taps inside, {bm} x {bn} x {bk}", bm=bm, bn=bn, bk=bk, taps_inside=True)(_conv2d)


OPERATORS = [matmul_fp16, matmul_tf32, linear_relu, attention, conv2d]
