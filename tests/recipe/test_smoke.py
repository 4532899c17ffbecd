"""Every stage of a training, one after the other, by `tritonrl train`."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    program = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    libraries = program.parents[1] / "lib"
    if not program.exists() or not all((libraries / f"libtritonrl_{name}.so").exists() for name in ("training", "torch")):
        pytest.skip("the training half or the device for scripts is not built")
    state = tmp_path_factory.mktemp("state")
    folder = state / "smoke"
    environment = {**os.environ, "TRITONRL_SECRET": str(state / "secret"), "XDG_CACHE_HOME": str(state), "OMP_NUM_THREADS": "1"}

    def run():
        command = [program, "train", ROOT / "recipes/smoke.toml", f"folder={folder}"]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)

    done = run()
    assert done.returncode == 0, done.stderr
    return folder, run


def test_every_stage_leaves_what_it_is_for(smoke):
    folder, _ = smoke
    metrics = [json.loads(line) for line in (folder / "rl/metrics.jsonl").read_text().splitlines()]
    assert [row["step"] for row in metrics] == [1, 2]
    for name in ("reward/mean", "reward/correct", "reward/speedup", "perf/tokens_per_s", "perf/mfu", "completions/mean_length", "time/step"):
        assert name in metrics[0], name
    samples = [json.loads(line) for line in (folder / "rl/samples/step-000001.jsonl").read_text().splitlines()]
    assert len(samples) == 4
    for sample in samples:
        assert len(sample["classes"]) == len(sample["token_ids"]) == len(sample["advantages"])
        assert "accepted" in sample["verdict"]
    assert "<svg" in (folder / "report.html").read_text()


def test_a_second_run_has_nothing_to_do(smoke):
    folder, run = smoke
    before = (folder / "rl/metrics.jsonl").read_bytes()
    done = run()
    assert done.returncode == 0
    assert done.stderr.count("done before") == 6
    assert (folder / "rl/metrics.jsonl").read_bytes() == before


def test_checkpoints_load_in_transformers(smoke):
    transformers = pytest.importorskip("transformers")
    folder, _ = smoke
    model = transformers.AutoModelForCausalLM.from_pretrained(folder / "rl/last")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder / "rl/last")
    ids = tokenizer("import torch", return_tensors="pt")
    assert model.generate(**ids, max_new_tokens=4, do_sample=False).shape[1] == ids["input_ids"].shape[1] + 4
