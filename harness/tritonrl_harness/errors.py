"""What the harness raises by itself; the errors of CUDA and Triton are raised under their own types."""


class HarnessError(RuntimeError):
    """The harness cannot do its work here: a library is missing, an option is wrong."""


class UnsupportedKernel(NotImplementedError):
    """A kernel holds what the executor cannot run. It says nothing about whether the kernel is right."""
