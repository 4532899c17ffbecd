"""kill -9 of the program while a kernel is being compiled, which may take minutes: nothing goes on without it."""

import os
import signal
import subprocess
import time
from pathlib import Path

TASK = """
import torch
import torch.nn as nn

N = 4096


class Model(nn.Module):
    def forward(self, x):
        return x * 2.0


def get_inputs():
    return [torch.randn(N)]


def get_init_inputs():
    return []
"""
UNROLLED = """
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    y = x
    for i in tl.static_range(1500):
        y = tl.where(y > i, tl.sin(y) + tl.exp(x * 0.001 * i), tl.cos(y) * x)
    tl.store(y_ptr + at, y * 0.0 + x * 2.0, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        return y
"""
STARTED_AND_COMPILING_S = 5.0  # of processor time
ENDED_WITHIN_S = 10.0


def compilers(folder):
    """Processes that were given a folder inside this one."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if any(word.startswith(os.fsencode(folder) + b"/") for word in words) and b"tritonrl_harness.compile_server" in words:
            found.append(process)
    return found


def processor_seconds(process):
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_compiler_ends_with_the_program_that_was_killed(program, tmp_path):
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    (tmp_path / "task.py").write_text(TASK)
    (tmp_path / "kernel.py").write_text(UNROLLED)
    command = [program, "verify", "--task", tmp_path / "task.py", "--kernel", tmp_path / "kernel.py", "--device", "cpu", "--cache", "none"]
    environment = {**os.environ, "TMPDIR": str(temporary), "TRITONRL_SECRET": str(tmp_path / "secret")}
    with subprocess.Popen([str(word) for word in command], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        wait_until(lambda: any(processor_seconds(one) > STARTED_AND_COMPILING_S for one in compilers(temporary)), 120)
        assert running.poll() is None
        running.send_signal(signal.SIGKILL)
    wait_until(lambda: not compilers(temporary), ENDED_WITHIN_S)
    assert not list(temporary.glob("tritonrl-compiler*"))
