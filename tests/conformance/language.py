"""Triton's own language tests (python/test/unit/language at the pinned tag) on the executor.

  language.py --all             every item: first with a launcher that does nothing, then what failed there on the executor
  language.py --all --resume    goes on where a run was stopped
  language.py --sample          the 300 items of language_sample.txt, on the executor
  language.py --draw            draws language_sample.txt anew from the counted items of the last --all
  language.py --interpreter N   N counted items, from the seed, under TRITON_INTERPRET=1, for scale

Counted are the items that fail under a launcher that does nothing and are not in language_excluded.txt, which gives the
reason for each. language_rest.txt names the counted items that are known to fail on the executor, and those with findings
of the sanitizer, with reasons. Exit status: 0 at least 95 % pass and nothing is unexplained; 1 not; 3 Triton's repository
is not there.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from checkout import how_to_get_it, triton_checkout
from pytest_run import HERE, WORK, CampaignError, Item, Outcome, Suite
from rest import Rest

GOAL = 0.95
# Beside what a test's source shows: it asserts how much scratch memory the compiler's last stages ask for.
LATER_STAGE = {"test_tensor_descriptor_batched_gemm_2d_tma": "ptx"}
SAMPLE = HERE / "language_sample.txt"
EXCLUDED = HERE / "language_excluded.txt"
REST = HERE / "language_rest.txt"


def suite(launcher: str = "executor") -> Suite:
    checkout = triton_checkout()
    if checkout is None:
        raise CampaignError(how_to_get_it())
    device = "cpu" if launcher == "interpreter" else "cuda"
    return Suite(checkout / "python/test", ("unit/language",), ("--device", device))


def collect(tests: Suite) -> list[Item]:
    name = lambda item: item.id.split("::")[-1].split("[")[0]
    return [Item(item.id, LATER_STAGE.get(name(item), item.stage)) for item in tests.collect()]


class Store:
    """Outcomes of one launcher, on disk, so that a stopped campaign goes on."""

    def __init__(self, launcher: str, resume: bool):
        self.launcher = launcher
        self.path = WORK / f"language-{launcher}.jsonl"
        self.outcomes: dict[str, Outcome] = {}
        self.lock = threading.Lock()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not resume:
            self.path.unlink(missing_ok=True)
        elif self.path.exists():
            for line in self.path.read_text().splitlines():
                outcome = Outcome(**json.loads(line))
                self.outcomes[outcome.id] = outcome

    def run(self, tests: Suite, items: Sequence[Item]) -> None:
        waiting = [item for item in items if item.id not in self.outcomes]
        if not waiting:
            return
        done = tests.run(self.launcher, waiting)
        with self.lock, self.path.open("a") as file:
            for outcome in done.values():
                file.write(json.dumps(dataclasses.asdict(outcome)) + "\n")
        self.outcomes.update(done)


def counted(items: Iterable[Item], nothing: dict[str, Outcome], excluded: Rest) -> list[Item]:
    def fails(item: Item) -> bool:
        return item.id in nothing and nothing[item.id].outcome in ("failed", "crashed", "timeout")

    return [item for item in items if fails(item) and excluded.reason(item.id) is None]


def run_all(resume: bool, jobs: int) -> tuple[list[Item], Store, Store]:
    tests = suite()
    items = collect(tests)
    nothing, executor = Store("nothing", resume), Store("executor", resume)
    excluded = Rest(EXCLUDED)
    began = time.monotonic()

    def run(batch: list[Item]) -> None:
        nothing.run(tests, batch)
        executor.run(tests, counted(batch, nothing.outcomes, excluded))
        _say(
            f"{time.monotonic() - began:.0f} s: {len(nothing.outcomes)} of {len(items)} items, "
            f"{sum(o.good for o in executor.outcomes.values())} of {len(executor.outcomes)} pass on the executor"
        )

    with ThreadPoolExecutor(jobs) as pool:
        for _ in pool.map(run, _batches(items, tests.items_per_process)):
            pass
    return items, nothing, executor


def _batches(items: Sequence[Item], size: int) -> list[list[Item]]:
    """Items of one file and one stage. Small groups first, then each large one in parts that are spread over all of it, in
    turn: a run that is stopped has seen something of everything."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        groups.setdefault((item.id.split("::")[0], item.stage), []).append(item)
    parts = []
    for group in groups.values():
        count = -(-len(group) // size)
        parts += [(n / count, len(group), group[n::count]) for n in range(count)]
    return [part for _, _, part in sorted(parts, key=lambda entry: entry[:2])]


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def report(items: Sequence[Item], nothing: dict[str, Outcome], executor: dict[str, Outcome]) -> tuple[str, bool]:
    excluded, rest = Rest(EXCLUDED), Rest(REST)
    chosen = counted(items, nothing, excluded)
    passed = [item for item in chosen if executor[item.id].good]
    failing = [executor[item.id] for item in chosen if not executor[item.id].good]
    share = len(passed) / len(chosen) if chosen else 0.0
    unexpected = [o for o in failing if rest.reason(o.id) is None]
    kinds = Counter(outcome.outcome for outcome in nothing.values())
    lines = [
        f"Items: {len(items)}. With a launcher that does nothing: "
        + ", ".join(f"{n} {k}" for k, n in kinds.most_common())
        + ".",
        f"Counted: {len(chosen)}. **Passed on the executor: {len(passed)}, {share:.2%}** (goal {GOAL:.0%}).",
        "",
        "| file | items | fail when nothing runs | tied to hardware | counted | passed | share | with findings |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for file in sorted({item.id.split("::")[0] for item in items}):
        own = [item for item in items if item.id.startswith(f"{file}::")]
        fail = [item for item in own if nothing[item.id].outcome in ("failed", "crashed", "timeout")]
        mine = [item for item in chosen if item.id.startswith(f"{file}::")]
        good = sum(executor[item.id].good for item in mine)
        found = sum(executor[item.id].finding_count > 0 for item in mine)
        name = file.rsplit("/", 1)[-1]
        portion = f"{good / len(mine):.1%}" if mine else "-"
        lines.append(
            f"| {name} | {len(own)} | {len(fail)} | {len(fail) - len(mine)} | {len(mine)} | {good} | {portion} | {found} |"
        )
    lines += ["", "## Counted items that do not pass", ""]
    lines += _grouped(
        (o.id, rest.reason(o.id) or f"NOT EXPECTED: {o.outcome}: {_first_line(o.reason)}") for o in failing
    )
    lines += ["", "## Tied to hardware: they fail when nothing runs, and are not counted", ""]
    tied = [
        (item.id, excluded.reason(item.id))
        for item in items
        if nothing[item.id].outcome in ("failed", "crashed", "timeout") and excluded.reason(item.id)
    ]
    lines += _grouped(tied)
    lines += ["", "## Findings of the sanitizer in counted items", ""]
    findings = [executor[item.id] for item in chosen if executor[item.id].finding_count]
    lines += _grouped(
        (o.id, f"{o.findings[0]['rule']}: {rest.reason(f'findings {o.id}') or _not_explained(o)}") for o in findings
    )
    explained = all(rest.reason(f"findings {o.id}") for o in findings)
    return "\n".join(lines) + "\n", share >= GOAL and not unexpected and explained


def _first_line(text: str) -> str:
    return text.strip().split("\n")[0]


def _not_explained(outcome: Outcome) -> str:
    return f"NOT EXPLAINED: {outcome.findings[0]['message']}"


def _grouped(rows: Iterable[tuple[str, str]]) -> list[str]:
    """Items of one test function with one reason, in a line."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name, reason in rows:
        groups.setdefault((name.split("[")[0].rsplit("/", 1)[-1], reason), []).append(name)
    lines = []
    for (function, reason), names in groups.items():
        shown = names[0].rsplit("/", 1)[-1] if len(names) == 1 else f"{function} ({len(names)} items)"
        lines.append(f"- `{shown}`: {reason}")
    return lines or ["None."]


def draw(size: int, seed: int) -> None:
    items = collect(suite())
    names = sorted(item.id for item in counted(items, Store("nothing", True).outcomes, Rest(EXCLUDED)))
    stages = {item.id: item.stage for item in items}
    chosen = sorted(random.Random(seed).sample(names, size))
    head = f"# {size} of the {len(names)} counted items, drawn by `language.py --draw --seed {seed}`: compile stage, item.\n"
    SAMPLE.write_text(head + "".join(f"{stages[name]} {name}\n" for name in chosen))


def run_sample() -> dict[str, Outcome]:
    lines = [line for line in SAMPLE.read_text().splitlines() if line and not line.startswith("#")]
    items = [Item(name, stage) for stage, name in (line.split(" ", 1) for line in lines)]
    return suite().run("executor", items)


def judge_sample(outcomes: dict[str, Outcome]) -> tuple[str, bool]:
    rest = Rest(REST)
    failing = [o for o in outcomes.values() if not o.good]
    passed = len(outcomes) - len(failing)
    share = passed / len(outcomes)
    unexpected = [o for o in failing if rest.reason(o.id) is None]
    lines = [f"{passed} of {len(outcomes)} items of the sample pass, {share:.2%} (goal {GOAL:.0%})"]
    lines += [f"{o.id}: {o.outcome}: {rest.reason(o.id) or 'NOT EXPECTED: ' + o.reason}" for o in failing]
    return "\n".join(lines), share >= GOAL and not unexpected


def run_interpreter(size: int, seed: int) -> str:
    items = collect(suite())
    chosen = counted(items, Store("nothing", True).outcomes, Rest(EXCLUDED))
    part = random.Random(seed).sample(chosen, min(size, len(chosen)))
    outcomes = suite("interpreter").run("interpreter", part)
    kinds = Counter(outcome.outcome for outcome in outcomes.values())
    return f"{len(part)} counted items (seed {seed}) under TRITON_INTERPRET=1: " + ", ".join(
        f"{n} {k}" for k, n in kinds.most_common()
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--all", action="store_true")
    mode.add_argument("--sample", action="store_true")
    mode.add_argument("--draw", type=int, nargs="?", const=300, metavar="SIZE")
    mode.add_argument("--interpreter", type=int, metavar="SIZE")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time, for --all")
    parser.add_argument("--report", type=Path, help="writes the result as Markdown too")
    options = parser.parse_args()
    good = True
    try:
        if options.draw:
            draw(options.draw, options.seed)
            return 0
        if options.interpreter:
            text = run_interpreter(options.interpreter, options.seed)
        elif options.sample:
            text, good = judge_sample(run_sample())
        else:
            items, nothing, executor = run_all(options.resume, options.jobs)
            text, good = report(items, nothing.outcomes, executor.outcomes)
    except CampaignError as error:
        _say(f"language: {error}")
        return 3
    print(text)
    if options.report:
        options.report.write_text(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
