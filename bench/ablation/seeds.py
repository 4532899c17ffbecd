#!/usr/bin/env python3
"""Seeds of recipes/ablation.toml that were run at different times: kept in a file each, and compared as the recipe's last stage does.

    python bench/ablation/seeds.py recipe 41 > one.toml             the recipe with that seed alone, for `tritonrl train one.toml`
    python bench/ablation/seeds.py keep runs/ablation 41            what `tritonrl report --arm` needs of it: bench/results/ablation/seed-41.tar.gz
    python bench/ablation/seeds.py report build/arms                the page, arms.json and arms.svg of all seeds that are kept
"""

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RECIPE = ROOT / "recipes/ablation.toml"
KEPT = ROOT / "bench/results/ablation"
LAST_STAGE = "# What each gained over"
# What a verdict's readers look at.
FIELDS = ("schema", "task", "sample", "accepted", "stage", "reason", "valid", "compiled", "correct", "general", "speedup", "level", "error")


def recipe(seed):
    text = RECIPE.read_text().partition(LAST_STAGE)[0]
    return re.sub(r"^seed = \[.*\]$", f"seed = [{seed}]", text, flags=re.MULTILINE)


def arms():
    """By name: its folders of evaluations, a seed each, as the recipe's last stage has them; without the runs' folder."""
    found = re.findall(r'"--arm", "(\w+)=([^"]+)"', RECIPE.read_text().partition(LAST_STAGE)[2])
    return {name: [Path(folder).name for folder in folders.split(",")] for name, folders in found}


def against(evaluation):
    """What an arm started from."""
    teacher = "cheating" if "gate_" in evaluation else "honest"
    return f"sft_eval-{teacher}-{evaluation.rpartition('-')[2]}"


def evaluations(seed):
    own = [folder for folders in arms().values() for folder in folders if folder.endswith(f"-{seed}")]
    return sorted({*own, *map(against, own)})


def slim(row):
    verdict = {name: row[name] for name in FIELDS if name in row}
    verdict["layers"] = [{name: layer[name] for name in ("name", "passed")} for layer in row.get("layers", [])]
    if verdict.get("speedup"):
        verdict["speedup"] = {name: value if name == "kind" else float(f"{value:.6g}") for name, value in verdict["speedup"].items()}
    return verdict


def keep(runs, seed):
    KEPT.mkdir(exist_ok=True)
    archive = KEPT / f"seed-{seed}.tar.gz"
    with tarfile.open(archive, "w:gz") as kept:

        def add(name, text):
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            kept.addfile(info, io.BytesIO(text.encode()))

        for name in evaluations(seed):
            rows = [json.loads(line) for line in (runs / name / "verdicts.jsonl").read_text().splitlines()]
            add(f"{name}/verdicts.jsonl", "".join(json.dumps(slim(row)) + "\n" for row in rows))
            sampling = json.loads((runs / name / "eval.json").read_text())["sampling"]
            add(f"{name}/eval.json", json.dumps({"sampling": {key: sampling[key] for key in ("samples", "temperature", "seed")}}) + "\n")
    print(f"{archive}: {archive.stat().st_size} bytes")


def report(out):
    program = os.environ.get("TRITONRL", ROOT / "build/bin/tritonrl")
    seeds = sorted(path.name.removeprefix("seed-").removesuffix(".tar.gz") for path in KEPT.glob("seed-*.tar.gz"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        for seed in seeds:
            with tarfile.open(KEPT / f"seed-{seed}.tar.gz") as kept:
                kept.extractall(folder, filter="data")
        command = [program, "report", "--out", out / "arms.html"]
        for name, folders in arms().items():
            own = [each for each in folders if each.rpartition("-")[2] in seeds]
            command += ["--arm", f"{name}=" + ",".join(f"{folder / each}:{folder / against(each)}" for each in own)]
        print(f"seeds {', '.join(seeds)}")
        return subprocess.run(list(map(str, command)), check=False).returncode


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = options.add_subparsers(dest="verb", required=True)
    verbs.add_parser("recipe").add_argument("seed", type=int)
    keeping = verbs.add_parser("keep")
    keeping.add_argument("runs", type=Path)
    keeping.add_argument("seed", type=int)
    verbs.add_parser("report").add_argument("out", type=Path)
    given = options.parse_args()
    if given.verb == "recipe":
        print(recipe(given.seed), end="")
    elif given.verb == "keep":
        keep(given.runs, given.seed)
    else:
        given.out.mkdir(parents=True, exist_ok=True)
        return report(given.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
