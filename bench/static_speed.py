#!/usr/bin/env python3
"""Speed of `tritonrl check` on one core, beside an `ast` checker in Python, and over file sizes.

Both programs first judge the same files, and no speed is printed unless they agree. Process start
is taken off both: the time of a run over one file is subtracted from that of a run over all.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import corpus
from verdicts import DEFAULT_BINARY, REPOSITORY, BenchError, check, require_binary

PEER = Path(__file__).resolve().parent / "ast_checker.py"
CANDIDATE_BYTES = 4096
SIZES = [4_096, 16_384, 65_536, 262_144, 1_000_000]
BYTES_PER_SIZE = 4_000_000
GOAL_FILES_PER_S = 500
GOAL_RATIO = 2.0
GOAL_GROWTH = 2.0  # seconds a byte at the largest size, over those at 16 KB


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--binary", type=Path, default=DEFAULT_BINARY)
    options.add_argument("--folder", type=Path, default=REPOSITORY / "build/bench/speed")
    options.add_argument("--files", type=int, default=1500, help="candidates of about 4 KB")
    options.add_argument("--rounds", type=int, default=5, help="the median of these is reported")
    options.add_argument("--seed", type=int, default=7)
    given = options.parse_args()

    require_binary(given.binary)
    tritonrl = [str(given.binary), "check", "--jsonl"]
    peer = [sys.executable, str(PEER)]
    texts = corpus.candidates(given.files, CANDIDATE_BYTES, given.seed)
    files = _write(given.folder / "candidates", texts)
    if not _agree(given.binary, peer, files):
        return 1
    _compare(tritonrl, peer, files, given.rounds)
    return 0 if _growth(given.binary, tritonrl, given.folder, given.rounds, given.seed) else 1


def _write(folder: Path, texts: Iterable[str]) -> list[Path]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    files = []
    for index, text in enumerate(texts):
        files.append(folder / f"{index:05}.py")
        files[-1].write_text(text)
    return files


def _agree(binary: Path, peer: list[str], files: Sequence[Path]) -> bool:
    ours = {v.file: v for v in check(binary, files)}
    ran = subprocess.run([*peer, *map(str, files)], capture_output=True, text=True, check=False)
    theirs = {Path(p): word for word, p in (line.split("\t") for line in ran.stdout.splitlines())}
    if theirs.keys() != ours.keys():
        raise BenchError(
            f"the ast checker judged {len(theirs)} of {len(ours)} files:\n{ran.stderr}"
        )
    differ = [f for f in files if ours[f].accepted != (theirs[f] == "accept")]
    rejected = sum(not v.accepted for v in ours.values())
    print(
        f"agreement: {len(files)} candidates, {rejected} rejected, {len(differ)} judged differently"
    )
    for file in differ[:20]:
        print(f"  {file.name}: tritonrl {ours[file].reason or 'accept'}, ast {theirs[file]}")
    return not differ


def _compare(tritonrl: list[str], peer: list[str], files: Sequence[Path], rounds: int) -> None:
    seconds: dict[str, list[float]] = {"tritonrl": [], "ast": []}
    for _ in range(rounds):  # alternating, so that a busy moment hits both
        seconds["tritonrl"].append(_net_seconds(tritonrl, files))
        seconds["ast"].append(_net_seconds(peer, files))
    size_kb = sum(f.stat().st_size for f in files) / len(files) / 1000
    print(
        f"\nspeed: {len(files)} files of {size_kb:.1f} KB, one core, "
        f"median of {rounds} (lowest, highest)"
    )
    rates = {}
    for name, values in seconds.items():
        per_s = sorted((len(files) - 1) / s for s in values)
        rates[name] = statistics.median(per_s)
        print(f"  {name:10} {rates[name]:8.0f} files/s ({per_s[0]:.0f}, {per_s[-1]:.0f})")
    ratio = rates["tritonrl"] / rates["ast"]
    _goal(
        f"at least {GOAL_FILES_PER_S} files/s",
        f"{rates['tritonrl']:.0f}",
        rates["tritonrl"] >= GOAL_FILES_PER_S,
    )
    _goal(f"at least {GOAL_RATIO:g} times the ast checker", f"{ratio:.2f}", ratio >= GOAL_RATIO)


def _growth(binary: Path, tritonrl: list[str], folder: Path, rounds: int, seed: int) -> bool:
    print("\ngrowth: tritonrl, one core, milliseconds a MB (10^6 bytes)")
    print(f"  {'shape':16}" + "".join(f"{size / 1000:>10.0f} KB" for size in SIZES))
    accepted = True
    for shape, write in corpus.SHAPES.items():
        per_mb: dict[int, float] = {}
        for size in SIZES:
            texts = [write(size, seed + i) for i in range(max(2, BYTES_PER_SIZE // size))]
            files = _write(folder / "sizes", texts)
            refused = [v for v in check(binary, files) if not v.accepted]
            accepted &= not refused
            for verdict in refused[:3]:
                print(f"  {shape}, {size} bytes: rejected by {verdict.reason}")
            megabytes = sum(f.stat().st_size for f in files[1:]) / 1e6
            per_mb[size] = (
                1000
                / megabytes
                * statistics.median(_net_seconds(tritonrl, files) for _ in range(rounds))
            )
        print(f"  {shape:16}" + "".join(f"{per_mb[size]:>13.1f}" for size in SIZES))
        growth = per_mb[SIZES[-1]] / per_mb[SIZES[1]]
        _goal(
            f"1 MB costs at most {GOAL_GROWTH:g} times 16 KB, by the byte",
            f"{growth:.2f}",
            growth <= GOAL_GROWTH,
        )
    return accepted


def _net_seconds(command: list[str], files: Sequence[Path]) -> float:
    """All files but the first: what a run over the first alone takes is start-up, and comes off."""
    alone = min(_seconds(command, files[:1]) for _ in range(3))
    return max(_seconds(command, files) - alone, 1e-9)


def _seconds(command: list[str], files: Sequence[Path]) -> float:
    core = min(os.sched_getaffinity(0))
    pinned = ["taskset", "-c", str(core), *command, *map(str, files)]
    started = time.perf_counter()
    ran = subprocess.run(pinned, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    seconds = time.perf_counter() - started
    if ran.returncode not in (0, 1):
        raise BenchError(f"{command[0]} ended with {ran.returncode}: {ran.stderr.decode()[-500:]}")
    return seconds


def _goal(text: str, value: str, met: bool) -> None:
    print(f"  goal: {text}: {value}, {'met' if met else 'MISSED'}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BenchError as error:
        print(f"static_speed: {error}", file=sys.stderr)
        sys.exit(3)
