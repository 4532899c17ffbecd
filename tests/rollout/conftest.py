import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/endpoint"))


class Program:
    def __init__(self, path):
        self.path = path

    def run(self, *arguments, stdin=None):
        environment = {**os.environ, "OMP_NUM_THREADS": "1"}
        return subprocess.run([self.path, *map(str, arguments)], capture_output=True, text=True, input=stdin, env=environment, check=False)

    def check(self, *arguments):
        result = self.run(*arguments)
        assert result.returncode == 0, result.stderr
        return result.stdout


@pytest.fixture(scope="session")
def program():
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    if not (path.parents[1] / "lib" / "libtritonrl_training.so").exists():
        pytest.skip("the training half is not built")
    return Program(path)


@pytest.fixture(scope="session")
def model(program, tmp_path_factory):
    """A tokenizer learned from a page of ours, and a small model with random weights."""
    folder = tmp_path_factory.mktemp("model")
    program.check("tokenizer", "train", ROOT / "README.md", "--size", 400, "--out", folder / "tokenizer")
    program.check("model", "init", folder / "tiny", "--tokenizer", folder / "tokenizer", "--hidden", 64, "--layers", 2, "--head-dim", 16, "--seed", 3)
    return folder / "tiny"
