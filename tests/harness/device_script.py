"""Runs a script on the claimed device in a process of its own, and reads its records."""

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass

from conftest import HARNESS


@dataclass
class Outcome:
    status: int
    out: str
    err: str
    records: list

    @property
    def findings(self):
        return [record for record in self.records if record["type"] == "finding"]

    @property
    def end(self):
        return next((record for record in self.records if record["type"] == "end"), None)


def run_script(folder, code, *arguments, name="script.py", **environment):
    script = folder / name
    script.write_text(textwrap.dedent(code))
    read, write = os.pipe()
    command = [sys.executable, "-m", "tritonrl_harness.sanitize", "--json-out", str(write), str(script), *arguments]
    variables = {**os.environ, "PYTHONPATH": str(HARNESS), "PYTHONDONTWRITEBYTECODE": "1", **environment}
    process = subprocess.Popen(
        command, env=variables, pass_fds=[write], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder
    )
    os.close(write)
    # Records are few: they fit into the pipe until the process has ended.
    out, err = process.communicate(timeout=300)
    with os.fdopen(read) as lines:
        records = [json.loads(line) for line in lines]
    return Outcome(process.returncode, out, err, records)
