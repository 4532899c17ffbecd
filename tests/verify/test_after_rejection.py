"""A verifier that goes on after a rejection says what the results are worth, whoever computed them (`rl.gate = "off"`)."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TASK = ROOT / "tests/cases/tasks/softmax.py"
CHEAT = """
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x_ptr + at, 0.0, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim={dim})
"""


UNCOMPILED = """
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(y_ptr + at, tl.load(x_ptr + at, mask=inside), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(1,)](x, y, x.numel(), BLOCK=1024)
        return y
"""


def judged(program, folder, code):
    kernel = folder / "kernel.py"
    kernel.write_text(code)
    command = [program, "verify", "--task", TASK, "--kernel", kernel, "--device", "cpu", "--depth", "train", "--cache", "none", "--jsonl"]
    result = subprocess.run([*map(str, command), "--after-reject", "continue"], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    return json.loads(result.stdout)


def test_right_results_of_torch_alone_are_rejected_and_have_a_speed(program, tmp_path):
    verdict = judged(program, tmp_path, CHEAT.format(dim=1))
    assert (verdict["accepted"], verdict["valid"], verdict["correct"]) == (False, False, True)
    assert 0.2 < verdict["speedup"]["value"] < 5
    assert verdict["rewards"] == {"correct": 0.0, "speedup": 0.0}


def test_wrong_results_stay_wrong(program, tmp_path):
    verdict = judged(program, tmp_path, CHEAT.format(dim=0))
    assert (verdict["accepted"], verdict["correct"]) == (False, False)
    assert verdict["rewards"] == {"correct": 0.0, "speedup": 0.0}


# A model that was rewarded without the gate found this: what does not compile has no results that could be wrong.
def test_a_kernel_that_does_not_compile_has_no_right_results(program, tmp_path):
    verdict = judged(program, tmp_path, UNCOMPILED)
    assert (verdict["accepted"], verdict["compiled"], verdict["correct"]) == (False, False, None)
    assert verdict["stage"] == "compile"
    assert verdict["speedup"] is None
