"""Bad tasks, bad samples, a machine that fails: each has its exit status and its message, and no verdict is lost or made up."""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ACCEPTED, REJECTED, BAD_INPUT, MACHINE_FAILED = 0, 1, 2, 3
SOFTMAX = ROOT / "tests/cases/tasks/softmax.py"
SOFTMAX_KERNEL = ROOT / "tests/cases/honest/softmax_persistent_programs.py"
WRONG_SOFTMAX = ROOT / "tests/cases/wrong/run_softmax_without_max_subtraction.py"

TASK = """
import torch
import torch.nn as nn

{module}

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        {forward}


def get_inputs():
    {inputs}


def get_init_inputs():
    return []
"""

CANDIDATE = """
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled(x, out, n, factor, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, (tl.load(x + at, mask=at < n) * factor).to(out.dtype.element_ty), mask=at < n)


@triton.jit
def positive(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) > 0, mask=at < n)


@triton.jit
def total(x, out, n, BLOCK: tl.constexpr):
    sums = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + at, mask=at < n, other=0.0)
    tl.store(out, tl.sum(sums, axis=0))


@triton.jit
def largest(x, out, n, BLOCK: tl.constexpr):
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
    tl.store(out + row, tl.argmax(values, axis=0).to(tl.int64))


def times(x, factor, dtype=torch.float32):
    out = torch.empty(x.shape, dtype=dtype, device=x.device)
    scaled[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), factor, BLOCK=256)
    return out


def above_zero(x):
    out = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    positive[(triton.cdiv(x.numel(), 256),)](x, out, x.numel(), BLOCK=256)
    return out


def sum_of(x):
    out = torch.empty((), dtype=torch.float32, device=x.device)
    total[(1,)](x, out, x.numel(), BLOCK=256)
    return out


def argmax_of(x):
    out = torch.empty((x.shape[0],), dtype=torch.int64, device=x.device)
    largest[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
    return out


class ModelNew(nn.Module):
    def forward(self, x):
        {forward}
"""


def task(forward="return x * 2.0", module="", inputs="return [torch.randn(12, 40)]"):
    return TASK.format(forward=forward, module=module, inputs=inputs)


def candidate(forward="return times(x, 2.0)"):
    return CANDIDATE.format(forward=forward)


# name: (the task, what its refusal says)
REFUSED = {
    "does not import": (task(module="import a_module_that_nobody_has"), "ModuleNotFoundError: No module named 'a_module_that"),
    "raises when it is imported": (task(module="raise OSError('no such table')"), "OSError: no such table"),
    "raises in forward": (task("return x.reshape(7, 7)"), "RuntimeError: shape '[7, 7]' is invalid for input of size 480"),
    "raises in get_inputs": (task(inputs="return [torch.randn(-1)]"), "RuntimeError: "),
    "leaves": (task("raise SystemExit(0)"), "SystemExit: 0"),
    "ends its process": (task("import os; os._exit(0)"), "the process exited with status 0 before it was done"),
    "never ends": (task("while True: pass"), "no answer within 3 s"),
    "never ends when it is imported": (task(module="while True: pass"), "no answer within 3 s"),
    "sleeps": (task("import time; time.sleep(1e6)"), "no answer within 3 s"),
    "returns nothing": (task("pass"), "the reference returns a NoneType without a number in a tensor"),
    "returns an int": (task("return 3"), "the reference returns a int without a number in a tensor"),
    "returns an empty tensor alone": (task("return x[:0] * 2.0"), "the reference returns a Tensor without a number in a tensor"),
    "returns a float": (task("return x * 2.0, float(x.sum())"), "the reference returns a Python float"),
    "returns complex numbers": (task("return torch.complex(x, x)"), "the reference returns complex64, which cannot be judged"),
    "returns eight-bit floats": (task("return x.to(torch.float8_e5m2)"), "the reference returns float8_e5m2, which cannot be judged"),
    "returns a sparse tensor": (task("return x.to_sparse()"), "the reference returns a tensor of layout torch.sparse_coo"),
    "takes complex numbers": (task(inputs="return [torch.randn(4, 4, dtype=torch.complex64)]"), "the reference is given complex64, which cannot be judged"),
    "has complex parameters": (
        task().replace("self.calls = 0", "self.phase = nn.Parameter(torch.ones(40, dtype=torch.complex64))"),
        "the reference holds complex64, which cannot be judged",
    ),
    "returns an object": (task("return x * 2.0, self"), "a Model cannot be handed over"),
    "asks for all memory": (task("return torch.empty(1 << 46) + x.sum()"), "can't allocate memory"),
    "draws numbers": (task("return x * torch.rand(1)"), "the reference is random"),
    "drops out": (task("return nn.functional.dropout(x, 0.5)"), "the reference is random"),
    "heeds no input": (task("return (x - x).sum(dim=1, keepdim=True) + 1.0"), "the reference gives the same result whatever its inputs hold"),
    "counts its calls": (task("self.calls += 1; return x * float(self.calls)"), "the reference keeps state"),
}

# name: (what the reference returns, an honest candidate's forward, a wrong one's, the rule)
JUDGED = {
    "nested tuples": (
        "return x * 2.0, (x * 3.0, [x * 4.0])",
        "return times(x, 2.0), (times(x, 3.0), [times(x, 4.0)])",
        "return times(x, 2.0), (times(x, 3.0), [times(x, 5.0)])",
        "wrong-result",
    ),
    "nested otherwise": (
        "return x * 2.0, (x * 3.0, [x * 4.0])",
        "return times(x, 2.0), (times(x, 3.0), [times(x, 4.0)])",
        "return times(x, 2.0), times(x, 3.0), times(x, 4.0)",
        "wrong-structure",
    ),
    "dictionaries": (
        "return {'double': x * 2.0, 'more': {'triple': x * 3.0}}",
        "return {'more': {'triple': times(x, 3.0)}, 'double': times(x, 2.0)}",
        "return {'double': times(x, 3.0), 'more': {'triple': times(x, 2.0)}}",
        "wrong-result",
    ),
    "other keys": (
        "return {'double': x * 2.0}",
        "return {'double': times(x, 2.0)}",
        "return {'twice': times(x, 2.0)}",
        "wrong-structure",
    ),
    "an int beside a tensor": ("return x * 2.0, 3", "return times(x, 2.0), 3", "return times(x, 2.0), 4", "wrong-structure"),
    "nothing beside a tensor": ("return x * 2.0, None", "return times(x, 2.0), None", "return times(x, 2.0)", "wrong-structure"),
    "mixed dtypes": (
        "return x * 2.0, x > 0, torch.argmax(x, dim=1), (x * 3.0).half()",
        "return times(x, 2.0), above_zero(x), argmax_of(x), times(x, 3.0, torch.float16)",
        "return times(x, 2.0), above_zero(x), argmax_of(times(x, -1.0)), times(x, 3.0, torch.float16)",
        "wrong-result",
    ),
    "another dtype": (
        "return x * 2.0, (x * 3.0).half()",
        "return times(x, 2.0), times(x, 3.0, torch.float16)",
        "return times(x, 2.0), times(x, 3.0)",
        "wrong-dtype",
    ),
    "an empty tensor": (
        "return x * 2.0, x[:0]",
        "return times(x, 2.0), torch.empty((0, x.shape[1]), device=x.device)",
        "return times(x, 2.0), torch.empty((x.shape[1], 0), device=x.device)",
        "wrong-shape",
    ),
    "no dimension": ("return x.sum()", "return sum_of(x)", "return sum_of(times(x, 2.0))", "wrong-result"),
    "one dimension for none": ("return x.sum()", "return sum_of(x)", "return sum_of(x).reshape(1)", "wrong-shape"),
}


class Verify:
    """Runs `tritonrl verify` with a secret and a folder of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}

    def command(self, *arguments):
        cache = [] if "--cache" in arguments else ["--cache", "none"]
        return [self.program, "verify", *map(str, arguments), *cache]

    def __call__(self, *arguments, **environment):
        result = subprocess.run(
            self.command(*arguments),
            capture_output=True,
            text=True,
            env={**self.environment, **environment},
            check=False,
            timeout=600,
        )
        result.rows = [json.loads(line) for line in result.stdout.splitlines()] if "--jsonl" in arguments else []
        return result

    def samples(self, rows):
        path = self.folder / "samples.jsonl"
        path.write_text("".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows))
        return path

    def task(self, name, source):
        path = self.folder / f"{name.replace(' ', '_')}.py"
        path.write_text(source)
        return str(path)


@pytest.fixture
def verify(program, tmp_path):
    return Verify(program, tmp_path)


def without_seconds(verdict):
    for layer in verdict["layers"]:
        layer.pop("seconds")
    return verdict


def expect_bad_input(result, *words):
    assert (result.returncode, result.stdout) == (BAD_INPUT, ""), result.stderr
    for word in words:
        assert word in result.stderr
    assert len(result.stderr.splitlines()) == 1


# Tasks


@pytest.fixture(scope="module")
def refusals(program, tmp_path_factory):
    """All refused tasks in one run, each beside an honest row that has to be judged all the same."""
    verify = Verify(program, tmp_path_factory.mktemp("refused"))
    rows = []
    for name, (source, _) in REFUSED.items():
        rows.append({"task": verify.task(name, source), "sample": len(rows), "code": candidate()})
        rows.append({"task": str(SOFTMAX), "sample": len(rows), "code": SOFTMAX_KERNEL.read_text()})
    result = verify("--samples", verify.samples(rows), "--jsonl", "--depth", "train", "--reference-seconds", 3)
    assert result.returncode == BAD_INPUT, result.stderr
    assert len(result.rows) == len(rows)
    return dict(zip(REFUSED, zip(result.rows[0::2], result.rows[1::2])))


@pytest.mark.parametrize("name", REFUSED)
def test_a_task_that_cannot_judge_is_refused_and_no_verdict_is_made(name, refusals):
    refusal, beside = refusals[name]
    assert "accepted" not in refusal
    assert (refusal["fault"], refusal["retryable"]) == ("task", False)
    assert refusal["task"] == name.replace(" ", "_")
    assert f"/{name.replace(' ', '_')}.py: the reference" in refusal["error"]
    assert REFUSED[name][1] in refusal["error"]
    assert beside["accepted"]


def test_one_refused_task_is_told_in_words(verify):
    path = verify.task("broken", task("return x.reshape(7, 7)"))
    kernel = verify.folder / "kernel.py"
    kernel.write_text(candidate())
    result = verify("--task", path, "--kernel", kernel)
    assert result.returncode == BAD_INPUT
    assert result.stdout.startswith("broken sample 0: not judged: ")
    assert "the reference fails at its own sizes: RuntimeError: shape '[7, 7]' is invalid" in result.stdout
    assert "mend the task" in result.stdout


@pytest.fixture(scope="module")
def judged(program, tmp_path_factory):
    verify = Verify(program, tmp_path_factory.mktemp("judged"))
    rows = []
    for name, (reference, honest, wrong, _) in JUDGED.items():
        path = verify.task(name, task(reference))
        rows += [{"task": path, "sample": n, "code": candidate(code)} for n, code in enumerate((honest, wrong))]
    result = verify("--samples", verify.samples(rows), "--jsonl")
    assert result.returncode == REJECTED, result.stderr
    assert len(result.rows) == len(rows)
    return dict(zip(JUDGED, zip(result.rows[0::2], result.rows[1::2])))


@pytest.mark.parametrize("name", JUDGED)
def test_outputs_of_every_form_are_judged(name, judged):
    honest, wrong = judged[name]
    assert honest.get("accepted") is True, honest
    assert honest["general"] is not False
    assert wrong.get("accepted") is False, wrong
    assert wrong["reason"] == JUDGED[name][3], wrong["layers"]


# Samples and run folders


def test_samples_that_are_not_there(verify):
    result = verify("--samples", verify.folder / "nowhere.jsonl")
    expect_bad_input(result, "nowhere.jsonl: no such file; check the path")


def test_samples_without_a_row(verify):
    expect_bad_input(verify("--samples", verify.samples([])), "samples.jsonl: there is no sample in it")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('{"task": ', ["samples.jsonl:2:", "not JSON", "repair the JSON"]),
        ("[]", ["samples.jsonl:2: expected an object, found an array"]),
        ({"sample": 1, "code": ""}, ['samples.jsonl:2: field "task" is missing']),
        ({"task": str(SOFTMAX), "sample": 1}, ['samples.jsonl:2: field "response" is missing']),
        ({"task": str(SOFTMAX), "code": 7}, ['samples.jsonl:2: field "code" should be a string, found an integer']),
        ({"task": str(SOFTMAX), "code": "", "sample": "one"}, ['samples.jsonl:2: field "sample" should be an integer, found a string']),
        ({"task": "nowhere.py", "code": ""}, ["samples.jsonl:2: nowhere.py: no such task", "give a file, SUITE:ID or FILE.jsonl#ID"]),
    ],
    ids=["no JSON", "no object", "no task", "no code", "code no text", "sample no number", "unknown task"],
)
def test_a_bad_row_is_named_before_anything_runs(verify, row, words):
    good = {"task": str(SOFTMAX), "sample": 0, "code": SOFTMAX_KERNEL.read_text()}
    expect_bad_input(verify("--samples", verify.samples([good, row])), *words)


def test_a_row_that_names_no_task_of_the_suite(verify):
    rows = [{"task": "softmaxx", "sample": 0, "code": ""}]
    result = verify("--task", SOFTMAX.parent, "--samples", verify.samples(rows))
    expect_bad_input(result, "samples.jsonl:1: ", "no task 'softmaxx' in this suite; did you mean 'softmax'?")


def test_a_run_folder_without_kernels(verify):
    (verify.folder / "run").mkdir()
    result = verify("--task", SOFTMAX.parent, "--run", verify.folder / "run")
    expect_bad_input(result, "there is no level_L_problem_P_sample_S_kernel.py in it")
    expect_bad_input(verify("--task", SOFTMAX.parent, "--run", verify.folder / "none"), "the run folder cannot be read")


def test_a_kernelbench_run_folder(verify):
    problems, run = verify.folder / "KernelBench/level1", verify.folder / "runs/mine"
    problems.mkdir(parents=True)
    run.mkdir(parents=True)
    (problems / "23_Softmax.py").write_text(SOFTMAX.read_text())
    (problems / "7_Double.py").write_text(task())
    kernels = {
        (7, 0): candidate(),
        (7, 1): candidate("return times(x, 3.0)"),
        (23, 0): SOFTMAX_KERNEL.read_text(),
        (23, 1): "def forward(:\n",
    }
    for (problem, sample), code in kernels.items():
        (run / f"level_1_problem_{problem}_sample_{sample}_kernel.py").write_text(code)
    result = verify("--task", problems.parent, "--run", run)
    assert result.returncode == REJECTED, result.stderr
    assert "4 candidates: 2 accepted, 2 rejected, 0 not judged" in result.stdout
    found = json.loads((run / "eval_results.json").read_text())
    assert list(found) == ["7", "23"]
    right, wrong = found["7"]
    assert (right["sample_id"], right["compiled"], right["correctness"]) == (0, True, True)
    assert right["runtime"] > 0
    assert right["runtime_stats"].keys() == {"mean", "std", "min", "max", "num_trials", "hardware", "device"}
    assert (wrong["sample_id"], wrong["compiled"], wrong["correctness"]) == (1, True, False)
    assert (wrong["runtime"], wrong["runtime_stats"]) == (-1.0, {})
    assert wrong["metadata"]["tritonrl"]["reason"] == "wrong-result"
    assert [row["correctness"] for row in found["23"]] == [True, False]
    assert found["23"][1]["compiled"] is False


def test_a_run_folder_of_two_levels(verify):
    run = verify.folder / "run"
    run.mkdir()
    for level in (1, 2):
        (run / f"level_{level}_problem_1_sample_0_kernel.py").write_text(candidate())
    expect_bad_input(verify("--task", SOFTMAX.parent, "--run", run), "it holds kernels of levels 1 and 2")


# The machine


def test_no_gpu(verify):
    result = verify("--task", SOFTMAX, "--kernel", SOFTMAX_KERNEL, "--device", "cuda")
    assert (result.returncode, result.stdout) == (MACHINE_FAILED, "")
    assert "use --device cpu" in result.stderr


@pytest.mark.parametrize("sandbox", ["require", "best"])
def test_a_machine_without_user_namespaces(verify, sandbox):
    inside = ["unshare", "--user", "--map-root-user", "sh", "-c", 'echo 0 > /proc/sys/user/max_user_namespaces; "$@"', "sh"]
    command = verify.command("--task", SOFTMAX, "--kernel", SOFTMAX_KERNEL, "--sandbox", sandbox, "--json")
    result = subprocess.run([*inside, *command], capture_output=True, text=True, env=verify.environment, check=False)
    if "unshare" in result.stderr:
        pytest.skip(f"this user may not make namespaces: {result.stderr.strip()}")
    said = json.loads(result.stdout)
    if sandbox == "require":
        assert result.returncode == MACHINE_FAILED
        assert "--sandbox best runs them without" in said["error"]
    else:
        assert said["accepted"]
        assert said["provenance"]["sandbox"] == "without user namespaces"


def test_a_kernel_that_the_executor_cannot_run_is_not_judged(verify):
    asm = """tl.inline_asm_elementwise("add.f32 $0, $1, $1;", "=f,f", [tl.load(x + at, mask=at < n)], tl.float32, True, 1)"""
    beyond = candidate().replace("tl.load(x + at, mask=at < n) * factor", asm)
    rows = [{"task": verify.task("double", task()), "sample": n, "code": code} for n, code in enumerate([beyond, candidate()])]
    result = verify("--samples", verify.samples(rows), "--jsonl", "--depth", "train")
    assert result.returncode == MACHINE_FAILED
    refusal, beside = result.rows
    assert "accepted" not in refusal
    assert (refusal["fault"], refusal["retryable"]) == ("executor", False)
    assert "tt.elementwise_inline_asm is not supported" in refusal["error"]
    assert beside["accepted"]


def test_a_secret_that_cannot_be_written(verify):
    result = verify("--task", SOFTMAX, "--kernel", SOFTMAX_KERNEL, TRITONRL_SECRET="/proc/secret")
    assert (result.returncode, result.stdout) == (MACHINE_FAILED, "")
    assert "cannot write the secret /proc/secret (TRITONRL_SECRET names another)" in result.stderr


def test_a_secret_that_is_too_short(verify):
    (verify.folder / "secret").write_text("short")
    result = verify("--task", SOFTMAX, "--kernel", SOFTMAX_KERNEL)
    expect_bad_input(result, "the secret is shorter than 32 bytes", "remove the file")


def test_a_cache_folder_that_cannot_be_written(verify):
    (verify.folder / "taken").write_text("")
    for place in ("/proc/verdicts", verify.folder / "taken/verdicts"):
        result = verify("--task", SOFTMAX, "--kernel", SOFTMAX_KERNEL, "--cache", place)
        expect_bad_input(result, "the cache folder cannot be written", "--cache none")


@pytest.fixture
def small_disk(tmp_path):
    """A full file system, and a function that makes room on it."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", place], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("this user may not mount a file system")
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as file, pytest.raises(OSError):
        while True:
            file.write(bytes(4096))
    yield place, ballast.unlink
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_loses_no_verdict(verify, small_disk):
    place, make_room = small_disk
    codes = [SOFTMAX_KERNEL.read_text(), SOFTMAX_KERNEL.read_text() + "\n# another\n"]
    rows = [{"task": str(SOFTMAX), "sample": n, "code": code} for n, code in enumerate(codes)]
    command = ["--samples", verify.samples(rows), "--depth", "train", "--jsonl", "--cache", place / "verdicts"]
    result = verify(*command)
    assert result.returncode == MACHINE_FAILED
    assert [row["accepted"] for row in result.rows] == [True, True]
    assert "No space left on device" in result.stderr
    assert [path for path in (place / "verdicts").rglob("*") if path.is_file()] == []
    make_room()
    again = verify(*command)
    assert again.returncode == ACCEPTED, again.stderr
    assert [*map(without_seconds, again.rows)] == [*map(without_seconds, result.rows)]


def children(pid):
    """Children of a process, the oldest first; none where it ended meanwhile."""
    found = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    return sorted(found)


def kill_once(program_pid, which):
    """Ends the guest, the reference's process or the fork server, as soon as all of them are there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for server in children(program_pid):
            guests = children(server)
            if len(guests) < 2:
                continue
            target = {"guest": guests[0], "reference": guests[1], "fork server": server}[which]
            try:
                os.kill(target, signal.SIGKILL)
            except ProcessLookupError:
                continue
            return True
        time.sleep(0.002)
    return False


@pytest.mark.parametrize("which", ["guest", "reference", "fork server"])
def test_a_worker_killed_in_mid_check_changes_no_verdict(verify, which):
    codes = [SOFTMAX_KERNEL.read_text(), WRONG_SOFTMAX.read_text(), SOFTMAX_KERNEL.read_text() + "\n# another\n"]
    rows = [{"task": str(SOFTMAX), "sample": n, "code": code} for n, code in enumerate(codes)]
    command = ["--samples", verify.samples(rows), "--jsonl", "--jobs", 1]
    undisturbed = verify(*command)
    assert undisturbed.returncode == REJECTED, undisturbed.stderr
    program = subprocess.Popen(
        verify.command(*command), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=verify.environment
    )
    assert kill_once(program.pid, which)
    out, err = program.communicate(timeout=300)
    assert program.returncode == REJECTED, out + err
    assert [without_seconds(json.loads(line)) for line in out.splitlines()] == [*map(without_seconds, undisturbed.rows)]
