"""The executor against what a real H200 computed: bench/device_match has the kernels, the recording and the bounds."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_recorded_kernel_gives_what_an_h200_gave():
    compare = ROOT / "bench" / "device_match" / "compare.py"
    run = subprocess.run(
        [sys.executable, str(compare), str(ROOT / "bench" / "device_match" / "h200")], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]
    assert "1368 cases compared, 0 problems" in run.stdout
