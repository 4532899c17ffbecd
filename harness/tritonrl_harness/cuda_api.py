"""torch.cuda for the claimed device: what torch's CPU build leaves out of it."""

import functools
import sys
import types
from collections import OrderedDict

import torch

from . import records


def install(state):
    cuda = torch.cuda
    before = dict(vars(cuda))
    _say_that_it_is_there(cuda)
    _devices(cuda, state.profile)
    _streams(cuda, state)
    _memory(cuda, state)
    _graphs(cuda)
    _storages()
    _replace_imported_names(before, vars(cuda))
    torch.accelerator.synchronize = cuda.synchronize


def _replace_imported_names(before, after):
    """torch.cuda.random and its siblings hold functions of torch.cuda under their own names."""
    changed = {id(old): after[name] for name, old in before.items() if after[name] is not old}
    for module_name, module in list(sys.modules.items()):
        if module_name.startswith("torch.cuda."):
            for name, value in list(vars(module).items()):
                if id(value) in changed:
                    setattr(module, name, changed[id(value)])


def _say_that_it_is_there(cuda):
    nothing = lambda *_, **__: None
    cuda._is_compiled = lambda: True
    cuda.is_available = lambda: True
    cuda.is_initialized = lambda: True
    cuda.init = cuda._lazy_init = nothing
    cuda._initialized = True
    cuda._is_in_bad_fork = lambda: False
    cuda.default_generators = (torch.ops.tritonrl.default_generator(),)
    cuda.is_bf16_supported = lambda including_emulation=True: True
    cuda.is_tf32_supported = lambda: True
    cuda.ipc_collect = nothing
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
        setattr(cuda.nvtx, name, nothing)


def _index(device):
    """The index of a device given in any of torch's ways; only 0 is there."""
    if device is None:
        return 0
    if isinstance(device, int):
        index = device
    else:
        device = torch.device(device)
        if device.type != "cuda":
            raise ValueError(f"Expected a cuda device, but got: {device}")
        index = device.index or 0
    if index > 0:
        raise torch.AcceleratorError("CUDA error: invalid device ordinal")
    return max(index, 0)


class _Device:
    """torch.cuda.device: there is one device, so entering it checks its index."""

    def __init__(self, device):
        self.idx = _index(device) if device is not None else -1
        self.prev_idx = -1

    def __enter__(self):
        self.prev_idx = 0

    def __exit__(self, *_):
        return False


class _DeviceOf(_Device):
    def __init__(self, obj):
        super().__init__(obj.get_device() if obj.is_cuda else None)


def _devices(cuda, profile):
    names = (
        "name major minor multi_processor_count total_memory shared_memory_per_block shared_memory_per_block_optin "
        "shared_memory_per_multiprocessor regs_per_multiprocessor max_threads_per_multi_processor max_threads_per_block "
        "warp_size L2_cache_size clock_rate memory_clock_rate memory_bus_width"
    )
    properties = types.SimpleNamespace(
        **{name: getattr(profile, name) for name in names.split()},
        is_integrated=0,
        is_multi_gpu_board=0,
        gcnArchName=f"{profile.major}.{profile.minor}",
    )

    def get_device_properties(device=None):
        _index(device)
        return properties

    cuda.device = _Device
    cuda._DeviceGuard = _Device
    cuda.device_of = _DeviceOf
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.set_device = lambda device: None if _index(device) == 0 else None
    cuda._exchange_device = cuda._maybe_exchange_device = _index
    cuda.get_device_properties = get_device_properties
    cuda.get_device_name = lambda device=None: get_device_properties(device).name
    cuda.get_device_capability = lambda device=None: (profile.major, profile.minor) if _index(device) == 0 else None
    cuda.get_arch_list = lambda: [f"sm_{profile.capability}"]
    cuda.can_device_access_peer = lambda device, peer: False


class Stream(torch.Stream):
    """torch.cuda.Stream: work is done at once, so a stream orders nothing, but is told apart."""

    def __new__(cls, device=None, priority=0, **ids):
        if ids:
            return super().__new__(cls, **ids)
        return super().__new__(cls, device=torch.device("cuda", _index(device)), priority=priority)

    @property
    def cuda_stream(self):
        return self.stream_id

    def wait_event(self, event):
        event.wait(self)

    def wait_stream(self, stream):
        self.wait_event(stream.record_event())

    def record_event(self, event=None):
        event = Event() if event is None else event
        event.record(self)
        return event

    def __repr__(self):
        return f"<torch.cuda.Stream device=cuda:0 cuda_stream={self.stream_id:#x}>"


class Event(torch.Event):
    """torch.cuda.Event: it records the modelled clock, so elapsed_time is modelled too. torch.Event's own methods take
    no event of a subclass."""

    _plugin = None  # set by install

    def __new__(cls, enable_timing=False, blocking=False, interprocess=False, external=False):
        event = super().__new__(cls, device="cuda", enable_timing=enable_timing, blocking=blocking)
        event._timed = enable_timing
        event._us = None
        return event

    def record(self, stream=None):
        super().record(torch.cuda.current_stream() if stream is None else stream)
        self._us = self._plugin.modelled_us()

    def wait(self, stream=None):
        super().wait(torch.cuda.current_stream() if stream is None else stream)

    def query(self):
        return True

    def synchronize(self):
        torch.cuda.synchronize()

    def elapsed_time(self, end_event):
        """Milliseconds."""
        if not (self._timed and end_event._timed):
            raise ValueError("Both events must be created with argument 'enable_timing=True'.")
        if self._us is None or end_event._us is None:
            raise ValueError("Both events must be recorded before calculating elapsed time.")
        return (end_event._us - self._us) / 1000.0


class StreamContext:
    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        self._previous = torch.cuda.current_stream()
        if self.stream is not None:
            torch.cuda.set_stream(self.stream)
        return self.stream

    def __exit__(self, *_):
        torch.cuda.set_stream(self._previous)


def _streams(cuda, state):
    def with_id(stream):
        return Stream(stream_id=stream.stream_id, device_index=stream.device_index, device_type=stream.device_type)

    def current_stream(device=None):
        return with_id(torch._C._accelerator_getStream(_index(device)))

    def set_stream(stream):
        if stream is not None:
            torch._C._accelerator_setStream(stream)

    default = with_id(torch._C._accelerator_getStream(0))

    def default_stream(device=None):
        _index(device)
        return default

    def synchronize(device=None):
        _index(device)
        if state.options.raise_asserts and records.take_pending_assert():
            raise torch.AcceleratorError("CUDA error: device-side assert triggered")

    cuda.Stream = cuda.streams.Stream = Stream
    cuda.Event = cuda.streams.Event = Event
    Event._plugin = state.plugin
    # torch._dynamo, which optimizers import, takes it from here.
    torch._C._cuda_getCurrentRawStream = lambda device: torch._C._accelerator_getStream(device).stream_id
    cuda.StreamContext = StreamContext
    cuda.stream = StreamContext
    cuda.current_stream = current_stream
    cuda.default_stream = default_stream
    cuda.set_stream = set_stream
    cuda.synchronize = synchronize


def _memory(cuda, state):
    plugin = state.plugin
    allocated = lambda device=None: plugin.memory_allocated() if _index(device) == 0 else 0
    most = lambda device=None: plugin.max_memory_allocated() if _index(device) == 0 else 0
    reset = lambda device=None: plugin.reset_max_memory() if _index(device) == 0 else None

    def memory_stats(device=None):
        current, peak = allocated(device), most(device)
        names = ("allocated_bytes", "active_bytes", "reserved_bytes", "requested_bytes")
        stats = {f"{name}.all.{which}": value for name in names for which, value in (("current", current), ("peak", peak))}
        return OrderedDict(stats)

    def mem_get_info(device=None):
        return state.profile.total_memory - allocated(device), state.profile.total_memory

    replacements = {
        "memory_allocated": allocated,
        "max_memory_allocated": most,
        "memory_reserved": allocated,
        "max_memory_reserved": most,
        "memory_cached": allocated,
        "max_memory_cached": most,
        "reset_peak_memory_stats": reset,
        "reset_max_memory_allocated": reset,
        "reset_max_memory_cached": reset,
        "reset_accumulated_memory_stats": lambda device=None: None,
        "memory_stats": memory_stats,
        "mem_get_info": mem_get_info,
        "empty_cache": lambda: None,
        "memory_summary": lambda device=None, abbreviated=False: f"{allocated(device)} bytes allocated",
    }
    for name, function in replacements.items():
        setattr(cuda, name, function)
        setattr(cuda.memory, name, function)


def _graphs(cuda):
    def refuse(*_, **__):
        raise NotImplementedError("CUDA graphs are not supported by the device of tritonrl_harness")

    class CUDAGraph:
        def __init__(self, *_, **__):
            refuse()

    for module in (cuda, cuda.graphs):
        module.CUDAGraph = CUDAGraph
        module.graph = refuse
        module.graph_pool_handle = refuse
        module.make_graphed_callables = refuse
        module.is_current_stream_capturing = lambda: False


def _storages():
    """torch's CPU build makes no storage of a cuda device by itself; deepcopy and torch.load ask for one."""
    make = torch.UntypedStorage.__new__

    @functools.wraps(make)
    def new(cls, *args, device=None, **kwargs):
        if device is None or torch.device(device).type != "cuda":
            return make(cls, *args, **kwargs) if device is None else make(cls, *args, device=device, **kwargs)
        if len(args) == 1 and isinstance(args[0], int):
            size = args[0]
        elif not args:
            size = 0
        else:
            raise TypeError("torch.UntypedStorage of a cuda device takes a size in bytes")
        return torch.empty(size, dtype=torch.uint8, device=device).untyped_storage()

    torch.UntypedStorage.__new__ = new
