"""tritonrl data distill against `transformers serve` with a tiny random model: a real endpoint, streamed and whole."""

import json

import pytest
from jsonl import rows_of
from real_server import real_server


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    with real_server(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.mark.parametrize("form", [(), ("--no-stream",)], ids=["streamed", "whole"])
def test_a_real_server_answers(program, own_tasks, endpoint, tmp_path, form):
    url, model = endpoint
    result = program.run(
        "data", "distill", "--tasks", own_tasks, "--endpoint", url, "--model", model, "--out", tmp_path / "traces.jsonl",
        "-n", 2, "--max-tokens", 24, "--concurrency", 2, "--json", *form,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert report["answered"] == 6
    assert report["failed"] == {}
    assert report["prompt_tokens"] > 6 * 1000
    assert 0 < report["response_tokens"] <= 6 * 24
    assert all(row["response"] for row in rows_of(tmp_path / "traces.jsonl"))
