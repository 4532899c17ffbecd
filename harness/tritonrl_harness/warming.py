"""Once through torch and Triton's front end before the first fork: what they load and cache is then there in every child."""

import torch
import triton
import triton.language as tl
from triton.compiler import ASTSource
from triton.runtime import autotuner, cache


@triton.jit
def _rows(x, y, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + row * n + offsets, mask=offsets < n, other=-float("inf"))
    values = tl.exp(values - tl.max(values, axis=0))
    tl.store(y + row * n + offsets, values / tl.sum(values, axis=0), mask=offsets < n)


def compute_once():
    """What torch looks up on first use (the processor's features) cannot be looked up in a sandbox."""
    # oneDNN writes machine code at run time, which a sandbox forbids.
    torch.backends.mkldnn.set_flags(False)
    for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16):
        x = torch.ones(4, 4, dtype=dtype)
        torch.nn.functional.gelu(x @ x).softmax(-1).sum().item()
        torch.nn.functional.conv1d(x[None], x[None])


def compile_once():
    # Caches are private and begin empty: no key needs a hash over all of Triton, whose library alone has 460 MB.
    cache.triton_key = autotuner.triton_key = lambda: triton.__version__
    target = triton.runtime.driver.active.get_current_target()
    source = ASTSource(_rows, {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {(3,): 64})
    triton.compile(source, target=target)
