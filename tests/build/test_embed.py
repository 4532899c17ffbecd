"""tritonrl_embed keeps every byte of a file, and notices when the file changes."""

import subprocess

AWKWARD = bytes(range(256)) + b'";[]\\ ${HOME} @VARIABLE@ )x" // \r\n\\\n??/' + "é".encode()

PROGRAM = """
#include <cstdio>

#include "base/data/blob.bin.h"

int main() { std::fwrite(tritonrl::base::kBlob.data(), 1, tritonrl::base::kBlob.size(), stdout); }
"""


def printed(project) -> bytes:
    result = project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    return subprocess.run([project.root / "build/bin/show"], capture_output=True, check=True).stdout


def test_round_trip_and_rebuild(project):
    project.write("src/base/base.cpp", "namespace tritonrl::base {}\n")
    project.write(
        "src/base/CMakeLists.txt",
        "tritonrl_module(base SOURCES base.cpp)\ntritonrl_embed(base data/blob.bin kBlob)\n",
    )
    project.write("apps/CMakeLists.txt", "tritonrl_program(show SOURCES show.cpp DEPENDS base)\n")
    project.write("apps/show.cpp", PROGRAM)
    # Only what is embedded matters here.
    project.write("cmake/tree_sitter.cmake", "")
    project.write("src/base/data/blob.bin", AWKWARD)
    assert project.configure().returncode == 0
    assert printed(project) == AWKWARD
    project.write("src/base/data/blob.bin", b"")
    assert printed(project) == b""


def test_missing_file_is_named(project):
    project.write("src/base/base.cpp", "namespace tritonrl::base {}\n")
    project.write(
        "src/base/CMakeLists.txt", "tritonrl_module(base SOURCES base.cpp)\ntritonrl_embed(base data/none.bin kNone)\n"
    )
    result = project.configure()
    assert result.returncode != 0
    assert "data/none.bin" in result.stderr
