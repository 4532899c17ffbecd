# case: methods called capture and replay hold sizes, not a CUDA graph
# expect: accept
# rule: cuda-graph
# role: similar
# task: tasks/batch_norm_eval.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bn_infer(x_ptr, mean_ptr, var_ptr, w_ptr, b_ptr, y_ptr, C, HW, eps, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    c = plane % C
    inv = 1.0 / tl.sqrt(tl.load(var_ptr + c) + eps)
    scale = tl.load(w_ptr + c) * inv
    shift = tl.load(b_ptr + c) - tl.load(mean_ptr + c) * scale
    offs = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + plane * HW + offs, mask=offs < HW, other=0.0)
    tl.store(y_ptr + plane * HW + offs, x * scale + shift, mask=offs < HW)


class GraphPlan:
    """Works out the grid for a shape; cheap enough to do on every call, so no CUDA graph is needed."""

    def __init__(self, block: int):
        self.block = block

    def capture(self, x: torch.Tensor) -> "GraphPlan":
        self.channels = x.shape[1]
        self.area = x.shape[2] * x.shape[3]
        self.grid = (x.shape[0] * self.channels, triton.cdiv(self.area, self.block))
        return self

    def replay(self, x, bn, y):
        bn_infer[self.grid](x, bn.running_mean, bn.running_var, bn.weight, bn.bias, y,
                            self.channels, self.area, bn.eps, BLOCK=self.block)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.bn = nn.BatchNorm2d(channels)

    def forward(self, x):
        x = x.contiguous()
        y = torch.empty_like(x)
        GraphPlan(block=128).capture(x).replay(x, self.bn, y)
        return y
