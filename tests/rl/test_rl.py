"""`tritonrl rl` with the real verifier: what it records, and how it ends."""

import json
import os
from pathlib import Path

import pytest
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
    verdicts = [sample["verdict"] for step in range(1, 5) for sample in samples(undisturbed, step)]
    assert any(verdict["accepted"] for verdict in verdicts)
    assert any(verdict["reason"] == "wrong-result" for verdict in verdicts)
    assert all(verdict["provenance"]["depth"] == "train" for verdict in verdicts)


@pytest.fixture(scope="module")
def measured(program, workshop, tmp_path_factory):
    """The same run with dev tasks, and every accepted sample judged again."""
    run = tmp_path_factory.mktemp("measured") / "run"
    dev = str(workshop / "tasks.jsonl")
    program.must("rl", rl_config(workshop, run, rl__dev=dev, rl__dev_every=3, rl__dev_samples=2, rl__audit_share=1.0))
    return run


def test_dev_tasks_are_measured_over_time(measured):
    rows = metrics(measured)
    assert [row["step"] for row in rows] == [0, 1, 2, 3, 4]
    assert [row["step"] for row in rows if "dev/pass@1" in row] == [0, 3, 4]
    for row in rows:
        if "dev/pass@1" in row:
            assert 0 <= row["dev/pass@1"] <= row["dev/pass@2"] <= 1
    assert any(row.get("dev/pass@2", 0) > 0 for row in rows)


def test_accepted_samples_are_judged_again_in_full(measured):
    every = [sample for step in range(1, 5) for sample in samples(measured, step)]
    audited = [sample for sample in every if "audit" in sample]
    assert len(audited) == sum(sample["verdict"]["accepted"] for sample in every)
    assert all(sample["audit"]["accepted"] and sample["audit"]["provenance"]["depth"] == "full" for sample in audited)
    assert metrics(measured)[-1]["audit/checked"] == len(audited)


def test_measuring_changes_nothing_in_training(measured, undisturbed):
    assert weights(measured, 4) == weights(undisturbed, 4)


def test_what_verification_costs_is_recorded(program, workshop, undisturbed, tmp_path):
    fresh = metrics(undisturbed)
    assert fresh[0]["verify/cost_s"] > 0.01
    assert 0 <= fresh[0]["verify/cache_hits"] < 1
    again = tmp_path / "run"
    program.must("rl", rl_config(workshop, again, rl__steps=1))
    assert metrics(again)[0]["verify/cache_hits"] == 1, "the same responses as before"
