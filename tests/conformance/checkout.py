"""Where Triton's own repository lies, at the tag that setup/requirements.txt pins. It is never part of this one.

python tests/conformance/checkout.py fetches it, which needs a network: 60 MB.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TAG = "v3.7.1"
URL = "https://github.com/triton-lang/triton"
DEFAULT = REPOSITORY.parent / "triton-tests"


def triton_checkout() -> Path | None:
    """The folder that TRITON_TESTS names, or ../triton-tests; None where Triton's tests are not there."""
    folder = Path(os.environ.get("TRITON_TESTS") or DEFAULT).resolve()
    return folder if (folder / "python/test/unit/language").is_dir() else None


def how_to_get_it() -> str:
    named = os.environ.get("TRITON_TESTS") or "../triton-tests"
    return (
        f"Triton's own tests are not at {named}. Get them with `git clone --depth 1 -b {TAG} {URL} ../triton-tests`, "
        "or name a checkout in TRITON_TESTS."
    )


def fetch() -> Path:
    found = triton_checkout()
    if found:
        return found
    command = [
        "git",
        "-c",
        "advice.detachedHead=false",
        "clone",
        "--quiet",
        "--depth",
        "1",
        "-b",
        TAG,
        URL,
        str(DEFAULT),
    ]
    subprocess.run(command, check=True, stdout=sys.stderr)
    return DEFAULT


if __name__ == "__main__":
    print(fetch())
