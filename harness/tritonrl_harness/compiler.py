"""Triton's CUDA backend, stopped where the executor takes over: at Triton IR, or further where evidence is wanted."""

import contextlib
import hashlib
import json
import re
import subprocess
import tempfile
import threading

from triton import knobs
from triton.backends.compiler import Language
from triton.backends.nvidia.compiler import CUDABackend
from triton.compiler import ASTSource

from .errors import HarnessError, UnsupportedKernel
from .options import STAGES

FORMAT = 2  # of the stage "tritonrl": a line of JSON, then Triton IR
_TMA_DESCRIPTOR_BYTES = 128
# What the stages after Triton IR are told of a kernel.
_OPTIONS = ("num_warps", "num_ctas", "num_stages", "maxnreg", "enable_fp_fusion", "debug", "launch_cooperative_grid")

_stage = threading.local()
_default_stage = "ttir"


def set_default_stage(stage):
    global _default_stage
    _default_stage = stage


def current_stage():
    return getattr(_stage, "name", None) or _default_stage


@contextlib.contextmanager
def at_stage(name):
    """Kernels compiled inside go at least as far as this stage."""
    before = getattr(_stage, "name", None)
    _stage.name = max(name, current_stage(), key=STAGES.index)
    try:
        yield
    finally:
        _stage.name = before


def tell_files_apart():
    """Triton's cache takes equal kernels of two files for one, and findings would then name the first file's lines."""
    if hasattr(ASTSource, "tritonrl_hash"):
        return
    ASTSource.tritonrl_hash = ASTSource.hash

    def with_file(self):
        code = getattr(getattr(self.fn, "fn", None), "__code__", None)
        key = f"{self.tritonrl_hash()}-{code.co_filename if code else ''}"
        return hashlib.sha256(key.encode()).hexdigest()

    ASTSource.hash = with_file


class Backend(CUDABackend):
    """Adds a last stage, "tritonrl": the binary that the driver loads. kernel.asm holds the other stages as always."""

    def __init__(self, target):
        super().__init__(target)
        self.binary_ext = "tritonrl"

    def hash(self):
        stage = current_stage()
        tool = super().hash() if stage in ("ptx", "cubin") else self.target.arch
        return f"tritonrl-{FORMAT}-{stage}-{tool}"

    def add_stages(self, stages, options, language, *rest):
        if language != Language.TRITON:
            raise UnsupportedKernel("the executor runs Triton IR; a kernel in Gluon has none")
        full = {}
        super().add_stages(full, options, language, *rest)
        wanted = STAGES[: STAGES.index(current_stage()) + 1]
        kernel = _Kernel(full, "cubin" in wanted)
        for name in wanted:
            if name in full and name != "cubin":  # kernel.asm is text, except for the last stage
                stages[name] = kernel.stage(name)
        stages["tritonrl"] = kernel.binary


class _Kernel:
    """One kernel on its way through the stages."""

    def __init__(self, stages, assemble):
        self.stages = stages
        self.assemble = assemble
        self.ttir = None
        self.name = None

    def stage(self, name):
        if name == "ttir":
            return self.stages[name]
        return lambda module, metadata: self.stages[name](self._keep(module), metadata)

    def _keep(self, module):
        """What the stage after Triton IR is given: a script may put another file in that one's place."""
        if self.ttir is None:
            self.ttir = str(module)
            self.name = module.get_entry_func_name()
        return module

    def binary(self, module, metadata):
        override = metadata.get("ir_override")
        if override and not override.endswith(".ttir"):
            raise UnsupportedKernel(f"the executor runs Triton IR; {override} comes after it")
        if self.ttir is None:
            self._keep(module)
        evidence = {}
        if self.assemble:
            evidence = _resources(self.stages["cubin"](module, metadata), metadata)
        descriptors = self.ttir.count("tt.make_tensor_descriptor")
        metadata.setdefault("name", self.name)
        metadata.setdefault("shared", 0)
        metadata.setdefault("tmem_size", 0)
        # Descriptors made in a kernel take memory that the script has to provide: triton.set_allocator.
        metadata.setdefault("global_scratch_size", descriptors * _TMA_DESCRIPTOR_BYTES)
        metadata.setdefault("global_scratch_align", _TMA_DESCRIPTOR_BYTES if descriptors else 1)
        metadata.setdefault("profile_scratch_size", 0)
        metadata.setdefault("profile_scratch_align", 1)
        metadata["evidence"] = evidence
        head = {"name": self.name, "evidence": evidence, "options": {key: metadata.get(key) for key in _OPTIONS}}
        return join_binary(head, self.ttir.encode())


def join_binary(head, ttir):
    return json.dumps(head).encode() + b"\n" + ttir


def split_binary(binary):
    """(head, Triton IR) of what the stage "tritonrl" made: the head has the kernel's name, evidence and options."""
    head, _, ttir = binary.partition(b"\n")
    return json.loads(head), ttir


def _resources(cubin, metadata):
    """Registers, spills and shared memory of a cubin, as the CUDA driver would tell them of a loaded kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [knobs.nvidia.cuobjdump.path, "--dump-resource-usage", file.name]
        output = subprocess.run(command, capture_output=True, text=True, check=False)
    found = re.search(r"REG:(\d+) STACK:(\d+) SHARED:(\d+) LOCAL:(\d+)", output.stdout)
    if output.returncode != 0 or not found:
        raise HarnessError(f"cuobjdump says nothing about a cubin's resources: {output.stderr.strip() or output.stdout.strip()}")
    registers, stack, _, local = map(int, found.groups())
    return {"registers": registers, "spills": (local + stack) // 4, "shared": metadata["shared"], "cubin_bytes": len(cubin)}
