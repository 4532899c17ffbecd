"""What an operator is here: inputs at given sizes, torch's own answer, and many Triton schedules of the same thing."""

from dataclasses import dataclass, field
from typing import Any, Callable

import torch

launched = []  # what launch() compiled, since it was last emptied


def launch(kernel, grid, *arguments, **options):
    """Every launch of a schedule goes through here, so that its registers and shared memory can be asked for."""
    compiled = kernel[grid](*arguments, **options)
    launched.append(compiled)
    return compiled


@dataclass
class Operator:
    name: str
    sizes: list  # of {dimension: size}, as measured; the first is the main one
    quick: list  # of {dimension: size}, small enough to count on a CPU; dimensions left out keep their real size
    make: Callable[[dict, Any], tuple]  # (sizes, device) -> inputs
    reference: Callable  # inputs -> torch's answer
    tolerance: float
    schedules: dict = field(default_factory=dict)  # name -> function of the inputs

    def schedule(self, name, **options):
        """Decorates, or with options binds, one schedule."""

        def add(function):
            assert name not in self.schedules, name
            self.schedules[name] = (lambda *inputs: function(*inputs, **options)) if options else function
            return function

        return add


def normal(*shape, dtype=torch.float32, device, seed=7):
    """The same values on every machine; made on the CPU in single precision."""
    count = 1
    for size in shape:
        count *= size
    # A short period is enough for a check, and a gigabyte of random numbers takes a CPU long.
    period = min(count, (1 << 20) - 3)
    values = torch.randn(period, generator=torch.Generator().manual_seed(seed))
    values = values.to(device).to(dtype)
    return values.repeat(-(-count // period))[:count].reshape(shape)


def indices(limit, *shape, device, seed=11):
    return torch.randint(limit, shape, generator=torch.Generator().manual_seed(seed)).to(device)
