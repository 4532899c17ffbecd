# case: constant folding of the attribute's name would need a terabyte of text
# expect: reject opaque-attribute
# rule: opaque-attribute
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def outer_kernel(u_ptr, v_ptr, o_ptr, M, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    u = tl.load(u_ptr + m, mask=m < M, other=0.0)
    v = tl.load(v_ptr + n, mask=n < N, other=0.0)
    tl.store(o_ptr + m[:, None] * N + n[None, :], u[:, None] * v[None, :], mask=(m[:, None] < M) & (n[None, :] < N))


def outer(u, v):
    M, N = u.numel(), v.numel()
    o = torch.empty((M, N), device=u.device, dtype=u.dtype)
    outer_kernel[(triton.cdiv(M, 32), triton.cdiv(N, 32))](u, v, o, M, N, BM=32, BN=32)
    return o


def name():
    s0 = "ab" * 8
    s1 = s0 + s0
    s2 = s1 + s1
    s3 = s2 + s2
    s4 = s3 + s3
    s5 = s4 + s4
    s6 = s5 + s5
    s7 = s6 + s6
    s8 = s7 + s7
    s9 = s8 + s8
    s10 = s9 + s9
    s11 = s10 + s10
    s12 = s11 + s11
    s13 = s12 + s12
    s14 = s13 + s13
    s15 = s14 + s14
    s16 = s15 + s15
    s17 = s16 + s16
    s18 = s17 + s17
    s19 = s18 + s18
    s20 = s19 + s19
    s21 = s20 + s20
    s22 = s21 + s21
    s23 = s22 + s22
    s24 = s23 + s23
    s25 = s24 + s24
    s26 = s25 + s25
    s27 = s26 + s26
    s28 = s27 + s27
    s29 = s28 + s28
    s30 = s29 + s29
    s31 = s30 + s30
    s32 = s31 + s31
    s33 = s32 + s32
    s34 = s33 + s33
    s35 = s34 + s34
    s36 = s35 + s35
    return "matmul" + s36[:0]


class ModelNew(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.w = nn.Parameter(torch.randn(n, n))

    def forward(self, u, v):
        return getattr(torch, name())(outer(u, v), self.w)
