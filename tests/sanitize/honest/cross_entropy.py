# Loss in one pass over the classes; the gradient is written over the logits.
import torch
import triton
import triton.language as tl


@triton.jit
def cross_entropy_kernel(logits_ptr, target_ptr, loss_ptr, classes, ignored, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    logits_ptr += row * classes
    target = tl.load(target_ptr + row)
    if target == ignored:
        for start in range(0, classes, BLOCK):
            at = start + tl.arange(0, BLOCK)
            tl.store(logits_ptr + at, 0.0, mask=at < classes)
        tl.store(loss_ptr + row, 0.0)
        return
    best = float("-inf")
    total = 0.0
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < classes, other=float("-inf"))
        larger = tl.maximum(best, tl.max(x, 0))
        total = total * tl.exp(best - larger) + tl.sum(tl.exp(x - larger), 0)
        best = larger
    hit = tl.load(logits_ptr + target)
    tl.debug_barrier()
    for start in range(0, classes, BLOCK):
        at = start + tl.arange(0, BLOCK)
        x = tl.load(logits_ptr + at, mask=at < classes, other=float("-inf"))
        gradient = tl.exp(x - best) / total - tl.where(at == target, 1.0, 0.0)
        tl.store(logits_ptr + at, gradient, mask=at < classes)
    tl.store(loss_ptr + row, best + tl.log(total) - hit)


logits = torch.randn(8, 100, device="cuda", requires_grad=True)
target = torch.randint(0, 100, (8,), device="cuda")
target[5] = -100
expected = torch.nn.functional.cross_entropy(logits, target, reduction="none", ignore_index=-100)
expected.sum().backward()
work = logits.detach().clone()
loss = torch.empty(8, device="cuda")
cross_entropy_kernel[(8,)](work, target, loss, 100, -100, BLOCK=32)
torch.testing.assert_close(loss, expected.detach(), rtol=1e-4, atol=1e-4)
torch.testing.assert_close(work, logits.grad, rtol=1e-4, atol=1e-5)
