"""`tritonrl rl` with the real verifier: what it records, and how it ends."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from kill_loop import differences, record
from workshop import ROOT, Program, make_workshop, metrics, rl_config

pytest.importorskip("torch")
pytest.importorskip("triton")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    libraries = path.parents[1] / "lib"
    if not path.exists() or not all((libraries / f"libtritonrl_{name}.so").exists() for name in ("training", "torch")):
        pytest.skip("the training half or the device for scripts is not built")
    return Program(path, tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="module")
def workshop(program, tmp_path_factory):
    return make_workshop(program, tmp_path_factory.mktemp("workshop"))


@pytest.fixture(scope="module")
def undisturbed(program, workshop, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    program.must("rl", rl_config(workshop, run))
    return run


def samples(run, step):
    return [json.loads(line) for line in (run / f"samples/step-{step:06}.jsonl").read_text().splitlines()]


def weights(run, step):
    return (run / f"checkpoints/step-{step:06}/model.safetensors").read_bytes()


def test_responses_are_judged_for_real(undisturbed):
    verdicts = [sample["verdict"] for step in range(1, 9) for sample in samples(undisturbed, step)]
    assert any(verdict["accepted"] for verdict in verdicts)
    assert any(verdict["reason"] == "wrong-result" for verdict in verdicts)
    assert all(verdict["provenance"]["depth"] == "train" for verdict in verdicts)


def measured_config(workshop, run):
    dev = str(workshop / "tasks.jsonl")
    return rl_config(workshop, run, rl__dev=dev, rl__dev_every=5, rl__dev_samples=2, rl__audit_share=1.0)


@pytest.fixture(scope="module")
def measured(program, workshop, tmp_path_factory):
    """The same run with dev tasks, and every accepted sample judged again."""
    run = tmp_path_factory.mktemp("measured") / "run"
    program.must("rl", measured_config(workshop, run))
    return run


def test_dev_tasks_are_measured_over_time(measured):
    rows = metrics(measured)
    assert [row["step"] for row in rows] == list(range(9))
    assert [row["step"] for row in rows if "dev/pass@1" in row] == [0, 5, 8]
    for row in rows:
        if "dev/pass@1" in row:
            assert 0 <= row["dev/pass@1"] <= row["dev/pass@2"] <= 1
    assert any(row.get("dev/pass@2", 0) > 0 for row in rows)


def test_accepted_samples_are_judged_again_in_full(measured):
    every = [sample for step in range(1, 9) for sample in samples(measured, step)]
    audited = [sample for sample in every if "audit" in sample]
    assert len(audited) == sum(sample["verdict"]["accepted"] for sample in every)
    assert all(sample["audit"]["accepted"] and sample["audit"]["provenance"]["depth"] == "full" for sample in audited)
    assert metrics(measured)[-1]["audit/checked"] == len(audited)


def test_measuring_changes_nothing_in_training(measured, undisturbed):
    assert weights(measured, 8) == weights(undisturbed, 8)


def test_what_verification_costs_is_recorded(program, workshop, undisturbed, tmp_path):
    fresh = metrics(undisturbed)
    assert fresh[0]["verify/cost_s"] > 0.01
    assert 0 <= fresh[0]["verify/cache_hits"] < 1
    again = tmp_path / "run"
    program.must("rl", rl_config(workshop, again, rl__steps=1))
    assert metrics(again)[0]["verify/cache_hits"] == 1, "the same responses as before"


def test_kernels_that_the_executor_cannot_run_end_no_run(program, workshop, tmp_path):
    run = tmp_path / "run"
    program.must("rl", rl_config(workshop, run, rl__tasks=str(workshop / "beyond.jsonl"), rl__steps=1, rl__prompts=1))
    assert metrics(run)[0]["groups/not_judged"] == 1
    assert any(sample["verdict"].get("fault") == "executor" for sample in samples(run, 1))
    assert weights(run, 1) == (workshop / "sft/last/model.safetensors").read_bytes()


def wait_for_lines(run, count, process):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and process.poll() is None:
        lines = run / "metrics.jsonl"
        if lines.exists() and lines.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.002)


def test_a_run_that_was_killed_and_interrupted_ends_as_if_nothing_had_happened(program, workshop, measured, tmp_path):
    run = tmp_path / "run"
    config = measured_config(workshop, run)
    process = program.start("rl", config)
    wait_for_lines(run, 4, process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL

    # As a terminal's Ctrl-C, to all of the program's processes: it finishes the step and saves.
    process = program.start("rl", config, start_new_session=True, stderr=subprocess.PIPE, text=True)
    assert any("goes on after step" in line for line in process.stderr)
    os.killpg(process.pid, signal.SIGINT)
    said = process.stderr.read()
    assert process.wait() == 0, said
    assert "finishes the step and saves" in said
    assert "could not be judged" not in said, "the verifier does not hear it"
    step = metrics(run)[-1]["step"]
    assert step < 8 and (run / f"checkpoints/step-{step:06}").exists()

    program.must("rl", config)
    assert differences(record(run, 8), record(measured, 8)) == []


def test_a_verifier_that_is_down_is_waited_for(program, workshop, undisturbed, tmp_path):
    """Without the harness none starts."""
    harness = tmp_path / "harness"
    places = {"XDG_CACHE_HOME": str(tmp_path), "TRITONRL_HARNESS": str(harness), "TRITONRL_PYTHON": sys.executable}
    program = Program(program.path, program.state, **places)
    run = tmp_path / "run"
    config = rl_config(workshop, run, rl__verify_tries=2)

    done = program.run("rl", config)
    assert done.returncode == 3, done.stderr
    assert "tries again in 1 s" in done.stderr and "the verifier fails" in done.stderr

    process = program.start("rl", config, stderr=subprocess.PIPE, text=True)
    assert any("tries again in 1 s" in line for line in process.stderr)
    harness.symlink_to(ROOT / "harness")
    said = process.stderr.read()
    assert process.wait() == 0, said
    assert weights(run, 8) == weights(undisturbed, 8)
