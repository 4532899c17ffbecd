"""What a run records, read by TensorBoard's own loader."""

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

event_accumulator = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")


@pytest.fixture
def writer():
    path = Path(os.environ.get("TRITONRL_BUILD_DIR", "build")) / "bin" / "runlog_writer"
    if not path.exists():
        pytest.skip("runlog_writer is not built")
    return str(path.resolve())


def scalars(folder, tag):
    loader = event_accumulator.EventAccumulator(str(folder), size_guidance={event_accumulator.SCALARS: 0})
    loader.Reload()
    return [(event.step, event.value) for event in loader.Scalars(tag)]


def metric_steps(folder):
    return [json.loads(line)["step"] for line in (folder / "metrics.jsonl").read_text().splitlines()]


def test_tensorboard_reads_every_value(writer, tmp_path):
    subprocess.run([writer, tmp_path, "0", "99"], check=True, stdout=subprocess.DEVNULL)
    assert scalars(tmp_path, "reward/mean") == [(step, float(step)) for step in range(100)]
    assert scalars(tmp_path, "perf/tokens_per_s") == [(step, 8000.5) for step in range(100)]


def test_a_resumed_run_replaces_what_came_after_its_checkpoint(writer, tmp_path):
    subprocess.run([writer, tmp_path, "1", "9"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([writer, tmp_path, "5", "7", "10"], check=True, stdout=subprocess.DEVNULL)
    expected = [(step, float(step)) for step in range(1, 5)] + [(step, 10.0 * step) for step in range(5, 8)]
    assert scalars(tmp_path, "reward/mean") == expected
    assert metric_steps(tmp_path) == list(range(1, 8))


def test_a_killed_run_loses_nothing_that_it_said_was_written(writer, tmp_path):
    with subprocess.Popen([writer, tmp_path, "1", "1000000000"], stdout=subprocess.PIPE, text=True) as process:
        told = 0
        for line in process.stdout:
            told = int(line)
            if told >= 2000:
                process.send_signal(signal.SIGKILL)
                break
    subprocess.run([writer, tmp_path, str(told + 1), str(told + 2)], check=True, stdout=subprocess.DEVNULL)
    assert metric_steps(tmp_path) == list(range(1, told + 3))
    assert [step for step, _ in scalars(tmp_path, "reward/mean")] == list(range(1, told + 3))


def test_a_torn_event_file_is_read_as_far_as_it_goes(writer, tmp_path):
    subprocess.run([writer, tmp_path, "1", "9"], check=True, stdout=subprocess.DEVNULL)
    (events,) = tmp_path.glob("events.out.tfevents.*")
    events.write_bytes(events.read_bytes()[:-5])
    subprocess.run([writer, tmp_path, "9", "10"], check=True, stdout=subprocess.DEVNULL)
    assert [step for step, _ in scalars(tmp_path, "reward/mean")] == list(range(1, 11))
