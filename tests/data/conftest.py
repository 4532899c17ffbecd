import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[1] / "endpoint")]

from jsonl import ROOT


class Program:
    """The program of this build, with a secret and a cache of its own."""

    def __init__(self, path, folder):
        self.path = path
        self.environment = {
            **os.environ,
            "TRITONRL_SECRET": str(folder / "secret"),
            "XDG_CACHE_HOME": str(folder),
            "TRITONRL_API_KEY": "",
            "OPENAI_API_KEY": "",
        }

    def run(self, *arguments, **more):
        command = [self.path, *map(str, arguments)]
        environment = {**self.environment, **more.pop("env", {})}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT, **more)

    def start(self, *arguments):
        command = [self.path, *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, cwd=ROOT)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    if not path.exists():
        pytest.skip("the program is not built")
    return Program(str(path), tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def verifying(program):
    """The program, where the machine can run references."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    if not (Path(program.path).parents[1] / "lib" / "libtritonrl_torch.so").exists():
        pytest.skip("this build has no device for scripts")
    return program


@pytest.fixture(scope="session")
def own_tasks():
    return ROOT / "examples/data/own_tasks.jsonl"
