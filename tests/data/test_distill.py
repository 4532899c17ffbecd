"""tritonrl data distill: every answer is kept once, whatever the endpoint does."""

import json
import signal
import time

import pytest
from fault_server import ANSWER, FaultServer
from jsonl import rows_of


@pytest.fixture
def distill(program, own_tasks, tmp_path):
    def run(server, *more, traces=2):
        return program.run(
            "data", "distill", "--tasks", own_tasks, "--endpoint", server.url, "--out", tmp_path / "traces.jsonl",
            "-n", traces, "--first-wait", 0.01, "--json", *more,
        )  # fmt: skip

    probe = program.run("data", "distill", "--tasks", own_tasks, "--endpoint", "http://127.0.0.1:9", "--out", tmp_path / "none.jsonl")
    if "libcurl was not found" in probe.stderr:
        pytest.skip("this build has no libcurl")
    return run


def report_of(result):
    return json.loads(result.stdout)


@pytest.mark.parametrize("form", [(), ("--no-stream",)])
def test_each_task_gets_its_traces(distill, tmp_path, form):
    with FaultServer() as server:
        result = distill(server, *form)
    assert result.returncode == 0, result.stderr
    rows = rows_of(tmp_path / "traces.jsonl")
    assert sorted((row["task"], row["sample"]) for row in rows) == [(t, n) for t in ("bias_relu", "mlp", "softmax") for n in (0, 1)]
    assert all(row["response"] == ANSWER and row["finish"] == "stop" for row in rows)
    assert report_of(result)["prompt_tokens"] == 6 * 11
    assert {(request["temperature"], request["top_p"]) for request in server.requests} == {(0.6, 0.95)}
    assert any("judged at M = 64, N = 781" in request["messages"][0]["content"] for request in server.requests)


@pytest.mark.parametrize("fault", [429, 500, 503, "garbage", "half", "short", "nothing"])
def test_a_passing_fault_costs_a_try_and_nothing_else(distill, tmp_path, fault):
    with FaultServer(faults=[fault]) as server:
        begun = time.monotonic()
        result = distill(server)
    assert result.returncode == 0, result.stderr
    assert len(rows_of(tmp_path / "traces.jsonl")) == 6
    assert len(server.requests) == 7
    if fault == 429:
        assert time.monotonic() - begun >= 1, "Retry-After was not heeded"


def test_a_request_that_is_refused_is_counted_and_the_rest_goes_on(distill, tmp_path):
    with FaultServer(faults=[400]) as server:
        result = distill(server)
    assert result.returncode == 1
    assert sum(report_of(result)["failed"].values()) == 1
    assert len(rows_of(tmp_path / "traces.jsonl")) == 5
    with FaultServer() as server:
        assert distill(server).returncode == 0
    assert len(server.requests) == 1
    assert len(rows_of(tmp_path / "traces.jsonl")) == 6


def test_nothing_is_asked_twice(distill, tmp_path):
    with FaultServer() as server:
        distill(server)
        result = distill(server, traces=3)
    assert report_of(result)["kept"] == 6
    assert report_of(result)["answered"] == 3
    assert len(server.requests) == 9


def test_a_killed_run_goes_on_without_asking_again(program, distill, own_tasks, tmp_path):
    out = tmp_path / "traces.jsonl"
    with FaultServer(faults=[None] * 2 + ["half"] * 100) as server:  # after two answers it hangs on tries
        process = program.start(
            "data", "distill", "--tasks", own_tasks, "--endpoint", server.url, "--out", out, "-n", 2, "--concurrency", 1
        )
        until = time.monotonic() + 60
        while time.monotonic() < until and (not out.exists() or out.read_text().count("\n") < 2):
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert len(rows_of(out)) == 2
    with FaultServer() as server:
        assert distill(server).returncode == 0
    assert len(server.requests) == 4
    assert len(rows_of(out)) == 6


@pytest.mark.parametrize("fault", [500, "garbage", "half", "nothing"])
def test_a_broken_endpoint_ends_the_run_as_a_failure_of_the_machine(distill, tmp_path, fault):
    with FaultServer(faults=[None], always=None) as server:
        assert distill(server, traces=1).returncode == 0
    with FaultServer(always=fault) as server:
        result = distill(server, "--tries", 2, traces=9)
    assert result.returncode == 3
    assert "what was answered is kept" in result.stderr
    assert len(rows_of(tmp_path / "traces.jsonl")) == 3


@pytest.mark.parametrize("status", [401, 404])
def test_an_endpoint_that_refuses_everybody_is_one_error(distill, status):
    with FaultServer(always=status) as server:
        result = distill(server)
    assert result.returncode == 2
    assert server.url in result.stderr
    assert result.stderr.count("\n") <= 3


def test_samples_of_another_model_are_not_mixed(distill, tmp_path):
    with FaultServer() as server:
        distill(server, "--model", "one")
        result = distill(server, "--model", "two")
    assert result.returncode == 2
    assert "another model or prompt" in result.stderr
    assert len(rows_of(tmp_path / "traces.jsonl")) == 6


def test_a_url_that_is_none_is_bad_usage(program, own_tasks, tmp_path):
    result = program.run("data", "distill", "--tasks", own_tasks, "--endpoint", "localhost", "--out", tmp_path / "t.jsonl")
    assert result.returncode == 2
