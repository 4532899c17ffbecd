"""tritonrl tasks admit: a task that takes a result without work for right is refused, and the reason is named."""

import json
import os
import subprocess

import pytest

MODEL = """
import torch
import torch.nn as nn

N = 24


class Model(nn.Module):
    {body}


def get_inputs():
    return [torch.rand(N, 16)]


def get_init_inputs():
    return []
"""

FORWARD = "def forward(self, x):\n        return {}"

REFUSED = {
    "accepts-zeros": FORWARD.format("torch.relu(x - 1e9)"),
    "accepts-constant": FORWARD.format("torch.full((N, 16), 3.5) + 0 * x"),
    "accepts-identity": FORWARD.format("x * 1.0"),
    "accepts-row-means": FORWARD.format("x.mean(1, keepdim=True).expand_as(x).contiguous()"),
    "accepts-low-precision": FORWARD.format("torch.sign(x)"),
    "random": FORWARD.format("torch.dropout(x, 0.5, True)"),
    "stateful": "def __init__(self):\n        super().__init__()\n        self.norm = nn.BatchNorm1d(16)\n\n    "
    + FORWARD.format("self.norm(x)"),
    "writes-input": FORWARD.format("x.mul_(2.0)"),
    "broken": FORWARD.format("x.no_such_method()"),
}


@pytest.fixture(scope="module")
def reports(program, tmp_path_factory):
    folder = tmp_path_factory.mktemp("admission")
    tasks = folder / "tasks"
    tasks.mkdir()
    for name, body in {**REFUSED, "honest": FORWARD.format("torch.softmax(x, dim=1)")}.items():
        (tasks / f"{name}.py").write_text(MODEL.format(body=body))
    result = subprocess.run(
        [program, "tasks", "admit", str(tasks), "--json"],
        capture_output=True,
        text=True,
        env={**os.environ, "TRITONRL_SECRET": str(folder / "secret"), "XDG_CACHE_HOME": str(folder)},
        check=False,
    )
    assert result.returncode == 1, result.stderr
    return {report["task"]: report for report in map(json.loads, result.stdout.splitlines())}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_flawed_task_is_refused_with_its_reason(reports, reason):
    assert reports[reason]["admitted"] is False
    assert reports[reason]["reason"] == reason
    assert reports[reason]["message"]


def test_an_honest_task_is_admitted(reports):
    assert reports["honest"]["admitted"] is True
    assert reports["honest"]["reason"] is None
    assert all(score["passed"] < score["tried"] for score in reports["honest"]["trivial"].values() if score["tried"])
