"""Guests of the fork server's tests: each does one thing."""

import ctypes
import mmap
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time


def torch_works():
    import torch

    layer = torch.nn.Linear(8, 8)
    layer(torch.randn(4, 8)).sum().backward()
    return layer.weight.grad.shape == (8, 8)


def compiled_text():
    """The Triton IR of a small kernel, by Triton's own compiler."""
    import sandbox_kernel
    from triton._C.libtriton import ir
    from triton.backends import backends
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    target = GPUTarget("cuda", 90, 32)
    backend = backends["nvidia"].compiler(target)
    options = backend.parse_options({})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(sandbox_kernel.double, {"pointer": "*fp32", "count": "i32", "BLOCK": "constexpr"}, {"BLOCK": 64})
    codegen = backend.get_codegen_implementation(options)
    return str(source.make_ir(target, options, codegen, backend.get_module_map(), context))


def return_at_once(descriptors):
    pass


def exit_early(descriptors):
    os._exit(0)


def echo(descriptors):
    channel = descriptors["channel"]
    while data := os.read(channel, 4096):
        os.write(channel, data.upper())


def raise_error(descriptors):
    raise ValueError("what went wrong")


def sleep(descriptors):
    time.sleep(3600)


def take_memory(descriptors):
    blocks = []
    while True:
        blocks.append(b"x" * (64 << 20))


def fill_disk(descriptors):
    with open("/tmp/file", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))


def start_threads(descriptors):
    while True:
        threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()


def start_subprocess(descriptors):
    subprocess.run(["true"])


def fork(descriptors):
    os.fork()


def open_network(descriptors):
    socket.socket(socket.AF_INET)


def print_much(descriptors):
    while True:
        print("x" * 1000)


def print_and_fail(descriptors):
    print("printed", flush=True)
    raise SystemExit(3)


def crash(descriptors):
    ctypes.string_at(0)


def look_around(descriptors):
    assert os.getpid() == 1
    assert os.getcwd() == "/"
    assert os.environ["HOME"] == "/tmp/home" and "PYTHONPATH" not in os.environ
    assert sorted(os.listdir("/tmp")) == ["home", "triton"]
    assert not os.path.exists("/proc") and not os.path.exists("/etc/passwd")
    assert sys.argv == [""]
    assert threading.active_count() == 1
    assert tempfile.gettempdir() == "/tmp"


def import_late(descriptors):
    import _lsprof  # noqa: F401  an extension module that nothing has loaded


def before(descriptors):
    global prepared
    prepared = os.path.exists("/tmp/home") and not os.path.exists("/etc/passwd")


def check_prepared(descriptors):
    assert prepared


def fail_before(descriptors):
    raise RuntimeError("no device")


def compile_triton(descriptors):
    assert torch_works()
    assert "tt.store" in compiled_text()


def close_output_and_sleep(descriptors):
    os.close(1)
    os.close(2)
    time.sleep(0.5)
    os._exit(5)


def make_context(descriptors):
    import torch

    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()


def use_gpu(descriptors):
    import torch

    left = torch.randn(512, 512, device="cuda")
    product = (left @ left).cpu()
    assert torch.allclose(product, left.cpu() @ left.cpu(), atol=0.5)
    pinned = torch.empty(1 << 20, pin_memory=True)
    assert torch.equal(pinned.cuda(non_blocking=True).cpu(), pinned)
    assert torch.cuda.Event() is not None and torch.cuda.Stream().query()


def allocate_on_gpu(descriptors):
    """A kernel of a new module, and memory that grows: what the driver does late."""
    import torch

    sizes = [torch.empty(1 << exponent, device="cuda", dtype=torch.uint8).zero_().sum().item() for exponent in range(10, 30)]
    assert not any(sizes)
    assert torch.linspace(0, 1, 7, device="cuda").erfinv().isfinite()[:6].all().item()


def take_shared_memory(descriptors):
    block = mmap.mmap(-1, 64 << 30)
    while block.write(b"x" * (64 << 20)):
        pass


def read_process_memory(descriptors):
    open("/proc/self/mem", "r+b")


def signal_by_proc(descriptors):
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("0")
