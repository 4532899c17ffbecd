"""Findings and other records: kept here, and written as they come, one JSON object a line."""

import json
import os
import sys
import threading
from pathlib import Path

from .errors import HarnessError

_findings = []
_lock = threading.Lock()
_out = None  # a file descriptor of our own
_pending_assert = False

_OWN = str(Path(__file__).parent)
_LIBRARIES = ("torch", "triton", "_pytest", "pluggy")
_MOST_FRAMES = 8


def findings():
    """What has been found in this process so far, oldest first."""
    with _lock:
        return list(_findings)


def write_to(descriptor):
    """Records go to this descriptor from now on. It is duplicated, so that a script that closes it loses nothing."""
    global _out
    try:
        _out = os.dup(descriptor)
    except OSError as error:
        raise HarnessError(f"descriptor {descriptor} cannot take records: {error.strerror}") from None


def write(record):
    if _out is None:
        return
    data = (json.dumps(record) + "\n").encode()
    with _lock:
        while data:
            try:
                data = data[os.write(_out, data) :]
            except OSError:
                return  # nobody reads any more, or the script closed every descriptor


def add_finding(finding, kernel=None):
    """`finding` as the executor words it, with the kernel and the Python lines that led to it."""
    global _pending_assert
    stack = python_stack()
    record = {**finding, "kernel": kernel, "launched_at": stack[0] if stack else None, "stack": stack}
    if finding.get("rule") == "device-assert":
        _pending_assert = True
    with _lock:
        _findings.append(record)
    write({"type": "finding", **record})


def add_unwritten(op, address, size, offset):
    """Called by the plugin, on any thread: a torch operator reads what nothing has written."""
    stack = python_stack()
    at = stack[0] if stack else {}
    add_finding(
        {
            "rule": "unwritten-output",
            "severity": "error",
            "file": at.get("file"),
            "line": at.get("line"),
            "column": None,
            "callers": [],
            "program": None,
            "lane": None,
            "message": f"torch.{op.decode()} reads device memory that nothing has written: "
            f"byte {offset} of the tensor's {size}",
            "occurrences": 1,
        }
    )


def take_pending_assert():
    global _pending_assert
    pending, _pending_assert = _pending_assert, False
    return pending


def _is_library(path):
    if path.startswith(("<frozen", _OWN)) or not path:
        return True
    parts = path.split(os.sep)
    for packages in ("site-packages", "dist-packages"):
        if packages in parts:
            inside = parts[parts.index(packages) + 1 :]
            return bool(inside) and inside[0] in _LIBRARIES
    return f"{os.sep}lib{os.sep}python3" in path


def python_stack():
    """The caller's own lines, innermost first: not those of torch, Triton, pytest, Python or this package."""
    frames = []
    frame = sys._getframe(1)
    while frame is not None and len(frames) < _MOST_FRAMES:
        code = frame.f_code
        if not _is_library(code.co_filename):
            frames.append({"file": code.co_filename, "line": frame.f_lineno, "function": code.co_name})
        frame = frame.f_back
    return frames
