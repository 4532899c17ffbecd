"""`tritonrl eval` on samples of the embedded teacher."""

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    program = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    libraries = program.parents[1] / "lib"
    if not program.exists() or not all((libraries / f"libtritonrl_{name}.so").exists() for name in ("training", "torch")):
        pytest.skip("the training half or the device for scripts is not built")
    folder = tmp_path_factory.mktemp("eval")
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret"), "XDG_CACHE_HOME": str(folder), "OMP_NUM_THREADS": "1"}

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment, cwd=ROOT)

    made = run("data", "make", "--tasks", 3, "--samples", 2, "--small-sizes", "--fault-free", "--families", "elementwise", "--out", folder / "teacher")
    assert made.returncode == 0, made.stderr
    samples = [json.loads(line) for line in (folder / "teacher/samples.jsonl").read_text().splitlines()]
    samples[0]["response"] = "<think>none</think> I cannot."
    (folder / "samples.jsonl").write_text("".join(json.dumps(row) + "\n" for row in samples))
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "samples.jsonl", "-k", "1,2", "--device", "cpu", "--out", folder / "out", "--json")
    assert done.returncode == 0, done.stderr
    return folder, run, json.loads(done.stdout)


def test_figures_are_those_of_the_verdicts(evaluated):
    folder, _, report = evaluated
    figures = report["levels"]["all"]["figures"]
    verdicts = [json.loads(line) for line in (folder / "out/verdicts.jsonl").read_text().splitlines()]
    accepted = sum(verdict["accepted"] for verdict in verdicts)
    assert accepted == 5
    assert figures["correct@1"]["value"] == pytest.approx(5 / 6)
    assert figures["correct@2"]["value"] == 1
    speedups = [verdict["speedup"]["value"] if verdict["accepted"] else 0 for verdict in verdicts]
    assert figures["mean_speedup@1"]["value"] == pytest.approx(sum(speedups) / 6)
    assert sum(report["levels"]["all"]["failures"].values()) == 1


def test_kernelbench_files_are_there(evaluated):
    folder, _, _ = evaluated
    results = json.loads((folder / "out/kernelbench/level1/eval_results.json").read_text())
    assert sum(row["correctness"] for rows in results.values() for row in rows) == 5


def test_models_are_compared_by_task(evaluated):
    folder, run, _ = evaluated
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
               "--against", folder / "out", "--best-known", folder / "out", "--json")
    assert done.returncode == 0, done.stderr
    gain = json.loads(done.stdout)["against"]["correct@1"]
    assert (gain["first"], gain["second"]) == (pytest.approx(5 / 6), 1)


@pytest.mark.parametrize("arguments", [["--suite", "nowhere.jsonl", "--samples", "x"], ["--suite", "examples"], ["--samples", "x"]])
def test_bad_input_is_one_error(evaluated, arguments):
    _, run, _ = evaluated
    done = run("eval", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
