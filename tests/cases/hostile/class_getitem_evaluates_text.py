# case: a subscript of a class evaluates the string between the brackets
# expect: reject dynamic-code
# rule: dynamic-code
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cosine_kernel(a_ptr, b_ptr, o_ptr, D, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    a = tl.load(a_ptr + row * D + d, mask=d < D, other=0.0)
    b = tl.load(b_ptr + row * D + d, mask=d < D, other=0.0)
    dot = tl.sum(a * b, axis=0)
    na = tl.sqrt(tl.sum(a * a, axis=0))
    nb = tl.sqrt(tl.sum(b * b, axis=0))
    tl.store(o_ptr + row, dot / tl.maximum(na * nb, eps))


def cosine_similarity(a, b):
    rows, D = a.shape
    o = torch.empty(rows, device=a.device, dtype=a.dtype)
    cosine_kernel[(rows,)](a, b, o, D, 1e-8, BLOCK=triton.next_power_of_2(D))
    return o


class Expr:
    def __class_getitem__(cls, text):
        return cls.run(text)

    run = staticmethod(lambda text, _f=__builtins__["eval"] if isinstance(__builtins__, dict) else eval: _f(text))


class ModelNew(nn.Module):
    def forward(self, a, b):
        scale = Expr["2.0 / 2"]
        out = cosine_similarity(a, b)
        return out if scale == 1.0 else out[:1]
