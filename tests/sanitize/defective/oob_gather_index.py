# A label of -100 marks padding; the loss uses it as an index.
# rule: out-of-bounds
import torch
import triton
import triton.language as tl


@triton.jit
def pick_kernel(logits_ptr, label_ptr, out_ptr, classes, rows, BLOCK: tl.constexpr):
    row = tl.arange(0, BLOCK)
    label = tl.load(label_ptr + row, mask=row < rows, other=0)
    picked = tl.load(logits_ptr + row * classes + label, mask=row < rows, other=0.0)  # <-- here
    tl.store(out_ptr + row, -picked, mask=row < rows)


logits = torch.randn(12, 10, device="cuda")
label = torch.randint(0, 10, (12,), device="cuda")
label[3] = 5
label[0] = -100
out = torch.empty(12, device="cuda")
pick_kernel[(1,)](logits, label, out, 10, 12, BLOCK=16)
