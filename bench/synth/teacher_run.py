"""Runs `tritonrl data make`, `verify` and `tasks admit`, and joins what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from verdicts import BenchError  # noqa: E402


@dataclass(frozen=True)
class Judged:
    """One response of the teacher beside its verdict."""

    sample: dict[str, Any]
    verdict: dict[str, Any]

    @property
    def family(self) -> str:
        return self.sample["family"]

    @property
    def accepted(self) -> bool:
        return bool(self.verdict.get("accepted"))

    @property
    def speedup(self) -> float | None:
        speedup = self.verdict.get("speedup")
        return speedup["value"] if speedup and self.accepted else None

    @property
    def schedule(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.sample["schedule"].items())


def call(command: list[str], folder: Path, seconds: float | None = None) -> list[dict[str, Any]]:
    """The command's rows of JSON; those that it has said by then, where it takes longer than `seconds`."""
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, env=environment)
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            status = 0
        out.seek(0)
        rows = [line for line in out.read().splitlines(keepends=True) if line.startswith(b"{") and line.endswith(b"\n")]
    if status not in (0, 1, 3) and not rows:  # 2 with rows: a task of them could not be judged
        raise BenchError(f"{' '.join(command)} ended with status {status}")
    return [json.loads(row) for row in rows]


def make(binary: Path, folder: Path, *options: str) -> list[dict[str, Any]]:
    call([str(binary), "data", "make", "--out", str(folder), *options], folder)
    return [json.loads(line) for line in (folder / "samples.jsonl").read_text().splitlines()]


def verify(
    binary: Path, folder: Path, samples: list[dict[str, Any]], *options: str, seconds: float | None = None
) -> list[Judged]:
    """Those of the samples that were judged within `seconds`; all of them where it is not given."""
    chosen = folder / "chosen.jsonl"
    chosen.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    command = [str(binary), "verify", "--task", str(folder / "tasks.jsonl"), "--samples", str(chosen)]
    command += ["--cache", str(folder / "verdicts"), "--jsonl", *options]
    found = {(row["task"], row["sample"]): row for row in call(command, folder, seconds)}
    missing = {} if seconds else {"error": "no verdict came"}
    judged = [Judged(sample, found.get((sample["task"], sample["sample"]), missing)) for sample in samples]
    return [one for one in judged if one.verdict]


def admit(binary: Path, folder: Path, *options: str) -> list[dict[str, Any]]:
    return call([str(binary), "tasks", "admit", str(folder / "tasks.jsonl"), "--json", *options], folder)
