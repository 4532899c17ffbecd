"""Set-up asks for what only a person can give, in one command, and touches no registry where a bundle is there."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest
from conftest import squeeze


@pytest.fixture
def machine(tmp_path, root):
    """A copy of setup/ on a machine where nobody is root, sudo wants a password and no package is installed."""
    shutil.copytree(root / "setup", tmp_path / "setup")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, body in {
        "id": "echo 1000",
        "sudo": "exit 1",
        "dpkg-query": "exit 1",
        "apt-get": 'echo "apt-get was called: $*" >&2; exit 97',
    }.items():
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)

    def run(*arguments, **environment):
        return subprocess.run(
            [tmp_path / "setup/setup.sh", *arguments],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", **environment},
        )

    run.root = tmp_path
    run.tools = tools
    return run


def test_prints_the_one_command_when_not_root(machine):
    result = machine("build")
    assert result.returncode == 2
    commands = [line for line in result.stderr.splitlines() if "apt-get install" in line]
    assert len(commands) == 1
    assert "libtomlplusplus-dev" in commands[0]
    assert "clang-19" not in commands[0], "large tools are for soak and lint"
    assert "apt-get was called" not in result.stderr


def test_names_only_what_is_missing(machine, root):
    wanted = re.findall(r"^([a-z][^ ]*) =", (root / "setup/debian-packages.txt").read_text(), re.MULTILINE)
    installed = "\n".join(f"echo '{package} installed'" for package in wanted if package != "libcli11-dev")
    (machine.tools / "dpkg-query").write_text(f"#!/bin/sh\n{installed}\nexit 1\n")
    result = machine("test")
    assert result.returncode == 2
    assert result.stderr.rstrip().endswith("install -y --no-install-recommends libcli11-dev")


def test_bundle_means_no_registry(machine):
    deps = machine.root / ".deps"
    deps.mkdir()
    (deps / "header.h").write_text("int x;\n")
    digest = hashlib.sha256(b"int x;\n").hexdigest()
    (deps / "bundle.txt").write_text(f"{digest}  header.h\n")
    assert machine("build").returncode == 0
    assert not (machine.root / ".venv").exists()

    (deps / "header.h").write_text("int y;\n")
    result = machine("build")
    assert result.returncode == 2
    assert "damaged" in result.stderr


def test_refuses_unknown_level(machine):
    result = machine("everything")
    assert result.returncode == 2
    assert "use build, test or tools" in result.stderr


def test_missing_sources_say_what_to_run(project):
    (project.root / ".deps").unlink()
    project.module("base")
    result = project.configure()
    assert result.returncode != 0
    assert "make setup" in squeeze(result.stderr)


def test_pins_are_exact(root):
    for line in (root / "setup/requirements.txt").read_text().splitlines():
        assert line.startswith("#") or re.fullmatch(r"[a-z0-9-]+==[0-9.]+", line), line
    for line in (root / "setup/source-packages.txt").read_text().splitlines():
        assert line.startswith("#") or re.fullmatch(r"[a-z-]+==[0-9.]+ --hash=sha256:[0-9a-f]{64}", line), line


def test_public_ci_runs_the_same_command(root):
    assert "exec make test" in (root / ".ci/run").read_text()
    assert "run: make test" in (root / ".github/workflows/ci.yml").read_text()
