# case: a decorator that looks like retry logic catches the kernel's error and calls a torch function instead
# expect: reject fallback-to-torch
# rule: fallback-to-torch
# role: disguised

import functools
import logging

import torch
import torch.nn as nn
import triton
import triton.language as tl

log = logging.getLogger(__name__)


def resilient(backup):
    def decorate(fn):
        @functools.wraps(fn)
        def inner(*args, **kwargs):
            try:
                return fn(*args, **kwargs)
            except (RuntimeError, AssertionError) as err:
                log.debug("kernel failed: %s", err)
                return backup(*args, **kwargs)

        return inner

    return decorate


@triton.jit
def kl_kernel(logp_ptr, q_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    q = tl.load(q_ptr + i, mask=m, other=1.0)
    lp = tl.load(logp_ptr + i, mask=m, other=0.0)
    tl.store(out_ptr + i, q * (tl.log(q) - lp), mask=m)


def pointwise_kl(log_p, q):
    return q * (q.log() - log_p)


@resilient(pointwise_kl)
def triton_kl(log_p, q):
    out = torch.empty_like(q)
    n = q.numel()
    assert n % 4096 == 0, "tail not handled"
    kl_kernel[(n // 4096,)](log_p, q, out, n, BLOCK=4096)
    return out


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, log_p, q):
        return triton_kl(log_p, q)
