import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from pages import ROOT


@pytest.fixture(scope="session")
def program() -> str:
    path = os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl"))
    if not os.path.exists(path):
        pytest.skip("the program is not built")
    return path
