"""`transformers serve`: a real endpoint.

Needs setup/requirements-endpoint.txt in the tests' Python, or in the one that TRITONRL_ENDPOINT_PYTHON names.
"""

import contextlib
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

PYTHON = os.environ.get("TRITONRL_ENDPOINT_PYTHON", sys.executable)


@contextlib.contextmanager
def real_server(folder, model=None):
    """(url, model) of a server of `model`, or of a tiny random one made in `folder`; skips where transformers cannot."""
    probe = subprocess.run([PYTHON, "-c", "import transformers, fastapi, uvicorn"], capture_output=True, check=False)
    if probe.returncode != 0:
        pytest.skip("transformers[serving] is not installed: pip install -r setup/requirements-endpoint.txt")
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "hf"), "CUDA_VISIBLE_DEVICES": ""}
    if model is None:
        model = folder / "tiny"
        subprocess.run([PYTHON, Path(__file__).with_name("tiny_model.py"), model], check=True, env=environment)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [Path(PYTHON).with_name("transformers"), "serve", "--host", "127.0.0.1", "--port", str(port), "--device", "cpu", model]
    with (folder / "log.txt").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        for _ in range(600):
            assert server.poll() is None, (folder / "log.txt").read_text()[-2000:]
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5)
                break
            except OSError:
                time.sleep(0.3)
        yield f"http://127.0.0.1:{port}/v1", model
    finally:
        server.terminate()
        server.wait()
