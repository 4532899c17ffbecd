"""tritonrl data make: what it writes is what the verifier judges, fault-free responses accepted and faults rejected."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FAMILIES = "elementwise,softmax,norm,matmul,pooling"


@pytest.fixture(scope="module")
def program():
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    if not (path.parents[1] / "lib" / "libtritonrl_torch.so").exists():
        pytest.skip("this build has no device for scripts")
    return str(path)


def made(program, folder, *options):
    result = subprocess.run(
        [program, "data", "make", "--out", str(folder), *options], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]


def verdicts(program, folder, *options):
    command = [program, "verify", "--task", str(folder / "tasks.jsonl"), "--samples", str(folder / "samples.jsonl")]
    command += ["--device", "cpu", "--cache", "none", "--jsonl", *options]
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=500, env=environment)
    assert result.returncode in (0, 1), result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return {(row["task"], row["sample"]): row for row in rows}


def test_fault_free_responses_are_accepted_and_faults_rejected(program, tmp_path):
    options = ("--small-sizes", "--samples", "1", "--seed", "21", "--families", FAMILIES)
    right = made(program, tmp_path / "right", "--tasks", "6", "--fault-free", *options)
    for key, verdict in verdicts(program, tmp_path / "right").items():
        assert verdict["accepted"], (key, verdict)
    assert len(right) == 6
    rates = ("--slips", "1", "--misconceptions", "0", "--cheats", "0", "--broken-format", "0")
    wrong = made(program, tmp_path / "wrong", "--tasks", "6", *rates, *options)
    found = verdicts(program, tmp_path / "wrong")
    for sample in wrong:
        assert sample["faults"] and not found[sample["task"], sample["sample"]]["accepted"], sample["faults"]


def test_cheats_pass_a_comparison_of_outputs_whatever_their_kernels_do(program, tmp_path):
    rates = ("--slips", "0", "--misconceptions", "1", "--cheats", "1", "--cheat-kinds", "torch", "--broken-format", "0")
    families = "row_reduction,softmax,norm,scan"
    samples = made(program, tmp_path / "cheats", "--tasks", "6", "--compact", "--seed", "5", "--families", families, *rates)
    assert any(len(sample["faults"]) > 1 for sample in samples)
    for verdict in verdicts(program, tmp_path / "cheats", "--after-reject", "continue").values():
        assert not verdict["accepted"] and verdict["compiled"] and verdict["correct"], verdict


def test_the_same_seed_makes_the_same_bytes(program, tmp_path):
    for name in ("one", "two"):
        made(program, tmp_path / name, "--tasks", "50", "--seed", "4")
    for file in ("tasks.jsonl", "samples.jsonl"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_every_schedule_of_a_suites_tasks_is_made(program, tmp_path):
    made(program, tmp_path / "all", "--tasks", "20", "--seed", "4", "--samples", "1", "--compact")
    rows = (tmp_path / "all/tasks.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "test.jsonl").write_text("".join(rows[7:9]))
    options = ("--only", str(tmp_path / "test.jsonl"), "--seed", "4", "--samples", "0", "--compact", "--fault-free")
    samples = made(program, tmp_path / "known", "--tasks", "20", *options)
    assert (tmp_path / "known/tasks.jsonl").read_text() == "".join(rows[7:9])
    ids = {json.loads(row)["id"] for row in rows[7:9]}
    assert {sample["task"] for sample in samples} == ids
    assert len({json.dumps([sample["task"], sample["schedule"]]) for sample in samples}) == len(samples) > 4
    with pytest.raises(AssertionError, match="1 of its 2 tasks are none of these"):
        made(program, tmp_path / "few", "--tasks", "8", *options)


@pytest.mark.parametrize(
    "options, words",
    [
        (("--slips", "2"), "between 0 and 1"),
        (("--families", "softmx"), "did you mean 'softmax'"),
        (("--levels", "1"), "three shares"),
        ((), "nothing says where to write"),
    ],
)
def test_bad_configuration_is_one_line(program, tmp_path, options, words):
    place = ("--out", str(tmp_path / "x")) if options else ()
    result = subprocess.run([program, "data", "make", *place, *options], capture_output=True, text=True, check=False)
    assert result.returncode == 2 and words in result.stderr and len(result.stderr.splitlines()) == 1, result.stderr
    assert not (tmp_path / "x").exists()
