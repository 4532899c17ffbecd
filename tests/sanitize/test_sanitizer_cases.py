"""Runs every script of defective/ and honest/ on the claimed device and looks at what the sanitizer says.

A defective script's first lines name the rule that it breaks:

    # rule: out-of-bounds
    # also: data-race      optional: a finding of this rule elsewhere is right too
    # host                 optional: the marked line is Python that torch runs, not a kernel's

Lines that end in `# <-- here` must each have a finding of that rule; of lines that end in `# <-- either` one must. No
other line may have an error. An honest script must end well, print nothing and have no finding at all."""

import json
import os
import re
import runpy
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "harness"))

# Loaded once here, where nothing claims the device.
torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")
sanitize = pytest.importorskip("tritonrl_harness.sanitize")

DEFECTIVE = sorted((HERE / "defective").glob("*.py"))
HONEST = sorted((HERE / "honest").glob("*.py"))
CASE_LIMIT = 120.0  # seconds
# Far above what any script here needs, so that one that never ends does so soon.
DEVICE_OPTIONS = {"step_budget": 5_000_000}


@dataclass
class Expected:
    rule: str = ""
    also: tuple = ()
    here: list = field(default_factory=list)
    either: list = field(default_factory=list)


def read_expected(path):
    expected = Expected()
    also = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("# rule: "):
            expected.rule = line.removeprefix("# rule: ")
        elif line.startswith("# also: "):
            also.append(line.removeprefix("# also: "))
        elif line.endswith("# <-- here"):
            expected.here.append(number)
        elif line.endswith("# <-- either"):
            expected.either.append(number)
    expected.also = tuple(also)
    return expected


@dataclass
class Run:
    status: int
    findings: list
    output: str


class Runner:
    """A fork of this process that claims the device, and forks itself for each script."""

    def __init__(self, folder):
        self.records, self.output = folder / "records", folder / "output"
        os.environ["TRITON_CACHE_DIR"] = str(folder / "triton")
        os.environ["TRITONRL_DEVICE_OPTIONS"] = json.dumps(DEVICE_OPTIONS)
        requests, self.requests = os.pipe()
        self.replies, replies = os.pipe()
        self.server = os.fork()
        if self.server == 0:
            try:
                os.close(self.requests)
                self._serve(os.fdopen(requests), replies)
            finally:
                os._exit(0)
        os.close(requests)
        os.close(replies)
        self._replies = os.fdopen(self.replies)

    def run(self, path):
        os.write(self.requests, f"{path}\n".encode())
        reply = self._replies.readline()
        assert reply, "the runner ended: is the executor built?"
        records = [json.loads(line) for line in self.records.read_text().splitlines()]
        findings = [record for record in records if record["type"] == "finding"]
        return Run(int(reply), findings, self.output.read_text(errors="replace"))

    def close(self):
        os.close(self.requests)
        self._replies.close()
        os.waitpid(self.server, 0)

    def _serve(self, requests, replies):
        from tritonrl_harness import install

        install()
        # What the first launch of a process loads is loaded once, here; with one thread, since threads don't survive forks.
        torch.set_num_threads(1)
        runpy.run_path(str(HERE / "honest" / "vector_add.py"))
        for line in requests:
            child = os.fork()
            if child == 0:
                self._run_case(line.strip())
            os.write(replies, f"{self._wait(child)}\n".encode())

    def _run_case(self, path):
        leave = os._exit
        status = 99
        try:
            output = os.open(self.output, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
            os.dup2(output, 1)
            os.dup2(output, 2)
            sys.stdout = os.fdopen(1, "w", closefd=False)
            sys.stderr = os.fdopen(2, "w", closefd=False)
            records = os.open(self.records, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
            torch.manual_seed(0)
            status = sanitize.main(["--json-out", str(records), path])
        except BaseException:  # nothing may get back into the server's loop
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            leave(status)

    @staticmethod
    def _wait(child):
        end = time.monotonic() + CASE_LIMIT
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        os.kill(child, signal.SIGKILL)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def line_in(path, finding):
    """The innermost line of the script itself: tl.sum and its like are functions of another file."""
    for frame in [finding, *finding.get("callers", [])]:
        if frame.get("file") and Path(frame["file"]).resolve() == path:
            return frame["line"]
    return None


def told(path, run):
    shown = [f"{f['rule']} at {line_in(path, f) or f.get('file')}: {f['message']}" for f in run.findings]
    return "\n".join([f"exit status {run.status}", *shown, run.output[-2000:]])


@pytest.fixture(scope="module")
def runner(tmp_path_factory):
    runner = Runner(tmp_path_factory.mktemp("sanitize"))
    yield runner
    runner.close()


@pytest.mark.parametrize("path", DEFECTIVE, ids=lambda path: path.stem)
def test_defect_is_found(path, runner):
    expected = read_expected(path)
    run = runner.run(path)
    lines = {line_in(path, finding) for finding in run.findings if finding["rule"] == expected.rule}
    missing = [line for line in expected.here if line not in lines]
    assert not missing, f"no {expected.rule} at line {missing}\n{told(path, run)}"
    if expected.either:
        assert lines.intersection(expected.either), f"no {expected.rule} at any of {expected.either}\n{told(path, run)}"
    marked = {*expected.here, *expected.either}
    stray = [
        finding
        for finding in run.findings
        if finding["severity"] == "error" and line_in(path, finding) not in marked and finding["rule"] not in expected.also
    ]
    assert not stray, f"findings elsewhere\n{told(path, run)}"


@pytest.mark.parametrize("path", HONEST, ids=lambda path: path.stem)
def test_honest_script_has_no_finding(path, runner):
    run = runner.run(path)
    assert run.status == 0, told(path, run)
    assert not run.findings, told(path, run)
    assert not run.output, told(path, run)


def test_every_rule_has_a_case():
    rules = set(re.findall(r'SanitizerRule k\w+\{\s*"([a-z-]+)"', (ROOT / "src/ttir/finding.h").read_text()))
    expected = {path.stem: read_expected(path) for path in DEFECTIVE}
    assert {case.rule for case in expected.values()} == rules
    unmarked = [name for name, case in expected.items() if not case.here and not case.either]
    assert not unmarked
    assert len(DEFECTIVE) >= 90 and len(HONEST) >= 60
