"""What the claimed device says about itself. Figures of NVIDIA's data sheet and of cudaGetDeviceProperties."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

from .errors import HarnessError


@dataclass(frozen=True)
class Profile:
    name: str
    major: int
    minor: int
    multi_processor_count: int
    total_memory: int
    shared_memory_per_block: int
    shared_memory_per_block_optin: int
    shared_memory_per_multiprocessor: int
    regs_per_multiprocessor: int
    max_threads_per_multi_processor: int
    max_threads_per_block: int
    warp_size: int
    L2_cache_size: int
    clock_rate: int  # kHz
    memory_clock_rate: int  # kHz
    memory_bus_width: int  # bits
    bytes_per_us: float  # peak bandwidth of its memory
    op_us: float = 2.0  # modelled floor of one torch operator: about what a launch costs

    @property
    def capability(self):
        return self.major * 10 + self.minor


PROFILES = {
    "h200": Profile(
        name="NVIDIA H200",
        major=9,
        minor=0,
        multi_processor_count=132,
        total_memory=150_110_011_392,
        shared_memory_per_block=49_152,
        shared_memory_per_block_optin=232_448,
        shared_memory_per_multiprocessor=233_472,
        regs_per_multiprocessor=65_536,
        max_threads_per_multi_processor=2_048,
        max_threads_per_block=1_024,
        warp_size=32,
        L2_cache_size=62_914_560,
        clock_rate=1_980_000,
        memory_clock_rate=3_201_000,
        memory_bus_width=6_144,
        bytes_per_us=4.8e6,
    ),
}


def profile_of(executor_options):
    """The profile by that name; a TOML file like src/ttir/data/h200.toml gives what it has, the rest is the H200's."""
    name = json.loads(executor_options).get("profile", "h200")
    if name in PROFILES:
        return PROFILES[name]
    if not name.endswith(".toml"):
        raise HarnessError(f"there is no device profile '{name}'; there is: {', '.join(PROFILES)}, or a .toml file")
    import tomllib  # Python 3.11 and later have it

    try:
        given = tomllib.loads(Path(name).read_text())
        return replace(
            PROFILES["h200"],
            name=given["name"],
            major=given["architecture"] // 10,
            minor=given["architecture"] % 10,
            multi_processor_count=given["multiprocessors"],
            total_memory=given["memory_bytes"],
            shared_memory_per_block_optin=given["shared_memory_bytes"],
            regs_per_multiprocessor=given["registers_per_multiprocessor"],
            bytes_per_us=given["dram_bytes_per_s"] / 1e6,
            op_us=given["launch_us"],
        )
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise HarnessError(f"device profile {name}: {error}") from None
    except KeyError as key:
        raise HarnessError(f"device profile {name}: {key} is missing") from None
