# case: self.eval(), re.compile and a method called compile_plan, and a docstring that mentions exec( and eval(
# expect: accept
# rule: dynamic-code
# role: similar
# task: tasks/argmax.py
# verify: accept

import re

import torch
import torch.nn as nn
import triton
import triton.language as tl

_SPEC = re.compile(r"(?P<rows>\d+)x(?P<cols>\d+)")


@triton.jit
def argmax_kernel(x_ptr, out_ptr, n_cols, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * stride + cols, mask=cols < n_cols, other=float("-inf"))
    tl.store(out_ptr + row, tl.argmax(x, axis=0).to(tl.int64))


class ModelNew(nn.Module):
    """Row argmax.

    No exec(...) or eval(...) of generated text here: the plan is a plain tuple.
    """

    def __init__(self, limits: str = "65535x65536"):
        super().__init__()
        spec = _SPEC.fullmatch(limits)
        self.max_rows, self.max_cols = int(spec["rows"]), int(spec["cols"])
        self.eval()

    def compile_plan(self, x):
        rows, cols = x.shape
        if cols > self.max_cols:
            raise ValueError(f"rows of {cols} do not fit into one block of {self.max_cols}")
        block = triton.next_power_of_2(cols)
        return (rows,), {"BLOCK": block, "num_warps": 8 if block >= 2048 else 4}

    def forward(self, x):
        x = x.contiguous()
        grid, options = self.compile_plan(x)
        out = torch.empty(x.shape[0], device=x.device, dtype=torch.int64)
        argmax_kernel[grid](x, out, x.shape[1], x.stride(0), **options)
        return out


if __name__ == "__main__":
    model = ModelNew().cuda().eval()
    data = torch.randn(64, 500, device="cuda")
    assert torch.equal(model(data), data.argmax(dim=1))
