# case: the exception handler names the shape and raises; it computes nothing
# expect: accept
# rule: fallback-to-torch
# role: similar
# task: tasks/layer_norm.py
# verify: accept

import logging

import torch
import torch.nn as nn
import triton
import triton.language as tl

log = logging.getLogger(__name__)


@triton.jit
def layer_norm_kernel(x_ptr, w_ptr, b_ptr, y_ptr, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    mask = cols < N
    x = tl.load(x_ptr + row * N + cols, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / N
    centred = tl.where(mask, x - mean, 0.0)
    var = tl.sum(centred * centred, axis=0) / N
    rstd = 1.0 / tl.sqrt(var + eps)
    w = tl.load(w_ptr + cols, mask=mask)
    b = tl.load(b_ptr + cols, mask=mask)
    tl.store(y_ptr + row * N + cols, centred * rstd * w + b, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)  # holds weight, bias and eps only

    def forward(self, x):
        x = x.contiguous()
        n = x.shape[-1]
        rows = x.numel() // n
        y = torch.empty_like(x)
        try:
            layer_norm_kernel[(rows,)](x, self.ln.weight, self.ln.bias, y, n, self.ln.eps,
                                       BLOCK=triton.next_power_of_2(n))
        except triton.OutOfResources as err:
            raise RuntimeError(f"a row of {n} elements does not fit into one program") from err
        except Exception:
            log.exception("layer_norm_kernel failed for %s", tuple(x.shape))
            raise
        return y
