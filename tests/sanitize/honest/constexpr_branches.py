# One source for several activations; branches that are not taken are not compiled.
import torch
import triton
import triton.language as tl


@triton.jit
def activation_kernel(x_ptr, bias_ptr, out_ptr, n, KIND: tl.constexpr, HAS_BIAS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    if HAS_BIAS:
        x += tl.load(bias_ptr + at, mask=at < n)
    if KIND == "relu":
        y = tl.where(x > 0, x, 0.0)
    elif KIND == "silu":
        y = x * tl.sigmoid(x)
    else:
        tl.static_assert(KIND == "gelu")
        y = 0.5 * x * (1 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + at, y, mask=at < n)


x = torch.randn(200, device="cuda")
bias = torch.randn(200, device="cuda")
for kind, function in (("relu", torch.relu), ("silu", torch.nn.functional.silu), ("gelu", torch.nn.functional.gelu)):
    for b in (None, bias):
        out = torch.empty_like(x)
        activation_kernel[(2,)](x, b, out, 200, KIND=kind, HAS_BIAS=b is not None, BLOCK=128)
        torch.testing.assert_close(out, function(x if b is None else x + b), rtol=1e-5, atol=1e-5)
