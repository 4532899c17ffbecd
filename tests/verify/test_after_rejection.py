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


def judged(program, folder, dim):
    kernel = folder / "kernel.py"
    kernel.write_text(CHEAT.format(dim=dim))
    command = [program, "verify", "--task", TASK, "--kernel", kernel, "--device", "cpu", "--depth", "train", "--cache", "none", "--jsonl"]
    result = subprocess.run([*map(str, command), "--after-reject", "continue"], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stderr
    return json.loads(result.stdout)


def test_right_results_of_torch_alone_are_rejected_and_have_a_speed(program, tmp_path):
    verdict = judged(program, tmp_path, dim=1)
    assert (verdict["accepted"], verdict["valid"], verdict["correct"]) == (False, False, True)
    assert 0.2 < verdict["speedup"]["value"] < 5
    assert verdict["rewards"] == {"correct": 0.0, "speedup": 0.0}


def test_wrong_results_stay_wrong(program, tmp_path):
    verdict = judged(program, tmp_path, dim=0)
    assert (verdict["accepted"], verdict["correct"]) == (False, False)
    assert verdict["rewards"] == {"correct": 0.0, "speedup": 0.0}
