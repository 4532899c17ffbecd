"""tritonrl data curate, split and stats: samples are judged and chosen, tasks are parted, both are counted."""

import json

import pytest
from jsonl import ROOT, rows_of

TRACES = ROOT / "examples/data/traces.jsonl"


@pytest.fixture(scope="module")
def curate(verifying, own_tasks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("curated")

    def run(samples, *more):
        result = verifying.run("data", "curate", samples, "--tasks", own_tasks, "--out", folder / "out.jsonl", "--json", *more)
        assert result.returncode == 0, result.stderr
        return json.loads(result.stdout), rows_of(folder / "out.jsonl")

    return run


def test_what_is_right_is_kept_once_with_prompt_verdict_and_provenance(curate):
    report, rows = curate(TRACES)
    assert report["kept"] == 1
    assert report["dropped"]["duplicate"] == 1
    (row,) = rows
    assert row["verdict"]["accepted"] is True
    assert row["verdict"]["speedup"]["value"] > 0
    assert "judged at M = 64, N = 781" in row["prompt"]
    assert row["provenance"]["samples"] == "traces.jsonl"
    assert row["provenance"]["verifier"]["torch"]
    assert row["prompt_tokens"] > 100


def test_rows_have_the_prompt_that_was_asked_for(curate):
    _, (training,) = curate(TRACES)
    _, (bare,) = curate(TRACES, "--prompt", "bare")
    assert bare["response"] == training["response"]
    assert bare["prompt_tokens"] < training["prompt_tokens"]


def test_samples_are_judged_at_the_depth_that_was_asked_for(curate):
    for depth in ("full", "train"):
        _, (row,) = curate(TRACES, "--depth", depth)
        assert row["provenance"]["verifier"]["depth"] == depth


def test_all_keeps_what_is_wrong_too(curate):
    report, rows = curate(TRACES, "--keep", "all", "--keep-duplicates")
    assert report["kept"] == 3
    assert [row["verdict"]["accepted"] for row in rows] == [True, False, True]


def test_best_keeps_one_a_task(curate):
    report, _ = curate(TRACES, "--keep", "best", "--keep-duplicates")
    assert report["kept"] == 1
    assert report["dropped"]["slower"] == 1


def test_rows_that_are_no_samples_are_counted(curate, tmp_path):
    samples = tmp_path / "samples.jsonl"
    samples.write_text(TRACES.read_text() + '{"task": "absent", "response": ""}\n{"task": 3}\nnot json\n{"task": "softmax", "resp')
    report, _ = curate(samples)
    assert report["dropped"]["unknown-task"] == 1
    assert report["dropped"]["bad-row"] == 3
    assert report["kept"] == 1


def test_levels_are_balanced(curate, tmp_path):
    samples = tmp_path / "samples.jsonl"
    wrong = "```python\nimport torch\n\n\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x{}\n```\n"
    rows = [{"task": "softmax", "sample": n, "response": wrong.format(f" * {n}")} for n in range(6)]
    samples.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report, _ = curate(samples, "--keep", "all", "--levels", "0:1")
    assert report["kept"] == 6
    report, _ = curate(samples, "--keep", "all", "--levels", "0:1,1:1")
    assert report["kept"] == 0
    assert report["dropped"]["level-surplus"] == 6


def test_bad_shares_are_bad_usage(program, own_tasks, tmp_path):
    result = program.run("data", "curate", TRACES, "--tasks", own_tasks, "--out", tmp_path / "o.jsonl", "--levels", "1=2")
    assert result.returncode == 2
    assert "1:0.7,2:0.3" in result.stderr


def test_stats_count_and_plot(program, own_tasks, tmp_path):
    page = tmp_path / "stats.html"
    result = program.run("data", "stats", TRACES, "--tasks", own_tasks, "--html", page, "--json")
    assert result.returncode == 0, result.stderr
    counts = json.loads(result.stdout)
    assert counts["rows"] == 3
    assert counts["lengths"]["plan"]["count"] == 3
    assert "<svg" in page.read_text()


def test_split_parts_samples_with_their_tasks(program, own_tasks, tmp_path):
    tasks = [row["id"] for row in rows_of(own_tasks)]
    samples = tmp_path / "samples.jsonl"
    samples.write_text("".join(json.dumps({"task": task, "response": "r"}) + "\n" for task in tasks * 2))
    split = ("data", "split", own_tasks, "--out", tmp_path / "parts", "--dev", 0.3, "--test", 0.3, "--samples", samples)
    assert program.run(*split).returncode == 0
    for part in ("train", "dev", "test"):
        held = {row["id"] for row in rows_of(tmp_path / "parts" / f"{part}.jsonl")}
        rows = rows_of(tmp_path / "parts" / f"{part}.samples.jsonl")
        assert sorted(row["task"] for row in rows) == sorted(2 * list(held))


def test_split_names_a_sample_of_no_task(program, own_tasks, tmp_path):
    samples = tmp_path / "samples.jsonl"
    samples.write_text(json.dumps({"task": "elsewhere/1", "response": "r"}) + "\n")
    result = program.run("data", "split", own_tasks, "--out", tmp_path / "parts", "--samples", samples)
    assert result.returncode == 2
    assert "samples.jsonl:1" in result.stderr and "elsewhere/1" in result.stderr


def test_split_writes_three_parts(program, own_tasks, tmp_path):
    result = program.run("data", "split", own_tasks, "--out", tmp_path, "--dev", 0.3, "--test", 0.3, "--json")
    assert result.returncode == 0, result.stderr
    parts = [[row["id"] for row in rows_of(tmp_path / f"{part}.jsonl")] for part in ("train", "dev", "test")]
    assert sorted(sum(parts, [])) == ["bias_relu", "mlp", "softmax"]
