"""Runs a command in namespaces of its own and tells what it left behind: `leftovers.py < request`, as process 1.

In them every process, socket, mount and file of /tmp and /dev/shm is the command's, whoever else uses the machine.
The request is JSON: {"files": {path under /tmp: text}, "command": [...], "watched": [folders]}.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

WITHIN_S = 5.0  # that the kernel may take to end what was killed
UNWATCHED = {".git", "build", "__pycache__", ".pytest_cache", ".ruff_cache", ".cache"}


def unshare(*command):
    """The command line that runs `command` so; a user who is not root becomes it in there."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, "--mount", "--net", "--pid", "--ipc", "--fork", "--mount-proc", "--propagation=private", *command]


def processes():
    return sorted(int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit())


def sockets():
    return sorted(line.split(maxsplit=1)[1] for line in Path("/proc/net/unix").read_text().splitlines()[1:])


def mounts():
    return Path("/proc/self/mountinfo").read_text().splitlines()


def shared_memory():
    return [line for name in ("shm", "sem", "msg") for line in Path(f"/proc/sysvipc/{name}").read_text().splitlines()]


def files(folders):
    """Every file below the folders, with its size and time of change."""
    found = {}
    for folder in folders:
        for place, names, entries in os.walk(folder):
            names[:] = [name for name in names if name not in UNWATCHED]
            for name in (*names, *entries):
                path = os.path.join(place, name)
                status = os.lstat(path)
                found[path] = [status.st_size, status.st_mtime_ns] if name in entries else []
    return found


def state(folders):
    return {
        "processes": processes(),
        "sockets": sockets(),
        "mounts": mounts(),
        "shared memory": shared_memory(),
        "files": files(folders),
    }


def difference(before, after):
    left = {}
    for kind, earlier in before.items():
        later = after[kind]
        if kind == "files":
            changed = [path for path in later if earlier.get(path) != later[path]]
            changed += [f"{path} is gone" for path in earlier if path not in later]
        else:
            changed = [item for item in later if item not in earlier] + [f"{item} is gone" for item in earlier if item not in later]
        if changed:
            left[kind] = changed
    return left


def main():
    request = json.load(sys.stdin)
    for place in ("/tmp", "/dev/shm"):
        subprocess.run(["mount", "-t", "tmpfs", "none", place], check=True)
    for name, text in request["files"].items():
        path = Path("/tmp", name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    folders = ["/tmp", "/dev/shm", *request["watched"]]
    before = state(folders)
    result = subprocess.run(request["command"], capture_output=True, text=True, check=False)
    deadline = time.monotonic() + WITHIN_S
    while (left := difference(before, state(folders))) and time.monotonic() < deadline:
        time.sleep(0.1)
    print(json.dumps({"status": result.returncode, "stdout": result.stdout, "stderr": result.stderr, "left": left}))


if __name__ == "__main__":
    main()
