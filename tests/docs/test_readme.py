"""What the README shows is what the program prints, and no page points at something that is not there."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from urllib.parse import unquote

import pytest
from pages import ROOT, anchors, fences, links, sections

README = (ROOT / "README.md").read_text()
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
PLANNED = "What is coming"


def sessions() -> list[tuple[str, str]]:
    """Commands of the README's console blocks, each with what it prints."""
    found = []
    for fence in fences(README):
        if fence.language == "console":
            found += re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", fence.text, re.MULTILINE)
    return found


def shell(program: str, command: str) -> subprocess.CompletedProcess:
    environment = {**os.environ, "PATH": f"{Path(program).parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
    return subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True, check=False)


def skip_without_device(program: str, command: str) -> None:
    if "sanitize" in command or "verify" in command:
        pytest.importorskip("torch")
        pytest.importorskip("triton")
        build = Path(os.environ.get("TRITONRL_BUILD_DIR", Path(program).resolve().parents[1]))
        if not (build / "lib/libtritonrl_torch.so").exists():
            pytest.skip("this build has no device for scripts")


def test_readme_shows_three_defects():
    assert "tritonrl check examples/three_defects.py" in [command for command, _ in sessions()]


@pytest.mark.parametrize(("command", "printed"), sessions())
def test_command_prints_what_the_readme_shows(program, command, printed):
    if "jq" in command and not shutil.which("jq"):
        pytest.skip("jq is not installed")
    skip_without_device(program, command)
    result = shell(program, command)
    assert result.stdout == printed
    assert result.stderr == ""


def test_three_defects_are_three_rejections(program):
    result = shell(program, "tritonrl check examples/three_defects.py")
    assert result.returncode == 1
    assert len(re.findall(r"^\S+:\d+:\d+: (reject|suspect): ", result.stdout, re.MULTILINE)) == 3


def known_commands(program: str) -> set[str]:
    usage = shell(program, "tritonrl --help").stdout.split("Subcommands:\n")[1].split("\n\n")[0]
    return set(re.findall(r"^  (\w+)", usage, re.MULTILINE))


def named_commands(text: str) -> set[str]:
    # As code or at the start of a command, so that `tritonrl` in a sentence is no command.
    return set(re.findall(r"(?:`|^|\$ |[|] |xargs )tritonrl ([a-z]+)", text, re.MULTILINE))


def test_named_commands_exist_or_are_planned(program):
    if not (Path(program).resolve().parents[1] / "lib/libtritonrl_training.so").exists():
        pytest.skip("the training half is not built")
    planned_section = sections(README)[PLANNED]
    planned = named_commands(planned_section)
    assert planned, "the section of planned commands names none"
    assert named_commands(README.replace(planned_section, "")) <= known_commands(program)
    assert not planned & known_commands(program), "these commands exist now: move them out of the plans"


@pytest.mark.parametrize("command", ["", "check", "sanitize", "tasks", "tasks ls", "tasks show", "doctor", "data split", "data stats"])
def test_help_has_an_example_that_runs(program, command):
    skip_without_device(program, command)
    help_text = shell(program, f"tritonrl {command} --help").stdout
    for example in re.findall(r"Example: (.+)", help_text):
        assert shell(program, example).returncode in (0, 1), example


def test_make_targets_exist():
    targets = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in PAGES:
        text = page.read_text()
        code = "\n".join([fence.text for fence in fences(text)] + re.findall(r"`[^`\n]+`", text))
        assert set(re.findall(r"(?:^|`)make ([a-z]+)", code, re.MULTILINE)) <= targets, page


def test_set_up_variables_are_the_ones_set_up_reads():
    header = (ROOT / "setup/setup.sh").read_text().split("set -euo")[0]
    described = set(re.findall(r"^#   ([A-Z_]+) ", header, re.MULTILINE))
    table = set(re.findall(r"^\| `([A-Z_]+)` \|", sections(README)["Set-up"], re.MULTILINE))
    assert described <= table


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_resolve(page):
    for target in links(page.read_text()):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = unquote(target).partition("#")
        file = page.parent / path if path else page
        assert file.exists(), f"{target} is not there"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file.read_text()), f"{target}: no such heading"


def test_pages_name_no_place_on_a_machine():
    for page in [*PAGES, *(file for file in (ROOT / "examples").rglob("*") if file.suffix in (".py", ".md"))]:
        found = re.search(r"(?<![\w.])/(home|work|root|tmp|opt|mnt|Users)/\S*", page.read_text())
        assert not found, f"{page}: {found[0]}"


def test_examples_fit_their_tasks(program):
    for file in (ROOT / "examples").glob("*.py"):
        task = re.search(r"Solves (tests/\S+\.py)", file.read_text())
        if task:
            policy = "core" if "--policy core" in file.read_text() else "strict"
            result = shell(program, f"tritonrl check --policy {policy} --task {task[1]} {file.relative_to(ROOT)}")
            assert result.returncode == 0, result.stdout
