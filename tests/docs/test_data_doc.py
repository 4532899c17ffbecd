"""docs/data.md: its commands, in their order, print what it shows; its prompts' example is accepted."""

import os
import re
import subprocess
from pathlib import Path

import pytest
from pages import ROOT, fences

PAGE = (ROOT / "docs/data.md").read_text()


def sessions():
    for fence in fences(PAGE):
        if fence.language == "console":
            yield from re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", fence.text, re.MULTILINE)


@pytest.fixture(scope="module")
def shell(program, tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    if not (Path(program).resolve().parents[1] / "lib/libtritonrl_torch.so").exists():
        pytest.skip("this build has no device for scripts")
    state = tmp_path_factory.mktemp("state")
    environment = {
        **os.environ,
        "PATH": f"{Path(program).resolve().parent}:{os.environ['PATH']}",
        "TRITONRL_SECRET": str(state / "secret"),
        "XDG_CACHE_HOME": str(state),
    }

    def run(command):
        return subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)

    return run


def test_commands_print_what_the_page_shows(shell):
    (ROOT / "build").mkdir(exist_ok=True)
    found = list(sessions())
    assert len(found) >= 4
    for command, printed in found:
        result = shell(command)
        assert result.returncode == 0, result.stderr
        assert result.stdout == printed, command


def test_the_example_in_prompts_is_accepted(shell):
    folder = "src/task/prompts"
    result = shell(f"tritonrl verify --task {folder}/example_task.py --kernel {folder}/example_kernel.py")
    assert result.returncode == 0, result.stdout + result.stderr
