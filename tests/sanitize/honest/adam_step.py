# Parameters and both moments are updated in place.
import torch
import triton
import triton.language as tl


@triton.jit
def adam_kernel(p_ptr, g_ptr, m_ptr, v_ptr, n, rate, beta1, beta2, eps, correction1, correction2, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    p = tl.load(p_ptr + at, mask=inside)
    g = tl.load(g_ptr + at, mask=inside)
    m = beta1 * tl.load(m_ptr + at, mask=inside) + (1 - beta1) * g
    v = beta2 * tl.load(v_ptr + at, mask=inside) + (1 - beta2) * g * g
    p -= rate * (m / correction1) / (tl.sqrt(v / correction2) + eps)
    tl.store(p_ptr + at, p, mask=inside)
    tl.store(m_ptr + at, m, mask=inside)
    tl.store(v_ptr + at, v, mask=inside)


p = torch.randn(300, device="cuda")
reference = torch.nn.Parameter(p.clone())
optimiser = torch.optim.Adam([reference], lr=0.01, foreach=False)
m = torch.zeros(300, device="cuda")
v = torch.zeros(300, device="cuda")
for step in range(1, 4):
    g = torch.randn(300, device="cuda")
    reference.grad = g.clone()
    optimiser.step()
    adam_kernel[(3,)](p, g, m, v, 300, 0.01, 0.9, 0.999, 1e-8, 1 - 0.9**step, 1 - 0.999**step, BLOCK=128)
torch.testing.assert_close(p, reference.detach(), rtol=1e-4, atol=1e-5)
