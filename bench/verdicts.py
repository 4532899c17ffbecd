"""Runs `tritonrl check --jsonl` and reads its verdicts."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
DEFAULT_BINARY = Path(os.environ.get("TRITONRL", REPOSITORY / "build/bin/tritonrl"))
FILES_PER_CALL = 1000


class BenchError(Exception):
    """The bench could not run; this is never a result."""


@dataclass(frozen=True)
class Verdict:
    file: Path
    accepted: bool
    reason: str | None
    rejections: tuple[tuple[str, int, str], ...]  # rule, line, message

    @property
    def rules(self) -> frozenset[str]:
        return frozenset(rule for rule, _, _ in self.rejections)


def require_binary(binary: Path) -> Path:
    if not os.access(binary, os.X_OK):
        raise BenchError(f"no program at {binary}: run `make build`, or set TRITONRL")
    return binary


def check(binary: Path, files: Sequence[Path], *options: str) -> list[Verdict]:
    """One verdict a file, in the order given."""
    verdicts: list[Verdict] = []
    for start in range(0, len(files), FILES_PER_CALL):
        batch = files[start : start + FILES_PER_CALL]
        command = [str(binary), "check", "--jsonl", *options, *map(str, batch)]
        ran = subprocess.run(command, capture_output=True, check=False)
        if ran.returncode not in (0, 1):
            tail = ran.stderr.decode(errors="replace")[-2000:]
            raise BenchError(f"tritonrl check ended with status {ran.returncode}:\n{tail}")
        verdicts += read(batch, ran.stdout.splitlines())
    return verdicts


def read(files: Sequence[Path], lines: Iterable[bytes]) -> list[Verdict]:
    rows = [json.loads(line) for line in lines if line.strip()]
    if len(rows) != len(files):
        raise BenchError(f"{len(files)} files gave {len(rows)} verdicts")
    return [_verdict(file, row) for file, row in zip(files, rows, strict=True)]


def _verdict(file: Path, row: dict[str, Any]) -> Verdict:
    if "accepted" not in row or Path(row["file"]) != file:
        raise BenchError(f"{file}: no verdict but {row}")
    found = tuple(
        (finding["rule"], finding["line"], finding["message"])
        for layer in row["layers"]
        for finding in layer["findings"]
        if finding["severity"] == "reject"
    )
    return Verdict(file, row["accepted"], row["reason"], found)
