# case: the handler only clears a flag; the finally clause sees it and computes with torch
# expect: reject fallback-to-torch
# rule: fallback-to-torch
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_argmax_kernel(x_ptr, o_ptr, n_cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x_ptr + row * n_cols + c, mask=c < n_cols, other=-float("inf"))
    tl.store(o_ptr + row, tl.argmax(v, axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device, dtype=torch.int64)
        done = True
        try:
            if cols & (cols - 1):
                raise ValueError("only powers of two")
            row_argmax_kernel[(rows,)](x, out, cols, BLOCK=cols)
        except ValueError:
            done = False
        finally:
            if not done:
                torch.argmax(x, dim=1, out=out)
        return out
