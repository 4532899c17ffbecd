"""Processes whose parent was killed: all must end by themselves."""

import ctypes
import os
import time

PR_SET_CHILD_SUBREAPER = 36
ENDED_WITHIN_S = 10.0  # that the kernel may take to end what was left


def become_their_parent():
    if ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise SystemExit("orphans: cannot become their parent")


def wait_for_orphans():
    deadline = time.monotonic() + ENDED_WITHIN_S
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            if time.monotonic() > deadline:
                raise SystemExit("orphans: a process outlives the program that was killed")
            time.sleep(0.01)
