"""A throw-away project around the real build files, with modules of a test's own."""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Project:
    """The real CMake files over sources that a test writes."""

    root: Path

    def write(self, path: str, text: str | bytes) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return file

    def module(self, name: str, *arguments: str) -> None:
        """A module of one empty source; arguments are those of tritonrl_module after SOURCES."""
        self.write(f"src/{name}/{name}.cpp", f"namespace tritonrl::{name} {{}}\n")
        self.write(f"src/{name}/CMakeLists.txt", f"tritonrl_module({name} SOURCES {name}.cpp {' '.join(arguments)})\n")

    def configure(self, *arguments: str) -> subprocess.CompletedProcess:
        command = ["cmake", "-S", self.root, "-B", self.root / "build", "-DTRITONRL_TESTS=OFF", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def build(self) -> subprocess.CompletedProcess:
        command = ["cmake", "--build", self.root / "build"]
        return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    shutil.copy(ROOT / "CMakeLists.txt", tmp_path)
    shutil.copytree(ROOT / "cmake", tmp_path / "cmake")
    (tmp_path / ".deps").symlink_to(ROOT / ".deps")
    return Project(tmp_path)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def build_dir() -> Path:
    return Path(os.environ.get("TRITONRL_BUILD_DIR", ROOT / "build"))


def squeeze(text: str) -> str:
    """CMake wraps long messages; undo that."""
    return " ".join(text.split())
