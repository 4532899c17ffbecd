# case: a try block reads the output from a registered buffer and only the first AttributeError computes it
# expect: reject cached-result
# rule: cached-result
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def embed_scale_kernel(ids_ptr, table_ptr, out_ptr, d, scale, BLOCK: tl.constexpr):
    t = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    row = tl.load(ids_ptr + t)
    v = tl.load(table_ptr + row * d + c, mask=c < d)
    tl.store(out_ptr + t * d + c, v * scale, mask=c < d)


class ModelNew(nn.Module):
    def __init__(self, vocab: int, d: int):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab, d))
        self.d = d

    def forward(self, ids):
        try:
            return self.tokens
        except AttributeError:
            pass
        out = torch.empty((*ids.shape, self.d), device=ids.device, dtype=self.table.dtype)
        embed_scale_kernel[(ids.numel(),)](
            ids, self.table, out, self.d, self.d**0.5, BLOCK=triton.next_power_of_2(self.d)
        )
        self.register_buffer("tokens", out, persistent=False)
        return out
