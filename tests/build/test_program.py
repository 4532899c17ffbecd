"""What the built program is made of."""

import os
import re
import subprocess

import pytest


@pytest.fixture
def program(build_dir):
    path = os.environ.get("TRITONRL_PROGRAM", str(build_dir / "bin/tritonrl"))
    if not os.path.exists(path):
        pytest.skip("the program is not built")
    return path


def test_links_neither_torch_nor_cuda(program):
    libraries = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = re.sub(r"\(0x[0-9a-f]+\)", "", libraries)  # an address may hold "c10"
    assert not re.search(r"torch|c10|cuda|cublas|nvrtc", libraries, re.IGNORECASE), libraries


def test_says_the_version_of_the_build(program, root):
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (root / "CMakeLists.txt").read_text().split("project(")[1])[1]
    result = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    assert version in result.stdout
