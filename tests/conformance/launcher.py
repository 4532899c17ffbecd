"""What runs kernels in a campaign: the executor, nothing at all, or Triton's own interpreter."""

import sys
from pathlib import Path

LAUNCHERS = ("executor", "nothing", "interpreter")

_HARNESS = Path(__file__).resolve().parents[2] / "harness"


def install(name):
    """ "interpreter" needs TRITON_INTERPRET=1 in the environment and nothing else."""
    if name == "interpreter":
        return
    if str(_HARNESS) not in sys.path:
        sys.path.insert(1, str(_HARNESS))
    import tritonrl_harness

    tritonrl_harness.install()
    if name == "nothing":
        from tritonrl_harness.driver import Launcher

        # Everything else stays: compilation, arguments, torch. What passes now does not depend on what kernels do.
        Launcher._run = lambda self, kernel, grid, array: None


def findings():
    harness = sys.modules.get("tritonrl_harness")
    return harness.findings() if harness else []
