"""Makes this process claim the device: torch first, then Triton."""

import importlib.util
import threading

from . import records
from .errors import HarnessError

_lock = threading.Lock()
_state = None


class State:
    """What one installation holds together."""

    gpu = False  # a real one

    def __init__(self, options, profile, executor, plugin):
        self.options = options
        self.profile = profile
        self.executor = executor
        self.plugin = plugin

    def start(self, descriptors):
        """In a guest's child: takes up the socket and the memory."""
        self.executor.connect(descriptors["channel"], descriptors["arena"])
        self.plugin.start_guest()


def set_state(state):
    """Another kind of installation takes the place of this one."""
    global _state
    _state = state


def install(options=None):
    """Installs the device once; again, it does nothing. Raises HarnessError with the reason when it cannot."""
    global _state
    with _lock:
        if _state is not None:
            return _state
        from .options import from_environment

        _state = _install(options or from_environment())
        return _state


def _install(options):
    for package in ("torch", "triton"):
        if importlib.util.find_spec(package) is None:
            raise HarnessError(f"there is no {package} in this Python")
    import torch

    if torch.version.cuda or torch.version.hip:
        raise HarnessError(f"torch {torch.__version__} has kernels for GPUs, which would win: put build/cpu_torch first in PYTHONPATH")

    from .libraries import Executor, GuestExecutor, Plugin
    from .profile import profile_of

    profile = profile_of(options.executor)
    executor = (GuestExecutor if options.guest else Executor)(options.executor)
    plugin = Plugin(torch.__version__)
    plugin.install(executor, profile, options.quarantine_bytes, records.add_unwritten)
    state = State(options, profile, executor, plugin)

    from . import cuda_api, driver

    cuda_api.install(state)
    driver.install(state)
    return state
