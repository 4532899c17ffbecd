"""Runs test items of another project in processes of their own: one that crashes or hangs is noted, the rest goes on."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[1]
BUILD = Path(os.environ.get("TRITONRL_BUILD_DIR", REPOSITORY / "build"))
WORK = REPOSITORY / "build/conformance"  # Triton's cache too, so that a second campaign compiles nothing


_numbers = itertools.count()


class CampaignError(Exception):
    """The campaign could not run; this is never a result."""


@dataclass(frozen=True)
class Item:
    id: str
    stage: str


@dataclass(frozen=True)
class Outcome:
    id: str
    outcome: str  # passed, failed, skipped, xfailed, xpassed, crashed, timeout
    reason: str = ""
    seconds: float = 0.0
    findings: list = field(default_factory=list)
    finding_count: int = 0

    @property
    def good(self) -> bool:
        return self.outcome in ("passed", "xfailed")


@dataclass(frozen=True)
class Suite:
    """Test files of a project, and how to run them."""

    root: Path  # pytest's rootdir: items are named from here
    files: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    python_path: tuple[Path, ...] = ()
    item_seconds: float = 180.0
    items_per_process: int = 1000

    def collect(self) -> list[Item]:
        ended = self._process("executor", "ttir", None)
        if not any("collected" in row for row in ended.rows):
            raise CampaignError(f"pytest could not collect the items of {', '.join(self.files)}:\n{ended.tail}")
        return [Item(row["id"], row["stage"]) for row in ended.rows if "stage" in row]

    def run(
        self, launcher: str, items: Sequence[Item], progress: Callable[[str], None] = lambda _: None
    ) -> dict[str, Outcome]:
        """What became of each item. Kernels are compiled as far as the item's stage, and one process has one stage."""
        outcomes: dict[str, Outcome] = {}
        groups: dict[tuple[str, str], list[Item]] = {}
        for item in items:
            groups.setdefault((item.id.split("::")[0], item.stage), []).append(item)
        for (file, stage), group in groups.items():
            waiting = [item.id for item in group]
            while waiting:
                batch = waiting[: self.items_per_process]
                done = self._batch(launcher, stage, file, batch)
                outcomes.update(done)
                waiting = [item for item in waiting if item not in done]
                progress(f"{launcher}: {len(outcomes)} of {len(items)} items, {file} ({stage})")
        return outcomes

    def _batch(self, launcher: str, stage: str, file: str, ids: Sequence[str]) -> dict[str, Outcome]:
        """At least one of the items gets an outcome."""
        ended = self._process(launcher, stage, ids, (file,))
        done = {row["id"]: Outcome(**row) for row in ended.rows if "outcome" in row}
        started = [row["start"] for row in ended.rows if "start" in row]
        if started and started[-1] not in done:
            done[started[-1]] = Outcome(started[-1], ended.word, ended.tail)
        elif not started and launcher == "interpreter":
            # Without a GPU some files do not even import there.
            return {id: Outcome(id, "failed", ended.tail) for id in ids}
        elif not started:
            raise CampaignError(f"pytest ran none of {len(ids)} items of {file}:\n{ended.tail}")
        elif ended.word == "ended":
            for lost in set(ids) - set(done):
                done[lost] = Outcome(lost, "failed", "pytest did not find this item")
        return done

    def _process(self, launcher: str, stage: str, ids: Sequence[str] | None, files: Sequence[str] = ()) -> _Ended:
        WORK.mkdir(parents=True, exist_ok=True)
        stem = WORK / f"pytest-{os.getpid()}-{next(_numbers)}"
        records, listed, output = (stem.with_suffix(s) for s in (".jsonl", ".items", ".out"))
        records.write_text("")
        values = {**environment(launcher, stage, self.python_path), "CONFORMANCE_RECORDS": str(records)}
        if ids is not None:
            listed.write_text("".join(f"{i}\n" for i in ids))
            values["CONFORMANCE_ITEMS"] = str(listed)
        command = [
            sys.executable,
            "-X",
            "faulthandler",
            "-m",
            "pytest",
            "-q",
            "-p",
            "recorder",
            "-p",
            "no:cacheprovider",
        ]
        # Other traces than native ones parse the test's file again at each failure, which takes a second.
        command += ["--continue-on-collection-errors", "--tb=native", "-s", f"--rootdir={self.root}", *self.arguments]
        with output.open("wb") as out:
            process = subprocess.Popen(
                [*command, *(files or self.files)],
                cwd=self.root,
                env=values,
                stdout=out,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
            word = _wait(process, records, self.item_seconds)
        tail = output.read_text(errors="replace")[-1500:]
        rows = [json.loads(line) for line in records.read_text().splitlines() if line.endswith("}")]
        for path in (records, listed, output):
            path.unlink(missing_ok=True)
        return _Ended(rows, word, tail)


def environment(launcher: str, stage: str = "ttir", python_path: Sequence[Path] = ()) -> dict[str, str]:
    """For a process that runs Triton code on this launcher, and for those that it starts."""
    more = [HERE / "site", HERE, *python_path]
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    values = {
        **inherited,
        "CONFORMANCE_LAUNCHER": launcher,
        "TRITONRL_BUILD_DIR": str(BUILD),
        "TRITONRL_STAGE": stage,
        "TRITON_CACHE_DIR": os.environ.get("TRITON_CACHE_DIR", str(WORK / "triton-cache")),
        "PYTHONPATH": os.pathsep.join([*map(str, more), *filter(None, [os.environ.get("PYTHONPATH")])]),
        "PYTHONPYCACHEPREFIX": str(WORK / "pycache"),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
    }
    if launcher == "interpreter":
        values["TRITON_INTERPRET"] = "1"
    return values


@dataclass(frozen=True)
class _Ended:
    rows: list[dict]
    word: str  # ended, crashed or timeout
    tail: str


def _wait(process: subprocess.Popen, records: Path, item_seconds: float) -> str:
    size, since = -1, time.monotonic()
    while process.poll() is None:
        time.sleep(0.1)
        now = records.stat().st_size
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > item_seconds:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "timeout"
    # pytest's own statuses: passed, failed, interrupted (also by a collection error), internal, usage, nothing to run.
    return "ended" if process.returncode in (0, 1, 2, 5) else "crashed"
