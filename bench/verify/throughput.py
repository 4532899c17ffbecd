#!/usr/bin/env python3
"""Kernels a second of `tritonrl verify` on the CPU device: fresh code at both depths, then known verdicts.

Honest kernels for twelve small tasks, each made new by a comment of its own, in groups of one task as a step of RL has
them. Start-up (until the first verdict) is reported apart. A machine that others use too slows the clock, not the
processor's time: both are printed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from verdicts import DEFAULT_BINARY, REPOSITORY, BenchError, require_binary  # noqa: E402

CASES = REPOSITORY / "tests/cases"
MIX = {
    "softmax": "softmax_persistent_programs",
    "layer_norm": "handler_only_explains_the_error",
    "gelu": "launcher_kept_as_partial",
    "matmul_fp16": "half_in_single_inside_half_out",
    "matmul_small": "output_with_transposed_strides",
    "matmul_bias_gelu": "matmul_bias_gelu_fused",
    "conv1d": "conv1d_direct",
    "column_sum": "column_sum_tree_of_launches",
    "cross_entropy": "cross_entropy_row_losses_then_mean",
    "attention": "flash_attention_four_dim_strides",
    "cumsum": "cumsum_associative_scan",
    "embedding": "embedding_one_program_per_token",
}
GROUP = 8  # samples of one task that stand together
CORES = 2
GOALS = {"full": 6.0, "train": 20.0}
GOAL_CACHED = 5000.0


@dataclass(frozen=True)
class Run:
    count: int
    start_s: float  # until the first verdict
    rest_s: float  # the others
    cpu_s: float  # of the whole run, its processes included

    @property
    def per_s(self) -> float:
        return (self.count - 1) / max(self.rest_s, 1e-9)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--seconds", type=float, default=30.0, help="that each depth runs for, about")
    options.add_argument("--cached", type=int, default=20_000, help="rows with a known verdict")
    options.add_argument("--depth", choices=["full", "train"], action="append", help="only this one")
    given = options.parse_args()
    require_binary(given.binary)
    print(f"{len(MIX)} tasks, groups of {GROUP}, {CORES} jobs on {os.cpu_count()} cores; load before: {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(prefix="tritonrl-bench-") as folder:
        bench = Bench(given.binary, Path(folder))
        for depth in given.depth or GOALS:
            bench.fresh(depth, given.seconds)
        bench.cached(given.cached)
    return 0


class Bench:
    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        self.folder = folder
        self.environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}

    def fresh(self, depth: str, seconds: float) -> None:
        alone = self.run(self.samples(1, f"{depth} alone"), depth)
        trial = self.run(self.samples(len(MIX) * 2, f"{depth} trial"), depth)
        count = max(len(MIX) * GROUP, int(trial.per_s * seconds))
        run = self.run(self.samples(count, depth), depth)
        cpu_ms = (run.cpu_s - alone.cpu_s) / (count - 1) * 1000
        print(f"\n{depth}: {count} fresh kernels, all accepted")
        print(f"  start-up until the first verdict: {run.start_s:.1f} s")
        print(f"  processor time a kernel: {cpu_ms:.0f} ms, so {CORES * 1000 / cpu_ms:.1f} kernels/s on {CORES} cores left alone")
        _goal(f"at least {GOALS[depth]:g} kernels/s", run.per_s, GOALS[depth])

    def cached(self, rows: int) -> None:
        known = self.rows(len(MIX) * GROUP, "cached")
        cache = self.folder / "cache"
        self.run(self.write(known), "train", cache)
        run = self.run(self.write([{**known[n % len(known)], "sample": n} for n in range(rows)]), "train", cache)
        print(f"\ncached: {rows} rows of {len(known)} known kernels")
        print(f"  start-up until the first verdict: {run.start_s:.2f} s; processor time a row: {run.cpu_s / rows * 1e6:.0f} us")
        _goal(f"at least {GOAL_CACHED:g} verdicts/s", run.per_s, GOAL_CACHED)

    def rows(self, count: int, mark: str) -> list[dict[str, object]]:
        rows = []
        for n in range(count):
            task, kernel = list(MIX.items())[n // GROUP % len(MIX)] if count > len(MIX) * 2 else list(MIX.items())[n % len(MIX)]
            code = (CASES / f"honest/{kernel}.py").read_text()
            rows.append({"task": str(CASES / f"tasks/{task}.py"), "sample": n, "code": f"{code}\n# {mark} {n}\n"})
        return rows

    def write(self, rows: list[dict[str, object]]) -> Path:
        path = self.folder / "samples.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    def samples(self, count: int, mark: str) -> Path:
        return self.write(self.rows(count, mark))

    def run(self, samples: Path, depth: str, cache: Path | None = None) -> Run:
        command = [str(self.binary), "verify", "--samples", str(samples), "--device", "cpu", "--jsonl", "--depth", depth]
        command += ["--jobs", str(CORES), "--cache", str(cache or "none")]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        began = time.perf_counter()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment) as program:
            first = program.stdout.readline()
            start_s = time.perf_counter() - began
            rest = program.stdout.read()
            rest_s = time.perf_counter() - began - start_s
            words = program.stderr.read().decode()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        lines = [first, *rest.splitlines()]
        if program.returncode != 0:
            bad = next((line for line in lines if b'"accepted":true' not in line), b"")
            raise BenchError(f"verify ended with {program.returncode}: {words[-500:]}{bad[:1000].decode()}")
        cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return Run(len(lines), start_s, rest_s, cpu_s)


def _goal(text: str, value: float, goal: float) -> None:
    print(f"  goal: {text}: {value:.1f}, {'met' if value >= goal else 'MISSED'}", flush=True)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"throughput: {error}", file=sys.stderr)
        sys.exit(3)
