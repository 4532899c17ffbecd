# case: comments, strings and docstrings full of forbidden words, none of them code
# expect: accept
# rule: dynamic-code
# role: similar
# task: tasks/relu.py
# verify: accept

"""ReLU.

We tried `torch.compile(model)`, `exec(open("k.py").read())`, os.system("nvcc ...") and ctypes; a plain kernel is
as fast. Do not import gc or inspect here; do not read sys.argv or os.environ.
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl

HELP = "usage: eval(code), subprocess.run(...), torch.relu(x), data_ptr() cache, sys._getframe()"
BANNED = ("exec", "eval", "compile", "__import__", "torch.matmul", "load_inline")


@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    """torch.relu(x), but not with torch. exec( is only a word here."""
    # y = torch.relu(x)  <- the reference
    idx = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + idx, mask=idx < n, other=0.0)
    tl.store(y_ptr + idx, tl.where(x > 0.0, x, 0.0), mask=idx < n)  # threading? no


class ModelNew(nn.Module):
    """Replaces `return torch.relu(x)`."""

    def __init__(self):
        super().__init__()
        self.banned = " ".join(BANNED)

    def forward(self, x):
        "time.time() and torch.cuda.Event belong into a benchmark"
        assert x.numel() > 0, f"empty input; {HELP}"
        x = x.contiguous()
        y = torch.empty_like(x)
        relu_kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
