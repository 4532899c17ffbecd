"""The two native libraries, by ctypes: the executor (src/ttir/c_api.h) and the plugin (harness/native/plugin_api.h)."""

import ctypes
import json
import os
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p
from pathlib import Path

from .errors import HarnessError

INTEGER, FLOAT, POINTER_KIND, DESCRIPTOR = range(4)
MAX_RANK = 5


class Argument(Structure):
    _fields_ = [
        ("kind", c_int32),
        ("rank", c_int32),
        ("integer", c_int64),
        ("real", c_double),
        ("extent_begin", c_uint64),
        ("extent_end", c_uint64),
        ("shape", c_int64 * MAX_RANK),
        ("strides", c_int64 * MAX_RANK),
        ("nan_padding", c_int32),
        ("name", c_char_p),
    ]


class _Texts:
    """Texts that a library gives away."""

    def take(self, address):
        """The text at an address that the library gave, which is freed."""
        if not address:
            return ""
        text = ctypes.string_at(address).decode(errors="replace")
        self.library.tritonrl_free_text(address)
        return text


class Executor(_Texts):
    """libtritonrl_ttir.so and the one device of this process."""

    name, variable = "libtritonrl_ttir.so", "TRITONRL_TTIR_LIBRARY"

    def __init__(self, options):
        self.library = library = _load(self.name, ctypes.RTLD_LOCAL, self.variable)
        _declare(library, "tritonrl_device_create", c_void_p, c_char_p, POINTER(c_void_p))
        _declare(library, "tritonrl_kernel_load", c_void_p, c_char_p, c_size_t, POINTER(c_void_p))
        _declare(library, "tritonrl_kernel_destroy", None, c_void_p)
        _declare(library, "tritonrl_launch", c_void_p, c_void_p, c_void_p, POINTER(c_uint32), POINTER(Argument), c_size_t)
        _declare(library, "tritonrl_free_text", None, c_void_p)
        error = c_void_p()
        # Never destroyed: tensors tell it of their end until the process's own.
        self.device = library.tritonrl_device_create(options.encode(), ctypes.byref(error))
        if not self.device:
            raise HarnessError(f"the executor refuses its options: {self.take(error.value)}")
        self.launch = library.tritonrl_launch

    def load(self, head, ttir):
        """(kernel, "") or (None, the error as JSON). `head` is what the compiler said of the kernel."""
        text = json.dumps(head).encode() + b"\n" + ttir
        error = c_void_p()
        kernel = self.library.tritonrl_kernel_load(text, len(text), ctypes.byref(error))
        return kernel, "" if kernel else self.take(error.value)

    def unload(self, kernel):
        self.library.tritonrl_kernel_destroy(kernel)

    def memory_and_trace(self):
        """Addresses of reserve, release and operated for the plugin: none, so it takes its own memory."""
        return 0, 0, 0


class _Socket:
    """What commands a guest's process, by the functions of its library (harness/guest/guest_api.h)."""

    def resources(self, kernel):
        """Registers of a thread, bytes spilled, bytes of shared memory."""
        figures = (c_uint32 * 3)()
        self._resources(kernel, figures)
        return tuple(figures)

    def _declare_socket(self, library):
        self._connect = _declare(library, "tritonrl_guest_connect", c_char_p, c_int, c_int)
        self._next_command = _declare(library, "tritonrl_guest_next_command", c_void_p)
        self._reply = _declare(library, "tritonrl_guest_reply", None, c_char_p, c_size_t)

    def connect(self, channel, arena):
        error = self._connect(channel, arena)
        if error:
            raise HarnessError(error.decode())

    def next_command(self):
        """A command as a dictionary, or None when there is nobody left to serve."""
        text = self._next_command()
        return json.loads(self.take(text)) if text else None

    def reply(self, answer):
        data = json.dumps(answer).encode()
        self._reply(data, len(data))


class GuestExecutor(Executor, _Socket):
    """libtritonrl_guest.so: the executor, on the other side of a socket."""

    name, variable = "libtritonrl_guest.so", "TRITONRL_GUEST_LIBRARY"

    def __init__(self, options):
        super().__init__(options)
        self._declare_socket(self.library)
        self._resources = _declare(self.library, "tritonrl_guest_resources", None, c_void_p, POINTER(c_uint32))

    def memory_and_trace(self):
        return tuple(_address(self.library, f"tritonrl_guest_{name}") for name in ("reserve", "release", "operated"))

    def begin_call(self):
        pass

    def end_call(self):
        pass


class CudaExecutor(_Texts, _Socket):
    """libtritonrl_cuda_guest.so: a GPU, whose kernels and memory come from the other side of a socket."""

    def __init__(self):
        self.library = library = _load("libtritonrl_cuda_guest.so", ctypes.RTLD_LOCAL, "TRITONRL_CUDA_GUEST_LIBRARY")
        self.path = library._name
        self._declare_socket(library)
        _declare(library, "tritonrl_free_text", None, c_void_p)
        self._kernel_load = _declare(library, "tritonrl_kernel_load", c_void_p, c_char_p, c_size_t, POINTER(c_void_p))
        self._resources = _declare(library, "tritonrl_cuda_resources", None, c_void_p, POINTER(c_uint32))
        arguments = (c_void_p, POINTER(c_uint32), c_void_p, POINTER(Argument), c_size_t)
        self._launch = _declare(library, "tritonrl_cuda_launch", c_void_p, *arguments)
        self.owns = _declare(library, "tritonrl_cuda_owns", c_int, c_uint64)
        self.begin_call = _declare(library, "tritonrl_cuda_begin_call", None)
        self.end_call = _declare(library, "tritonrl_cuda_end_call", None)

    def load(self, head, ttir):
        """(kernel, "") or (None, the error as JSON)."""
        text, error = json.dumps(head).encode() + b"\n" + ttir, c_void_p()
        kernel = self._kernel_load(text, len(text), ctypes.byref(error))
        return kernel, "" if kernel else self.take(error.value)

    def unload(self, kernel):
        """They stay, as the other side's numbers for them do."""

    def launch_on(self, kernel, grid, stream, array, count):
        """What failed, or ""."""
        return self.take(self._launch(kernel, grid, stream, array, count))


class OperatorTrace:
    """libtritonrl_trace.so: tells the other side of every torch operator."""

    def __init__(self):
        self.library = _load("libtritonrl_trace.so", ctypes.RTLD_LOCAL, "TRITONRL_TRACE_LIBRARY")
        self._start = _declare(self.library, "tritonrl_trace_start", None, c_void_p)

    def start(self, executor):
        self._start(_address(executor.library, "tritonrl_guest_operated"))


Unwritten = CFUNCTYPE(None, c_char_p, c_uint64, c_uint64, c_uint64)


class _Callbacks(Structure):
    _fields_ = [
        ("device", c_void_p),
        ("allocated", c_void_p),
        ("freed", c_void_p),
        ("written", c_void_p),
        ("first_undefined", c_void_p),
        ("unwritten", Unwritten),
        ("reserve", c_void_p),
        ("release", c_void_p),
        ("operated", c_void_p),
    ]


class _Profile(Structure):
    _fields_ = [
        ("memory_bytes", c_uint64),
        ("bytes_per_us", c_double),
        ("op_us", c_double),
        ("quarantine_bytes", c_uint64),
    ]


class Plugin:
    """libtritonrl_torch.so: makes torch claim the device."""

    def __init__(self, torch_version):
        self.library = library = _load("libtritonrl_torch.so", ctypes.RTLD_GLOBAL, "TRITONRL_TORCH_LIBRARY")
        built_for = _declare(library, "tritonrl_torch_built_for", c_char_p)().decode()
        if torch_version.split("+")[0] != built_for.split("+")[0]:
            raise HarnessError(f"libtritonrl_torch.so was built for torch {built_for}, this is {torch_version}: build it again")
        self.owns = _declare(library, "tritonrl_torch_owns", c_int, c_uint64)
        self.op_count = _declare(library, "tritonrl_torch_op_count", c_uint64)
        self.bytes_moved = _declare(library, "tritonrl_torch_bytes_moved", c_uint64)
        self.modelled_us = _declare(library, "tritonrl_torch_modelled_us", c_double)
        self.advance = _declare(library, "tritonrl_torch_advance", None, c_double)
        self.memory_allocated = _declare(library, "tritonrl_torch_memory_allocated", c_uint64)
        self.max_memory_allocated = _declare(library, "tritonrl_torch_max_memory_allocated", c_uint64)
        self.start_guest = _declare(library, "tritonrl_torch_start_guest", None)
        self.reset_max_memory = _declare(library, "tritonrl_torch_reset_max_memory", None)

    def install(self, executor, profile, quarantine_bytes, on_unwritten):
        self._on_unwritten = Unwritten(on_unwritten)  # the library keeps the address
        address = lambda name: _address(executor.library, f"tritonrl_device_{name}")
        callbacks = _Callbacks(
            executor.device,
            address("allocated"),
            address("freed"),
            address("written"),
            address("first_undefined"),
            self._on_unwritten,
            *executor.memory_and_trace(),
        )
        figures = _Profile(profile.total_memory, profile.bytes_per_us, profile.op_us, quarantine_bytes)
        install = _declare(self.library, "tritonrl_torch_install", c_char_p, POINTER(_Callbacks), POINTER(_Profile))
        error = install(ctypes.byref(callbacks), ctypes.byref(figures))
        if error:
            raise HarnessError(error.decode())


def _address(library, name):
    return ctypes.cast(getattr(library, name), c_void_p).value


def _declare(library, name, result, *arguments):
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


def _load(name, mode, variable):
    """The file that `variable` names, else the one beside the build or the installation of this package."""
    named = os.environ.get(variable)
    root = Path(__file__).resolve().parents[2]
    folders = [Path(os.environ["TRITONRL_BUILD_DIR"]) / "lib"] if os.environ.get("TRITONRL_BUILD_DIR") else []
    places = [Path(named)] if named else [folder / name for folder in (*folders, root / "build" / "lib", root / "lib")]
    for place in places:
        if place.exists():
            try:
                return ctypes.CDLL(str(place), mode=mode)
            except OSError as error:
                raise HarnessError(f"{place} cannot be loaded: {error}") from None
    raise HarnessError(f"{name} was not found; looked at: {', '.join(map(str, places))}. Build it, or set {variable}.")
