"""Where the time of a step goes, kernel by kernel, from the traces that engine_speed and train_speed write."""

import json
import re
from collections import defaultdict

SAMPLER = "draw_tokens"  # once a step


def short_name(event):
    """A kernel's name without its template arguments, with its grid: products of different sizes have the same name."""
    name = event["name"].removeprefix("void ")
    if match := re.search(r"(\w+)(?:<[^(]*>)?\(tritonrl::kernels::(\w+)", name):  # ours: the argument tells what it is
        name = f"{match.group(1)} {match.group(2)}"
    elif match := re.match(r"[\w:]*?(\w{9,})<", name):
        name = match.group(1)
    grid = event.get("args", {}).get("grid")
    return name[:90] + (f" {grid}" if grid else "")


def read_work(trace):
    """What the device did, by its beginning."""
    with open(trace) as file:
        events = json.load(file)["traceEvents"]
    kinds = ("kernel", "gpu_memcpy", "gpu_memset")
    return sorted((e for e in events if e.get("ph") == "X" and e.get("cat") in kinds), key=lambda e: float(e["ts"]))


def read_step(trace):
    """A step of decoding, of a trace of several."""
    work = read_work(trace)
    ends = [i for i, e in enumerate(work) if SAMPLER in e["name"]]
    if len(ends) < 3:
        return None
    return summed(work[ends[0] + 1 : ends[-1] + 1], len(ends) - 1)


def summed(work, steps=1):
    """Microseconds of one of so many steps: by kernel (calls, time), in all, and between kernels."""
    if not work:
        return None
    by_name = defaultdict(lambda: [0, 0.0])
    busy, reached = 0.0, 0.0
    begin = float(work[0]["ts"])
    for event in work:
        start, length = float(event["ts"]), float(event["dur"])
        entry = by_name[short_name(event)]
        entry[0] += 1
        entry[1] += length
        busy += max(0.0, start + length - max(start, reached))
        reached = max(reached, start + length)
    kernels = {name: (calls / steps, us / steps) for name, (calls, us) in by_name.items()}
    return {"kernels": kernels, "step_us": (reached - begin) / steps, "idle_us": (reached - begin - busy) / steps}


def print_step(title, step):
    if step is None:
        print(f"{title}: the profiler saw no kernels")
        return
    print(f"{title}: a step of {step['step_us']:.0f} us under the profiler, {step['idle_us']:.0f} us of it between kernels")
    for name, (calls, us) in sorted(step["kernels"].items(), key=lambda item: -item[1][1])[:24]:
        print(f"  {us:8.1f} us {calls:6.1f} calls {us / max(calls, 1e-9):7.2f} us each  {name}")
