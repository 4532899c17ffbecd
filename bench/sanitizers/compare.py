#!/usr/bin/env python3
"""Our sanitizer beside triton-viz's, on the scripts of tests/sanitize/defective that break the rule out-of-bounds.

    python3 -m venv build/viz-venv
    build/viz-venv/bin/pip install torch==2.13.0 triton==3.7.1 numpy==2.4.6 triton-viz==3.0 pytest==9.2.0
    bench/sanitizers/compare.py [--limit SECONDS] [SCRIPT...]      prints a table in Markdown

Each tool is imported once, by its own Python, and forks for each script, which then goes through its own command:

    ours          python -m tritonrl_harness.sanitize --json-out FD SCRIPT
    triton-viz    triton-sanitizer SCRIPT (it needs pytest, which the package doesn't ask for)

triton-viz takes CPU tensors, so it gets a copy of the script with "cpu" for "cuda" and the same line numbers.

"caught" means that an out-of-bounds access was reported; an error, a crash or a time limit is not. "right line" means
that every line reported is one that the script marks. A report's line is its innermost one in the script itself.
Seconds are wall and processor time of the forked process, for both: process start and imports are excluded, claiming
the device, compilation (ours; no script finds another's kernel in the cache) and the report are included.

Variables: PYTHON (ours, .venv/bin/python), VIZ_VENV (build/viz-venv), HARNESS (harness), and those of the harness."""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DEFECTIVE = ROOT / "tests" / "sanitize" / "defective"
IMPORTS = "import torch\nimport triton\nimport triton.language as tl\n"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")
REPORT = re.compile(r"Out-Of-Bounds Access Detected|ILLEGAL MEMORY ACCESS DETECTED")  # its two styles
# "#1 kernel at script.py:12" or "File: script.py, Line: 12"; the innermost comes first.
FRAME = re.compile(r"(?: at |File: )([^\n:,]+)(?::|, Line: )(\d+)")


@dataclass
class Outcome:
    wall: float
    processor: float
    lines: list = field(default_factory=list)  # of the reports; None where a report names no line of the script
    failure: str = ""

    def caught(self):
        return bool(self.lines)

    def right(self, marked):
        return self.caught() and all(line in marked for line in self.lines)

    def told(self, marked):
        if self.right(marked):
            return "right line"
        if self.caught():
            return "line " + ", ".join(sorted({str(line) for line in self.lines}))
        return self.failure or "nothing reported"


# Runs in each tool's own Python: imports it once, then forks for each request, a line of JSON, and answers with another.
SERVER = """
import json, os, signal, sys, time, torch, triton, triton.language
if sys.argv[1] == "ours":
    from tritonrl_harness import sanitize
else:
    from triton_viz import wrapper
    sanitize = None

def run(script, records):
    if sanitize:
        return sanitize.main(["--json-out", str(os.open(records, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)), script])
    sys.argv = ["triton-sanitizer", script]
    return wrapper.apply_sanitizer() or 0

def child(script, records, output):
    leave, status = os._exit, 1
    try:
        file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, 1)
        os.dup2(file, 2)
        status = run(script, records)
    except SystemExit as exit_:
        status = exit_.code if isinstance(exit_.code, int) else exit_.code is not None
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        leave(int(status))

print(flush=True)
for line in sys.stdin:
    request = json.loads(line)
    begin, ended = time.monotonic(), 0
    pid = os.fork()
    if pid == 0:
        child(request["script"], request["records"], request["output"])
    limited = False
    while not ended:
        if not limited and time.monotonic() - begin > request["limit"]:
            os.kill(pid, signal.SIGKILL)
            limited = True
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if not ended:
            time.sleep(0.002)
    print(json.dumps({"status": None if limited else os.waitstatus_to_exitcode(status),
                      "wall": time.monotonic() - begin, "processor": usage.ru_utime + usage.ru_stime}), flush=True)
"""


class Server:
    def __init__(self, tool, python, environment, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [python, "-c", SERVER, tool], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if self.process.stdout.readline() != "\n":
            sys.exit(f"compare.py: {tool} cannot be imported by {python}")

    def run(self, script, limit):
        """(status or None at the limit, output, an Outcome without lines)."""
        output = self.folder / "output"
        request = {"script": str(script), "records": str(self.folder / "records"), "output": str(output), "limit": limit}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        text = COLOUR.sub("", output.read_text(errors="replace"))
        return reply["status"], text, Outcome(reply["wall"], reply["processor"])


def failure_of(status, text):
    """Why a run ended without a report, in one line without paths; empty where it ended well."""
    if status is None:
        return "time limit"
    if status < 0:
        return f"crashed, {signal.Signals(-status).name}"
    errors = re.findall(r"^(\w[\w.]*(?:Error|Exception|NotImplemented)\b.*)$", text, re.M)
    if errors:
        return re.sub(r"/\S*/", "", errors[-1].strip().replace("|", "/"))[:110]
    return f"exit status {status}" if status else ""


class Ours:
    def __init__(self, folder):
        environment = {**os.environ, "PYTHONPATH": os.environ.get("HARNESS", str(ROOT / "harness"))}
        environment["TRITON_CACHE_DIR"] = str(folder / "triton")
        python = os.environ.get("PYTHON", str(ROOT / ".venv/bin/python"))
        self.server = Server("ours", python, environment, folder)

    def run(self, script, limit):
        status, text, outcome = self.server.run(script, limit)
        for line in (self.server.folder / "records").read_text().splitlines():
            finding = json.loads(line)
            if finding["type"] == "finding" and finding["rule"] == "out-of-bounds":
                frames = [finding, *finding.get("callers", [])]
                lines = [f["line"] for f in frames if f.get("file") and Path(f["file"]).resolve() == script]
                outcome.lines.append(lines[0] if lines else None)
        if not outcome.lines:
            outcome.failure = failure_of(status, text)
        return outcome, text


class TritonViz:
    def __init__(self, folder):
        environment = {**os.environ, "TRITON_CACHE_DIR": str(folder / "triton")}
        environment.pop("PYTHONPATH", None)
        python = Path(os.environ.get("VIZ_VENV", ROOT / "build/viz-venv")) / "bin/python"
        self.server = Server("triton-viz", str(python), environment, folder)

    def run(self, script, limit):
        copy = self.server.folder / script.name
        copy.write_text(script.read_text().replace('"cuda"', '"cpu"'))
        status, text, outcome = self.server.run(copy, limit)
        begins = REPORT.search(text)
        if begins:
            frames = FRAME.findall(text[begins.start() :])
            lines = [int(line) for name, line in frames if Path(name.strip()).name == script.name]
            outcome.lines.append(lines[0] if lines else None)
        else:
            outcome.failure = failure_of(status, text)
        return outcome, text


TOOLS = {"ours": Ours, "triton-viz": TritonViz}


def marked_lines(script):
    lines = enumerate(script.read_text().splitlines(), 1)
    return {number for number, line in lines if line.endswith(("# <-- here", "# <-- either"))}


def main():
    parser = argparse.ArgumentParser(usage="compare.py [--limit SECONDS] [--keep FOLDER] [SCRIPT...]")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one script")
    parser.add_argument("--keep", type=Path, help="keep what each tool printed here")
    parser.add_argument("scripts", nargs="*", type=Path)
    options = parser.parse_args()
    scripts = options.scripts or sorted(
        path for path in DEFECTIVE.glob("*.py") if "# rule: out-of-bounds\n" in path.read_text()
    )
    scripts = [script.resolve() for script in scripts]
    results = {tool: {} for tool in TOOLS}
    with tempfile.TemporaryDirectory() as name:
        imports = Path(name) / "imports.py"
        imports.write_text(IMPORTS)
        tools = {}
        for tool, kind in TOOLS.items():
            (Path(name) / tool).mkdir()
            tools[tool] = kind(Path(name) / tool)
        # Once unmeasured, so that neither pays for reading its libraries from the disk.
        for script in [imports, imports, *scripts]:
            for tool, runner in tools.items():
                results[tool][script], text = runner.run(script, options.limit)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / f"{script.stem}.{tool}.txt").write_text(text)
            told = ", ".join(f"{tool}: {results[tool][script].told(marked_lines(script))}" for tool in TOOLS)
            print(f"{script.name}: {told}", file=sys.stderr, flush=True)
        for runner in tools.values():
            runner.server.process.stdin.close()
            runner.server.process.wait()
    print_tables(results, scripts, imports)


def print_tables(results, scripts, imports):
    marks = {script: marked_lines(script) for script in scripts}
    columns = "caught", "at the right line", "wall s, median (all)", "processor s, median (all)"
    print("| | " + " | ".join(columns) + " | launching nothing, wall / processor s |")
    print("|---" * (len(columns) + 2) + "|")
    for tool, outcomes in results.items():
        of = [outcomes[script] for script in scripts]
        wall, processor = [o.wall for o in of], [o.processor for o in of]
        print(
            f"| {tool} | {sum(o.caught() for o in of)} of {len(of)} "
            f"| {sum(outcomes[s].right(marks[s]) for s in scripts)} of {len(of)} "
            f"| {statistics.median(wall):.2f} ({sum(wall):.0f}) | {statistics.median(processor):.2f} ({sum(processor):.0f}) "
            f"| {outcomes[imports].wall:.2f} / {outcomes[imports].processor:.2f} |"
        )
    print("\n| script | " + " | ".join(f"{tool} | wall s | processor s" for tool in results) + " |")
    print("|---" * (1 + 3 * len(results)) + "|")
    for script in scripts:
        cells = []
        for outcomes in results.values():
            o = outcomes[script]
            cells.append(f"{o.told(marks[script])} | {o.wall:.2f} | {o.processor:.2f}")
        print(f"| {script.stem} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
