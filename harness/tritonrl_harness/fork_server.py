"""Forks confined guests: `python -m tritonrl_harness.fork_server`, started by src/sandbox/server_process.cpp.

Imports what guests need once, then answers each request on its control socket (descriptor 3) with a fork. The child goes
into its sandbox (libtritonrl_sandbox.so, src/sandbox/c_api.h) and calls its entry; candidates' code runs only there.
"""

import ctypes
import errno
import gc
import importlib
import json
import os
import select
import socket
import sys
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint64, c_void_p

CONTROL = 3
MOST_BYTES, MOST_DESCRIPTORS = 1 << 16, 64
SCRATCH = "/dev/shm"  # hidden under an empty file system: the warm-up's caches go there
SCRATCH_BYTES = 1 << 30
NEW_PID, NEW_MOUNTS = 0x20000000, 0x00020000  # flags of clone(2)
LIMIT_OF_ERRNO = {errno.ENOMEM: "memory", errno.ENOSPC: "disk", errno.EFBIG: "file_bytes"}


class Native:
    """libtritonrl_sandbox.so; a function's error text becomes an OSError."""

    def __init__(self, path):
        self.library = library = ctypes.CDLL(path)
        library.tritonrl_sandbox_free_text.argtypes = [c_void_p]
        library.tritonrl_sandbox_free_text.restype = None
        for name, *arguments in (
            ("prepare_server", c_char_p, c_uint64),
            ("start_pid_namespace",),
            ("leave_pid_namespaces",),
            ("isolate", c_char_p, c_int, c_int, c_int, POINTER(c_int), c_size_t),
            ("lock_down",),
        ):
            function = getattr(library, f"tritonrl_sandbox_{name}")
            function.restype, function.argtypes = c_void_p, arguments
        for name, *arguments in (("fail", c_char_p), ("note", c_char_p, c_char_p), ("complete",)):
            function = getattr(library, f"tritonrl_sandbox_{name}")
            function.restype, function.argtypes = None, arguments

    def call(self, name, *arguments):
        text = getattr(self.library, f"tritonrl_sandbox_{name}")(*arguments)
        if text:
            message = ctypes.string_at(text).decode(errors="replace")
            self.library.tritonrl_sandbox_free_text(text)
            raise OSError(message)


def function_named(name):
    """The function that "module:function" names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)


def limit_of(error):
    """The limit that a denied request met, or ""."""
    text = str(error)
    if isinstance(error, MemoryError) or "can't allocate memory" in text or "std::bad_alloc" in text:
        return "memory"
    if isinstance(error, RuntimeError) and "can't start new thread" in text:
        return "processes"
    return LIMIT_OF_ERRNO.get(error.errno, "") if isinstance(error, OSError) else ""


class Request:
    """One spawn: what to run and the descriptors that came with it."""

    def __init__(self, body, descriptors):
        self.id = body["id"]
        self.body = body
        self.received = list(descriptors)
        self.status, self.output, self.watch = descriptors[:3]
        rest = descriptors[3:]
        self.filter = rest.pop(0) if body["has_filter"] else -1
        self.handed = dict(zip(body["names"], rest))

    def close(self):
        for descriptor in self.received:
            os.close(descriptor)


class Server:
    def __init__(self, control):
        self.control = control
        self.guests = {}  # pidfd: (id, pid)
        hello, _ = self.receive()
        self.native = Native(hello["library"])
        self.namespaces = hello["namespaces"]
        scratch = SCRATCH if self.namespaces & NEW_MOUNTS else ""
        self.native.call("prepare_server", scratch.encode(), SCRATCH_BYTES)
        self.prepare(hello, scratch)

    def prepare(self, hello, scratch):
        if scratch:
            moved = {name: value.replace("/tmp", scratch, 1) for name, value in os.environ.items() if value.startswith("/tmp")}
            os.environ.update(moved)
        for name in hello["preload"]:
            importlib.import_module(name)
        if hello["warm_up"]:
            function_named(hello["warm_up"])()
        threads = len(os.listdir("/proc/self/task"))
        if threads != 1:
            raise RuntimeError(f"{threads} threads run after the imports; a fork would lose all but one")
        # Garbage collection in a guest would touch, and so copy, every page of the imported modules.
        gc.collect()
        gc.freeze()

    def receive(self):
        data, descriptors, _, _ = socket.recv_fds(self.control, MOST_BYTES, MOST_DESCRIPTORS)
        return (json.loads(data) if data else None), descriptors

    def send(self, body, descriptors=()):
        socket.send_fds(self.control, [json.dumps(body).encode()], descriptors)

    def run(self):
        self.send({"event": "ready"})
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        while True:
            for descriptor, _ in poll.poll():
                if descriptor != self.control.fileno():
                    poll.unregister(descriptor)
                    self.reap(descriptor)
                    continue
                body, descriptors = self.receive()
                if body is None:
                    return
                pidfd = self.spawn(Request(body, descriptors))
                if pidfd is not None:
                    poll.register(pidfd, select.POLLIN)

    def spawn(self, request):
        try:
            entry = function_named(request.body["entry"])
            before = request.body["before_confinement"] and function_named(request.body["before_confinement"])
            pid = self.fork()
        except Exception as error:
            request.close()
            self.send({"event": "failed", "id": request.id, "error": f"{type(error).__name__}: {error}"})
            return None
        if pid == 0:
            os._exit(be_guest(self.native, request, entry, before))
        request.close()
        pidfd = os.pidfd_open(pid)
        self.guests[pidfd] = request.id, pid
        self.send({"event": "spawned", "id": request.id}, [pidfd])
        return pidfd

    def fork(self):
        """A fork whose child is the first process of a new pid namespace."""
        if not self.namespaces & NEW_PID:
            return os.fork()
        self.native.call("start_pid_namespace")
        try:
            pid = os.fork()
        except OSError:
            self.native.call("leave_pid_namespaces")
            raise
        if pid:
            self.native.call("leave_pid_namespaces")
        return pid

    def reap(self, pidfd):
        id, pid = self.guests.pop(pidfd)
        _, status, usage = os.wait4(pid, 0)
        os.close(pidfd)
        cpu_s = usage.ru_utime + usage.ru_stime
        self.send({"event": "ended", "id": id, "status": status, "cpu_s": cpu_s, "peak_rss_bytes": usage.ru_maxrss * 1024})


def enter_sandbox(native, request, before):
    os.dup2(os.open(os.devnull, os.O_RDONLY | os.O_CLOEXEC), 0)
    os.dup2(request.output, 1)
    os.dup2(request.output, 2)
    os.environ.clear()
    os.environ.update(request.body["environment"])
    sys.argv = [""]
    handed = list(request.handed.values())
    setup = request.body["setup"].encode()
    native.call("isolate", setup, request.status, request.filter, request.watch, (c_int * len(handed))(*handed), len(handed))
    if before:
        before(request.handed)
    native.call("lock_down")


def be_guest(native, request, entry, before):
    """The child's whole life; returns its exit status."""
    try:
        enter_sandbox(native, request, before)
    except BaseException as error:
        native.library.tritonrl_sandbox_fail(f"{type(error).__name__}: {error}".encode(errors="replace"))
        return 1
    note, complete = native.library.tritonrl_sandbox_note, native.library.tritonrl_sandbox_complete
    try:
        entry(request.handed)
        sys.stdout.flush()
        sys.stderr.flush()
        complete()
        return 0
    except SystemExit as error:
        note(b"", f"SystemExit: {error}".encode(errors="replace"))
        return error.code if isinstance(error.code, int) else 1
    except BaseException as error:
        note(limit_of(error).encode(), f"{type(error).__name__}: {error}".encode(errors="replace"))
        return 1


def main():
    sys.path[:] = [path for path in sys.path if path not in ("", "/")]  # "-m" adds the working folder
    Server(socket.socket(fileno=CONTROL)).run()


if __name__ == "__main__":
    main()
