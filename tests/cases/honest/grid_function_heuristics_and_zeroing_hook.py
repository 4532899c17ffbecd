# case: the grid's function looks at the device, heuristics look at sizes, types and alignment, and the hook of a configuration zeroes the output
# expect: accept
# task: tasks/relu.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


def zero_output(arguments):
    arguments["y_ptr"].zero_()


@triton.autotune(configs=[triton.Config({"BLOCK": size}, pre_hook=zero_output) for size in (256, 512)], key=["n"])
@triton.heuristics(
    {
        "EVEN": lambda args: args["n"] % args["BLOCK"] == 0,
        "ALIGNED": lambda args: args["x_ptr"].data_ptr() % 16 == 0,
        "HALF": lambda args: args["x_ptr"].dtype == torch.float16,
    }
)
@triton.jit
def relu_kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr, EVEN: tl.constexpr, ALIGNED: tl.constexpr, HALF: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        x = tl.load(x_ptr + at)
        tl.atomic_add(y_ptr + at, tl.maximum(x, 0.0))
    else:
        x = tl.load(x_ptr + at, mask=at < n, other=0.0)
        tl.atomic_add(y_ptr + at, tl.maximum(x, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = torch.empty_like(x)
        n = x.numel()

        def grid(meta):
            blocks = triton.cdiv(n, meta["BLOCK"])
            most = 65535 * torch.cuda.get_device_properties(x.device).multi_processor_count
            return (max(1, min(blocks, most)),)

        relu_kernel[grid](x, y, n)
        return y
