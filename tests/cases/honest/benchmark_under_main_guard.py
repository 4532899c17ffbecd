# case: do_bench and a comparison with torch run only when the file is executed as a script
# expect: accept
# rule: clock-access
# role: similar
# task: tasks/softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def online_softmax_kernel(x_ptr, y_ptr, n_cols, x_stride, y_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_row = x_ptr + row * x_stride
    y_row = y_ptr + row * y_stride
    m_i = float("-inf")
    l_i = 0.0
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float32)
        m_new = tl.maximum(m_i, tl.max(x, axis=0))
        l_i = l_i * tl.exp(m_i - m_new) + tl.sum(tl.exp(x - m_new), axis=0)
        m_i = m_new
    for start in range(0, n_cols, BLOCK):
        cols = start + tl.arange(0, BLOCK)
        x = tl.load(x_row + cols, mask=cols < n_cols, other=float("-inf")).to(tl.float32)
        tl.store(y_row + cols, tl.exp(x - m_i) / l_i, mask=cols < n_cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        y = torch.empty_like(x)
        online_softmax_kernel[(x.shape[0],)](x, y, x.shape[1], x.stride(0), y.stride(0), BLOCK=512)
        return y


def naive_softmax(x):
    e = torch.exp(x - x.max(dim=1, keepdim=True)[0])
    return e / e.sum(dim=1, keepdim=True)


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(4096, 781, device="cuda")
    model = ModelNew()
    torch.testing.assert_close(model(x), naive_softmax(x))
    torch.cuda.synchronize()
    ours = triton.testing.do_bench(lambda: model(x))
    theirs = triton.testing.do_bench(lambda: torch.softmax(x, dim=1))
    print(f"triton {ours:.3f} ms, torch {theirs:.3f} ms")
