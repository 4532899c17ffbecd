# case: Greek letters as identifiers; none of them folds to another name
# expect: accept
# rule: disguised-identifier
# role: similar
# task: tasks/layer_norm.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(x_ptr, γ_ptr, β_ptr, y_ptr, n, ε, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    m = j < n
    x = tl.load(x_ptr + i * n + j, mask=m, other=0.0)
    μ = tl.sum(x, axis=0) / n
    δ = tl.where(m, x - μ, 0.0)
    σ2 = tl.sum(δ * δ, axis=0) / n
    γ = tl.load(γ_ptr + j, mask=m, other=0.0)
    β = tl.load(β_ptr + j, mask=m, other=0.0)
    tl.store(y_ptr + i * n + j, γ * δ / tl.sqrt(σ2 + ε) + β, mask=m)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.ln = nn.LayerNorm(features)

    def forward(self, x):
        x = x.contiguous()
        ν = x.shape[-1]
        λ = x.numel() // ν
        y = torch.empty_like(x)
        γ, β, ε = self.ln.weight, self.ln.bias, self.ln.eps
        layer_norm_kernel[(λ,)](x, γ, β, y, ν, ε, BLOCK=triton.next_power_of_2(ν))
        return y
