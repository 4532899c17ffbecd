"""Hostile candidates leave the machine as it was: no process, file, socket, mount or shared memory."""

import json
import subprocess
import sys
from pathlib import Path

import leftovers
import pytest
from test_cases import CASES, read_head

ROOT = Path(__file__).resolve().parents[2]
CHEATING_SHARE = 8  # every eighth
MACHINE_FAILED = 3


def run(command, files):
    """What became of a command, and what it left behind."""
    watched = [str(ROOT), str(ROOT / ".venv"), str(Path.home())]
    request = {"files": files, "command": command, "watched": watched}
    inside = leftovers.unshare(sys.executable, "-B", str(Path(leftovers.__file__).resolve()))
    result = subprocess.run(inside, input=json.dumps(request), capture_output=True, text=True, check=False)
    if result.returncode != 0 and "unshare" in result.stderr:
        pytest.skip(f"this user may not make namespaces: {result.stderr.strip()}")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_a_command_that_leaves_things_behind_is_found_out():
    script = "sleep 60 & touch /tmp/new /dev/shm/new; mount -t tmpfs none /mnt; echo changed > /tmp/old"
    told = run(["sh", "-c", script], {"old": "as it was"})
    assert told["left"].keys() == {"processes", "mounts", "files"}
    assert sorted(told["left"]["files"]) == ["/dev/shm/new", "/tmp/new", "/tmp/old"]


def test_hostile_candidates_leave_nothing_behind(program):
    """All of them really run: the static layers, which stop most, are left out."""
    paths = sorted((CASES / "hostile").glob("*.py")) + sorted((CASES / "cheating").glob("*.py"))[::CHEATING_SHARE]
    rows = []
    for path in paths:
        task = CASES / read_head(path).get("task", "tasks/softmax.py")
        rows.append({"task": str(task), "sample": len(rows), "code": path.read_text(errors="replace")})
    rows.sort(key=lambda row: row["task"])
    files = {"secret": "s" * 32, "samples.jsonl": "".join(json.dumps(row) + "\n" for row in rows)}
    command = ["env", "TRITONRL_SECRET=/tmp/secret", program, "verify", "--samples", "/tmp/samples.jsonl", "--cache", "none"]
    command += ["--candidate-seconds", "4"]
    told = run([*command, "--no-static", "--depth", "train", "--device", "cpu", "--jsonl"], files)
    verdicts = [json.loads(line) for line in told["stdout"].splitlines()]
    assert len(verdicts) == len(rows), told["stderr"]
    assert told["status"] != MACHINE_FAILED, [verdict for verdict in verdicts if "error" in verdict]
    assert told["left"] == {}
