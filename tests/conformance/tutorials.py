"""Triton's tutorials 01 to 06 and 08 on the executor: right results, and no finding in honest kernels.

  tutorials.py            all of them
  tutorials.py 01 02      some

Exit status: 0 all right; 1 a tutorial is not; 3 Triton's repository is not there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from checkout import how_to_get_it, triton_checkout
from pytest_run import HERE, WORK, Suite, environment

TUTORIALS = (
    "01-vector-add.py",
    "02-fused-softmax.py",
    "03-matrix-multiplication.py",
    "04-low-memory-dropout.py",
    "05-layer-norm.py",
    "06-fused-attention.py",
    "08-grouped-gemm.py",
)
QUICK = TUTORIALS[:3]
_SECONDS = 1800


@dataclass(frozen=True)
class Result:
    name: str
    error: str  # empty: every check held
    findings: list[dict]
    seconds: float
    what: str

    @property
    def good(self) -> bool:
        return not self.error and not self.findings

    def __str__(self) -> str:
        words = "right" if not self.error else f"WRONG: {self.error}"
        found = "no finding" if not self.findings else f"{len(self.findings)} findings, first: {self.findings[0]}"
        return f"{self.name}: {self.what}: {words}, {found}, {self.seconds:.0f} s"


def run_script(path: Path) -> Result:
    WORK.mkdir(parents=True, exist_ok=True)
    out = WORK / f"tutorial-{os.getpid()}.json"
    out.unlink(missing_ok=True)
    began = time.monotonic()
    command = [sys.executable, str(HERE / "tutorial_run.py"), str(out), str(path)]
    try:
        ran = subprocess.run(
            command, cwd=WORK, env=environment("executor"), capture_output=True, timeout=_SECONDS, check=False
        )
        tail = ran.stderr.decode(errors="replace")[-1500:]
    except subprocess.TimeoutExpired:
        tail = f"no end after {_SECONDS} s"
    seconds = time.monotonic() - began
    if not out.exists():
        return Result(path.name, tail, [], seconds, "script")
    result = json.loads(out.read_text())
    out.unlink()
    return Result(path.name, result["error"], result["findings"], seconds, "script, smallest benchmarks")


def run_attention_tests(folder: Path) -> Result:
    """06 is a pytest file too; its sequences of 1024 and 4096 are left to GPUs, but for one batch and two heads of 1024."""
    began = time.monotonic()
    suite = Suite(folder, ("06-fused-attention.py",), item_seconds=600)
    small = [i for i in suite.collect() if "-128-2-1]" in i.id or "-128-2-4]" in i.id or "-64-1024-2-1]" in i.id]
    outcomes = suite.run("executor", small).values()
    bad = [f"{o.id}: {o.outcome}: {o.reason}" for o in outcomes if o.outcome not in ("passed", "skipped")]
    findings = [f for o in outcomes for f in o.findings]
    passed = sum(o.outcome == "passed" for o in outcomes)
    what = f"its tests, {passed} passed of {len(small)} with N_CTX 128 or 1024"
    return Result("06-fused-attention.py", "\n".join(bad), findings, time.monotonic() - began, what)


def run(names: tuple[str, ...] = TUTORIALS) -> list[Result]:
    checkout = triton_checkout()
    assert checkout
    folder = checkout / "python/tutorials"
    results = []
    for name in names:
        results.append(run_script(folder / name))
        print(results[-1], flush=True)
        if name.startswith("06"):
            results.append(run_attention_tests(folder))
            print(results[-1], flush=True)
    return results


def main() -> int:
    if triton_checkout() is None:
        print(how_to_get_it(), file=sys.stderr)
        return 3
    wanted = tuple(n for n in TUTORIALS if not sys.argv[1:] or n[:2] in sys.argv[1:])
    return 0 if all(result.good for result in run(wanted)) else 1


if __name__ == "__main__":
    sys.exit(main())
