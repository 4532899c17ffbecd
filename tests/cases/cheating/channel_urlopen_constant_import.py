# case: importlib with a constant name brings urllib.request in, a nested function uses it
# expect: reject network-access
# rule: network-access
# role: disguised

from importlib import import_module

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


def fetcher():
    web = import_module("urllib.request")

    def get(url):
        with web.urlopen(url, timeout=1) as reply:
            return reply.read()

    return get


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.get = fetcher()

    def forward(self, x):
        if x.dim() > 8:
            self.get("http://127.0.0.1:9/answers")
        return square(x)
