"""Runs torch and Triton scripts that say "cuda" on a machine without a GPU; kernels go to the executor. See docs/harness.md."""

from .errors import HarnessError, UnsupportedKernel
from .install import install
from .records import findings

__all__ = ["HarnessError", "UnsupportedKernel", "findings", "install"]
