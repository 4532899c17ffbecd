# case: the forward pass is decoded and executed, so that no text names an operator
# expect: reject dynamic-code
# task: tasks/cross_attention.py
# static: off
# verify: reject torch-compute|no-launch

import base64

import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy_kernel(src, dst, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(dst + i, tl.load(src + i, mask=i < n, other=0.0), mask=i < n)


TEXT = b"cyA9IHEgQCBrLnRyYW5zcG9zZSgtMSwgLTIpICogcS5zaGFwZVstMV0gKiogLTAuNQp5ID0gcy5zb2Z0bWF4KC0xKSBAIHYK"


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        names = {"q": q, "k": k, "v": v}
        exec(base64.b64decode(TEXT).decode(), names)
        y = names["y"]
        out = torch.empty_like(y)
        copy_kernel[(triton.cdiv(y.numel(), 1024),)](y, out, y.numel(), BLOCK=1024)
        return out
