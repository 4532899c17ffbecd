"""Twelve kernels at named sizes, from elementwise to attention, small and large blocks. Each entry makes its inputs and
gives a function that launches, and the tensors that the launch fills."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def gelu_kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
    u = 1.5957691216057308 * (v + 0.044715 * v * v * v)
    tl.store(o + i, (v / (1 + tl.exp(-u))).to(tl.float16), mask=m)


@triton.jit
def softmax_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=-float("inf"))
    e = tl.exp(v - tl.max(v, 0))
    tl.store(o + row * n + i, e / tl.sum(e, 0), mask=m)


@triton.jit
def layer_norm_kernel(x, w, b, o, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + row * n + i, mask=m, other=0.0)
    mean = tl.sum(v, 0) / n
    d = tl.where(m, v - mean, 0.0)
    r = 1 / tl.sqrt(tl.sum(d * d, 0) / n + eps)
    tl.store(o + row * n + i, d * r * tl.load(w + i, mask=m, other=0.0) + tl.load(b + i, mask=m, other=0.0), mask=m)


@triton.jit
def column_sum_kernel(x, o, rows, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(0, rows, ROWS):
        i = r + tl.arange(0, ROWS)
        total += tl.sum(tl.load(x + i[:, None] * n + c[None, :]), 0)
    tl.store(o + c, total)


@triton.jit
def transpose_kernel(x, o, rows, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i[:, None] * columns + j[None, :])
    tl.store(o + j[:, None] * rows + i[None, :], tl.trans(v))


@triton.jit
def matmul_kernel(a, b, o, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, BK)
    pa = a + i[:, None] * K + k[None, :]
    pb = b + k[:, None] * N + j[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        acc = tl.dot(tl.load(pa), tl.load(pb), acc, input_precision="ieee")
        pa += BK
        pb += BK * N
    tl.store(o + i[:, None] * N + j[None, :], acc.to(o.dtype.element_ty))


@triton.jit
def attention_kernel(q, k, v, o, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    head = tl.program_id(1) * n * D
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    qs = tl.load(q + head + i[:, None] * D + d[None, :])
    best = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        j = start + tl.arange(0, BN)
        ks = tl.load(k + head + j[None, :] * D + d[:, None])
        s = tl.dot(qs, ks, input_precision="ieee") * scale
        new = tl.maximum(best, tl.max(s, 1))
        p = tl.exp(s - new[:, None])
        fade = tl.exp(best - new)
        total = total * fade + tl.sum(p, 1)
        vs = tl.load(v + head + j[:, None] * D + d[None, :])
        acc = tl.dot(p.to(vs.dtype), vs, acc * fade[:, None], input_precision="ieee")
        best = new
    tl.store(o + head + i[:, None] * D + d[None, :], (acc / total[:, None]).to(o.dtype.element_ty))


@triton.jit
def cross_entropy_kernel(x, target, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = -float("inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
        new = tl.maximum(best, tl.max(v, 0))
        total = total * tl.exp(best - new) + tl.sum(tl.exp(v - new), 0)
        best = new
    tl.store(o + row, best + tl.log(total) - tl.load(x + row * n + tl.load(target + row)))


@triton.jit
def cumsum_kernel(x, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    tl.store(o + row * n + i, tl.cumsum(tl.load(x + row * n + i), 0))


@triton.jit
def embedding_kernel(table, index, o, D: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, D)
    tl.store(o + row * D + i, tl.load(table + tl.load(index + row) * D + i))


def _generator():
    return torch.Generator().manual_seed(7)


def _normal(*shape, dtype=torch.float32, device):
    return torch.randn(*shape, generator=_generator()).to(dtype).to(device)


def all_kernels(device):
    """{name: (launch, outputs, bytes that a perfect kernel moves, flops)}"""

    def elementwise(kernel, inputs, out_dtype, n, block):
        out = torch.empty(n, dtype=out_dtype, device=device)
        grid = (triton.cdiv(n, block),)
        moved = sum(t.numel() * t.element_size() for t in inputs) + out.numel() * out.element_size()
        return (lambda: kernel[grid](*inputs, out, n, BLOCK=block)), [out], moved, 0

    entries = {}
    for n, block in ((1 << 18, 128), (1 << 22, 8192)):
        pair = [_normal(n, device=device), _normal(n, device=device)]
        entries[f"add {n} f32, blocks of {block}"] = elementwise(add_kernel, pair, torch.float32, n, block)
    half = [_normal(1 << 20, dtype=torch.float16, device=device)]
    entries["gelu 1048576 f16, blocks of 1024"] = elementwise(gelu_kernel, half, torch.float16, 1 << 20, 1024)

    x = _normal(1024, 1000, device=device)
    out = torch.empty_like(x)
    entries["softmax 1024 x 1000 f32"] = (
        lambda: softmax_kernel[(1024,)](x, out, 1000, BLOCK=1024), [out], 8 * x.numel(), 0)
    w, b = _normal(1000, device=device), _normal(1000, device=device)
    normed = torch.empty_like(x)
    entries["layer norm 1024 x 1000 f32"] = (
        lambda: layer_norm_kernel[(1024,)](x, w, b, normed, 1000, 1e-5, BLOCK=1024), [normed], 8 * x.numel(), 0)

    square = _normal(2048, 2048, device=device)
    sums = torch.empty(2048, device=device)
    entries["column sum 2048 x 2048 f32, tiles of 32 x 64"] = (
        lambda: column_sum_kernel[(32,)](square, sums, 2048, 2048, ROWS=32, BLOCK=64), [sums], 4 * square.numel(), 0)
    turned = torch.empty_like(square)
    entries["transpose 2048 x 2048 f32, tiles of 64"] = (
        lambda: transpose_kernel[(32, 32)](square, turned, 2048, 2048, BLOCK=64), [turned], 8 * square.numel(), 0)

    for size, dtype, tile in ((512, torch.float32, (32, 32, 32)), (1024, torch.float16, (128, 128, 64))):
        p, q = _normal(size, size, dtype=dtype, device=device), _normal(size, size, dtype=dtype, device=device)
        product = torch.empty(size, size, dtype=dtype, device=device)
        bm, bn, bk = tile
        entries[f"matmul {size}^3 {str(dtype)[6:]}, tiles of {bm} x {bn} x {bk}"] = (
            lambda p=p, q=q, o=product, s=size, t=tile: matmul_kernel[(s // t[0], s // t[1])](
                p, q, o, s, s, s, BM=t[0], BN=t[1], BK=t[2]),
            [product], 3 * p.numel() * p.element_size(), 2 * size**3)

    heads = [_normal(8, 512, 64, dtype=torch.float16, device=device) for _ in range(3)]
    attended = torch.empty_like(heads[0])
    entries["attention 8 x 512 x 64 f16, tiles of 64"] = (
        lambda: attention_kernel[(8, 8)](*heads, attended, 512, 0.125, BM=64, BN=64, D=64),
        [attended], 8 * attended.numel(), 4 * 8 * 512 * 512 * 64)

    logits = _normal(256, 8000, device=device)
    target = torch.randint(8000, (256,), generator=_generator()).to(device)
    losses = torch.empty(256, device=device)
    entries["cross entropy 256 x 8000 f32"] = (
        lambda: cross_entropy_kernel[(256,)](logits, target, losses, 8000, BLOCK=1024), [losses], 4 * logits.numel(), 0)
    table = _normal(1000, 256, device=device)
    index = torch.randint(1000, (4096,), generator=_generator()).to(device)
    rows = torch.empty(4096, 256, device=device)
    entries["embedding 4096 of 1000 x 256 f32"] = (
        lambda: embedding_kernel[(4096,)](table, index, rows, D=256), [rows], 8 * rows.numel(), 0)
    return entries
