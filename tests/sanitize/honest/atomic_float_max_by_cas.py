# A compare-and-swap loop on the bits of a float.
import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, best_ptr):
    x = tl.load(x_ptr + tl.program_id(0))
    word_ptr = best_ptr.to(tl.pointer_type(tl.int32))
    old = tl.atomic_add(word_ptr, 0)
    done = False
    while not done:
        if old.to(tl.float32, bitcast=True) >= x:
            done = True
        else:
            seen = tl.atomic_cas(word_ptr, old, x.to(tl.int32, bitcast=True))
            done = seen == old
            old = seen


x = torch.randn(40, device="cuda")
best = torch.full((1,), -100.0, device="cuda")
max_kernel[(40,)](x, best)
assert best.item() == x.max().item()
