"""tritonrl data distill against `transformers serve` with a tiny random model: a real endpoint, streamed and whole.

Needs setup/requirements-endpoint.txt in the tests' Python, or in the one that TRITONRL_ENDPOINT_PYTHON names.
"""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from jsonl import rows_of

PYTHON = os.environ.get("TRITONRL_ENDPOINT_PYTHON", sys.executable)


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    probe = subprocess.run([PYTHON, "-c", "import transformers, fastapi, uvicorn"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip("transformers[serving] is not installed: pip install -r setup/requirements-endpoint.txt")
    folder = tmp_path_factory.mktemp("model")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "CUDA_VISIBLE_DEVICES": ""}
    subprocess.run([PYTHON, Path(__file__).with_name("tiny_model.py"), folder / "tiny"], check=True, env=environment)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(PYTHON).with_name("transformers"), "serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu", folder / "tiny"]
    log = (folder / "log.txt").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(600):
            assert server.poll() is None, (folder / "log.txt").read_text()[-2000:]
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
                break
            except OSError:
                time.sleep(0.3)
        yield f"http://127.0.0.1:{port}/v1", str(folder / "tiny")
    finally:
        server.terminate()
        server.wait()


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
