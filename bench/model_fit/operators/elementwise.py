"""Elementwise operators: an addition in fp32 and a GELU in fp16."""

import torch
import triton
import triton.language as tl

from .task import Operator, launch, normal


@triton.jit
def add_kernel(x, y, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def add_loop_kernel(x, y, o, n, BLOCK: tl.constexpr):
    """A fixed grid; each program goes through the array in steps of the grid."""
    step = tl.num_programs(0) * BLOCK
    for start in range(tl.program_id(0) * BLOCK, n, step):
        i = start + tl.arange(0, BLOCK)
        m = i < n
        tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def add_strided_kernel(x, y, o, n, STRIDE: tl.constexpr, BLOCK: tl.constexpr):
    """Neighbouring lanes are STRIDE elements apart."""
    pid = tl.program_id(0)
    i = (pid // STRIDE) * (BLOCK * STRIDE) + pid % STRIDE + tl.arange(0, BLOCK) * STRIDE
    m = i < n
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


@triton.jit
def add_shifted_kernel(x, y, o, n, BLOCK: tl.constexpr):
    """Tiles start one element late, so that no vector load is aligned."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK) - 1
    m = (i >= 0) & (i < n)
    tl.store(o + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)


add = Operator(
    "add",
    [{"n": 1 << 24}, {"n": 1 << 20}],
    [{"n": 1 << 17}, {"n": 1 << 18}, {"n": 1 << 19}],
    lambda s, device: (normal(s["n"], device=device), normal(s["n"], device=device, seed=8)),
    lambda x, y: x + y,
    1e-6,
)


def _add(x, y, block, warps):
    o = torch.empty_like(x)
    launch(add_kernel, (triton.cdiv(x.numel(), block),), x, y, o, x.numel(), BLOCK=block, num_warps=warps)
    return o


for block, warps in ((32, 1), (128, 4), (256, 4), (1024, 1), (1024, 4), (2048, 8), (4096, 4), (8192, 8), (16384, 2), (32768, 4)):
    add.schedule(f"block {block}, {warps} warps", block=block, warps=warps)(_add)


def _add_loop(x, y, programs, block, warps):
    o = torch.empty_like(x)
    launch(add_loop_kernel, (programs,), x, y, o, x.numel(), BLOCK=block, num_warps=warps)
    return o


for programs, block, warps in ((16, 1024, 4), (132, 1024, 4), (132, 4096, 8), (1056, 1024, 4), (2112, 256, 4)):
    add.schedule(f"loop, {programs} programs, block {block}", programs=programs, block=block, warps=warps)(_add_loop)


def _add_strided(x, y, stride):
    o = torch.empty_like(x)
    grid = (triton.cdiv(x.numel(), 1024),)
    launch(add_strided_kernel, grid, x, y, o, x.numel(), STRIDE=stride, BLOCK=1024, num_warps=4)
    return o


for stride in (2, 8, 64):
    add.schedule(f"lanes {stride} apart", stride=stride)(_add_strided)


@add.schedule("unaligned")
def _add_shifted(x, y):
    o = torch.empty_like(x)
    launch(add_shifted_kernel, (triton.cdiv(x.numel() + 1, 1024),), x, y, o, x.numel(), BLOCK=1024, num_warps=4)
    return o


@triton.jit
def gelu_kernel(x, o, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
    tl.store(o + i, (0.5 * v * (1 + tl.math.erf(v * 0.7071067811865476))).to(o.dtype.element_ty), mask=m)


@triton.jit
def gelu_series_kernel(x, o, n, TERMS: tl.constexpr, BLOCK: tl.constexpr):
    """The error function as an integral by the midpoint rule: far more arithmetic than anyone needs."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    v = tl.load(x + i, mask=m, other=0.0).to(tl.float32)
    u = v * 0.7071067811865476
    total = tl.zeros((BLOCK,), tl.float32)
    for k in range(TERMS):
        t = u * ((k + 0.5) / TERMS)
        total += tl.exp(-t * t)
    erf = total * u * (1.1283791670955126 / TERMS)
    tl.store(o + i, (0.5 * v * (1 + erf)).to(o.dtype.element_ty), mask=m)


@triton.jit
def gelu_tile_kernel(x, o, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    i = tl.program_id(0) * BR + tl.arange(0, BR)
    j = tl.program_id(1) * BC + tl.arange(0, BC)
    at = i[:, None] * columns + j[None, :]
    v = tl.load(x + at).to(tl.float32)
    tl.store(o + at, (0.5 * v * (1 + tl.math.erf(v * 0.7071067811865476))).to(o.dtype.element_ty))


gelu = Operator(
    "gelu",
    [{"rows": 4096, "columns": 8192}],
    [{"rows": 32}, {"rows": 64}, {"rows": 128}],
    lambda s, device: (normal(s["rows"], s["columns"], dtype=torch.float16, device=device),),
    torch.nn.functional.gelu,
    2e-3,
)


def _gelu(x, block, warps):
    o = torch.empty_like(x)
    launch(gelu_kernel, (triton.cdiv(x.numel(), block),), x, o, x.numel(), BLOCK=block, num_warps=warps)
    return o


for block, warps in ((64, 1), (256, 4), (512, 4), (1024, 4), (2048, 4), (4096, 8), (8192, 2), (16384, 4)):
    gelu.schedule(f"block {block}, {warps} warps", block=block, warps=warps)(_gelu)


def _gelu_series(x, terms):
    o = torch.empty_like(x)
    launch(gelu_series_kernel, (triton.cdiv(x.numel(), 1024),), x, o, x.numel(), TERMS=terms, BLOCK=1024, num_warps=4)
    return o


for terms in (24, 96):
    gelu.schedule(f"{terms} exponentials", terms=terms)(_gelu_series)


def _gelu_tile(x, br, bc, warps):
    o = torch.empty_like(x)
    rows, columns = x.shape
    launch(gelu_tile_kernel, (rows // br, columns // bc), x, o, rows, columns, BR=br, BC=bc, num_warps=warps)
    return o


for br, bc, warps in ((32, 1, 1), (32, 4, 4), (32, 16, 4), (32, 64, 4)):
    gelu.schedule(f"tile {br} x {bc}", br=br, bc=bc, warps=warps)(_gelu_tile)


OPERATORS = [add, gelu]
