"""Writes candidates as a language model would: kernels, launchers and a ModelNew, from a seed.

A candidate is a chain of blocks, each one operation with its kernel and its launcher. The honest
ones are right Triton code; the cheating ones break exactly one of the rules that both checkers of
static_speed.py have.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from string import Template

HEADER = '''"""$title"""

import torch
import torch.nn as nn
import triton
import triton.language as tl
'''

ELEMENTWISE = '''
@triton.jit
def ${k}_kernel($x_ptr, $y_ptr, $n, $alpha, $BLOCK: tl.constexpr):
    # One program handles $BLOCK neighbouring elements.
    $pid = tl.program_id(axis=0)
    $offs = $pid * $BLOCK + tl.arange(0, $BLOCK)
    $mask = $offs < $n
    $v = tl.load($x_ptr + $offs, mask=$mask, other=0.0).to(tl.float32)
    $body
    tl.store($y_ptr + $offs, $r, mask=$mask)


def ${k}($x, $alpha=$number):
    """Applies $k to every element of a tensor of any shape."""
    $x = $x.contiguous()
    $y = torch.empty_like($x)
    $n = $x.numel()
    grid = lambda meta: (triton.cdiv($n, meta["$BLOCK"]),)
    ${k}_kernel[grid]($x, $y, $n, $alpha, $BLOCK=$block)
    return $y
'''

ROWS = '''
@triton.jit
def ${k}_kernel($x_ptr, $y_ptr, $stride, $cols, eps, $BLOCK: tl.constexpr):
    # A whole row stays in registers: one load and one store an element.
    $row = tl.program_id(0)
    $offs = tl.arange(0, $BLOCK)
    $mask = $offs < $cols
    $v = tl.load($x_ptr + $row * $stride + $offs, mask=$mask, other=$fill).to(tl.float32)
    $body
    tl.store($y_ptr + $row * $stride + $offs, $r, mask=$mask)


def ${k}($x, eps=$eps):
    """$k over the last dimension."""
    $shape = $x.shape
    $x = $x.reshape(-1, $shape[-1]).contiguous()
    $rows, $cols = $x.shape
    $y = torch.empty_like($x)
    $BLOCK = triton.next_power_of_2($cols)
    num_warps = 4 if $BLOCK <= 2048 else 8
    ${k}_kernel[($rows,)]($x, $y, $x.stride(0), $cols, eps, $BLOCK=$BLOCK, num_warps=num_warps)
    return $y.view($shape)
'''

AFFINE = '''
@triton.autotune(
    configs=[
        triton.Config({"$BLOCK": 512}, num_warps=4),
        triton.Config({"$BLOCK": 1024}, num_warps=4),
        triton.Config({"$BLOCK": $block}, num_warps=8),
    ],
    key=["$n"],
)
@triton.jit
def ${k}_kernel($x_ptr, $w_ptr, $b_ptr, $y_ptr, $n, $cols, $BLOCK: tl.constexpr):
    $pid = tl.program_id(0)
    $offs = $pid * $BLOCK + tl.arange(0, $BLOCK)
    $mask = $offs < $n
    # Weight and bias are indexed by the position inside the row.
    col = $offs % $cols
    $v = tl.load($x_ptr + $offs, mask=$mask, other=0.0)
    weight = tl.load($w_ptr + col, mask=$mask, other=0.0)
    bias = tl.load($b_ptr + col, mask=$mask, other=0.0)
    tl.store($y_ptr + $offs, $v * weight + bias, mask=$mask)


def ${k}($x, weight, bias):
    """Scales and shifts the last dimension."""
    $x = $x.contiguous()
    assert $x.shape[-1] == weight.numel(), "weight must match the last dimension"
    $y = torch.empty_like($x)
    $n = $x.numel()

    def grid(meta):
        return (triton.cdiv($n, meta["$BLOCK"]),)

    ${k}_kernel[grid]($x, weight, bias, $y, $n, $x.shape[-1])
    return $y
'''

MATMUL = '''
@triton.jit
def ${k}_kernel(
    a_ptr, b_ptr, c_ptr,
    M, N, K,
    stride_am, stride_ak, stride_bk, stride_bn, stride_cm, stride_cn,
    BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr, GROUP_M: tl.constexpr,
):
    $pid = tl.program_id(axis=0)
    num_m = tl.cdiv(M, BLOCK_M)
    num_n = tl.cdiv(N, BLOCK_N)
    # Grouped order: neighbouring programs share rows of A in the L2 cache.
    width = GROUP_M * num_n
    group = $pid // width
    first_m = group * GROUP_M
    size_m = min(num_m - first_m, GROUP_M)
    pid_m = first_m + (($pid % width) % size_m)
    pid_n = ($pid % width) // size_m
    rm = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    rn = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rk = tl.arange(0, BLOCK_K)
    a_ptrs = a_ptr + rm[:, None] * stride_am + rk[None, :] * stride_ak
    b_ptrs = b_ptr + rk[:, None] * stride_bk + rn[None, :] * stride_bn
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, tl.cdiv(K, BLOCK_K)):
        left = K - k * BLOCK_K
        a = tl.load(a_ptrs, mask=(rm[:, None] < M) & (rk[None, :] < left), other=0.0)
        b = tl.load(b_ptrs, mask=(rk[:, None] < left) & (rn[None, :] < N), other=0.0)
        acc += tl.dot(a, b)
        a_ptrs += BLOCK_K * stride_ak
        b_ptrs += BLOCK_K * stride_bk
    c_ptrs = c_ptr + rm[:, None] * stride_cm + rn[None, :] * stride_cn
    tl.store(c_ptrs, acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


def ${k}($x, weight):
    """x @ weight for a weight of shape (in, out)."""
    lead = $x.shape[:-1]
    $x = $x.reshape(-1, $x.shape[-1])
    M, K = $x.shape
    N = weight.shape[1]
    $y = torch.empty((M, N), device=$x.device, dtype=$x.dtype)
    grid = (triton.cdiv(M, 64) * triton.cdiv(N, 64),)
    ${k}_kernel[grid](
        $x, weight, $y, M, N, K,
        $x.stride(0), $x.stride(1), weight.stride(0), weight.stride(1), $y.stride(0), $y.stride(1),
        BLOCK_M=64, BLOCK_N=64, BLOCK_K=32, GROUP_M=8,
    )
    return $y.reshape(*lead, N)
'''

POINTWISE_BODIES = {
    "leaky_relu": "$r = tl.where($v > 0, $v, $v * $alpha)",
    "scaled_sigmoid": "$r = $alpha / (1.0 + tl.exp(-$v))",
    "swish": "$r = $v * tl.sigmoid($v * $alpha)",
    "quick_gelu": "$r = $v * tl.sigmoid(1.702 * $v) * $alpha",
    "softplus": "$r = tl.log(1.0 + tl.exp($v * $alpha)) / $alpha",
    "hard_tanh": "$r = tl.minimum(tl.maximum($v, -$alpha), $alpha)",
    "square_relu": "t = tl.maximum($v, 0.0)\n    $r = t * t * $alpha",
    "elu": "$r = tl.where($v > 0, $v, $alpha * (tl.exp($v) - 1.0))",
}
ROW_BODIES = {
    "row_softmax": (
        "-float('inf')",
        "e = tl.exp($v - tl.max($v, axis=0))\n    $r = e / (tl.sum(e, axis=0) + eps)",
    ),
    "rms_norm": (
        "0.0",
        "scale = tl.rsqrt(tl.sum($v * $v, axis=0) / $cols + eps)\n    $r = $v * scale",
    ),
    "layer_norm": (
        "0.0",
        "mean = tl.sum($v, axis=0) / $cols\n    d = tl.where($mask, $v - mean, 0.0)\n"
        "    $r = d * tl.rsqrt(tl.sum(d * d, axis=0) / $cols + eps)",
    ),
    "l2_normalize": ("0.0", "$r = $v / tl.sqrt(tl.sum($v * $v, axis=0) + eps)"),
}
SYNONYMS = {
    "x": "x inp hidden source data tensor",
    "y": "y out result output dst res",
    "x_ptr": "x_ptr in_ptr input_ptr X src_ptr",
    "y_ptr": "y_ptr out_ptr output_ptr Y dst_ptr",
    "w_ptr": "w_ptr weight_ptr W gamma_ptr",
    "b_ptr": "b_ptr bias_ptr B beta_ptr",
    "n": "n n_elements numel total size",
    "pid": "pid program block_id idx",
    "offs": "offs offsets index positions",
    "mask": "mask in_bounds valid keep",
    "v": "v value vals chunk",
    "r": "r answer activated final",
    "alpha": "alpha slope factor gain",
    "BLOCK": "BLOCK BLOCK_SIZE BS TILE",
    "row": "row row_id row_idx r_id",
    "rows": "rows n_rows num_rows height",
    "cols": "cols n_cols width num_cols",
    "stride": "stride row_stride step ld",
    "shape": "shape original_shape dims full_shape",
}


@dataclass
class Candidate:
    blocks: list[str] = field(default_factory=list)
    init: list[str] = field(default_factory=list)
    forward: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def text(self, title: str) -> str:
        init = "".join(f"        {line}\n" for line in self.init)
        steps = "".join(f"        {line}\n" for line in self.forward)
        return (
            Template(HEADER).substitute(title=title)
            + "\n".join(self.blocks)
            + f"\n\nclass ModelNew(nn.Module):\n    def __init__(self, dim={DIM}):\n"
            + f"        super().__init__()\n        self.dim = dim\n{init}"
            + f"\n    def forward(self, x):\n{steps}        return x\n"
        )


DIM = 64
Build = Callable[[Candidate, random.Random, str], None]


def _words(rng: random.Random) -> dict[str, str]:
    """One synonym a role; no two roles share one."""
    while True:
        words = {role: rng.choice(options.split()) for role, options in SYNONYMS.items()}
        if len(set(words.values())) == len(words):
            return words


def _elementwise(candidate: Candidate, rng: random.Random, suffix: str) -> None:
    name, body = rng.choice(sorted(POINTWISE_BODIES.items()))
    words = _words(rng) | {"k": name + suffix, "block": str(rng.choice([512, 1024, 2048]))}
    words["number"] = str(rng.choice([0.5, 0.25, 1.0, 0.1, 1.5]))
    _add(candidate, ELEMENTWISE, body, words)
    candidate.forward.append(f"x = {words['k']}(x)")


def _rows(candidate: Candidate, rng: random.Random, suffix: str) -> None:
    name, (fill, body) = rng.choice(sorted(ROW_BODIES.items()))
    words = _words(rng) | {
        "k": name + suffix,
        "fill": fill,
        "eps": rng.choice(["1e-5", "1e-6", "1e-8"]),
    }
    _add(candidate, ROWS, body, words)
    candidate.forward.append(f"x = {words['k']}(x)")


def _affine(candidate: Candidate, rng: random.Random, suffix: str) -> None:
    words = _words(rng) | {"k": "affine" + suffix, "block": str(rng.choice([2048, 4096]))}
    _add(candidate, AFFINE, "", words)
    weight, bias = f"self.scale{suffix}", f"self.shift{suffix}"
    candidate.init += [
        f"{weight} = nn.Parameter(torch.rand(dim))",
        f"{bias} = nn.Parameter(torch.rand(dim))",
    ]
    candidate.forward.append(f"x = {words['k']}(x, {weight}, {bias})")


def _matmul(candidate: Candidate, rng: random.Random, suffix: str) -> None:
    words = _words(rng) | {"k": "linear" + suffix}
    _add(candidate, MATMUL, "", words)
    candidate.init.append(f"self.weight{suffix} = nn.Parameter(torch.rand(dim, dim))")
    candidate.forward.append(f"x = {words['k']}(x, self.weight{suffix})")


def _add(candidate: Candidate, template: str, body: str, words: dict[str, str]) -> None:
    words["body"] = Template(body).substitute(words)
    candidate.blocks.append(Template(template).substitute(words))
    candidate.names.append(words["k"])


BLOCKS: list[Build] = [_elementwise, _rows, _affine, _matmul]


def honest(rng: random.Random, size: int) -> str:
    """A chain of blocks of about `size` bytes."""
    return _chain(rng, size).text(f"A fused chain, number {rng.randrange(10**6)}.")


def _chain(rng: random.Random, size: int) -> Candidate:
    candidate, written = Candidate(), 0
    while written < size - 900 or not candidate.blocks:
        lines = len(candidate.init), len(candidate.forward)
        rng.choice(BLOCKS)(candidate, rng, f"_{len(candidate.blocks)}")
        written += len(candidate.blocks[-1]) + 1
        written += sum(len(line) + 9 for line in candidate.init[lines[0] :])
        written += sum(len(line) + 9 for line in candidate.forward[lines[1] :])
    return candidate


# What cheats do to an honest chain: each breaks one rule of both checkers.


def _torch_function(c: Candidate, rng: random.Random) -> None:
    call = rng.choice(
        ["torch.softmax(x, dim=-1)", "torch.exp(x)", "torch.sum(x, dim=-1)", "torch.matmul(x, x)"]
    )
    c.forward.append(f"x = {call}")


def _aliased(c: Candidate, rng: random.Random) -> None:
    name, path = rng.choice(
        [("mm", "torch.matmul"), ("add_rows", "torch.add"), ("product", "torch.mul")]
    )
    c.blocks.append(f"\n{name} = {path}\n")
    c.forward.append(f"x = {name}(x, x)")


def _functional(c: Candidate, rng: random.Random) -> None:
    name = rng.choice(["gelu", "relu", "silu", "softplus"])
    c.blocks.append(
        f"\nfrom torch.nn import functional as ops\n\n\ndef finish(x):\n    return ops.{name}(x)\n"
    )
    c.forward.append("x = finish(x)")


def _operator(c: Candidate, rng: random.Random) -> None:
    c.forward.append(
        rng.choice(
            ["x = x @ x.transpose(-1, -2)", "x = x * 2.0 + 1.0", "x = x - x.reshape(x.shape)"]
        )
    )


def _method(c: Candidate, rng: random.Random) -> None:
    c.forward.append(
        rng.choice(
            ["x = x.softmax(dim=-1)", "x = x.mean(dim=-1)", "x = x.exp()", "x = x.matmul(x)"]
        )
    )


def _library_layer(c: Candidate, rng: random.Random) -> None:
    layer = rng.choice(["nn.Linear(dim, dim)", "nn.LayerNorm(dim)", "nn.GELU()"])
    c.init.append(f"self.last = {layer}")
    c.forward.append("x = self.last(x)")


def _decoy(c: Candidate, rng: random.Random) -> None:
    c.forward[:] = ["x = x.contiguous()"]


def _warmup_only(c: Candidate, rng: random.Random) -> None:
    c.forward[:] = [f"{c.names[0]}_kernel.warmup(x, grid=(1,))", "x = x.clone()"]


CHEATS = [
    _torch_function,
    _aliased,
    _functional,
    _operator,
    _method,
    _library_layer,
    _decoy,
    _warmup_only,
]


def cheating(rng: random.Random, size: int) -> str:
    form = rng.randrange(len(CHEATS) + 3)
    candidate = _chain(rng, size)
    if form < len(CHEATS):
        CHEATS[form](candidate, rng)
        return candidate.text("A faster version.")
    text = candidate.text("A faster version.")
    if form == len(CHEATS):
        return text.replace("@triton.jit", "# compiled below")
    if form == len(CHEATS) + 1:
        return text.replace("class ModelNew(", "class Model2(")
    return text.replace("return x\n", "return x +\n")


def candidates(count: int, size: int, seed: int) -> Iterator[str]:
    """A quarter cheats."""
    for index in range(count):
        rng = random.Random(f"{seed}/{index}")
        yield cheating(rng, size) if index % 4 == 3 else honest(rng, size)


# For linearity: honest files of one size in three shapes.


def many_functions(size: int, seed: int) -> str:
    return honest(random.Random(f"{seed}/many"), size - 1200)  # the last block may be long


def long_kernel(size: int, seed: int) -> str:
    """One kernel and one launcher, each a long straight line."""
    rng = random.Random(f"{seed}/long")
    candidate = Candidate()
    step = "    v = tl.maximum(v * 0.5 + {0}.0, v - {1}.0)\n"
    view = "    x = x.view(x.shape[0], -1).reshape(x.shape)\n"
    used, body, views = 1400, "", ""
    while used + len(body) + len(views) < size - 60:
        body += "".join(step.format(rng.randrange(10, 99), rng.randrange(10, 99)) for _ in range(2))
        views += view
    candidate.blocks.append(
        "\n@triton.jit\ndef chain_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):\n"
        "    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    mask = offs < n\n"
        "    v = tl.load(x_ptr + offs, mask=mask)\n"
        + body
        + "    tl.store(y_ptr + offs, v, mask=mask)\n\n\ndef chain(x):\n    x = x.contiguous()\n"
        + views
        + "    y = torch.empty_like(x)\n    n = x.numel()\n"
        "    chain_kernel[(triton.cdiv(n, 1024),)](x, y, n, BLOCK=1024)\n    return y\n"
    )
    candidate.forward.append("x = chain(x)")
    return candidate.text("One long kernel.")


def large_table(size: int, seed: int) -> str:
    """A small candidate with a large literal and many comments."""
    rng = random.Random(f"{seed}/table")
    candidate = _chain(rng, 3000)
    rows, length = [], 3400
    while length < size - 100:
        rows.append(
            f"    ({rng.randrange(64, 9999)}, {rng.randrange(64, 9999)}): "
            f"({rng.choice([32, 64, 128])}, {rng.choice([2, 4, 8])}),  # measured once"
        )
        length += len(rows[-1]) + 1
    candidate.blocks.append("\nTILES = {\n" + "\n".join(rows) + "\n}\n")
    return candidate.text("With a table of tile sizes.")


SHAPES: dict[str, Callable[[int, int], str]] = {
    "many functions": many_functions,
    "one long kernel": long_kernel,
    "large table": large_table,
}
