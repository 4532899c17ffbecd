"""A task is judged at smaller sizes where the executor would take too long at its own: what shows at these alone is found too."""

import json
import os
import subprocess

import pytest

TASK = '''
import torch
import torch.nn as nn

BATCH = 65536
SEQ = 8
DIM = 64


class Model(nn.Module):
    def forward(self, x):
        return torch.sum(x, dim=1)


def get_inputs():
    return [torch.randn(BATCH, SEQ, DIM)]


def get_init_inputs():
    return []
'''
DIMS = {"BATCH": 65536, "SEQ": 8, "DIM": 64}
CODE = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, batch, seq, dim, BLOCK: tl.constexpr):
    d = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for b in range(tl.program_id(1), batch, tl.num_programs(1)):
        acc = tl.zeros([BLOCK], dtype=tl.float32)
        for s in range(seq):
            acc += tl.load(x_ptr + (b * seq + s) * dim + d, mask=d < dim, other=0.0)
        tl.store(y_ptr + b * dim + d, acc, mask=d < dim)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, seq, dim = x.shape
        y = torch.empty([batch, dim], device=x.device, dtype=x.dtype)
        kernel[triton.cdiv(dim, 64), {programs}](x, y, batch, seq, dim, BLOCK=64)
        return y
'''


@pytest.mark.parametrize("depth", ["train", "full"])
@pytest.mark.parametrize("programs, accepted", [("batch", False), ("min(batch, 65535)", True)])
def test_a_grid_must_fit_at_the_tasks_own_sizes(program, tmp_path, depth, programs, accepted):
    task = tmp_path / "task.jsonl"
    row = {"id": "sums", "level": 1, "source": TASK, "dims": DIMS, "variants": [{"BATCH": 3, "SEQ": 15, "DIM": 83}]}
    task.write_text(json.dumps(row) + "\n")
    kernel = tmp_path / "kernel.py"
    kernel.write_text(CODE.replace("{programs}", programs))
    command = [program, "verify", "--task", f"{task}#sums", "--kernel", kernel, "--json", "--device", "cpu", "--depth", depth, "--cache", "none"]
    environment = {**os.environ, "TRITONRL_SECRET": str(tmp_path / "secret")}
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, env=environment)
    verdict = json.loads(ran.stdout)
    assert verdict["accepted"] is accepted, ran.stdout
    if not accepted:
        assert (verdict["reason"], verdict["stage"], verdict["correct"]) == ("run-error", "correct", False)
        assert "at the task's own sizes" in ran.stdout
