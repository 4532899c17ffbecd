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
        assert ("at the task's own sizes" if depth == "train" else "not at BATCH=65536") in ran.stdout


HEAVY = '''
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.randn(*sizes) for sizes in ([256] * 2, [256] * 2)]


def get_init_inputs():
    return []
'''
ENDLESS = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    k = 0
    while k < n:
        acc += tl.load(a_ptr + i) * tl.load(b_ptr + i)
        k += n - n
    tl.store(y_ptr + i, acc)


class ModelNew(nn.Module):
    def forward(self, a, b):
        y = torch.empty_like(a)
        kernel[(1,)](a, b, y, a.shape[0], BLOCK=4096)
        return y
'''


def judged(program, tmp_path, task, code, *options):
    (tmp_path / "task.py").write_text(task)
    (tmp_path / "kernel.py").write_text(code)
    command = [program, "verify", "--task", tmp_path / "task.py", "--kernel", tmp_path / "kernel.py", "--device", "cpu", "--cache", "none", "--json"]
    environment = {**os.environ, "TRITONRL_SECRET": str(tmp_path / "secret")}
    result = subprocess.run([*command, *options], capture_output=True, text=True, check=False, env=environment)
    return json.loads(result.stdout)


def test_steps_that_run_out_on_a_task_of_much_work_are_no_verdict(program, tmp_path):
    answer = judged(program, tmp_path, HEAVY, ENDLESS, "--candidate-seconds", "60")
    assert "accepted" not in answer, answer
    assert answer["fault"] == "task"
    assert "too much work for the executor" in answer["error"]


TIED = '''
import torch
import torch.nn as nn

BATCH = 8192
SHAPE = (8192,)


class Model(nn.Module):
    def forward(self, x, y):
        return torch.clamp(1 - x * y, min=0)


def get_inputs():
    return [torch.randn(BATCH, *SHAPE), torch.randn(BATCH).unsqueeze(0) * torch.ones(BATCH, 1)]


def get_init_inputs():
    return []
'''
CLAMP = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, z_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    y = tl.load(y_ptr + i, mask=i < n, other=0.0)
    tl.store(z_ptr + i, tl.maximum(1 - x * y, 0.0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        z = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x.contiguous(), y.contiguous(), z, x.numel(), BLOCK=1024)
        return z
'''


def test_sizes_that_depend_on_each_other_are_made_smaller_together(program, tmp_path):
    verdict = judged(program, tmp_path, TIED, CLAMP)
    assert verdict["accepted"], verdict
    stand_in = next(layer for layer in verdict["layers"] if layer["name"] == "correct")["evidence"]["stand_in"]
    sizes = dict(part.split("=") for part in stand_in.split(", "))
    assert sizes["BATCH"] == sizes["SHAPE[0]"] and int(sizes["BATCH"]) < 8192


LARGE = '''
import torch
import torch.nn as nn

ROWS = {rows}
COLUMNS = 16384


class Model(nn.Module):
    def forward(self, x):
        return torch.sum(x, dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
'''
ROW_SUM = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, COLUMNS: tl.constexpr):
    row = tl.program_id(0)
    tl.store(y_ptr + row, {scale} * tl.sum(tl.load(x_ptr + row * COLUMNS + tl.arange(0, COLUMNS)), 0))


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        kernel[(x.shape[0],)](x, y, COLUMNS={columns})
        return y
'''


def judged_row_sum(program, tmp_path, rows, columns, scale):
    task, kernel = tmp_path / "task.py", tmp_path / "kernel.py"
    task.write_text(LARGE.format(rows=rows))
    kernel.write_text(ROW_SUM.format(columns=columns, scale=scale))
    command = [program, "verify", "--task", task, "--kernel", kernel, "--device", "cpu", "--depth", "train", "--cache", "none", "--json"]
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, json.loads(result.stdout)


def test_a_kernel_that_knows_the_tasks_own_size_only_is_judged_there(program, tmp_path):
    status, verdict = judged_row_sum(program, tmp_path, 1100, 16384, 1)
    assert (status, verdict["accepted"]) == (0, True)
    assert "stand_in" not in next(layer for layer in verdict["layers"] if layer["name"] == "correct")["evidence"]
    status, verdict = judged_row_sum(program, tmp_path, 1100, 16384, 2)
    assert (status, verdict["accepted"], verdict["reason"]) == (1, False, "wrong-result")


def test_where_that_would_take_too_long_there_is_no_verdict_on_it(program, tmp_path):
    status, answer = judged_row_sum(program, tmp_path, 65536, 16384, 1)
    assert (status, answer["fault"], answer["retryable"]) == (3, "executor", False)
    assert "16384 in its source" in answer["error"]
    assert "accepted" not in answer


def test_a_kernel_that_is_wrong_and_names_none_of_the_tasks_sizes_is_rejected(program, tmp_path):
    status, verdict = judged_row_sum(program, tmp_path, 65536, "x.shape[1]", 2)
    assert (status, verdict["reason"]) == (1, "wrong-result")


MATRICES = '''
import torch
import torch.nn as nn

M = 2048
K = 1024
N = 2048


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return []
'''
PRODUCT = '''
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a_ptr, b_ptr, c_ptr, m, k, n, BLOCK: tl.constexpr, INNER: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, k, INNER):
        inner = start + tl.arange(0, INNER)
        a = tl.load(a_ptr + rows[:, None] * k + inner[None, :], mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + inner[:, None] * n + columns[None, :], mask=(inner[:, None] < k) & (columns[None, :] < n), other=0.0)
        total += tl.dot(a, b)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total, mask=(rows[:, None] < m) & (columns[None, :] < n))


class ModelNew(nn.Module):
    def forward(self, a, b):
        m, k = a.shape
        n = b.shape[1]
        {before}
        c = a.new_empty(m, n)
        kernel[triton.cdiv(m, 64), triton.cdiv(n, 64)](a, b, c, m, k, n, BLOCK=64, INNER={inner})
        return c
'''


@pytest.mark.parametrize(
    ("before", "inner", "rule"),
    [
        ("", "32", None),
        ("", "max(16, triton.next_power_of_2(k) // 4)", "compile-error"),  # for want of shared memory
        ("if m * n > 2**21: return a @ b", "32", "no-launch"),
        ("if m * n > 2**21: a = torch.relu(a)", "32", "torch-compute"),
    ],
)
def test_a_call_at_the_tasks_own_sizes_must_make_its_kernels_and_need_no_torch(program, tmp_path, before, inner, rule):
    verdict = judged(program, tmp_path, MATRICES, PRODUCT.format(before=before, inner=inner), "--no-static")
    assert verdict["accepted"] == (rule is None), verdict
    assert verdict.get("reason") == rule or rule is None
