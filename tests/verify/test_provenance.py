"""A verdict names the code that made it, which is part of its key in the cache: another verifier judges again."""

import hashlib
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src/base", "src/gpu", "src/sandbox", "src/ttir", "src/verify", "harness")


def digest_of_the_run_time_layers():
    """As cmake/digest_files.cmake computes it."""
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    lines = [f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in files]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def test_verdict_names_the_code_of_the_run_time_layers(program):
    example = ROOT / "examples/verify"
    command = [program, "verify", "--task", example / "softmax.py", "--kernel", example / "softmax_kernel.py", "--device", "cpu", "--depth", "train"]
    done = subprocess.run([*map(str, command), "--cache", "none", "--json"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["provenance"]["layers"] == digest_of_the_run_time_layers()[:12]
