"""Options of a run, from the environment."""

import json
import os
from dataclasses import dataclass, field, fields

from .errors import HarnessError

STAGES = ("ttir", "ttgir", "llir", "ptx", "cubin")


@dataclass(frozen=True)
class Options:
    """The key "harness" of TRITONRL_DEVICE_OPTIONS; the other keys are the executor's (src/ttir/c_api.h)."""

    raise_asserts: bool = False  # a failed device assert raises at the next synchronize, as on a GPU
    record_launches: bool = False  # a record for each launch, with its counters
    warmup_stage: str = "cubin"  # kernel.warmup() is how scripts ask for registers and shared memory
    quarantine_bytes: int = 32 << 20  # freed device memory that is not reused yet
    stage: str = "ttir"  # how far kernels are compiled; TRITONRL_STAGE
    guest: bool = False  # kernels run on the other side of a socket; set by the program, not from the environment
    executor: str = field(default="{}")  # JSON


def _checked(name, value):
    kind = {f.name: f.type for f in fields(Options)}.get(name)
    if kind is None or name in ("stage", "guest", "executor"):
        raise HarnessError(f"TRITONRL_DEVICE_OPTIONS: harness has no option '{name}'")
    if type(value) is not kind:
        raise HarnessError(f"TRITONRL_DEVICE_OPTIONS: harness.{name} must be a {kind.__name__}")
    return value


def from_environment(environment=os.environ):
    text = environment.get("TRITONRL_DEVICE_OPTIONS") or "{}"
    try:
        executor = json.loads(text)
    except ValueError as error:
        raise HarnessError(f"TRITONRL_DEVICE_OPTIONS is not JSON: {error}") from None
    if not isinstance(executor, dict):
        raise HarnessError("TRITONRL_DEVICE_OPTIONS must be a JSON object")
    own = executor.pop("harness", {})
    if not isinstance(own, dict):
        raise HarnessError("TRITONRL_DEVICE_OPTIONS: harness must be an object")
    own = {name: _checked(name, value) for name, value in own.items()}
    stage = environment.get("TRITONRL_STAGE") or "ttir"
    for name, value in (("TRITONRL_STAGE", stage), ("harness.warmup_stage", own.get("warmup_stage", "cubin"))):
        if value not in STAGES:
            raise HarnessError(f"{name} is '{value}'; it must be one of {', '.join(STAGES)}")
    return Options(stage=stage, executor=json.dumps(executor), **own)
