# case: names that are defined below their use, by a comprehension, an except clause or nonlocal
# expect: accept
# rule: undefined-name
# role: similar
# task: tasks/log_softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


class ModelNew(nn.Module):
    def __init__(self, dim: int = -1):
        super().__init__()
        self.dim = dim

    def forward(self, x: "torch.Tensor") -> "torch.Tensor":
        programs = 0

        def launch(rows, out):
            nonlocal programs
            programs = rows.shape[0]
            block = pick_block(rows.shape[1])
            log_softmax_kernel[(programs,)](rows, out, rows.shape[1], BLOCK=block)

        lead = [size for size in x.shape[:-1]]
        rows = x.contiguous().view(-1, x.shape[-1])
        out = torch.empty_like(rows)
        launch(rows, out)
        if __debug__:
            assert programs == rows.shape[0], "every row has its program"
        return out.view(*lead, x.shape[-1])


def pick_block(n: int) -> int:
    try:
        return BLOCKS[n]
    except KeyError as missing:
        (length,) = missing.args
        return min(length, MAX_BLOCK) if (length := triton.next_power_of_2(length)) else MAX_BLOCK


@triton.jit
def log_softmax_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    m = tl.full((BLOCK,), -1e38, tl.float32)
    s = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + c, mask=c < n, other=-1e38)
        new = tl.maximum(m, x)
        s = s * tl.exp(m - new) + tl.where(c < n, tl.exp(x - new), 0.0)
        m = new
    top = tl.max(m, 0)
    lse = top + tl.log(tl.sum(s * tl.exp(m - top), 0))
    for start in range(0, n, BLOCK):
        c = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * n + c, mask=c < n, other=0.0)
        tl.store(y_ptr + row * n + c, x - lse, mask=c < n)


MAX_BLOCK = 512
BLOCKS = {width: width for width in (32, 64, 128, 256)}
