"""tritonrl model generate --endpoint against `transformers serve` with a small model of ours."""

import json

import pytest
from real_server import real_server


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory, model):
    with real_server(tmp_path_factory.mktemp("server"), model) as server:
        yield server


def generate(program, endpoint, *arguments):
    url, model = endpoint
    return program.run("model", "generate", model, "--endpoint", url, "--prompt", "Write a kernel", *arguments)


@pytest.mark.parametrize("form", [(), ("--chat",)], ids=["completions", "chat"])
def test_a_real_server_answers_each_response(program, endpoint, form):
    result = generate(program, endpoint, "-n", 3, "--max-tokens", 12, "--seed", 5, "--json", *form)
    assert result.returncode == 0, result.stderr
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert sorted(row["index"] for row in rows) == [0, 1, 2]
    assert all(row["text"] for row in rows)


@pytest.mark.parametrize("form", [(), ("--chat",)], ids=["completions", "chat"])
def test_greedy_text_is_that_of_the_same_model_in_this_process(program, endpoint, form):
    _, model = endpoint
    there = generate(program, endpoint, "--temperature", 0, "--max-tokens", 20, *form)
    assert there.returncode == 0, there.stderr
    here = program.run("model", "generate", model, "--prompt", "Write a kernel", "--temperature", 0, "--max-tokens", 20, *form)
    assert here.returncode == 0, here.stderr
    assert there.stdout == here.stdout


def test_a_real_server_that_gives_no_token_ids_is_an_error(program, endpoint):
    result = generate(program, endpoint, "--max-tokens", 4, "--tokens", "--json")
    assert result.returncode == 2
    assert "return_token_ids" in result.stderr
