"""docs/sanitize.md has a section for every rule of the sanitizer; its examples give what they promise, as they really print."""

import json
import os
import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from pages import ROOT, fences, sections

PAGE = (ROOT / "docs/sanitize.md").read_text()
SECTIONS = sections(PAGE)
CATALOGUE = {
    name: (severity.lower(), re.sub(r'"\s*"', "", sentence))
    for name, severity, sentence in re.findall(
        r'SanitizerRule k\w+\{\s*"([a-z-]+)",\s*Severity::k(\w+),\s*"((?:[^"]|"\s*")*)"\}',
        (ROOT / "src/ttir/finding.h").read_text(),
    )
}
IMPORTS = "import torch\nimport triton\nimport triton.language as tl\n\n\n"


def example(rule: str, kind: str) -> str:
    found = [fence.text for fence in fences(SECTIONS[rule]) if fence.above.endswith(f"{kind}:")]
    assert len(found) == 1, f"{rule} has {len(found)} examples under '{kind}:'"
    return found[0]


def sanitize(program: str, *arguments) -> subprocess.CompletedProcess:
    command = [program, "sanitize", *map(str, arguments)]
    # Triton's cache gives a kernel that is the same in two files the places of the first one.
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "TRITON_CACHE_DIR": cache}
        return subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=600
        )


@pytest.fixture(scope="module")
def device(program) -> str:
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    build = Path(os.environ.get("TRITONRL_BUILD_DIR", Path(program).resolve().parents[1]))
    if not (build / "lib/libtritonrl_torch.so").exists():
        pytest.skip("this build has no device for scripts")
    return program


@pytest.fixture(scope="module")
def found(device, tmp_path_factory) -> dict[str, set[str]]:
    """The rules that each example breaks, by file: all are run in one script, because starting torch takes seconds."""
    folder = tmp_path_factory.mktemp("examples")
    names = [(rule, kind) for rule in CATALOGUE for kind in ("Bad", "Good")]
    for rule, kind in names:
        (folder / f"{kind}_{rule}.py").write_text(IMPORTS + example(rule, kind))
    code = "import runpy\n" + "".join(f"runpy.run_path({str(folder / f'{kind}_{rule}.py')!r})\n" for rule, kind in names)
    (folder / "all.py").write_text(code)
    result = sanitize(device, "--json", "--step-budget", 10**8, folder / "all.py")
    assert result.returncode == 1, result.stderr
    document = json.loads(result.stdout)
    assert document["script_exit"] == 0, result.stderr
    rules = {}
    for finding in document["findings"]:
        rules.setdefault(Path(finding["launched_at"]["file"]).name, set()).add(finding["rule"])
    return rules


def test_sections_are_the_rules():
    assert CATALOGUE, "the rules are not written as this test reads them"
    assert list(SECTIONS)[-len(CATALOGUE) :] == list(CATALOGUE)


@pytest.mark.parametrize("rule", CATALOGUE)
def test_section_says_severity_and_sentence(rule):
    severity, sentence = CATALOGUE[rule]
    assert SECTIONS[rule].strip().startswith(f"*{severity}: {sentence}*")


@pytest.mark.parametrize("rule", CATALOGUE)
def test_bad_example_is_found(found, rule):
    assert rule in found.get(f"Bad_{rule}.py", set())


@pytest.mark.parametrize("rule", CATALOGUE)
def test_good_example_is_clean(found, rule):
    assert f"Good_{rule}.py" not in found


def sessions() -> list[tuple[str, str]]:
    blocks = [fence.text for fence in fences(PAGE) if fence.language == "console"]
    return [re.fullmatch(r"\$ tritonrl sanitize (.+)\n((?:.*\n)*)", block).groups() for block in blocks]


@pytest.mark.parametrize(("arguments", "printed"), sessions())
def test_command_prints_what_the_page_shows(device, arguments, printed):
    result = sanitize(device, *arguments.split())
    assert (result.stdout, result.stderr) == (printed, "")
