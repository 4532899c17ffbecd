"""Depth train on the CPU: candidates of a task share their inputs, and each is judged by itself."""

import json
import os
import subprocess

TASK = '''
import torch
import torch.nn as nn

ROWS = 64
COLS = 96


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(COLS))

    def forward(self, x):
        return torch.tanh(x) * self.scale


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
'''
CODE = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def kernel(x_ptr, s_ptr, y_ptr, n, cols, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    s = tl.load(s_ptr + i % cols, mask=i < n, other=0.0)
    tl.store(y_ptr + i, {function} * s, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        {scale}

    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, self.scale, y, x.numel(), x.shape[-1], BLOCK=256)
        return y
'''
NAMED = "self.scale = nn.Parameter(torch.rand(96))"
TANH = "libdevice.tanh(x)"


def verdicts(program, tmp_path, codes, source=TASK):
    task = tmp_path / "task.jsonl"
    dims = {"ROWS": 64, "COLS": 96}
    row = {"id": "scaled", "level": 1, "source": source, "dims": dims, "variants": [{"ROWS": 7, "COLS": 96}]}
    task.write_text(json.dumps(row) + "\n")
    samples = tmp_path / "samples.jsonl"
    rows = [{"task": "scaled", "sample": n, "code": code} for n, code in enumerate(codes)]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = [program, "verify", "--task", task, "--samples", samples, "--jsonl", "--jobs", 1]
    command += ["--device", "cpu", "--depth", "train", "--cache", "none"]
    environment = {**os.environ, "TRITONRL_SECRET": str(tmp_path / "secret")}
    result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, check=False)
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_candidates_of_one_task_are_judged_apart(program, tmp_path):
    right = CODE.format(function=TANH, scale=NAMED)
    wrong = CODE.format(function="x", scale=NAMED)  # right near zero
    found = verdicts(program, tmp_path, [right, wrong, right + "\n# again\n"])
    assert [verdict["accepted"] for verdict in found] == [True, False, True]
    assert found[1]["reason"] == "wrong-result"


def test_speed_is_modelled_where_the_drawn_inputs_do_not_apply(program, tmp_path):
    """Of other than positive numbers there is no logarithm: every distribution that may be drawn has numbers over -100, and so have their
    magnitudes."""
    task = TASK.replace("torch.tanh(x)", "torch.log(-x - 100)").replace("torch.randn(ROWS, COLS)", "-100.5 - torch.rand(ROWS, COLS)")
    found = verdicts(program, tmp_path, [CODE.format(function="tl.log(-x - 100)", scale=NAMED)], task)
    assert found[0]["accepted"]
    trials = next(layer for layer in found[0]["layers"] if layer["name"] == "correct")["evidence"]["trials"]
    assert "not applicable" in trials[1]["outcome"] and trials[2]["distribution"] == "as-given"
    assert found[0]["speedup"]["value"] > 0


def test_a_flag_that_no_kernel_heeds_is_found(program, tmp_path):
    """get_inputs() gives the same each time."""
    task = (
        TASK.replace("def forward(self, x)", "def forward(self, x, doubled)")
        .replace("torch.tanh(x) *", "torch.tanh(x) * (2.0 if doubled else 1.0) *")
        .replace("[torch.randn(ROWS, COLS)]", "[torch.randn(ROWS, COLS), True]")
    )
    code = CODE.replace("def forward(self, x)", "def forward(self, x, doubled)")
    heeds = code.format(function="(1.0 + doubled) * " + TANH, scale=NAMED)
    heeds = heeds.replace("cols, BLOCK: tl", "cols, doubled: tl.constexpr, BLOCK: tl").replace("x.shape[-1], BLOCK", "x.shape[-1], doubled, BLOCK")
    found = verdicts(program, tmp_path, [code.format(function="2.0 * " + TANH, scale=NAMED), heeds], task)
    assert [verdict["accepted"] for verdict in found] == [False, True], found
    assert found[0]["reason"] == "wrong-result"
