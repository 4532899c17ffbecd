# Input and output are slices of one buffer that do not overlap.
import torch
import triton
import triton.language as tl


@triton.jit
def cube_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n)
    tl.store(out_ptr + at, x * x * x, mask=at < n)


buffer = torch.rand(600, device="cuda")
before = buffer.clone()
cube_kernel[(2,)](buffer[100:300], buffer[350:550], 200, BLOCK=128)
torch.testing.assert_close(buffer[350:550], before[100:300] ** 3, rtol=1e-6, atol=1e-6)
assert torch.equal(buffer[:350], before[:350])
assert torch.equal(buffer[550:], before[550:])
