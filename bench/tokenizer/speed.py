#!/usr/bin/env python3
"""Encoding beside HF's `tokenizers`: Qwen3's vocabulary, 5 MB of many kinds of text, one thread's processor time, ids compared
first; and how long it takes to learn 4,096 tokens from 5 MB.

Exit status 1 when ids differ, 3 when the benchmark cannot run."""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

os.environ["TOKENIZERS_PARALLELISM"] = "false"
os.environ["RAYON_NUM_THREADS"] = "1"

from qwen_vocabulary import FOLDER, ROOT, qwen3_tokenizer  # noqa: E402  (puts tests/tokenizer on the path)

from corpus import texts  # noqa: E402

PROGRAM = os.environ.get("TRITONRL", str(ROOT / "build/bin/tritonrl"))
GOALS = {"ratio": 2.0, "train_s": 20.0}


def program(*arguments) -> str:
    command = ["taskset", "-c", "0", PROGRAM, "tokenizer", *map(str, arguments)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT).stdout


def verdict(met: bool) -> str:
    return "met" if met else "MISSED"


def compare(tokenizer: Path, samples: list[str], file: Path) -> int:
    """The number of texts whose ids differ."""
    import tokenizers

    theirs = tokenizers.Tokenizer.from_file(str(tokenizer))
    wrong = 0
    lines = program("encode", tokenizer, file, "--jsonl").rstrip("\n").split("\n")
    for text, line in zip(samples, lines, strict=True):
        if json.loads(line)["ids"] != theirs.encode(text, add_special_tokens=False).ids:
            wrong += 1
            print(f"ids differ: {text[:60]!r}")
    return wrong


def time_theirs(tokenizer: Path, samples: list[str]) -> float:
    """In this process; a fresh tokenizer, as ours is, without what Python needs to make lists of the ids."""
    import tokenizers

    os.sched_setaffinity(0, {0})
    theirs = tokenizers.Tokenizer.from_file(str(tokenizer))
    start = time.process_time()
    for text in samples:
        theirs.encode(text, add_special_tokens=False)
    return time.process_time() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=5_000_000, help="characters of text")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    try:
        import tokenizers

        tokenizer = qwen3_tokenizer()
    except (ImportError, FileNotFoundError) as error:
        print(f"speed.py: {error}", file=sys.stderr)
        return 3
    FOLDER.mkdir(parents=True, exist_ok=True)
    samples = texts(given.size)
    rows = FOLDER / "texts.jsonl"
    rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in samples))
    megabytes = sum(len(text.encode()) for text in samples) / 1e6
    print(f"{len(samples)} texts, {megabytes:.1f} MB of UTF-8, tokenizers {tokenizers.__version__}, one thread")

    if wrong := compare(tokenizer, samples, rows):
        print(f"{wrong} texts have other ids: no speed is reported")
        return 1
    print("identical ids on every text")

    ours, theirs = [], []
    for _ in range(given.rounds):
        ours.append(json.loads(program("encode", tokenizer, rows, "--jsonl", "--time"))["cpu_seconds"])
        theirs.append(time_theirs(tokenizer, samples))
    mine, their = statistics.median(ours), statistics.median(theirs)
    print(f"tritonrl    {mine:7.3f} s  {megabytes / mine:7.1f} MB/s")
    print(f"tokenizers  {their:7.3f} s  {megabytes / their:7.1f} MB/s")
    print(f"ratio {their / mine:.1f} (goal {GOALS['ratio']:g}): {verdict(their / mine >= GOALS['ratio'])}")

    corpus = FOLDER / "corpus.txt"
    corpus.write_text("\n".join(samples), encoding="utf-8", newline="")
    start = time.perf_counter()
    print(program("train", corpus, "--size", 4096, "--out", FOLDER.relative_to(ROOT) / "trained").strip())
    seconds = time.perf_counter() - start
    print(f"learned from {corpus.stat().st_size / 1e6:.1f} MB in {seconds:.1f} s (goal {GOALS['train_s']:g}): "
          f"{verdict(seconds < GOALS['train_s'])}")  # fmt: skip
    return 0


if __name__ == "__main__":
    sys.exit(main())
