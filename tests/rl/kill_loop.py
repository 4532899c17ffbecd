#!/usr/bin/env python3
"""kill -9 of `tritonrl rl` at random moments, and on to the end: weights, optimizer, metrics and samples are those of a run
that nobody disturbed, to the bit, and nothing else is left behind."""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from workshop import ROOT, Program, make_workshop, metrics, rl_config

sys.path.insert(0, str(ROOT / "tests/verify"))

from orphans import become_their_parent, wait_for_orphans  # noqa: E402

CLOCKS = ("time", "perf/", "verify/cost_s", "verify/cache_hits")  # what a clock or the cache's past decides


def without_clocks(verdict):
    for layer in verdict.get("layers", []):
        layer.pop("seconds")
    return verdict


def record(run, steps):
    """All that must be the same, by name."""
    found = {"files": sorted(str(p.relative_to(run)) for p in run.rglob("*") if p.is_file() and not p.name.startswith("events."))}
    rows = metrics(run)
    found["metrics"] = [{name: value for name, value in row.items() if not name.startswith(CLOCKS)} for row in rows]
    for step in range(1, steps + 1):
        samples = [json.loads(line) for line in (run / f"samples/step-{step:06}.jsonl").read_text().splitlines()]
        for sample in samples:
            for judged in ("verdict", "audit"):
                without_clocks(sample.get(judged, {}))
        found[f"samples of step {step}"] = samples
    for name in ("model.safetensors", "trainer/model.safetensors", "trainer/state.json"):
        found[name] = (run / f"checkpoints/step-{steps:06}" / name).read_bytes()
    return found


def differences(a, b):
    return [name for name in a if a[name] != b.get(name)]


class KillLoop:
    def __init__(self, program, workshop, steps, seed):
        self.program = program
        # Verdicts of the undisturbed run would leave the verifier nothing to do.
        self.killed_program = Program(program.path, program.state, XDG_CACHE_HOME=str(workshop / "cache-of-killed"))
        self.random = random.Random(seed)
        self.workshop = workshop
        self.steps = steps
        began = time.monotonic()
        self.undisturbed = self.finish(program, workshop / "undisturbed")
        self.whole_s = time.monotonic() - began

    def config(self, run):
        dev = str(self.workshop / "tasks.jsonl")
        return rl_config(
            self.workshop, run, rl__steps=self.steps, rl__group=6, rl__dev=dev, rl__dev_every=5, rl__dev_samples=2, rl__audit_share=0.2
        )  # fmt: skip

    def finish(self, program, run):
        program.must("rl", self.config(run))
        return record(run, self.steps)

    def differences(self, run):
        """Of a killed run, which goes on to its end first; then it is gone, and what it knew."""
        found = differences(self.undisturbed, self.finish(self.killed_program, run))
        shutil.rmtree(run)
        shutil.rmtree(self.workshop / "cache-of-killed")
        return found

    def kill_once(self, run):
        """Whether it came in time. Half of the kills come at any moment, half soon after a new step."""
        lines = run / "metrics.jsonl"
        before = lines.stat().st_size if lines.exists() else 0
        process = self.killed_program.start("rl", self.config(run))
        deadline = time.monotonic() + self.random.uniform(0.0, self.whole_s)
        if self.random.random() < 0.5:
            while process.poll() is None and (not lines.exists() or lines.stat().st_size <= before):
                time.sleep(0.002)
            deadline = time.monotonic() + self.random.uniform(0.0, 0.2)
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.001)
        in_time = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_for_orphans()
        return in_time


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", default=os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl")))
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--steps", type=int, default=40)
    options.add_argument("--seed", type=int, default=time.time_ns() % 100_000)
    given = options.parse_args()
    become_their_parent()
    with tempfile.TemporaryDirectory(prefix="tritonrl-kill-") as name:
        folder = Path(name)
        program = Program(given.program, folder)
        loop = KillLoop(program, make_workshop(program, folder), given.steps, given.seed)
        judged = [sample["verdict"] for step in range(1, given.steps + 1) for sample in loop.undisturbed[f"samples of step {step}"]]
        accepted = sum(verdict["accepted"] for verdict in judged)
        print(f"seed {given.seed}: {len(judged)} responses, {accepted} accepted, {loop.whole_s:.0f} s undisturbed", flush=True)
        if not 0 < accepted < len(judged):
            raise SystemExit("kill_loop: the verifier had nothing to decide")
        kills, rounds, run = 0, 0, folder / "killed"
        while kills < given.kills or run.exists():
            if kills < given.kills and loop.kill_once(run):
                kills += 1
                continue
            rounds += 1
            if found := loop.differences(run):
                raise SystemExit(f"kill_loop: after {kills} kills these differ: {', '.join(found)}")
        print(f"{kills} kills over {rounds} rounds: nothing differs, and no process outlived its program")


if __name__ == "__main__":
    sys.exit(main())
