"""The model of time as the program has it, and what was counted and measured, for fit.py and report.py."""

import ctypes
import json
import math
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PROFILE = ROOT / "src/ttir/data/h200.toml"
MEASURED = HERE / "h200/measured.json"
COUNTED = ROOT / "build/bench/model_fit/counted.json"


class Library:
    """libtritonrl_ttir.so: the one implementation of the model (src/ttir/c_api.h)."""

    def __init__(self):
        folder = Path(os.environ.get("TRITONRL_BUILD_DIR", ROOT / "build"))
        self._library = ctypes.CDLL(str(folder / "lib/libtritonrl_ttir.so"))
        for name in ("tritonrl_model", "tritonrl_scale"):
            function = getattr(self._library, name)
            function.restype, function.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        self._library.tritonrl_free_text.argtypes = [ctypes.c_void_p]

    def call(self, name, request):
        text = getattr(self._library, name)(request.encode())
        answer = json.loads(ctypes.string_at(text))
        self._library.tritonrl_free_text(text)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def scale(self, names, sizes, target, counts):
        request = {"names": names, "sizes": sizes, "target": target, "counts": counts}
        return self.call("tritonrl_scale", json.dumps(request))


@dataclass
class Point:
    """One schedule at one task's sizes, or one torch reference."""

    operator: str
    task: str
    name: str
    measured_us: float
    launches: list
    operators: list
    error: float = 0.0  # of the counts' scaling


def _scaled(library, task, records):
    """Launches and operators of a schedule, carried over from the sizes that were counted to the task's."""
    names = list(task["sizes"])
    sizes = [[record["sizes"][name] for name in names] for record in records]
    target = [task["sizes"][name] for name in names]
    worst = 0.0

    def at_target(items):
        nonlocal worst
        keys = sorted(set().union(*items))
        counts = {key: [item.get(key, 0) for item in items] for key in keys}
        answer = library.scale(names, sizes, target, counts)
        assert not answer["unknown"], answer["unknown"]
        worst = max([worst, *(count["error"] for count in answer["counts"].values())])
        return {key: count["value"] for key, count in answer["counts"].items()}

    launches = [{"work": at_target([record["launches"][n]["work"] for record in records]), "shape": launch["shape"]}
                for n, launch in enumerate(records[0]["launches"])]
    operators = [{**at_target([{k: record["operators"][n][k] for k in ("bytes", "flops")} for record in records]),
                  "name": op["name"]} for n, op in enumerate(records[0]["operators"])]
    return launches, operators, worst


def load(library, counted=COUNTED, measured=MEASURED):
    """(schedules, references) as points."""
    counts, times = json.loads(Path(counted).read_text()), json.loads(Path(measured).read_text())
    schedules, references = [], []
    for task in times["tasks"]:
        title = ", ".join(f"{key} {value}" for key, value in task["sizes"].items())
        for name, record in task["schedules"].items():
            records = counts["operators"][task["operator"]].get(name)
            if records and "us" in record and not record.get("error"):
                launches, operators, error = _scaled(library, task, records)
                schedules.append(Point(task["operator"], title, name, record["us"], launches, operators, error))
    for name, record in times["references"].items():
        if "us" in record and name in counts["references"]:
            references.append(Point(name, name, name, record["us"], [], counts["references"][name]))
    return schedules, references


class Model:
    """Modelled times of points for any constants."""

    def __init__(self, library, points):
        self._library = library
        launches = [launch for point in points for launch in point.launches]
        operators = [op for point in points for op in point.operators]
        self._rest = f'"launches": {json.dumps(launches)}, "operators": {json.dumps(operators)}}}'
        self._launches = np.repeat(np.arange(len(points)), [len(point.launches) for point in points])
        self._operators = np.repeat(np.arange(len(points)), [len(point.operators) for point in points])
        self._count = len(points)
        self.measured_us = np.array([point.measured_us for point in points])

    def answer(self, profile):
        return self._library.call("tritonrl_model", f'{{"profile_text": {json.dumps(toml_text(profile))}, {self._rest}')

    def us(self, profile):
        answer = self.answer(profile)
        total = np.full(self._count, answer["call_us"])
        np.add.at(total, self._launches, [launch["us"] for launch in answer["launches"]])
        np.add.at(total, self._operators, answer["operators"])
        return total


def read_profile(path=PROFILE):
    return tomllib.loads(Path(path).read_text())


def toml_text(profile):
    lines = [f"{key} = {json.dumps(value)}" for key, value in profile.items() if not isinstance(value, dict)]
    for name, section in profile.items():
        if isinstance(section, dict):
            lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in section.items())]
    return "\n".join(lines) + "\n"


def constant(profile, key):
    section, _, name = key.rpartition(".")
    return (profile[section] if section else profile)[name]


def with_constants(profile, keys, values):
    changed = {key: dict(value) if isinstance(value, dict) else value for key, value in profile.items()}
    for key, value in zip(keys, values):
        section, _, name = key.rpartition(".")
        (changed[section] if section else changed)[name] = value
    # Kinds that are not fitted follow the one that is.
    operations = changed["operations_per_s"]
    operations["float16"] = operations["float32"]
    operations["float64"] = operations["conversion"] = operations["float32"] / 2
    return changed


def ranks(values):
    values = np.asarray(values)
    order = np.argsort(values, kind="stable")
    found = np.empty(len(values))
    found[order] = np.arange(len(values))
    for value in np.unique(values):
        same = values == value
        found[same] = found[same].mean()
    return found


def rank_correlation(a, b):
    """Spearman's."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def rms_log(modelled, measured):
    return math.sqrt(float(np.mean(np.log(modelled / measured) ** 2)))
