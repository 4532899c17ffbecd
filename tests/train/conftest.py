import contextlib
import fcntl
import json
import os
import pty
import random
import struct
import subprocess
import termios
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Program:
    """The program of this build, on one thread, with a secret and a cache of its own."""

    def __init__(self, path, folder):
        self.path = path
        self.environment = {
            **os.environ,
            "TRITONRL_SECRET": str(folder / "secret"),
            "XDG_CACHE_HOME": str(folder),
            "OMP_NUM_THREADS": "1",
        }

    def run(self, *arguments, **options):
        command = [self.path, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment, cwd=ROOT, **options)

    def run_at_a_terminal(self, *arguments):
        """Its exit status, and what a terminal of 100 columns got."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        environment = {**self.environment, "TERM": "xterm", "LC_ALL": "C.UTF-8"}
        command = [self.path, *map(str, arguments)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment, cwd=ROOT)
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal ends with the program
            while piece := os.read(ours, 65536):
                shown += piece
        os.close(ours)
        return process.wait(), shown.decode()

    def start(self, *arguments, stderr=subprocess.DEVNULL):
        command = [self.path, *map(str, arguments)]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, env=self.environment, cwd=ROOT)


@pytest.fixture(scope="session")
def program(tmp_path_factory):
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    if not path.exists() or not (path.parents[1] / "lib" / "libtritonrl_training.so").exists():
        pytest.skip("the training half is not built")
    return Program(str(path), tmp_path_factory.mktemp("state"))


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def sums(count, seed):
    """Prompts and responses with something to learn, of various lengths."""
    dice = random.Random(seed)
    rows = []
    for _ in range(count):
        a, b = dice.randint(0, 99), dice.randint(0, 99)
        response = f"<think>{a} and {b}</think>\n```python\nresult = {a + b}\n```"
        rows.append({"prompt": f"add {a} {b}" + " please" * dice.randint(0, 3), "response": response})
    return rows


@pytest.fixture(scope="session")
def workplace(program, tmp_path_factory):
    """A tokenizer, a small model and data."""
    folder = tmp_path_factory.mktemp("workplace")
    write_rows(folder / "train.jsonl", sums(48, 1))
    write_rows(folder / "dev.jsonl", sums(12, 2))
    texts = folder / "texts.txt"
    texts.write_text("\n".join(row["prompt"] + row["response"] for row in sums(48, 1)))
    for arguments in (
        ("tokenizer", "train", texts, "--size", "300", "--out", folder / "tokenizer"),
        ("model", "init", folder / "model", "--tokenizer", folder / "tokenizer", "--hidden", "64", "--layers", "2",
         "--heads", "4", "--kv-heads", "2", "--head-dim", "16", "--seed", "3"),
    ):
        done = program.run(*arguments)
        assert done.returncode == 0, done.stderr
    return folder


def sft_config(workplace, run, **overrides):
    """A configuration file for `tritonrl sft`, in sections."""
    values = {
        "run": {"folder": str(run), "device": "cpu", "threads": 1, "save_every": 4, "seed": 7, "batch_tokens": 512},
        "sft": {"model": str(workplace / "model"), "data": str(workplace / "train.jsonl"), "batch": 16, "epochs": 4, "max_tokens": 200},
        "optimizer": {"lr": 3e-3, "warmup": 0.2, "weight_decay": 0.01},
    }
    for key, value in overrides.items():
        section, name = key.split("__")
        values[section][name] = value
    lines = []
    for section, fields in values.items():
        lines.append(f"[{section}]")
        lines += [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    path = Path(str(run) + ".toml")
    path.write_text("\n".join(lines) + "\n")
    return path


def metrics(run):
    return [json.loads(line) for line in (Path(run) / "metrics.jsonl").read_text().splitlines()]
