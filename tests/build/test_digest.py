"""tritonrl_digest follows the files: what they hold, what they are called, which there are."""

import hashlib
import subprocess

PROGRAM = """
#include <cstdio>

#include "base/files.h"

int main() { std::printf("%s", tritonrl::base::kFiles.data()); }
"""


def expected(files: dict[str, bytes]) -> str:
    lines = sorted(f"{name} {hashlib.sha256(data).hexdigest()}\n" for name, data in files.items())
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def printed(project) -> str:
    result = project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    return subprocess.run([project.root / "build/bin/show"], capture_output=True, check=True, text=True).stdout


def test_follows_the_files(project):
    project.write("src/base/base.cpp", "namespace tritonrl::base {}\n")
    project.write(
        "src/base/CMakeLists.txt",
        "tritonrl_module(base SOURCES base.cpp)\ntritonrl_digest(base kFiles files.h data setup/one.txt)\n",
    )
    project.write("apps/CMakeLists.txt", "tritonrl_program(show SOURCES show.cpp DEPENDS base)\n")
    project.write("apps/show.cpp", PROGRAM)
    # Only what is digested matters here.
    project.write("cmake/tree_sitter.cmake", "")
    files = {"data/b.txt": b"x;y[z\n", "data/inner/a.txt": b"", "setup/one.txt": bytes(range(256))}
    for name, data in files.items():
        project.write(name, data)
    assert project.configure().returncode == 0
    assert printed(project) == expected(files)

    files["data/inner/a.txt"] = b"changed"
    project.write("data/inner/a.txt", b"changed")
    assert printed(project) == expected(files)

    files["data/c.txt"] = b"new"
    project.write("data/c.txt", b"new")
    assert printed(project) == expected(files)

    del files["data/b.txt"]
    (project.root / "data/b.txt").unlink()
    assert printed(project) == expected(files)
