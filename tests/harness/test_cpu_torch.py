"""A view of a CUDA build of torch without its GPU half, on a small package of the same make. What the real one does on it is shown by
bench/gpu/cases.py --device cpu, where a CUDA build is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

GPU_HALF = """
namespace c10::cuda { signed char device_count() noexcept { return 4; } int settings = 7; int twice(int x) { return 2 * x; } }
namespace c10d { struct Group { virtual ~Group(); }; Group::~Group() {} void (*&get_gil_checker())() { static void (*checker)() = nullptr; return checker; } }
struct Loaded { Loaded(); };
#include <cstdio>
Loaded::Loaded() { std::puts("the GPU half is loaded"); }
Loaded loaded;
"""
BINDINGS = """
#include <typeinfo>
namespace c10::cuda { signed char device_count() noexcept; extern int settings; int twice(int); }
namespace c10d { struct Group { virtual ~Group(); }; void (*&get_gil_checker())(); }
static int registered = (c10d::get_gil_checker() = nullptr, 1);
extern "C" int devices() { return registered + c10::cuda::device_count(); }
extern "C" int settings() { return c10::cuda::settings; }
extern "C" int twice(int x) { return c10::cuda::twice(x); }
extern "C" const char* group() { return typeid(c10d::Group).name(); }
"""


def compile_library(folder, name, source, *libraries):
    file = folder / (name + ".cpp")
    file.write_text(source)
    links = [f"-l{library}" for library in libraries]
    command = ["c++", "-shared", "-fPIC", "-O1", "-o", folder / f"lib{name}.so", file, f"-Wl,-soname,lib{name}.so", f"-L{folder}", *links]
    subprocess.run([*command, "-Wl,-rpath,$ORIGIN"], check=True)
    file.unlink()


@pytest.fixture
def places(tmp_path):
    """A folder with a torch, and its view."""
    library = tmp_path / "site/torch/lib"
    library.mkdir(parents=True)
    (tmp_path / "site/torch/__init__.py").write_text("from . import version\n")
    (tmp_path / "site/torch/version.py").write_text("cuda = '13.0'\n")
    compile_library(library, "torch_cuda", GPU_HALF)
    compile_library(library, "torch_python", BINDINGS, "torch_cuda")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    for _ in range(2):  # making it again changes nothing
        subprocess.run([sys.executable, ROOT / "harness/cpu_torch.py", tmp_path / "view"], check=True, env=environment)
    return tmp_path / "site", tmp_path / "view"


def call(place, expression):
    program = f"import ctypes, torch; l = ctypes.CDLL(torch.__path__[0] + '/lib/libtorch_python.so'); l.group.restype = ctypes.c_char_p; print({expression})"
    environment = {**os.environ, "PYTHONPATH": str(place)}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env=environment)


def test_the_gpu_half_is_not_loaded_and_there_is_no_device(places):
    site, view = places
    expression = "torch.version.cuda, l.devices() - 1, l.settings(), l.group()"
    assert call(site, expression).stdout.splitlines() == ["the GPU half is loaded", "13.0 4 7 b'N4c10d5GroupE'"]
    assert call(view, expression).stdout.splitlines() == ["None 0 0 b'N4c10d5GroupE'"]


def test_what_only_a_gpu_can_do_ends_the_process(places):
    site, view = places
    assert call(site, "l.twice(4)").stdout.splitlines()[-1] == "8"
    assert call(view, "l.twice(4)").returncode < 0
