"""Every case with a `# verify:` line gets that verdict from the whole verifier, on the CPU device.

    # verify: accept | reject RULE [| RULE...]
    # cuda: accept | ...   on a GPU, where that differs: it runs what is too long for the executor (bench/gpu/cases.py)
    # static: off          the static layers are left out: what the others find alone
    # general: no          right at the task's sizes only, and said to be so
"""

import collections
import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases"
KINDS = ("honest", "wrong", "cheating", "hostile")


@dataclass(frozen=True)
class Case:
    path: Path
    verify: str
    task: str
    policy: str
    entry: str
    static: str
    general: str

    def row(self, sample):
        """Its line of a JSONL of samples."""
        kind = "response" if self.path.suffix == ".md" else "code"
        return {"task": str(CASES / self.task), "sample": sample, kind: self.path.read_bytes().decode(errors="replace")}

    @property
    def options(self):
        """Of `tritonrl verify`: cases with the same can be judged in one run. Those that never end are waited for twice."""
        brief = ("--candidate-seconds", "3") if "time-limit" in self.rules and "SOAK" not in os.environ else ()
        return ("--policy", self.policy, "--entry", self.entry, *(["--no-static"] if self.static == "off" else []), *brief)

    @property
    def name(self):
        return f"{self.path.parent.name}/{self.path.stem}"

    @property
    def rules(self):
        return [] if self.verify == "accept" else [rule.strip() for rule in self.verify.removeprefix("reject ").split("|")]


def case_files(kind):
    return sorted(path for path in (CASES / kind).iterdir() if path.suffix in (".py", ".md"))


def read_head(path):
    """The lines `# key: value` at the top of a case."""
    head = {}
    for line in path.read_text(encoding="utf-8-sig", errors="replace").splitlines():
        if not line.startswith("# ") or ": " not in line:
            break
        key, _, value = line[2:].partition(": ")
        head[key] = value.strip()
    return head


def read_case(path):
    head = read_head(path)
    if "verify" not in head:
        return None
    assert head["verify"] == "accept" or head["verify"].startswith("reject "), f"{path}: verify is accept, or reject RULE"
    assert head.get("static", "off") == "off", f"{path}: static is off, or is left out"
    assert head.get("general", "no") == "no", f"{path}: general is no, or is left out"
    assert "task" in head, f"{path}: a verdict needs a task"
    return Case(
        path,
        head["verify"],
        head["task"],
        head.get("policy", "strict"),
        head.get("entry", "ModelNew"),
        head.get("static", "on"),
        head.get("general", "yes"),
    )


def all_cases():
    found = [read_case(path) for kind in KINDS for path in case_files(kind)]
    return [case for case in found if case is not None]


ALL = all_cases()


@pytest.fixture(scope="session")
def verdicts(program, tmp_path_factory):
    """All of them, in as few runs of the program as there are sets of options."""
    folder = tmp_path_factory.mktemp("verify")
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}
    groups = collections.defaultdict(list)
    for case in ALL:
        groups[case.options].append(case)
    found = {}
    for options, cases in groups.items():
        # Cases of one task stand together: its reference's process is kept.
        cases.sort(key=lambda case: case.task)
        samples = folder / "samples.jsonl"
        samples.write_text("".join(json.dumps(case.row(n)) + "\n" for n, case in enumerate(cases)))
        command = [program, "verify", "--samples", str(samples), "--device", "cpu", "--jsonl", "--cache", "none", *options]
        result = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        lines = result.stdout.splitlines()
        assert len(lines) == len(cases), result.stderr
        found.update((case.name, json.loads(line)) for case, line in zip(cases, lines))
    return found


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_case_gets_its_verdict(case, verdicts):
    verdict = verdicts[case.name]
    assert "error" not in verdict, verdict["error"]
    found = [(f["rule"], f["message"]) for layer in verdict["layers"] for f in layer["findings"] if f["severity"] == "reject"]
    if case.verify == "accept":
        assert verdict["accepted"], found
        assert verdict["speedup"]["kind"] == "modelled"
        assert verdict["rewards"]["correct"] == 1.0
        if case.general == "yes":
            assert verdict["general"] is not False, verdict["layers"]
        else:
            assert verdict["general"] is False
    else:
        assert not verdict["accepted"]
        assert verdict["rewards"] == {"correct": 0.0, "speedup": 0.0}
        assert verdict["reason"] in case.rules, found


def test_there_are_enough_cases():
    """A suite that shrinks is noticed."""
    kinds = collections.Counter(case.path.parent.name for case in ALL)
    assert kinds["honest"] >= 60
    assert kinds["wrong"] >= 60
    assert kinds["cheating"] + kinds["hostile"] >= 60
