# case: a generated Horner polynomial nests sixty parentheses, far below the limit
# expect: accept
# rule: nesting-too-deep
# role: similar
# task: tasks/softmax.py
# verify: accept

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def horner_exp(x):
    # exp(x) = 2**k * exp(r), |r| <= ln(2)/2; the series is printed by a generator, hence its length
    k = tl.floor(x * 1.4426950408889634 + 0.5)
    r = (x - k * 0.693359375) + k * 2.12194440e-4
    p = (1.0 + r * (1.0 + r * 0.5 * (1.0 + r * 0.333333333 * (1.0 + r * 0.25 * (1.0 + r * 0.2 * (1.0 + r *
         0.166666667 * (1.0 + r * 0.142857143 * (1.0 + r * 0.125 * (1.0 + r * 0.111111111 * (1.0 + r * 0.1 *
         (1.0 + r * 0.0909090909 * (1.0 + r * 0.0833333333 * (1.0 + r * 0.0769230769 * (1.0 + r *
         0.0714285714 * (1.0 + r * 0.0666666667 * (1.0 + r * 0.0625 * (1.0 + r * 0.0588235294 * (1.0 + r *
         0.0555555556 * (1.0 + r * 0.0526315789 * (1.0 + r * 0.05 * (1.0 + r * 0.0476190476 * (1.0 + r *
         0.0454545455 * (1.0 + r * 0.0434782609 * (1.0 + r * 0.0416666667 * (1.0 + r * 0.04 * (1.0 + r *
         0.0384615385 * (1.0 + r * 0.037037037 * (1.0 + r * 0.0357142857 * (1.0 + r * 0.0344827586 * (1.0 + r
         * 0.0333333333 * (1.0 + r * 0.0322580645 * (1.0 + r * 0.03125 * (1.0 + r * 0.0303030303 * (1.0 + r *
         0.0294117647 * (1.0 + r * 0.0285714286 * (1.0 + r * 0.0277777778 * (1.0 + r * 0.027027027 * (1.0 + r
         * 0.0263157895 * (1.0 + r * 0.0256410256 * (1.0 + r * 0.025 * (1.0 + r * 0.0243902439 * (1.0 + r *
         0.0238095238 * (1.0 + r * 0.023255814 * (1.0 + r * 0.0227272727 * (1.0 + r * 0.0222222222 * (1.0 + r
         * 0.0217391304 * (1.0 + r * 0.0212765957 * (1.0 + r * 0.0208333333 * (1.0 + r * 0.0204081633 * (1.0
         + r * 0.02 * (1.0 + r * 0.0196078431 * (1.0 + r * 0.0192307692 * (1.0 + r * 0.0188679245 * (1.0 + r
         * 0.0185185185 * (1.0 + r * 0.0181818182 * (1.0 + r * 0.0178571429 * (1.0 + r * 0.0175438596 * (1.0
         + r * 0.0172413793 * (1.0 + r * 0.0169491525 * (1.0 + r * 0.0166666667 *
         (1.0)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
    return p * tl.exp2(k)


@triton.jit
def softmax_rows(x_ptr, y_ptr, n_cols, x_stride, y_stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    cols = tl.arange(0, BLOCK)
    inside = cols < n_cols
    x = tl.load(x_ptr + row * x_stride + cols, mask=inside, other=float("-inf"))
    z = tl.where(inside, x - tl.max(x, axis=0), 0.0)
    e = tl.where(inside, horner_exp(z), 0.0)
    tl.store(y_ptr + row * y_stride + cols, e / tl.sum(e, axis=0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        x = x.contiguous()
        rows, cols = x.shape
        y = torch.empty_like(x)
        softmax_rows[(rows,)](x, y, cols, x.stride(0), y.stride(0),
                              BLOCK=triton.next_power_of_2(cols), num_warps=4)
        return y
