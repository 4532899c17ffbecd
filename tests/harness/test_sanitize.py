"""The runner: scripts and test files in a process of their own, and the records that they leave."""

import pytest
from device_script import run_script

pytest.importorskip("torch")
pytest.importorskip("triton")

KERNEL = """
import torch
import triton
import triton.language as tl


@triton.jit
def double_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at, at < n) * 2, at < n)


def double(x, n):
    out = torch.empty_like(x)
    double_kernel[(triton.cdiv(n, 64),)](x, out, n, BLOCK=64)
    return out


x = torch.ones(100, device="cuda")
"""


def test_a_script_runs_as_main(tmp_path):
    code = KERNEL + "import sys\nassert __name__ == '__main__'\nprint(sys.argv[1:], double(x, 100).sum().item())"
    outcome = run_script(tmp_path, code, "--flag", "7")
    assert (outcome.status, outcome.out) == (0, "['--flag', '7'] 200.0\n"), outcome.err
    assert outcome.findings == [] and outcome.end["exit"] == 0 and outcome.end["torch_ops"] > 0


def test_findings_come_before_a_crash(tmp_path):
    outcome = run_script(tmp_path, KERNEL + "double(x, 200)\nraise ValueError('afterwards')")
    assert outcome.status == 1 and "ValueError: afterwards" in outcome.err
    assert "tritonrl_harness" not in outcome.err
    assert {f["rule"] for f in outcome.findings} == {"out-of-bounds"}
    finding = outcome.findings[0]
    assert finding["kernel"] == "double_kernel" and finding["launched_at"]["function"] == "double"
    assert finding["stack"][1]["function"] == "<module>"
    assert outcome.end["exit"] == 1 and outcome.end["error"] == "ValueError: afterwards"


@pytest.mark.parametrize(("leave", "status"), [("sys.exit(5)", 5), ("os._exit(6)", 6), ("sys.exit('words')", 1)])
def test_every_way_out_is_recorded(tmp_path, leave, status):
    outcome = run_script(tmp_path, f"import os, sys\nimport torch\ntorch.ones(1, device='cuda')\n{leave}")
    assert outcome.status == status and outcome.end["exit"] == status


def test_a_killed_script_keeps_its_findings(tmp_path):
    outcome = run_script(tmp_path, KERNEL + "double(x, 200)\nimport os\nos.kill(os.getpid(), 9)")
    assert outcome.status == -9 and outcome.findings and outcome.end is None


def test_a_test_file_is_run_by_pytest(tmp_path):
    code = KERNEL + "def test_it():\n    assert double(x, 100).sum() == 200\ndef test_not():\n    assert False"
    outcome = run_script(tmp_path, code, "-q", "-p", "no:cacheprovider", name="test_double.py")
    assert outcome.status == 1 and "1 failed, 1 passed" in outcome.out


def test_launches_are_recorded_when_asked_for(tmp_path):
    options = '{"harness": {"record_launches": true}}'
    outcome = run_script(tmp_path, KERNEL + "double(x, 100)", TRITONRL_DEVICE_OPTIONS=options, TRITONRL_STAGE="cubin")
    launches = [record for record in outcome.records if record["type"] == "launch"]
    assert [launch["kernel"] for launch in launches] == ["double_kernel"], outcome.err
    assert launches[0]["grid"] == [2, 1, 1] and launches[0]["modelled_us"] > 0
    assert launches[0]["evidence"]["registers"] > 0


ASSERT = """
import torch
import triton
import triton.language as tl


@triton.jit(debug=True)
def check_kernel(x_ptr):
    tl.device_assert(tl.load(x_ptr) > 1, "too small")


check_kernel[(1,)](torch.zeros(1, device="cuda"))
torch.cuda.synchronize()
print("still here")
"""


def test_device_asserts_are_findings(tmp_path):
    outcome = run_script(tmp_path, ASSERT)
    assert outcome.status == 0 and [f["rule"] for f in outcome.findings] == ["device-assert"], outcome.err


def test_device_asserts_raise_when_asked_for(tmp_path):
    outcome = run_script(tmp_path, ASSERT, TRITONRL_DEVICE_OPTIONS='{"harness": {"raise_asserts": true}}')
    assert outcome.status == 1 and "CUDA error: device-side assert triggered" in outcome.err


def test_device_prints_go_to_standard_output(tmp_path):
    code = """
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def show_kernel(x_ptr):
        tl.device_print("value", tl.load(x_ptr))

    print("before")
    show_kernel[(1,)](torch.full((1,), 42, device="cuda"))
    print("after")
    """
    outcome = run_script(tmp_path, code)
    lines = outcome.out.splitlines()
    assert lines[0] == "before" and lines[-1] == "after" and "42" in lines[1], (outcome.out, outcome.err)


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"TRITONRL_DEVICE_OPTIONS": "{"}, "TRITONRL_DEVICE_OPTIONS is not JSON"),
        ({"TRITONRL_DEVICE_OPTIONS": '{"order": "sideways"}'}, "the executor refuses its options"),
        ({"TRITONRL_DEVICE_OPTIONS": '{"profile": "abacus"}'}, "there is no device profile 'abacus'"),
        ({"TRITONRL_TORCH_LIBRARY": "/nowhere.so"}, "was not found"),
    ],
)
def test_what_is_wrong_with_the_harness_is_said(tmp_path, environment, words):
    outcome = run_script(tmp_path, "", **environment)
    assert outcome.status == 2 and words in outcome.err and "Traceback" not in outcome.err


def test_a_missing_script_is_said(tmp_path):
    outcome = run_script(tmp_path, "", "x", name="there.py")
    assert outcome.status == 0
    import subprocess
    import sys

    command = [sys.executable, "-m", "tritonrl_harness.sanitize", str(tmp_path / "absent.py")]
    from conftest import HARNESS

    process = subprocess.run(command, env={"PYTHONPATH": str(HARNESS)}, capture_output=True, text=True)
    assert process.returncode == 2 and "there is no file" in process.stderr
