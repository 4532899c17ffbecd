"""Finds the harness's libraries; without them there is nothing to test."""

import pytest
from pytest_run import BUILD

LIBRARIES = ("libtritonrl_ttir.so", "libtritonrl_torch.so")


def pytest_collection_modifyitems(items):
    missing = [name for name in LIBRARIES if not (BUILD / "lib" / name).exists()]
    for item in items if missing else []:
        item.add_marker(pytest.mark.skip(reason=f"this build has no {' and no '.join(missing)}"))
