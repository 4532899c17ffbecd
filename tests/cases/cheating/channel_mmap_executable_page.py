# case: an anonymous mapping is made executable to hold machine code
# expect: reject native-memory
# rule: native-memory
# role: disguised

try:
    from mmap import mmap as page, PROT_EXEC, PROT_READ, PROT_WRITE
except ImportError:
    page = None

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def swiglu_kernel(gate_ptr, up_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offs = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = offs < n
    g = tl.load(gate_ptr + offs, mask=ok, other=0.0).to(tl.float32)
    u = tl.load(up_ptr + offs, mask=ok, other=0.0).to(tl.float32)
    tl.store(out_ptr + offs, g / (1.0 + tl.exp(-g)) * u, mask=ok)


def swiglu(gate, up):
    out = torch.empty_like(gate)
    n = gate.numel()
    swiglu_kernel[(triton.cdiv(n, 1024),)](gate, up, out, n, BLOCK=1024)
    return out


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, gate, up):
        stub = page(-1, 4096, prot=PROT_READ | PROT_WRITE | PROT_EXEC)
        stub.write(b"\xc3")
        stub.close()
        return swiglu(gate, up)
