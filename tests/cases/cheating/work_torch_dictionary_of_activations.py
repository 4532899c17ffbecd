# case: the activation comes out of a dictionary of torch functions chosen by a constructor default
# expect: reject torch-compute
# rule: torch-compute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl

EPILOGUES = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "gelu": torch.nn.functional.gelu,
    "none": lambda t: t,
}


@triton.jit
def dw_conv1d_kernel(x_ptr, w_ptr, y_ptr, C, L, L_out, K: tl.constexpr, BLOCK: tl.constexpr):
    nc = tl.program_id(0)
    o = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for k in range(K):
        x = tl.load(x_ptr + nc * L + o + k, mask=o < L_out, other=0.0)
        acc += x * tl.load(w_ptr + (nc % C) * K + k)
    tl.store(y_ptr + nc * L_out + o, acc, mask=o < L_out)


class ModelNew(nn.Module):
    def __init__(self, channels, kernel_size, epilogue="tanh"):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(channels, kernel_size) * 0.1)
        self.epilogue = EPILOGUES[epilogue]

    def forward(self, x):
        N, C, L = x.shape
        K = self.weight.shape[1]
        L_out = L - K + 1
        y = torch.empty((N, C, L_out), device=x.device, dtype=x.dtype)
        dw_conv1d_kernel[(N * C, triton.cdiv(L_out, 128))](x, self.weight, y, C, L, L_out, K=K, BLOCK=128)
        return self.epilogue(y)
