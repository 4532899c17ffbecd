"""Figures of an evaluation against computations of their own, in numpy and scipy."""

import itertools
import json
import math
import os
import random
import subprocess
from pathlib import Path

import pytest

numpy = pytest.importorskip("numpy")
stats = pytest.importorskip("scipy.stats")


@pytest.fixture(scope="module")
def probe():
    path = Path(os.environ.get("TRITONRL_BUILD_DIR", "build")) / "bin" / "eval_probe"
    if not path.exists():
        pytest.skip("eval_probe is not built")

    def ask(request):
        done = subprocess.run([path], input=json.dumps(request), capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    return ask


def draw_samples(dice, tasks, samples, shift):
    rows = []
    for task in range(tasks):
        skill = min(max(dice.betavariate(0.5, 0.5) * 0.8 + shift, 0.0), 1.0)
        for _ in range(samples):
            correct = dice.random() < skill
            rows.append({"task": f"t{task:03}", "correct": correct, "speedup": round(dice.lognormvariate(0, 0.5), 3)})
    return rows


@pytest.fixture(scope="module")
def request_and_answer(probe):
    dice = random.Random(8)
    request = {
        "first": draw_samples(dice, 120, 10, 0.0),
        "second": draw_samples(dice, 120, 10, 0.15),
        "best_known": {f"t{task:03}": 1.0 + task / 60 for task in range(120)},
    }
    return request, probe(request)


def by_task(rows):
    return [list(group) for _, group in itertools.groupby(rows, key=lambda row: row["task"])]


def speed(row):
    return row["speedup"] if row["correct"] else 0.0


def mean_over_subsets(values, k, figure):
    return numpy.mean([figure(subset) for subset in itertools.combinations(values, k)])


@pytest.mark.parametrize("k", [1, 5, 10])
def test_pass_and_best_of_k_are_means_over_all_subsets(request_and_answer, k):
    request, answer = request_and_answer
    tasks = by_task(request["second"])
    figures = answer["scores"]["figures"]
    for name, figure in {
        f"correct@{k}": lambda rows: any(row["correct"] for row in rows),
        f"fast_1@{k}": lambda rows: any(speed(row) > 1 for row in rows),
        f"fast_1.5@{k}": lambda rows: any(speed(row) > 1.5 for row in rows),
        f"mean_speedup@{k}": lambda rows: max(map(speed, rows)),
    }.items():
        expected = numpy.mean([mean_over_subsets(rows, k, figure) for rows in tasks])
        assert figures[name]["value"] == pytest.approx(expected, abs=1e-9)


def test_geometric_mean_is_over_correct_samples(request_and_answer):
    request, answer = request_and_answer
    expected = stats.gmean([row["speedup"] for row in request["second"] if row["correct"]])
    assert answer["scores"]["figures"]["geometric_speedup"]["value"] == pytest.approx(expected, abs=1e-9)


def test_intervals_are_those_of_a_bootstrap_over_tasks(request_and_answer):
    request, answer = request_and_answer
    shares = [numpy.mean([row["correct"] for row in rows]) for rows in by_task(request["second"])]
    expected = stats.bootstrap((shares,), numpy.mean, n_resamples=20000, method="percentile", random_state=1)
    found = answer["scores"]["figures"]["correct@1"]
    assert found["low"] == pytest.approx(expected.confidence_interval.low, abs=0.006)
    assert found["high"] == pytest.approx(expected.confidence_interval.high, abs=0.006)


def test_gains_are_paired_by_task(request_and_answer):
    request, answer = request_and_answer
    before, after = (
        numpy.array([numpy.mean([row["correct"] for row in rows]) for rows in by_task(request[name])])
        for name in ("first", "second")
    )
    expected = stats.bootstrap((after - before,), numpy.mean, n_resamples=20000, method="percentile", random_state=1)
    found = answer["gain"]["correct@1"]
    assert found["value"] == pytest.approx(numpy.mean(after - before), abs=1e-12)
    assert found["low"] == pytest.approx(expected.confidence_interval.low, abs=0.008)
    assert found["high"] == pytest.approx(expected.confidence_interval.high, abs=0.008)


def test_share_of_best_is_over_tasks_that_both_solve(request_and_answer):
    request, answer = request_and_answer
    solved = [{row["task"] for row in request[name] if row["correct"]} for name in ("first", "second")]
    both = solved[0] & solved[1]

    def share(rows):
        shares = {task: [] for task in both}
        for row in rows:
            if row["correct"] and row["task"] in both:
                shares[row["task"]].append(min(1, row["speedup"] / request["best_known"][row["task"]]))
        return numpy.mean([numpy.mean(of_task) for of_task in shares.values()])

    assert answer["gain"]["share_of_best"]["value"] == pytest.approx(share(request["second"]) - share(request["first"]), abs=1e-9)
    assert not math.isnan(answer["gain"]["share_of_best"]["low"])
