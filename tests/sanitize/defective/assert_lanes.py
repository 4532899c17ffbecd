# One label of the batch is out of range, and the kernel says so.
# rule: device-assert
import torch
import triton
import triton.language as tl


@triton.jit(debug=True)
def pick_kernel(label_ptr, logits_ptr, out_ptr, classes, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    label = tl.load(label_ptr + at, mask=at < n, other=0)
    tl.device_assert((label >= 0) & (label < classes), "label out of range")  # <-- here
    label = tl.minimum(tl.maximum(label, 0), classes - 1)
    tl.store(out_ptr + at, tl.load(logits_ptr + at * classes + label, mask=at < n, other=0.0), mask=at < n)


label = torch.tensor([1, 4, 2, 11, 0], device="cuda")
logits = torch.rand(5, 10, device="cuda")
out = torch.empty(5, device="cuda")
pick_kernel[(1,)](label, logits, out, 10, 5, BLOCK=8)
