"""Forward passes of liger-kernel's and flag-gems' operators on the executor, against torch.

  operators.py                  both libraries; those of bench/wheels.txt are fetched by pip on the first run
  operators.py flag-gems sum    one library, and operators whose names contain a word
  operators.py --report FILE    writes the result as Markdown too

Exit status: 0 the share of matching operators is at least 95 % and no finding is unexplained; 1 not; 3 it could not run.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from pytest_run import HERE, REPOSITORY, WORK, CampaignError, environment
from rest import Rest

LIBRARIES = {"liger-kernel": "liger_cases", "flag-gems": "gems_cases"}
GOAL = 0.95
_CASE_SECONDS = 300


@dataclass(frozen=True)
class CaseResult:
    operator: str
    label: str
    problem: str  # empty: it matches
    findings: list[dict]
    launches: int
    seconds: float


# The child: one library, in a process that may crash.


def run_cases(library: str, first: int, words: list[str], records: Path) -> None:
    import importlib

    import launcher

    launcher.install("executor")
    from operator_case import difference
    from tritonrl_harness.driver import Launcher

    launches = 0
    run = Launcher._run

    def counted(self, *arguments):
        nonlocal launches
        launches += 1
        return run(self, *arguments)

    Launcher._run = counted
    with records.open("a") as out:
        for n, case in enumerate(importlib.import_module(LIBRARIES[library]).cases()):
            if n < first or (words and not any(word in case.operator for word in words)):
                continue
            name = {"n": n, "operator": case.operator, "label": case.label}
            print(json.dumps({"start": n, **name}), file=out, flush=True)
            before, launches, began = len(launcher.findings()), 0, time.perf_counter()
            try:
                problem = difference(case.got(), case.expected(), case.tolerance)
            except Exception as error:
                problem = f"{type(error).__name__}: {error}".splitlines()[0][:400]
            if not problem and not launches:
                problem = "no kernel was launched"
            found = launcher.findings()[before:]
            result = {"problem": problem, "launches": launches, "seconds": round(time.perf_counter() - began, 3)}
            print(json.dumps({**name, **result, "findings": found[:3]}), file=out, flush=True)


# The campaign.


def libraries_folder() -> Path:
    """The pinned wheels, installed side by side without what they depend on."""
    folder = WORK / "libraries"
    pins = REPOSITORY / "bench/wheels.txt"
    _pip_install(folder, pins, "--no-deps", "--require-hashes")
    return folder


def gems_folder() -> Path:
    folder = WORK / "gems-environment"
    _pip_install(folder, HERE / "requirements-gems.txt")
    return folder


def _pip_install(folder: Path, pins: Path, *options: str) -> None:
    stamp = folder / ".pins"
    if stamp.exists() and stamp.read_text() == pins.read_text():
        return
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "-q", "--upgrade"]
    command += [*options, "--only-binary=:all:", "--target", str(folder), "-r", str(pins)]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        raise CampaignError(f"pip could not install {pins.relative_to(REPOSITORY)}")
    stamp.write_text(pins.read_text())


def run_library(library: str, words: list[str]) -> list[CaseResult]:
    folders = [libraries_folder()]
    if library == "flag-gems":
        folders.insert(0, gems_folder())
    values = {
        **environment("executor", python_path=folders),
        "GEMS_VENDOR": "nvidia",
        "FLAGGEMS_CACHE_DIR": str(WORK / "flaggems"),  # its tuner's database
        "PYTHONWARNINGS": "ignore",
    }
    records = WORK / f"operators-{os.getpid()}.jsonl"
    results: list[CaseResult] = []
    first, crashes = 0, 0
    while True:
        records.write_text("")
        command = [sys.executable, "-X", "faulthandler", __file__, "--child", library, str(first), str(records), *words]
        with (WORK / f"operators-{library}.log").open("wb") as log:
            process = subprocess.Popen(
                command, env=values, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
            )
            word = _wait(process, records)
        rows = [json.loads(line) for line in records.read_text().splitlines() if line.endswith("}")]
        records.unlink()
        results += [_result(row) for row in rows if "problem" in row]
        if word == "ended":
            return results
        if not rows or "problem" in rows[-1]:
            raise CampaignError(f"{library}: the process {word} outside of a case; see {log.name}")
        results.append(_result({**rows[-1], "problem": word, "findings": [], "launches": 0, "seconds": 0.0}))
        first = rows[-1]["n"] + 1
        crashes += 1
        if crashes > 20:
            raise CampaignError(f"{library}: more than 20 cases crash; see {log.name}")


def _result(row: dict) -> CaseResult:
    return CaseResult(row["operator"], row["label"], row["problem"], row["findings"], row["launches"], row["seconds"])


def _wait(process: subprocess.Popen, records: Path) -> str:
    size, since = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.2)
        now = records.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > _CASE_SECONDS:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "timed out"
    return "ended" if process.returncode == 0 else f"crashed with status {process.returncode}"


def report(results: list[CaseResult], rest: Rest) -> tuple[str, bool]:
    lines, good = [], True
    by_library: dict[str, dict[str, list[CaseResult]]] = defaultdict(lambda: defaultdict(list))
    for result in results:
        by_library[result.operator.split()[0]][result.operator].append(result)
    operators = matching = 0
    lines += [
        "| library | operators | all cases match | cases | cases match | cases with findings |",
        "|---|---|---|---|---|---|",
    ]
    for library, by_operator in by_library.items():
        right = [name for name, rows in by_operator.items() if not any(row.problem for row in rows)]
        rows = [row for group in by_operator.values() for row in group]
        lines.append(
            f"| {library} | {len(by_operator)} | {len(right)} | {len(rows)} | {sum(not row.problem for row in rows)} "
            f"| {sum(bool(row.findings) for row in rows)} |"
        )
        operators += len(by_operator)
        matching += len(right)
    share = matching / operators if operators else 0.0
    good = share >= GOAL
    lines += ["", f"Operators of which every case matches: {matching} of {operators}, {share:.2%} (goal {GOAL:.0%})."]
    for title, chosen in (
        ("Differences", [r for r in results if r.problem]),
        ("Findings", [r for r in results if r.findings]),
    ):
        lines += ["", f"## {title}", ""]
        groups: dict[tuple[str, str], list[CaseResult]] = defaultdict(list)
        for row in chosen:
            reason = rest.reason(f"{title.lower()} {row.operator} {row.label}")
            good &= reason is not None
            groups[row.operator, reason or "NOT EXPLAINED"].append(row)
        for (operator, reason), rows in groups.items():
            first = rows[0]
            said = first.problem if title == "Differences" else _finding_words(first.findings[0])
            count = len(by_library[operator.split()[0]][operator])
            lines.append(f"- `{operator}`, {len(rows)} of {count} cases, {first.label}: {said}. {reason}")
        if not chosen:
            lines.append("None.")
    return "\n".join(lines) + "\n", good


def _finding_words(finding: dict) -> str:
    place = Path(finding.get("file") or "?").name
    return f"{finding['rule']} at {place}:{finding.get('line')}: {finding['message']}"


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        library, first, records, *words = sys.argv[2:]
        run_cases(library, int(first), words, Path(records))
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", type=Path)
    parser.add_argument("library", nargs="?", choices=LIBRARIES)
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    try:
        results = []
        for library in [options.library] if options.library else LIBRARIES:
            results += run_library(library, options.words)
    except CampaignError as error:
        print(f"operators: {error}", file=sys.stderr)
        return 3
    text, good = report(results, Rest(HERE / "operators_rest.txt"))
    print(text)
    if options.report:
        options.report.write_text(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
