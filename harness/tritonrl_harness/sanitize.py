"""python -m tritonrl_harness.sanitize [--json-out FD] SCRIPT.py ARGS...: runs a script or test file on the claimed device.

Records go to the descriptor FD, one JSON object a line: findings as they are found, and last {"type": "end", "exit": n}.
A file named test_*.py or *_test.py is run by pytest. The exit status is the script's own.
"""

import argparse
import os
import runpy
import sys
import traceback

from . import records
from .errors import HarnessError

_BAD_INPUT = 2


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tritonrl_harness.sanitize")
    parser.add_argument("--json-out", type=int, metavar="FD", help="write records to this file descriptor")
    parser.add_argument("script")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args(arguments)
    if not os.path.isfile(options.script):
        print(f"tritonrl_harness: there is no file {options.script}", file=sys.stderr)
        return _BAD_INPUT
    try:
        if options.json_out is not None:
            records.write_to(options.json_out)
        from .install import install

        state = install()
    except HarnessError as error:
        print(f"tritonrl_harness: {error}", file=sys.stderr)
        return _BAD_INPUT
    _report_hard_exits()
    run = _run_tests if _is_test_file(options.script) else _run_script
    status, error = run(options.script, options.arguments)
    _end(status, error, state)
    return status


def _is_test_file(path):
    name = os.path.basename(path)
    return name.endswith(".py") and (name.startswith("test_") or name.endswith("_test.py"))


def _run_tests(script, arguments):
    import pytest

    return int(pytest.main([script, *arguments])), None


def _run_script(script, arguments):
    """The script as __main__. What it raises is shown as Python shows it, without our own frames."""
    sys.argv = [script, *arguments]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as exit_:
        return _status_of(exit_.code), None
    except BaseException as error:  # whatever ends a script, KeyboardInterrupt too
        own = os.path.dirname(os.path.abspath(__file__))
        trace = error.__traceback__
        while trace and (trace.tb_frame.f_code.co_filename.startswith((own, "<frozen runpy"))):
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        return 1, f"{type(error).__name__}: {error}"
    return 0, None


def _status_of(code):
    if code is None:
        return 0
    if isinstance(code, int):
        return code & 0xFF
    print(code, file=sys.stderr)
    return 1


_ended = False


def _end(status, error=None, state=None):
    global _ended
    if _ended:
        return
    _ended = True
    record = {"type": "end", "exit": status, "findings": len(records.findings())}
    if error:
        record["error"] = error
    if state is not None:
        record["torch_ops"] = state.plugin.op_count()
        record["modelled_us"] = state.plugin.modelled_us()
    records.write(record)


def _report_hard_exits():
    """os._exit ends a process without unwinding: the last record is written first, by the process that we started."""
    leave, owner = os._exit, os.getpid()

    def _exit(status):
        if os.getpid() == owner:
            _end(status)
        leave(status)

    os._exit = _exit


if __name__ == "__main__":
    sys.exit(main())
