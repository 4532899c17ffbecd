# Forward: rows of the table. Backward: their gradients added up with atomics.
import torch
import triton
import triton.language as tl


@triton.jit
def forward_kernel(token_ptr, table_ptr, out_ptr, width, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    token = tl.load(token_ptr + i)
    tl.store(out_ptr + i * width + at, tl.load(table_ptr + token * width + at, mask=at < width), mask=at < width)


@triton.jit
def backward_kernel(token_ptr, gradient_ptr, table_gradient_ptr, width, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    token = tl.load(token_ptr + i)
    gradient = tl.load(gradient_ptr + i * width + at, mask=at < width, other=0.0)
    tl.atomic_add(table_gradient_ptr + token * width + at, gradient, mask=at < width, sem="relaxed")


table = torch.rand(25, 24, device="cuda", requires_grad=True)
token = torch.randint(0, 25, (18,), device="cuda")
out = torch.empty(18, 24, device="cuda")
forward_kernel[(18,)](token, table.detach(), out, 24, BLOCK=32)
expected = torch.nn.functional.embedding(token, table)
assert torch.equal(out, expected.detach())
gradient = torch.rand(18, 24, device="cuda")
expected.backward(gradient)
table_gradient = torch.zeros(25, 24, device="cuda")
backward_kernel[(18,)](token, gradient, table_gradient, 24, BLOCK=32)
torch.testing.assert_close(table_gradient, table.grad, rtol=1e-5, atol=1e-5)
