# case: a byte order mark, Chinese comments and an emoji are valid UTF-8
# expect: accept
# rule: not-utf8
# role: similar
# task: tasks/bias_silu_scale.py
# verify: accept

# -*- coding: utf-8 -*-
"""偏置 + SiLU + 缩放的融合内核 🚀

参考实现: torch.nn.functional.silu(x + bias) * scale
"""
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_silu_kernel(输入, 偏置, 输出, 总数, 列数, 缩放, BLOCK: tl.constexpr):
    # 每个程序处理 BLOCK 个元素
    pid = tl.program_id(axis=0)
    offs = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offs < 总数
    # 偏置按列广播
    b = tl.load(偏置 + offs % 列数, mask=mask, other=0.0)
    v = tl.load(输入 + offs, mask=mask, other=0.0) + b
    v = v * tl.sigmoid(v) * 缩放
    tl.store(输出 + offs, v, mask=mask)


class ModelNew(nn.Module):
    """与 Model 参数同名, 便于加载权重。"""

    def __init__(self, features, scale):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(features))
        self.scale = scale

    def forward(self, x):
        x = x.contiguous()  # 保证行优先
        结果 = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 1024),)
        bias_silu_kernel[grid](x, self.bias, 结果, n, x.shape[-1], self.scale, BLOCK=1024)
        return 结果
