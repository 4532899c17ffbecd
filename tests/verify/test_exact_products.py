"""Tasks whose products of fp32 are exact: what a long sum may be off by, and what it may not."""

import json
import os
import subprocess

import pytest

TASK = '''
import torch
import torch.nn as nn

M = 32
K = 4096


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b.T


def get_inputs():
    return [torch.randn(M, K), torch.randn(M, K)]


def get_init_inputs():
    return []
'''
CODE = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, K, SIDE: tl.constexpr, DEPTH: tl.constexpr):
    m = tl.program_id(0) * SIDE + tl.arange(0, SIDE)
    n = tl.program_id(1) * SIDE + tl.arange(0, SIDE)
    total = tl.zeros([SIDE, SIDE], tl.float32)
    for begin in range(0, K, DEPTH):
        k = begin + tl.arange(0, DEPTH)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(b_ptr + n[None, :] * K + k[:, None], mask=(n[None, :] < M) & (k[:, None] < K), other=0.0)
        total = tl.dot(a, b, total, input_precision="{precision}")
    tl.store(c_ptr + m[:, None] * M + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < M))


class ModelNew(nn.Module):
    def forward(self, a, b):
        M, K = a.shape
        c = torch.empty((M, M), device=a.device, dtype=a.dtype)
        product[(triton.cdiv(M, 16), triton.cdiv(M, 16))](a, b, c, M, K, SIDE=16, DEPTH=16)
        return c
'''


@pytest.fixture
def verdict(program, tmp_path):
    def judge(code):
        task = tmp_path / "task.jsonl"
        row = {"id": "product", "level": 1, "source": TASK, "precision": "ieee", "dims": {"M": 32, "K": 4096}, "variants": [{"M": 17, "K": 1031}]}
        task.write_text(json.dumps(row) + "\n")
        kernel = tmp_path / "kernel.py"
        kernel.write_text(code)
        command = [program, "verify", "--task", f"{task}#product", "--kernel", kernel, "--jsonl", "--device", "cpu", "--cache", "none"]
        environment = {**os.environ, "TRITONRL_SECRET": str(tmp_path / "secret")}
        result = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, check=False)
        return json.loads(result.stdout)

    return judge


def test_one_term_added_thousands_of_times_is_accepted(verdict):
    found = verdict(CODE.format(precision="ieee"))
    assert found["accepted"], [finding["message"] for layer in found["layers"] for finding in layer["findings"]]


def test_operands_cut_to_tf32_are_rejected(verdict):
    found = verdict(CODE.format(precision="tf32"))
    assert not found["accepted"]
    assert found["reason"] in ("wrong-result", "precision-downgrade")
