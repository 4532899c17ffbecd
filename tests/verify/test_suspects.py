"""What is suspicious, and rejects nothing."""

import json
import os
import subprocess
from pathlib import Path

RELU = Path(__file__).resolve().parents[1] / "cases/tasks/relu.py"
KERNELS = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fill(y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, 0.0, mask=i < n)


@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        n = x.numel()
        grid = (triton.cdiv(n, 256),)
'''


def behaviour(program, tmp_path, body):
    """The layer's findings and evidence for an accepted candidate with this body of forward."""
    kernel = tmp_path / "kernel.py"
    kernel.write_text(KERNELS + "".join(f"        {line}\n" for line in body))
    command = [program, "verify", "--task", RELU, "--kernel", kernel, "--device", "cpu", "--cache", "none", "--json"]
    environment = {**os.environ, "TRITONRL_SECRET": str(tmp_path / "secret")}
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, check=False)
    verdict = json.loads(result.stdout)
    assert verdict["accepted"], verdict
    layer = next(layer for layer in verdict["layers"] if layer["name"] == "behaviour")
    return {finding["rule"]: finding["message"] for finding in layer["findings"]}, layer["evidence"]


def test_a_kernel_whose_work_is_done_again_by_another(program, tmp_path):
    found, evidence = behaviour(program, tmp_path, ["fill[grid](y, n, 256)", "relu[grid](x, y, n, 256)", "return y"])
    assert found == {"kernel-unneeded": "the output is right even when fill does nothing"}
    assert evidence["share_in_kernels"] == 1.0


def test_a_call_that_is_mostly_copies(program, tmp_path):
    copies = ["for _ in range(8):", "    x = x.clone()", "relu[grid](x, y, n, 256)", "return y"]
    found, evidence = behaviour(program, tmp_path, copies)
    assert list(found) == ["little-in-kernels"]
    assert 0 < evidence["share_in_kernels"] < 0.5
