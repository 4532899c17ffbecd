#!/usr/bin/env python3
"""kill -9 of `tritonrl verify --samples` at random moments, then a run to the end: the verdicts are those of a run that
nobody disturbed, nothing that was known is computed again, and no process is left behind.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from orphans import become_their_parent, wait_for_orphans
from test_cases import ALL, ROOT

SHARE = 0.25  # of a run, after its start, that may pass before a kill


class KillLoop:
    def __init__(self, program, folder, candidates, seed):
        self.folder = folder
        self.cache = folder / "cache"
        self.candidates = candidates
        self.random = random.Random(seed)
        cases = [case for case in ALL if (case.policy, case.entry, case.static) == ("strict", "ModelNew", "on")]
        cases = sorted(self.random.sample(cases, candidates), key=lambda case: case.task)
        samples = folder / "samples.jsonl"
        samples.write_text("".join(json.dumps(case.row(n)) + "\n" for n, case in enumerate(cases)))
        self.command = [program, "verify", "--samples", str(samples), "--device", "cpu", "--depth", "train", "--jsonl"]
        self.environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret")}

    def start(self, cache, stdout):
        command = [*self.command, "--cache", str(cache)]
        return subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, text=True, env=self.environment)

    def finish(self, cache):
        """The verdicts of a run to the end, without what a clock says."""
        began = time.monotonic()
        program = self.start(cache, subprocess.PIPE)
        first = program.stdout.readline()
        start_s = time.monotonic() - began
        rest = program.stdout.read()
        program.communicate()
        self.start_s, self.share_s = start_s, SHARE * (time.monotonic() - began - start_s)
        verdicts = [json.loads(line) for line in (first + rest).splitlines()]
        if len(verdicts) != self.candidates:
            raise SystemExit(f"kill_loop: {self.candidates} candidates, {len(verdicts)} verdicts")
        for verdict in verdicts:
            if "error" in verdict:
                raise SystemExit(f"kill_loop: {verdict['error']}")
            for layer in verdict["layers"]:
                layer.pop("seconds")
        return verdicts

    def known(self):
        """Every file of the cache: a verdict that is computed again would be another file of that name."""
        files = (path for path in self.cache.rglob("*") if path.is_file())
        return {str(path.relative_to(self.cache)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}

    def kill_once(self):
        """Whether it came in time, and how many verdicts the run had added. Half of the kills come at any moment, half at
        one after the first new verdict: on a busy machine the start takes most of the time."""
        before = self.known()
        program = self.start(self.cache, subprocess.DEVNULL)  # a pipe that nobody reads would hold it up
        if self.random.random() < 0.5:
            time.sleep(self.random.uniform(0.0, self.start_s + self.share_s))
        else:
            while program.poll() is None and len(self.known()) == len(before):
                time.sleep(0.05)
            time.sleep(self.random.uniform(0.0, self.share_s))
        in_time = program.poll() is None
        program.send_signal(signal.SIGKILL)
        program.wait()
        wait_for_orphans()
        after = self.known()
        rewritten = [name for name, identity in before.items() if after.get(name) != identity]
        if rewritten:
            raise SystemExit(f"kill_loop: {len(rewritten)} known verdicts were computed again or lost: {rewritten[:3]}")
        return in_time, len(after) - len(before)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--program", default=os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl")))
    options.add_argument("--kills", type=int, default=50)
    options.add_argument("--candidates", type=int, default=40)
    options.add_argument("--seed", type=int, default=time.time_ns() % 100_000)
    given = options.parse_args()
    become_their_parent()
    with tempfile.TemporaryDirectory(prefix="tritonrl-kill-") as folder:
        loop = KillLoop(given.program, Path(folder), given.candidates, given.seed)
        undisturbed = loop.finish("none")
        print(f"seed {given.seed}: {len(undisturbed)} candidates, {sum(v['accepted'] for v in undisturbed)} accepted", flush=True)
        kills, rounds, added = 0, 1, 0
        while kills < given.kills:
            in_time, more = loop.kill_once()
            kills, added = kills + in_time, added + more
            if not in_time and kills < given.kills:  # all are known: from the beginning
                shutil.rmtree(loop.cache)
                rounds += 1
        if loop.finish(loop.cache) != undisturbed:
            raise SystemExit("kill_loop: the verdicts differ from those of an undisturbed run")
        drafts = [name for name in loop.known() if "." in name]
        print(f"{kills} kills over {rounds} rounds, {added} verdicts kept in between: none computed again, none differs")
        print(f"no process outlived its program; unfinished files in the cache: {len(drafts)}")


if __name__ == "__main__":
    sys.exit(main())
