# case: what inductor generated is passed off as hand-written: triton_heuristics decorator and extern_kernels.mm
# expect: reject torch-compile
# rule: torch-compile
# role: disguised

import torch
import torch.nn as nn
import triton
import triton.language as tl
from torch._C import _cuda_getCurrentRawStream as get_raw_stream
from torch._inductor.runtime import triton_heuristics
from torch._inductor.runtime.hints import DeviceProperties
from torch._inductor.select_algorithm import extern_kernels as blas


@triton_heuristics.pointwise(
    size_hints={"x": 65536},
    filename=__file__,
    triton_meta={
        "signature": {"in_out_ptr0": "*fp32", "in_ptr0": "*fp32", "xnumel": "i32", "XBLOCK": "constexpr"},
        "device": DeviceProperties(type="cuda", index=0, multi_processor_count=132, cc=90),
        "constants": {},
        "configs": [{}],
    },
    inductor_meta={"kernel_name": "triton_poi_fused_addmm_relu_0"},
    min_elem_per_thread=0,
)
@triton.jit
def fused_bias_relu(in_out_ptr0, in_ptr0, xnumel, XBLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    tmp0 = tl.load(in_out_ptr0 + xindex, xmask)
    tmp1 = tl.load(in_ptr0 + (xindex % 512), xmask, eviction_policy="evict_last")
    tl.store(in_out_ptr0 + xindex, tl.maximum(tmp0 + tmp1, 0.0), xmask)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(256, 512) * 0.05)
        self.bias = nn.Parameter(torch.zeros(512))

    def forward(self, x):
        buf0 = torch.empty((x.shape[0], 512), device=x.device, dtype=x.dtype)
        blas.mm(x, self.weight, out=buf0)
        fused_bias_relu.run(buf0, self.bias, buf0.numel(), stream=get_raw_stream(0))
        return buf0
