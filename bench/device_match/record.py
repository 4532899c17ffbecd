#!/usr/bin/env python3
"""Runs every case on a GPU and writes what it computed: `record.py OUT_DIR [--jobs N] [--only TEXT]`.

OUT_DIR gets one .npz for each group of cases, keys "group/name/number of the output", and environment.json, which also
says how each case went. Both are rewritten as the run proceeds, so a run cut short leaves what it had."""

import argparse
import json
import multiprocessing
import multiprocessing.connection
import os
import platform
import sys
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

CASE_LIMIT = 60.0  # seconds, compilation included
WRITE_EVERY = 10.0


def environment():
    import numpy
    import torch
    import triton

    found = {
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "torch": torch.__version__,
        "triton": triton.__version__,
        "cuda": torch.version.cuda,
    }
    try:
        properties = torch.cuda.get_device_properties(0)
        found["device"] = properties.name
        found["capability"] = f"{properties.major}.{properties.minor}"
        found["multiprocessors"] = properties.multi_processor_count
    except Exception as error:  # noqa: BLE001
        found["device_error"] = repr(error)
    return found


def work(pipe):
    """Runs the cases whose keys come in. After a CUDA error the context is lost, so the process ends."""
    from case import run
    from cases import all_cases

    import torch

    cases = all_cases()
    pipe.send(("ready", None, None))
    while True:
        key = pipe.recv()
        if key is None:
            return
        try:
            result = run(cases[key])
            torch.cuda.synchronize()
            pipe.send(("done", [array for array, _ in result.outputs], result.inputs_digest))
        except Exception as error:  # noqa: BLE001
            text = f"{type(error).__name__}: {error}"[:2000]
            trace = traceback.format_exc()[-2000:]
            try:
                torch.cuda.synchronize()
            except Exception:  # noqa: BLE001
                pipe.send(("lost", text, trace))
                return
            pipe.send(("failed", text, trace))


class Worker:
    def __init__(self, context):
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs,), daemon=True)
        self.process.start()
        theirs.close()
        self.key = None
        self.since = time.monotonic()
        self.ready = False

    def give(self, key):
        self.key = key
        self.since = time.monotonic()
        self.pipe.send(key)

    def stop(self):
        self.process.kill()
        self.process.join()
        self.pipe.close()


class Archive:
    def __init__(self, folder, info):
        self.folder = folder
        self.info = info
        self.arrays = {}
        self.changed = set()
        self.written = time.monotonic()

    def add(self, key, arrays, dtypes, digest):
        group = key.split("/")[0]
        for number, array in enumerate(arrays):
            self.arrays.setdefault(group, {})[f"{key}/{number}"] = array
        self.changed.add(group)
        self.info["cases"][key] = {"status": "ok", "dtypes": dtypes, "inputs": digest}

    def fail(self, key, error, trace=""):
        self.info["cases"][key] = {"status": "error", "error": error, "trace": trace}

    def write(self, force=False):
        import numpy

        if not force and time.monotonic() - self.written < WRITE_EVERY:
            return
        for group in sorted(self.changed):
            partial = self.folder / f"{group}.partial.npz"
            numpy.savez_compressed(partial, **self.arrays[group])
            partial.replace(self.folder / f"{group}.npz")
        self.changed.clear()
        (self.folder / "environment.json").write_text(json.dumps(self.info, indent=1) + "\n")
        self.written = time.monotonic()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--jobs", type=int, default=min(12, os.cpu_count() or 1))
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--limit", type=float, default=420.0, help="seconds for everything")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)

    from cases import all_cases
    from case import Out, InOut, Descriptor

    cases = {key: case for key, case in all_cases().items() if options.only in key}
    archive = Archive(options.folder, {"environment": environment(), "cases": {}})
    archive.write(force=True)
    print(f"{len(cases)} cases, {options.jobs} processes, {archive.info['environment']}", flush=True)

    def dtypes(case):
        found = []
        for argument in case.arguments():
            inner = argument.tensor if isinstance(argument, Descriptor) else argument
            if isinstance(inner, (Out, InOut)):
                found.append(inner.dtype)
        return found

    context = multiprocessing.get_context("spawn")
    waiting = list(reversed(cases))
    begun = time.monotonic()
    workers = [Worker(context) for _ in range(options.jobs)]
    dead = 0
    while workers and time.monotonic() - begun < options.limit:
        multiprocessing.connection.wait([worker.pipe for worker in workers], timeout=1.0)
        for worker in list(workers):
            replace = False
            try:
                if worker.pipe.poll():
                    kind, first, second = worker.pipe.recv()
                    if kind == "done":
                        archive.add(worker.key, first, dtypes(cases[worker.key]), second)
                    elif kind != "ready":
                        archive.fail(worker.key, first, second)
                        print(f"FAILED {worker.key}: {first.splitlines()[0][:160]}", flush=True)
                    worker.ready, worker.key = True, None
                    if kind == "lost":
                        replace = True
                    elif waiting:
                        worker.give(waiting.pop())
                    else:
                        worker.pipe.send(None)
                        workers.remove(worker)
                elif worker.key and time.monotonic() - worker.since > CASE_LIMIT:
                    archive.fail(worker.key, f"no result within {CASE_LIMIT:g} s")
                    replace = True
                elif not worker.ready and time.monotonic() - worker.since > 180:
                    replace = True
            except (EOFError, OSError) as error:
                if worker.key:
                    archive.fail(worker.key, f"the process ended: {error!r}")
                replace = True
            if replace:
                workers.remove(worker)
                worker.stop()
                dead += 1
                if waiting and dead < 60:
                    workers.append(Worker(context))
        archive.write()
    for worker in workers:
        if worker.key:
            archive.fail(worker.key, "time was up")
        worker.stop()
    for key in waiting:
        archive.fail(key, "time was up")
    archive.info["seconds"] = round(time.monotonic() - begun, 1)
    archive.write(force=True)
    good = sum(entry["status"] == "ok" for entry in archive.info["cases"].values())
    size = sum(file.stat().st_size for file in options.folder.glob("*.npz"))
    print(f"{good} of {len(cases)} cases recorded in {archive.info['seconds']} s, {size / 1e6:.1f} MB", flush=True)
    return 0 if good == len(cases) else 1


if __name__ == "__main__":
    sys.exit(main())
