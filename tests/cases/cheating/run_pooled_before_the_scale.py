# case: the largest of each window is found before the scale, which is right for scales that are positive, as they begin
# expect: accept
# task: tasks/scale_max_pool.py
# verify: reject wrong-result

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pool_kernel(x_ptr, s_ptr, y_ptr, C, H, W, PH, PW, KS: tl.constexpr, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    p = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    m = p < PH * PW
    top = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for i in tl.static_range(KS):
        for j in tl.static_range(KS):
            top = tl.maximum(top, tl.load(x_ptr + nc * H * W + (p // PW * KS + i) * W + p % PW * KS + j, mask=m, other=0.0))
    tl.store(y_ptr + nc * PH * PW + p, top * tl.load(s_ptr + nc % C), mask=m)


class ModelNew(nn.Module):
    def __init__(self, channels, pool):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.pool = pool

    def forward(self, x):
        N, C, H, W = x.shape
        PH, PW = H // self.pool, W // self.pool
        y = torch.empty((N, C, PH, PW), device=x.device, dtype=x.dtype)
        pool_kernel[(N * C, triton.cdiv(PH * PW, 64))](x, self.scale, y, C, H, W, PH, PW, KS=self.pool, BLOCK=64)
        return y
