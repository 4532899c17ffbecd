"""Finds the harness and its libraries; without them there is nothing to test."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HARNESS = ROOT / "harness"
BUILD = Path(os.environ.get("TRITONRL_BUILD_DIR", ROOT / "build"))

sys.path.insert(0, str(HARNESS))
os.environ["TRITONRL_BUILD_DIR"] = str(BUILD)
os.environ.setdefault("TRITON_CACHE_DIR", tempfile.mkdtemp(prefix="tritonrl-triton-cache-"))


def pytest_collection_modifyitems(items):
    missing = [name for name in ("libtritonrl_ttir.so", "libtritonrl_torch.so") if not (BUILD / "lib" / name).exists()]
    if missing:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=f"this build has no {' and no '.join(missing)}"))
