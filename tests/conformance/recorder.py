"""A pytest plugin: runs the items that a file names, and writes what became of each, one JSON object a line.

CONFORMANCE_LAUNCHER, CONFORMANCE_ITEMS and CONFORMANCE_RECORDS are set by pytest_run.py. Without CONFORMANCE_ITEMS the
items are written with the compile stage that they need, and none is run.
"""

import functools
import inspect
import json
import os
import re
import time

import launcher
import pytest

launcher.install(os.environ["CONFORMANCE_LAUNCHER"])

_STAGES = ("ttir", "ttgir", "llir", "ptx", "cubin")
_LOOKS_AT = re.compile(r"asm\[\s*['\"](\w+)['\"]")

_records = open(os.environ["CONFORMANCE_RECORDS"], "a", encoding="utf-8")
_items_file = os.environ.get("CONFORMANCE_ITEMS")
_reports = {}


def _write(record):
    _records.write(json.dumps(record) + "\n")
    _records.flush()


@functools.cache
def _stage(function):
    """The last stage whose text a test looks at, itself or in a function of its module that it calls."""
    called = (function.__globals__.get(name) for name in function.__code__.co_names)
    own = [f for f in called if inspect.isfunction(f) and f.__module__ == function.__module__]
    try:
        text = "".join(inspect.getsource(f) for f in (function, *own))
    except OSError:
        return _STAGES[0]
    seen = [stage for stage in _LOOKS_AT.findall(text) if stage in _STAGES]
    return max(seen, key=_STAGES.index, default=_STAGES[0])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    if not _items_file:
        for item in items:
            function = inspect.unwrap(getattr(item.function, "fn", item.function))  # a test may be a jitted function
            _write({"id": item.nodeid, "stage": _stage(function)})
        _write({"collected": len(items)})
        items.clear()
        return
    with open(_items_file, encoding="utf-8") as file:
        wanted = {line.rstrip("\n"): n for n, line in enumerate(file)}
    items[:] = sorted((i for i in items if i.nodeid in wanted), key=lambda item: wanted[item.nodeid])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.excinfo is not None:
        last = call.excinfo.traceback[-1]
        report.reason = f"{os.path.basename(str(last.path))}:{last.lineno + 1}: {call.excinfo.exconly()}"[:600]
    return report


def _reason(report):
    return getattr(report, "reason", "")


def _outcome(reports):
    for report in reports:
        if report.failed:
            return "failed", _reason(report)
    for report in reports:
        if hasattr(report, "wasxfail"):
            return ("xfailed" if report.skipped else "xpassed"), report.wasxfail
        if report.skipped:
            return "skipped", _reason(report)
    return "passed", ""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    _write({"start": item.nodeid})
    _reports.clear()
    before = len(launcher.findings())
    began = time.perf_counter()
    result = yield
    outcome, reason = _outcome(_reports.get(item.nodeid, []))
    found = [
        {key: f.get(key) for key in ("rule", "severity", "kernel", "file", "line", "message")}
        for f in launcher.findings()[before:]
    ]
    _write(
        {
            "id": item.nodeid,
            "outcome": outcome,
            "reason": reason,
            "seconds": round(time.perf_counter() - began, 3),
            "findings": found[:3],
            "finding_count": len(found),
        }
    )
    return result


def pytest_runtest_logreport(report):
    _reports.setdefault(report.nodeid, []).append(report)
