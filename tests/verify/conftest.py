import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def program():
    """The program of this build, where the machine can verify at all."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    path = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    if not (path.parents[1] / "lib" / "libtritonrl_torch.so").exists():
        pytest.skip("this build has no device for scripts")
    return str(path)
