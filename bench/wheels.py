"""Fetches the pinned wheels of wheels.txt and finds the Triton files in them."""

from __future__ import annotations

import ast
import hashlib
import re
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path

from verdicts import REPOSITORY, BenchError

PINS = Path(__file__).resolve().parent / "wheels.txt"
FOLDER = REPOSITORY / "build/bench"
PIN = re.compile(r"^(?P<name>[\w-]+)==(?P<version>[\w.]+) --hash=sha256:(?P<sha256>[0-9a-f]{64})$")


@dataclass(frozen=True)
class Wheel:
    name: str
    version: str
    files: tuple[Path, ...]  # with a function decorated by triton.jit
    generators: tuple[Path, ...]  # @triton.jit only in text that they write out


def fetch(folder: Path = FOLDER) -> list[Wheel]:
    """Downloads what is not there yet; every wheel's hash is checked on every run."""
    pins = [match for line in PINS.read_text().splitlines() if (match := PIN.match(line))]
    downloads = folder / "wheels"
    if any(_find(downloads, pin) is None for pin in pins):
        _download(downloads)
    return [_open(pin, downloads, folder / "unpacked") for pin in pins]


def _download(folder: Path) -> None:
    options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--quiet"]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        *options,
        "-r",
        str(PINS),
        "-d",
        str(folder),
    ]
    if subprocess.run(command, check=False, stdout=sys.stderr).returncode != 0:
        raise BenchError("pip could not download the wheels of bench/wheels.txt")


def _find(folder: Path, pin: re.Match[str]) -> Path | None:
    stem = f"{pin['name'].replace('-', '_')}-{pin['version']}-"
    for path in sorted(folder.glob(f"{stem}*.whl")):
        if hashlib.sha256(path.read_bytes()).hexdigest() == pin["sha256"]:
            return path
    return None


def _open(pin: re.Match[str], downloads: Path, unpacked: Path) -> Wheel:
    path = _find(downloads, pin)
    if path is None:
        raise BenchError(f"{pin['name']} {pin['version']}: no wheel with the pinned hash")
    target = unpacked / path.stem
    with zipfile.ZipFile(path) as archive:
        archive.extractall(target, [n for n in archive.namelist() if n.endswith(".py")])
    mentions = [p for p in sorted(target.rglob("*.py")) if b"@triton.jit" in p.read_bytes()]
    files = tuple(p for p in mentions if _has_kernel(p))
    generators = tuple(p for p in mentions if p not in set(files))
    return Wheel(pin["name"], pin["version"], files, generators)


def _has_kernel(path: Path) -> bool:
    return any(
        ast.unparse(decorator).startswith("triton.jit")
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
    )
