"""Makes a CPU build of torch out of a CUDA build: a folder whose `torch` is that of this Python, without its GPU half.

    python harness/cpu_torch.py FOLDER      then PYTHONPATH=FOLDER

Everything is a link, but for the libraries that hold kernels for GPUs. In their place stand ones that define what torch's bindings
for Python name of them, and do nothing: calls of it end the process. The device for scripts can then claim `cuda` (docs/harness.md).
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

# In the order in which one needs the other.
GPU_LIBRARIES = ("libtorch_cuda.so", "libc10_cuda.so", "libtorch_nvshmem.so", "libtorch_global_deps.so")
BINDINGS = "libtorch_python.so"
# What is called all the same: one place where the bindings leave a function, and how many devices there are.
ANSWERS = {"_ZN4c10d15get_gil_checkerEv": "lea nothing(%rip), %rax; ret", "_ZN3c104cuda12device_countEv": "xor %eax, %eax; ret"}


def main(folder):
    torch = Path(importlib.util.find_spec("torch").submodule_search_locations[0])
    view = folder / "torch"
    link_all(torch, view, but=("lib", "version.py", "__pycache__"))
    link_all(torch / "lib", view / "lib", but=GPU_LIBRARIES)
    link_all(torch.parent / "nvidia", folder / "nvidia", but=())
    named = {symbol for symbol, _, _ in symbols(torch / "lib" / BINDINGS, "--undefined-only")}
    gpu = [torch / "lib" / name for name in GPU_LIBRARIES if (torch / "lib" / name).exists()]
    wanted = {symbol: (kind, size) for library in gpu for symbol, kind, size in symbols(library, "--defined-only") if symbol in named}
    make_library(view / "lib" / GPU_LIBRARIES[0], wanted)
    for name in GPU_LIBRARIES[1:]:
        make_library(view / "lib" / name, {})
    (view / "version.py").write_text((torch / "version.py").read_text() + "\ncuda = None\n")  # last: all is there


def link_all(source, view, but):
    view.mkdir(parents=True, exist_ok=True)
    for path in source.iterdir() if source.exists() else ():
        link = view / path.name
        if path.name not in but and not link.is_symlink():
            link.symlink_to(path)


def symbols(library, which):
    """Names, kinds and sizes of a library's dynamic symbols."""
    listed = subprocess.run(["nm", "-D", "-S", which, library], capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        *place, kind, symbol = line.split()
        yield symbol.partition("@")[0], kind, int(place[1], 16) if len(place) == 2 else 0


def make_library(path, wanted):
    """A library that defines these symbols, with nothing behind them."""
    source = path.with_suffix(".s")
    lines = [line for symbol, what in wanted.items() for line in defined(symbol, what)]
    source.write_text("\n".join([*lines, ".data", "nothing: .zero 64", '.section .note.GNU-stack,"",@progbits', ""]))
    link = ["cc", "-shared", "-nostartfiles", "-o", path, source, f"-Wl,-soname,{path.name}", "-lstdc++"]
    subprocess.run(link, check=True)
    source.unlink()


def defined(symbol, what):
    kind, size = what
    if kind in "TW" and not symbol.startswith("_ZT"):
        return [".text", f".globl {symbol}", f".type {symbol}, @function", f"{symbol}: {ANSWERS.get(symbol, 'ud2')}"]
    head = [".data", ".balign 16", f".globl {symbol}", f".type {symbol}, @object", f".size {symbol}, {size}"]
    if symbol.startswith("_ZTI"):  # of a class: bindings compare its name
        name = symbol.removeprefix("_ZTI")
        return [*head, f"{symbol}: .quad _ZTVN10__cxxabiv117__class_type_infoE + 16, name_{name}", ".zero 8", f'name_{name}: .asciz "{name}"']
    return [*head, f"{symbol}: .zero {size}"]


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
