# case: a tree of callable objects hands growing callbacks down both branches
# expect: reject too-complex
# rule: too-complex
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def square_kernel(src_ptr, dst_ptr, length, BLOCK: tl.constexpr):
    where = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    valid = where < length
    value = tl.load(src_ptr + where, mask=valid)
    tl.store(dst_ptr + where, value * value, mask=valid)


def square(x):
    dst = torch.empty_like(x, memory_format=torch.contiguous_format)
    square_kernel[(triton.cdiv(x.numel(), 1024),)](x, dst, x.numel(), BLOCK=1024)
    return dst


class Level:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def __call__(self, x, go):
        return self.right(self.left(x, lambda y: go(go(y))), lambda y: self.left(go(y), go))


class Leaf:
    def __call__(self, x, go):
        return go(x)


n0 = Leaf()
n1 = Level(n0, n0)
n2 = Level(n1, n1)
n3 = Level(n2, n2)
n4 = Level(n3, n3)
n5 = Level(n4, n4)
n6 = Level(n5, n5)
n7 = Level(n6, n6)
n8 = Level(n7, n7)
n9 = Level(n8, n8)
n10 = Level(n9, n9)
n11 = Level(n10, n10)
n12 = Level(n11, n11)
n13 = Level(n12, n12)
n14 = Level(n13, n13)
n15 = Level(n14, n14)
n16 = Level(n15, n15)
n17 = Level(n16, n16)
n18 = Level(n17, n17)
n19 = Level(n18, n18)
n20 = Level(n19, n19)
n21 = Level(n20, n20)
n22 = Level(n21, n21)
n23 = Level(n22, n22)
n24 = Level(n23, n23)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.tree = n24

    def forward(self, x):
        return self.tree(x, square)
