"""`tritonrl eval` on samples of the embedded teacher, and on a model that knows two of its kernels by heart."""

import json
import os
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/endpoint"))

from fault_server import FaultServer  # noqa: E402


def rows_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def open_tags(html):
    """Elements that are not closed, or closed out of turn."""
    wrong, stack = [], []

    class Reader(HTMLParser):
        def handle_starttag(self, tag, _):
            if tag not in ("meta", "br"):
                stack.append(tag)

        def handle_endtag(self, tag):
            if not stack or stack.pop() != tag:
                wrong.append((tag, self.getpos()))

    Reader().feed(html)
    return wrong + stack


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """A folder, and the program with a cache and secret of its own there."""
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    program = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    libraries = program.parents[1] / "lib"
    if not program.exists() or not all((libraries / f"libtritonrl_{name}.so").exists() for name in ("training", "torch")):
        pytest.skip("the training half or the device for scripts is not built")
    folder = tmp_path_factory.mktemp("eval")
    environment = {**os.environ, "TRITONRL_SECRET": str(folder / "secret"), "XDG_CACHE_HOME": str(folder), "OMP_NUM_THREADS": "1"}

    def run(*arguments):
        return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False, env=environment, cwd=ROOT)

    return folder, run


@pytest.fixture(scope="module")
def evaluated(tool):
    folder, run = tool
    made = run("data", "make", "--tasks", 3, "--samples", 2, "--small-sizes", "--fault-free", "--families", "elementwise", "--out", folder / "teacher")
    assert made.returncode == 0, made.stderr
    samples = rows_of(folder / "teacher/samples.jsonl")
    samples[0]["response"] = "<think>none</think> I cannot."
    write_rows(folder / "samples.jsonl", samples)
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "samples.jsonl", "-k", "1,2", "--device", "cpu", "--out", folder / "out", "--json")
    assert done.returncode == 0, done.stderr
    return folder, run, json.loads(done.stdout)


@pytest.fixture(scope="module")
def model(tool):
    """A model that has learned one response to each of two tasks by heart, and a suite of each task."""
    folder, run = tool
    home = folder / "model"

    def must(*arguments):
        done = run(*arguments)
        assert done.returncode == 0, done.stderr

    must("data", "make", "--compact", "--tasks", 2, "--samples", 1, "--small-sizes", "--fault-free", "--families", "elementwise", "--seed", 3, "--out", home / "teacher")
    must("tokenizer", "train", home / "teacher/samples.jsonl", "--field", "response", "--size", 400, "--out", home / "tokenizer")
    must("model", "init", home / "start", "--tokenizer", home / "tokenizer", "--hidden", 64, "--layers", 2, "--head-dim", 16)
    config = {"sft.model": home / "start", "sft.data": home / "teacher/samples.jsonl", "sft.tasks": home / "teacher/tasks.jsonl", "sft.prompt": "bare",
              "sft.epochs": 100, "sft.batch": 2, "sft.max_tokens": 2048, "run.folder": home / "sft", "run.device": "cpu", "run.save_every": 1000, "optimizer.lr": 0.008}
    must("sft", ROOT / "examples/training/sft.toml", *(f"{key}={value}" for key, value in config.items()))
    for part, row in zip(("dev", "test"), rows_of(home / "teacher/tasks.jsonl")):
        write_rows(home / f"{part}.jsonl", [row])
    return home, run


def evaluate(model, out, *arguments, suite="test"):
    home, run = model
    return run("eval", "--suite", home / f"{suite}.jsonl", "--model", home / "sft/last", "--prompt", "bare", "--max-tokens", 400, "--device", "cpu",
               "--out", out, "--json", *arguments)


@pytest.fixture(scope="module")
def chosen(model):
    out = model[0] / "chosen"
    done = evaluate(model, out, "-n", 2, "-k", "1,2", "--temperature", "3,0.5,0", "--choose-on", model[0] / "dev.jsonl", "--choose-n", 3)
    assert done.returncode == 0, done.stderr
    return out, json.loads(done.stdout)


def test_the_temperature_is_chosen_on_dev(chosen):
    out, report = chosen
    choice = report["choice"]
    assert [row["temperature"] for row in choice["temperatures"]] == [3, 0.5, 0]
    assert [row["figures"]["correct@1"]["value"] for row in choice["temperatures"]] == [0, 1, 1]
    assert [row["samples"] for row in choice["temperatures"]] == [3, 3, 3]
    assert choice["temperatures"][1]["figures"]["correct@1"]["low"] == 1
    assert choice["chosen"] == 0.5, "the highest of those that are as good"
    assert report["sampling"]["temperature"] == 0.5
    assert report["levels"]["all"]["figures"]["correct@2"]["value"] == 1
    assert json.loads((out / "eval.json").read_text()) == report
    verdicts = rows_of(out / "verdicts.jsonl")
    assert [(row["sample"], row["accepted"]) for row in verdicts] == [(0, True), (1, True)]
    assert not (out / "samples.partial.jsonl").exists()


def test_what_was_sampled_before_a_kill_is_kept(model, chosen):
    home, _ = model
    out, report = chosen
    rows = rows_of(out / "samples.jsonl")
    rows[0]["response"] = rows[0]["response"].replace("<think>", "<think>Kept. ")
    (out / "samples.jsonl").unlink()
    (out / "eval.json").unlink()
    (out / "samples.partial.jsonl").write_text(json.dumps(rows[0]) + "\n" + json.dumps(rows[1])[:40])
    done = evaluate(model, out, "-n", 2, "-k", "1,2", "--temperature", "3,0.5,0", "--choose-on", home / "dev.jsonl", "--choose-n", 3, "--choose-device", "cpu")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == report
    assert rows_of(out / "samples.jsonl") == rows, "the first as it was kept, the second drawn again"

    done = evaluate(model, out, "-n", 2, "-k", "1", "--temperature", 0)
    assert done.returncode == 0, done.stderr
    assert all("Kept" not in row["response"] for row in rows_of(out / "samples.jsonl")), "another temperature is another question"


def test_the_suite_is_evaluated_at_every_temperature(model):
    home, run = model
    out = home / "each"
    done = evaluate(model, out, "-n", 1, "--temperature", "3,0")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [(one["sampling"]["temperature"], one["levels"]["all"]["figures"]["correct@1"]["value"]) for one in report["temperatures"]] == [(3, 0), (0, 1)]
    assert json.loads((out / "eval.json").read_text()) == report
    for folder, correct in (("temperature-3", False), ("temperature-0", True)):
        assert [row["accepted"] for row in rows_of(out / folder / "verdicts.jsonl")] == [correct]
    page = run("report", home / "sft", "--eval", out, "--out", home / "page.html")
    assert page.returncode == 0, page.stderr
    html = (home / "page.html").read_text()
    assert "each, temperature 3" in html
    assert open_tags(html) == []


def test_another_schedule_is_put_into_the_plan(model):
    """This model knows one kernel a task by heart, and does not heed another plan."""
    home, run = model
    made = run("data", "make", "--compact", "--tasks", 2, "--samples", 0, "--fault-free", "--small-sizes", "--families", "elementwise", "--seed", 3, "--out", home / "known")
    assert made.returncode == 0, made.stderr
    done = evaluate(model, home / "swaps", "-n", 1, "--temperature", 0, "--plan-swaps", 3, "--schedules", home / "known/samples.jsonl")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)["plan_swaps"]
    rows = rows_of(home / "swaps/plan_swaps.jsonl")
    own = rows_of(home / "swaps/samples.jsonl")[0]["response"]

    def decision(schedule):
        kind = ("Blocks", "Persistent blocks")[schedule["flat_persistent"]]
        warps = {1: "one", 2: "two", 4: "four", 8: "eight", 16: "sixteen"}[schedule["flat_warps"]]
        return f"{kind}, BLOCK={schedule['flat_block']}, {warps} warps."

    known = [row["schedule"] for row in rows_of(home / "known/samples.jsonl") if row["task"] == rows[0]["task"]]
    assert len(rows) == report["cases"] == 3
    for row in rows:
        assert row["other"] in known and row["other"] != row["own"]
        before, after = (decision(row[name]) for name in ("own", "other"))
        plan = own.split("</think>")[0]
        assert before in plan and row["response"].startswith(plan.replace(before, after) + "</think>\n")
        assert row["follows"] == (row["written"] == row["other"])
    assert report["followed"] == sum(row["follows"] for row in rows) < 3
    assert report["kept"] == sum(row["written"] == row["own"] for row in rows)
    assert report["own"]["share"] == 1 and report["low"] < report["high"] < 1
    assert report["undecided"] == 0


def test_a_servers_model_is_evaluated_and_goes_on_after_the_server_failed(evaluated):
    folder, run, _ = evaluated
    suite = folder / "teacher/tasks.jsonl"
    sources = {row["source"]: row["id"] for row in rows_of(suite)}
    responses = {row["task"]: row["response"] for row in rows_of(folder / "teacher/samples.jsonl")}

    def answer(body):
        (message,) = body["messages"]
        return next(responses[task] for source, task in sources.items() if source.strip() in message["content"])

    def ask(server, *arguments):
        return run("eval", "--suite", suite, "--endpoint", server.url, "--endpoint-model", "big", "--concurrency", 2, "-n", 2, "-k", 1, "--max-tokens", 300,
                   "--temperature", 0.5, "--device", "cpu", "--out", folder / "server", "--json", *arguments)

    with FaultServer(faults=[None, None, *[401] * 4], answer=answer) as server:
        failed = ask(server)
        assert failed.returncode == 2 and server.url in failed.stderr, failed.stderr
        kept = len(rows_of(folder / "server/samples.partial.jsonl"))
        assert 1 <= kept <= 2
        asked = len(server.requests)
        server.faults.clear()
        done = ask(server)
        assert done.returncode == 0, done.stderr
        # A task whose responses are not all there is asked for both.
        assert 4 <= len(server.requests) - asked <= 6
    report = json.loads(done.stdout)
    assert report["levels"]["all"]["figures"]["correct@1"]["value"] == 1
    assert report["sampling"] == {"endpoint": server.url, "model": "big", "max_tokens": 300, "prompt": "evaluation", "seed": 1, "samples": 2, "temperature": 0.5}
    body = server.requests[0]
    assert (body["model"], body["max_tokens"], body["temperature"]) == ("big", 300, 0.5)
    assert len({body["seed"] for body in server.requests}) == 6


def test_a_task_that_counts_is_not_chosen_on(model):
    done = evaluate(model, model[0] / "same", "--temperature", "1,0.5", "--choose-on", model[0] / "test.jsonl")
    assert done.returncode == 2
    assert "too" in done.stderr and done.stdout == ""


def test_figures_are_those_of_the_verdicts(evaluated):
    folder, _, report = evaluated
    figures = report["levels"]["all"]["figures"]
    verdicts = rows_of(folder / "out/verdicts.jsonl")
    accepted = sum(verdict["accepted"] for verdict in verdicts)
    assert accepted == 5
    assert figures["correct@1"]["value"] == pytest.approx(5 / 6)
    assert figures["correct@2"]["value"] == 1
    speedups = [verdict["speedup"]["value"] if verdict["accepted"] else 0 for verdict in verdicts]
    assert figures["mean_speedup@1"]["value"] == pytest.approx(sum(speedups) / 6)
    assert sum(report["levels"]["all"]["failures"].values()) == 1


def test_slices_of_the_test_are_reported_apart(evaluated, tmp_path):
    folder, run, _ = evaluated
    suite = tmp_path / "test.jsonl"
    suite.write_text((folder / "teacher/tasks.jsonl").read_text())
    tasks = [row["id"] for row in rows_of(suite)]
    beside = tmp_path / "test.slices.jsonl"
    beside.write_text("".join(json.dumps({"task": task, "slices": ["unseen-size"] * (n < 1)}) + "\n" for n, task in enumerate(tasks)))
    command = ("eval", "--suite", suite, "--samples", folder / "teacher/samples.jsonl", "-k", 1, "--device", "cpu")
    done = run(*command, "--json")
    assert done.returncode == 0, done.stderr
    assert {name: scores["tasks"] for name, scores in json.loads(done.stdout)["slices"].items()} == {"unseen-size": 1}
    assert "unseen-size (1 tasks)" in run(*command).stdout
    beside.write_text('{"task": "x", "slices": "longer"}\n')
    done = run(*command)
    assert done.returncode == 2
    assert "test.slices.jsonl:1" in done.stderr


def test_kernelbench_files_are_there(evaluated):
    folder, _, _ = evaluated
    results = json.loads((folder / "out/kernelbench/level1/eval_results.json").read_text())
    assert sum(row["correctness"] for rows in results.values() for row in rows) == 5


def test_cheats_are_correct_only_where_functionality_is_not_checked(evaluated):
    folder, run, _ = evaluated
    cheats = folder / "cheats"
    made = run("data", "make", "--tasks", 2, "--samples", 1, "--small-sizes", "--cheats", 1, "--slips", 0, "--misconceptions", 0, "--broken-format", 0,
               "--families", "elementwise", "--seed", 5, "--out", cheats)
    assert made.returncode == 0, made.stderr
    done = run("eval", "--suite", cheats / "tasks.jsonl", "--samples", cheats / "samples.jsonl", "-k", 1, "--device", "cpu", "--json")
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["levels"]["all"]["figures"]
    assert {name: figures[f"{name}@1"]["value"] for name in ("valid", "correct", "unchecked", "mean_speedup")} == {"valid": 0, "correct": 0, "unchecked": 1, "mean_speedup": 0}


def test_samples_are_judged_at_the_depth_that_was_asked_for(evaluated, tmp_path):
    folder, run, _ = evaluated
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
               "--depth", "train", "--out", tmp_path)
    assert done.returncode == 0, done.stderr
    depths = {name: {row["provenance"]["depth"] for row in rows_of(out / "verdicts.jsonl")} for name, out in (("asked", tmp_path), ("default", folder / "out"))}
    assert depths == {"asked": {"train"}, "default": {"full"}}


def test_models_are_compared_by_task(evaluated):
    folder, run, _ = evaluated
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
               "--against", folder / "out", "--json")
    assert done.returncode == 0, done.stderr
    gain = json.loads(done.stdout)["against"]["correct@1"]
    assert (gain["first"], gain["second"]) == (pytest.approx(5 / 6), 1)
    assert "share_of_best" not in json.loads(done.stdout)["against"]


def test_arms_are_one_figure_with_intervals(evaluated, tmp_path):
    folder, run, _ = evaluated
    better = tmp_path / "better"
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
               "--against", folder / "out", "--out", better)
    assert done.returncode == 0, done.stderr
    gain = json.loads((better / "eval.json").read_text())["against"]["correct@1"]
    done = run("report", "--arm", f"better={better}", "--arm", f"same={folder / 'out'}:{folder / 'out'}", "--out", tmp_path / "page.html")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(tmp_path / name) for name in ("page.html", "arms.json", "arms.svg")]
    arms = {arm["name"]: arm for arm in json.loads((tmp_path / "arms.json").read_text())["arms"]}
    assert arms["better"]["seeds"] == [{"folder": str(better), "compared_with": str(folder / "out")}]
    own = arms["better"]["figures"]["correct@1"]
    assert {key: own[key] for key in gain} == pytest.approx(gain), "of one seed, what eval.json says"
    assert own["by_seed"] == [pytest.approx(1 / 6)]
    assert arms["same"]["figures"]["correct@1"]["gain"] == 0
    page = (tmp_path / "page.html").read_text()
    assert "<h2>Arms</h2>" in page and open_tags(page) == []
    panels = ElementTree.parse(tmp_path / "arms.svg").findall("{*}g[@class='panel']")
    assert len(panels) == 5
    for panel in panels:
        assert [row.find("{*}text").text for row in panel.findall("{*}g")] == ["better", "same"]


@pytest.mark.parametrize("arguments", [
    [],
    ["--arm", "a={out}:{out}"],
    ["--arm", "a={out}", "--out", "{page}"],
    ["--arm", "={out}:{out}", "--out", "{page}"],
    ["--arm", "a={out}:{out},{out}:{out}", "--out", "{page}"],
    ["--arm", "a={out}:{out}", "--arm", "a={out}:{out}", "--out", "{page}"],
    ["--arm", "a={out}/kernelbench", "--out", "{page}"],
    ["--arm", "a={out}:nowhere", "--out", "{page}"],
])
def test_bad_arms_are_one_error(evaluated, tmp_path, arguments):
    folder, run, _ = evaluated
    done = run("report", *(argument.format(out=folder / "out", page=tmp_path / "page.html") for argument in arguments))
    assert done.returncode == 2, done.stderr
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_share_of_the_best_known_is_of_all_that_was_found(evaluated):
    """Verdicts of other evaluations with speeds of our own: what a model found is known, too."""
    folder, run, _ = evaluated
    verdicts = rows_of(folder / "out/verdicts.jsonl")
    known = {row["task"]: row["speedup"]["value"] for row in verdicts if row["accepted"]}
    speedups = {"slow": 0.25, "fast": 4.0}
    for name, factor in speedups.items():
        rows = [{**row, "speedup": {**row["speedup"], "value": factor * known[row["task"]]}} for row in verdicts if row["accepted"]]
        (folder / name).mkdir()
        write_rows(folder / name / "verdicts.jsonl", rows)

    def shares(against, best_known):
        done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
                   "--against", folder / against, "--best-known", folder / best_known, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)["against"]["share_of_best"]

    faster = shares("slow", "slow")
    assert faster["tasks"] == 3
    assert faster["first"] < faster["second"] <= 1 and faster["low"] > 0
    slower = shares("fast", "slow")
    assert slower["first"] == 1 and slower["second"] == pytest.approx(0.25, rel=0.5)
    assert slower["high"] < 0


def test_known_schedules_are_judged_of_tasks_that_another_evaluation_solved(evaluated):
    folder, run, _ = evaluated
    solved = {row["task"] for row in rows_of(folder / "out/verdicts.jsonl") if row["accepted"]}
    tried = {row["task"] for row in rows_of(folder / "teacher/samples.jsonl")}
    one = sorted(solved)[0]
    (folder / "one").mkdir()
    write_rows(folder / "one/verdicts.jsonl", [{**row, "accepted": False, "correct": False} if row["task"] != one else row
                                               for row in rows_of(folder / "out/verdicts.jsonl")])
    assert len(tried) > 1
    done = run("eval", "--suite", folder / "teacher/tasks.jsonl", "--samples", folder / "teacher/samples.jsonl", "-k", "1", "--device", "cpu",
               "--known-schedules", "--solved-in", folder / "one", "--out", folder / "known")
    assert done.returncode == 0, done.stderr
    assert {row["task"] for row in rows_of(folder / "known/verdicts.jsonl")} == {one}


@pytest.mark.parametrize("arguments", [
    ["--suite", "nowhere.jsonl", "--samples", "x"],
    ["--suite", "examples"],
    ["--samples", "x"],
    ["--suite", "examples", "--model", "nowhere"],
    ["--suite", "examples", "--model", "nowhere", "--temperature", "1,1"],
    ["--suite", "examples", "--model", "nowhere", "--choose-n", "2"],
    ["--suite", "examples", "--model", "nowhere", "--choose-device", "cpu"],
    ["--suite", "examples", "--samples", "x", "--choose-on", "examples"],
    ["--suite", "examples", "--samples", "x", "--solved-in", "y"],
    ["--suite", "examples", "--model", "nowhere", "--plan-swaps", "3"],
    ["--suite", "examples", "--endpoint", "nowhere"],
    ["--suite", "examples", "--endpoint", "http://localhost:1", "--plan-swaps", "3", "--schedules", "x"],
    ["--suite", "examples", "--endpoint", "http://localhost:1", "--model", "x"],
])
def test_bad_input_is_one_error(evaluated, arguments):
    _, run, _ = evaluated
    done = run("eval", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
