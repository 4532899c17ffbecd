"""A bundle holds everything that a machine without package registries lacks."""

import subprocess
import tarfile

import pytest

LIBRARIES = ["CLI11", "tomlplusplus", "nlohmann_json", "fmt", "spdlog", "GTest", "OpenSSL", "benchmark"]

PROGRAM = """
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <spdlog/spdlog.h>
#include <toml++/toml.h>
#include <tree_sitter/api.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

int main() {
  const CLI::App app;
  const auto table = toml::parse("x = 1");
  spdlog::info("{}", nlohmann::json(table["x"].value_or(0)).dump());
  ts_parser_delete(ts_parser_new());
  return testing::UnitTest::GetInstance()->total_test_count();
}
"""


@pytest.fixture(scope="module")
def bundle(root, tmp_path_factory):
    if (root / ".deps/bundle.txt").exists():
        pytest.skip("this machine is served by a bundle itself")
    archive = tmp_path_factory.mktemp("bundle") / "bundle.tar.gz"
    subprocess.run([root / "setup/bundle.sh", archive], check=True, capture_output=True)
    return archive


def test_is_small_and_self_contained(bundle):
    assert bundle.stat().st_size < 20e6
    with tarfile.open(bundle) as archive:
        names = archive.getnames()
        assert all(name == ".deps" or name.startswith(".deps/") for name in names)
        assert all(member.isfile() or member.isdir() for member in archive)
    for name in (
        "bundle.txt",
        "fmt/LICENSE",
        "googletest/LICENSE",
        "libpcre2/lib/libpcre2-8.a",
        "libutf8proc/LICENSE",
        "tree-sitter/LICENSE",
    ):
        assert f".deps/{name}" in names


def test_same_input_gives_the_same_bytes(bundle, root, tmp_path):
    again = tmp_path / "again.tar.gz"
    subprocess.run([root / "setup/bundle.sh", again], check=True, capture_output=True)
    assert again.read_bytes() == bundle.read_bytes()


def test_builds_where_the_system_has_no_library(bundle, project):
    (project.root / ".deps").unlink()
    subprocess.run(["tar", "-xzf", bundle, "-C", project.root], check=True)
    project.module("base")
    project.write(
        "apps/CMakeLists.txt",
        "tritonrl_program(show SOURCES show.cpp DEPENDS base LINKS CLI11::CLI11 tomlplusplus::tomlplusplus\n"
        "  nlohmann_json::nlohmann_json spdlog::spdlog fmt::fmt tree_sitter::python GTest::gmock)\n",
    )
    project.write("apps/show.cpp", PROGRAM)
    project.write("tests/CMakeLists.txt", "")
    result = project.configure(
        "-DTRITONRL_TESTS=ON",
        "-DCMAKE_BUILD_TYPE=None",
        *(f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in LIBRARIES),
    )
    assert result.returncode == 0, result.stderr
    for name in ("cli11", "tomlplusplus", "nlohmann-json", "fmt", "spdlog", "googletest"):
        assert f"{name}: from .deps/" in result.stdout
    result = project.build()
    assert result.returncode == 0, result.stdout + result.stderr
    libraries = subprocess.run(["ldd", project.root / "build/bin/show"], capture_output=True, text=True, check=True)
    assert not any(name in libraries.stdout for name in ("libfmt", "libspdlog", "libtoml"))
    subprocess.run([project.root / "build/bin/show"], check=True, capture_output=True)
