"""The trusted compiler: Triton IR in, a cubin and what it uses out. `python -m tritonrl_harness.compile_server`.

Started by src/verify/compiler_process.cpp with a socket as descriptor 3 and a folder of its own for temporary files. A frame is eight bytes of length, a line of JSON, and a body:
Triton IR to us, a cubin back. Candidates never run here; their IR does pass through, so this process may die of it.
"""

import contextlib
import io
import json
import os
import re
import select
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
from pathlib import Path

from triton import knobs
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget, Language
from triton.backends.nvidia import compiler as nvidia
from triton.backends.nvidia.driver import TMA_DTYPE_DEVICE_TO_HOST
from triton.compiler import ASTSource
from triton.runtime.errors import PTXASError

CONTROL = 3
_MOST_KNOWN = 1024  # results kept
_MOST_WORDS = 2000
_POINTERS = 2  # behind a kernel's own parameters: scratch memory, the profiler's
_ENTRY = re.compile(r"\.visible \.entry \w+\((.*?)\)", re.DOTALL)
_PARAMETER = re.compile(r"\.param\s+(?:\.align \d+\s+)?\.([a-z])(\d+)\s+(?:\.ptr[^,]*?)?\w+(?:\[(\d+)\])?")
_FUNCTION = re.compile(r"tt\.func public @[^(]*\((.*)$", re.MULTILINE)
_TYPE = re.compile(r"%\w+: (!tt\.tensordesc|!tt\.ptr|!tt|\w+)")


class Refused(Exception):
    """The IR cannot become a kernel: its author's fault."""

    resources = False


class OutOfResources(Refused):
    """It would need more than the device has."""

    resources = True


class Compiler:
    """Kernels for one kind of GPU. What it made is kept by its text and options."""

    def __init__(self, architecture, shared_bytes):
        self.shared_bytes = shared_bytes
        self.target = GPUTarget("cuda", architecture, 32)
        self.backend = nvidia.CUDABackend(self.target)
        self.known = {}

    def compile(self, text, options):
        key = (text, json.dumps(options, sort_keys=True))
        if key not in self.known:
            if len(self.known) >= _MOST_KNOWN:
                self.known.clear()
            self.known[key] = self._compile(self._parse(text), options)
        return self.known[key]

    def compile_own(self, module, name, signature, constants):
        """A kernel of ours, from a module of this package."""
        function = getattr(__import__(f"{__package__}.{module}", fromlist=[name]), name)
        source = ASTSource(function, signature, {(function.arg_names.index(k),): v for k, v in constants.items()})
        options = self.backend.parse_options({})
        context = _context(self.backend)
        codegen, modules = self.backend.get_codegen_implementation(options), self.backend.get_module_map()
        made = source.make_ir(self.target, options, codegen, modules, context)
        return self._compile((self.backend.make_ttir(made, {}, options, self.target.arch), context), {})

    def _parse(self, text):
        path = Path(tempfile.gettempdir()) / f"kernel-{os.getpid()}.ttir"
        path.write_bytes(text)
        context = _context(self.backend)
        module = ir.parse_mlir_module(str(path), context)
        module.context = context
        return module, context

    def _compile(self, parsed, options):
        module, _ = parsed  # the context must live as long
        options = self.backend.parse_options({name: value for name, value in options.items() if value is not None})
        types = _parameter_types(str(module))
        metadata = dict(options.__dict__)
        stages = {}
        self.backend.add_stages(stages, options, Language.TRITON)
        made = module
        for stage in ("ttgir", "llir", "ptx"):
            made = stages[stage](made, metadata)
        if metadata["shared"] > self.shared_bytes:
            raise OutOfResources(f"the kernel needs {metadata['shared']} bytes of shared memory; the device has {self.shared_bytes}")
        cubin, used = self._assemble(stages["cubin"], made, metadata)
        head = {
            "name": metadata["name"],
            **used,
            "shared_bytes": metadata["shared"],
            "num_warps": metadata["num_warps"],
            "num_ctas": metadata.get("num_ctas", 1),
            "cooperative": bool(metadata.get("launch_cooperative_grid")),
            "scratch_bytes": metadata.get("global_scratch_size") or 0,
            "scratch_align": metadata.get("global_scratch_align") or 1,
            "parameters": _parameters(made, types),
            "tensor_maps": [_tensor_map(each) for each in metadata.get("tensordesc_meta") or []],
        }
        return head, cubin

    def _assemble(self, stage, ptx, metadata):
        """Triton's own last stage, which tells what ptxas says of the kernel by printing it."""
        words = io.StringIO()
        with contextlib.redirect_stdout(words):
            try:
                cubin = stage(ptx, metadata)
            except PTXASError as error:
                raise Refused(str(error)) from None
        registers = re.search(r"Used (\d+) registers", words.getvalue())
        spills = re.search(r"(\d+) bytes spill stores", words.getvalue())
        return cubin, {"registers": int(registers.group(1)), "spill_bytes": int(spills.group(1)) if spills else 0}


def _context(backend):
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    return context


def _parameter_types(text):
    """Types of the kernel's parameters, as Triton IR has them: "ptr", "i32", "f16"..."""
    found = _FUNCTION.search(text)
    if not found:
        raise Refused("the IR has no public function")
    return [name.removeprefix("!tt.") for name in _TYPE.findall(found.group(1))]


def _parameters(ptx, types):
    """[type, bytes] of each parameter of the machine code, in order; "scratch" and "profile" come last."""
    sizes = []
    for kind, bits, count in _PARAMETER.findall(_ENTRY.search(ptx).group(1)):
        sizes.append(int(count) if count else int(bits) // 8)
    extra = len(sizes) - len(types)
    if not 0 <= extra <= _POINTERS:
        raise RuntimeError(f"{len(types)} parameters in Triton IR became {len(sizes)}")
    return [list(pair) for pair in zip([*types, *("scratch", "profile")[:extra]], sizes)]


def _tensor_map(wanted):
    """What the machine code takes for a descriptor: its element type as the driver numbers it, and its block."""
    if wanted is None:
        raise Refused("a tensor descriptor that the device has no unit for")
    return {
        "element_type": TMA_DTYPE_DEVICE_TO_HOST[wanted["elem_type"]],
        "element_bytes": wanted["elem_size"],
        "swizzle": wanted["swizzle"],
        "block": wanted["block_size"],
        "two_per_byte": bool(wanted["fp4_padded"]),
    }


class Words:
    """What MLIR writes to standard error: it says there, not in its exceptions, what is wrong."""

    def __init__(self):
        self.file = os.memfd_create("words", os.MFD_CLOEXEC)
        os.dup2(self.file, 2)

    def __call__(self):
        text = os.pread(self.file, _MOST_WORDS, 0).decode(errors="replace")
        os.ftruncate(self.file, 0)
        os.lseek(self.file, 0, os.SEEK_SET)
        return text.strip()


def answer(compiler, head, body, words):
    try:
        if "own" in head:
            return compiler.compile_own(*head["own"])
        return compiler.compile(body, head["options"])
    except Refused as error:
        return {"refused": str(error)[:_MOST_WORDS], "resources": error.resources}, b""
    except Exception as error:  # Triton's own refusals have many types: a failed pass, a layout that it lacks
        return {"refused": f"{type(error).__name__}: {error} {words()}"[:_MOST_WORDS]}, b""


def serve(control, compiler, words):
    _send(control, {"ready": True})
    while (frame := _receive(control)) is not None:
        line, _, body = frame.partition(b"\n")
        head, cubin = answer(compiler, json.loads(line), body, words)
        _send(control, head, cubin)


def _send(control, head, body=b""):
    data = json.dumps(head).encode() + b"\n" + body
    control.sendall(struct.pack("<Q", len(data)) + data)


def _receive(control):
    length = _read(control, 8)
    return None if length is None else _read(control, struct.unpack("<Q", length)[0])


def _read(control, size):
    data = bytearray()
    while len(data) < size:
        piece = control.recv(min(size - len(data), 1 << 20))
        if not piece:
            return None
        data += piece
    return bytes(data)


def end_with(control, folder):
    """Where the other side was killed, what is being compiled, for minutes perhaps, is for nobody."""
    hung_up = select.poll()
    hung_up.register(control, 0)
    hung_up.poll()
    shutil.rmtree(folder, ignore_errors=True)
    os.killpg(os.getpid(), signal.SIGKILL)  # an assembler may be at work in the group


def main():
    # Nothing shows lines of the machine code, and they cost a third of the time.
    knobs.compilation.disable_line_info = True
    knobs.nvidia.dump_ptxas_log = True
    architecture, shared_bytes = map(int, sys.argv[1:3])
    control = socket.socket(fileno=CONTROL)
    end = threading.Thread(target=end_with, args=(control, sys.argv[3]), daemon=True)
    end.start()
    serve(control, Compiler(architecture, shared_bytes), Words())
    end.join()


if __name__ == "__main__":
    main()
