# case: configurations are pruned by shape, and a pre-hook zeroes the output before every try
# expect: accept
# task: tasks/sum_middle.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl

def zero_output(arguments):
    arguments["out_ptr"].zero_()


def keep_small(configs, named_arguments, **kwargs):
    rows = named_arguments["S"]
    fitting = [config for config in configs if config.kwargs["ROWS"] <= 2 * rows]
    return fitting or configs[:1]


@triton.autotune(
    configs=[triton.Config({"ROWS": rows}, num_warps=4, pre_hook=zero_output) for rows in (4, 8, 32)],
    key=["S", "W"],
    prune_configs_by={"early_config_prune": keep_small},
)
@triton.jit
def sum_kernel(x_ptr, out_ptr, S, W, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    s = tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    w = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (b * S + s[:, None]) * W + w[None, :], mask=(s[:, None] < S) & (w[None, :] < W), other=0.0)
    tl.atomic_add(out_ptr + b * W + w, tl.sum(x, axis=0), mask=w < W)


class ModelNew(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        B, S, W = x.shape
        out = torch.empty((B, W), device=x.device, dtype=x.dtype)
        grid = lambda meta: (B, triton.cdiv(S, meta["ROWS"]), triton.cdiv(W, 64))
        sum_kernel[grid](x, out, S, W, BLOCK=64)
        return out
