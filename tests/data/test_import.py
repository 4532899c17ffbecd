"""tritonrl data import: the public formats come in, each task is run, and what is dropped has a reason."""

import json
import signal
import time

import pytest
from jsonl import rows_of

CODE = """
import torch
import torch.nn as nn
{imports}

class {name}(nn.Module):
    def __init__(self{parameters}):
        super({name}, self).__init__()
        {init}

    def forward(self, x):
        {body}


def get_inputs():
    return [torch.rand([4, 4, 4, 4])]


def get_init_inputs():
    return [[], {keywords}]
"""


def code(name, body, imports="", parameters="", init="pass", keywords="{}"):
    return CODE.format(name=name, body=body, imports=imports, parameters=parameters, init=init, keywords=keywords)


GOOD = {
    "SumAggregator": code("SumAggregator", "return torch.sum(x, dim=1)"),
    "Project": code(
        "Project",
        "return torch.relu(self.linear(x))",
        parameters=", width, bias=True",
        init="self.linear = nn.Linear(width, width, bias)",
        keywords="{'width': 4}",
    ),
    "Mlp": code(
        "Mlp",
        "return self.second(torch.tanh(self.first(x)))",
        parameters=", width",
        init="self.first, self.second = nn.Linear(width, 8), nn.Linear(8, width)",
        keywords="{'width': 4}",
    ),
    "Turn": code("Turn", "return x.transpose(1, 2).contiguous()"),
}
BAD = {
    "missing-package": ("Needs", code("Needs", "return x.exp()", imports="import _no_such_package")),
    "needs-network": (
        "Fetches",
        code("Fetches", "return x.log1p()", imports="import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9/')"),
    ),
    "never-ends": ("Loops", code("Loops", "while True:\n            x = x + 1")),
    "no-entry-point": ("Absent", code("Other", "return x.exp()")),
    "not-python": ("Broken", "class Broken(:\n"),
    "broken": ("Raises", code("Raises", "raise ValueError('no')")),
    "random": ("Drops", code("Drops", "return torch.dropout(x, 0.5, True)")),
    "accepts-identity": ("Same", code("Same", "return x * 1.0")),
    "duplicate": ("Again", GOOD["SumAggregator"].replace("SumAggregator", "Again").replace("[4, 4, 4, 4]", "[2, 8, 4, 4]")),
}


def kernelbook_rows():
    rows = [{"uuid": n, "entry_point": name, "python_code": text, "repo_name": "a/b"} for n, (name, text) in enumerate(GOOD.items())]
    rows += [{"uuid": 100 + n, "entry_point": name, "python_code": text} for n, (name, text) in enumerate(BAD.values())]
    rows.append({**rows[0], "python_code": code("SumAggregator", "return torch.sum(x, dim=2).sqrt()")})  # an id again
    return rows


@pytest.fixture(scope="module")
def imported(verifying, tmp_path_factory):
    """A KernelBook-shaped Parquet file, imported."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("kernelbook")
    parquet.write_table(arrow.Table.from_pylist(kernelbook_rows()), folder / "rows.parquet")
    result = verifying.run("data", "import", folder / "rows.parquet", "--out", folder / "out.jsonl", "--reference-seconds", 4, "--json")
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout), {row["id"]: row for row in rows_of(folder / "out.jsonl")}, folder


def test_kernelbook_rows_become_tasks_with_level_and_graph(imported):
    _, tasks, _ = imported
    assert {name: (task["level"], task.get("graph", "")) for name, task in tasks.items()} == {
        "kernelbook/0": (1, "sum:-1"),
        "kernelbook/1": (2, "linear:-1 relu:0"),
        "kernelbook/2": (3, "linear:-1 tanh:0 linear:1"),
        "kernelbook/3": (1, ""),
    }


def test_literal_sizes_are_named_coupled_and_varied(imported):
    _, tasks, _ = imported
    project = tasks["kernelbook/1"]
    assert set(project["dims"]) == {"x_0", "x_1", "x_2", "x_3"}
    assert "return [x_3]" in project["source"]
    assert 1 <= len(project["variants"]) <= 5
    assert all(set(variant) <= set(project["dims"]) for variant in project["variants"])


@pytest.mark.parametrize("reason", [*BAD, "duplicate-id"])
def test_a_bad_row_is_dropped_with_its_reason(imported, reason):
    report, _, _ = imported
    assert report["dropped"].get(reason) == 1, report["problems"]
    (problem,) = [each for each in report["problems"] if each["reason"] == reason]
    assert problem["message"]
    assert "rows.parquet:" in problem["where"]


def test_a_finished_import_leaves_its_report_and_no_part(imported):
    report, _, folder = imported
    assert json.loads((folder / "out.jsonl.report.json").read_text()) == report
    assert not (folder / "out.jsonl.part").exists()


def test_what_another_suite_holds_stays_out(imported, verifying, tmp_path):
    _, _, folder = imported
    twin = code("Sums", "return x.sum(dim=1)")
    (tmp_path / "rows.jsonl").write_text(
        "".join(
            json.dumps({"uuid": name, "entry_point": name, "python_code": text}) + "\n"
            for name, text in {"Sums": twin, "Project": GOOD["Project"], "Fresh": code("Fresh", "return torch.cumsum(x, 1)")}.items()
        )
    )
    result = verifying.run(
        "tasks", "import", tmp_path / "rows.jsonl", "--out", tmp_path / "out.jsonl", "--against", folder / "out.jsonl", "--json"
    )
    assert result.returncode == 0, result.stderr
    report = json.loads(result.stdout)
    assert [row["id"] for row in rows_of(tmp_path / "out.jsonl")] == ["kernelbook/Fresh"]
    assert {(each["task"], each["by"]) for each in report["overlaps"]} == {("kernelbook/Sums", "graph"), ("kernelbook/Project", "tree")}


@pytest.mark.parametrize("flags, kept", [((), ["A", "B"]), (("--one-a-graph",), ["A"])])
def test_tasks_with_one_graph_are_reported_and_dropped_on_request(verifying, tmp_path, flags, kept):
    bodies = {"A": "return torch.sum(x, dim=1)", "B": "total = x.sum(2)\n        return total"}
    rows = [{"uuid": name, "entry_point": "E", "python_code": code("E", body)} for name, body in bodies.items()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    result = verifying.run("data", "import", tmp_path / "rows.jsonl", "--out", tmp_path / "out.jsonl", "--json", *flags)
    assert result.returncode == 0, result.stderr
    assert [row["id"] for row in rows_of(tmp_path / "out.jsonl")] == [f"kernelbook/{name}" for name in kept]
    assert json.loads(result.stdout)["overlaps"] == [{"task": "kernelbook/B", "with": "kernelbook/A", "by": "graph"}]


def test_a_kernelbench_folder_keeps_its_levels_and_ids(verifying, tmp_path):
    for level, name, body in ((1, "19_ReLU", "return torch.relu(x)"), (2, "3_ExpSum", "return torch.exp(x).sum(1)")):
        (tmp_path / f"KernelBench/level{level}").mkdir(parents=True)
        text = code("Model", body).replace("[[], {}]", "[]")
        (tmp_path / f"KernelBench/level{level}/{name}.py").write_text(text)
    result = verifying.run("tasks", "import", tmp_path / "KernelBench", "--out", tmp_path / "out.jsonl")
    assert result.returncode == 0, result.stderr
    assert [(row["id"], row["level"]) for row in rows_of(tmp_path / "out.jsonl")] == [("level1/19", 1), ("level2/3", 2)]
    assert "2 rows: 2 imported, 0 dropped, 0 not tried" in result.stdout


def test_a_killed_import_goes_on_where_it_was(verifying, tmp_path):
    rows = [{"uuid": n, "entry_point": "E", "python_code": code("E", f"return {'torch.sin(' * n}x{')' * n}.sum(1)")} for n in range(1, 7)]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    part = tmp_path / "out.jsonl.part"
    arguments = ("data", "import", tmp_path / "rows.jsonl", "--out", tmp_path / "out.jsonl", "--jobs", 1)
    process = verifying.start(*arguments)
    until = time.monotonic() + 120
    while time.monotonic() < until and (not part.exists() or part.read_text().count("\n") < 2):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = part.read_text().count("\n")
    assert 2 <= kept < 6
    assert not (tmp_path / "out.jsonl").exists()
    with part.open("a") as file:
        file.write('{"key": "cut sho')  # as a kill in the middle of a line would leave it
    result = verifying.run(*arguments)
    assert result.returncode == 0, result.stderr
    assert len(rows_of(tmp_path / "out.jsonl")) == 6


@pytest.mark.parametrize("damage", ["truncated", "garbage", "absent", "empty"])
def test_a_damaged_parquet_file_is_one_clear_error(program, tmp_path, damage):
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "rows.parquet"
    parquet.write_table(arrow.Table.from_pylist(kernelbook_rows()), file)
    if damage == "truncated":
        file.write_bytes(file.read_bytes()[:-200])
    elif damage == "garbage":
        file.write_bytes(b"PAR1 nothing of the kind PAR1")
    elif damage == "empty":
        parquet.write_table(arrow.table({"python_code": arrow.array([], arrow.string())}), file)
    else:
        file.unlink()
    result = program.run("data", "import", file, "--out", tmp_path / "out.jsonl")
    assert result.returncode == 2, result.stderr
    assert str(file) in result.stderr
    assert "Traceback" not in result.stderr
    assert not (tmp_path / "out.jsonl").exists()
