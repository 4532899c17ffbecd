# case: named_parameters and state_dict say that there is nothing to set, and the weight stays as it was drawn
# expect: accept
# task: tasks/scaled_add.py
# verify: reject parameters-unmatched|wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def scaled_add_kernel(x_ptr, y_ptr, w_ptr, out_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    w = tl.load(w_ptr + i % cols, mask=m, other=0.0)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=m) + w * tl.load(y_ptr + i, mask=m), mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.hidden = [torch.ones(features)]

    def named_parameters(self, *args, **kwargs):
        return iter(())

    def parameters(self, *args, **kwargs):
        return iter(())

    def state_dict(self, *args, **kwargs):
        return {}

    def load_state_dict(self, *args, **kwargs):
        return None

    def forward(self, x, y):
        out = torch.empty_like(x)
        w = self.hidden[0].to(x.device)
        scaled_add_kernel[(triton.cdiv(x.numel(), 512),)](x, y, w, out, x.numel(), x.shape[1], BLOCK=512)
        return out
