"""The program as people and scripts call it: exit status, messages, and what goes where."""

import hashlib
import json
import os
import pty
import re
import resource
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl"))
TASKS = ROOT / "tests/cases/tasks"
HONEST = ROOT / "tests/cases/honest/vector_add_plain.py"
CHEATING = ROOT / "tests/cases/cheating/work_no_kernel_plain_rms_norm.py"
DONE, REJECTED, BAD_INPUT, HOST_FAILED = 0, 1, 2, 3
GIB = 1 << 30

if not os.path.exists(PROGRAM):
    pytest.skip("the program is not built", allow_module_level=True)
# Sanitizers reserve terabytes of addresses: memory cannot be limited under them.
SANITIZED = any(name in Path(PROGRAM).read_bytes() for name in (b"__asan_init", b"__tsan_init"))


def run(*arguments, memory=None, **options):
    """The program's status, stdout and stderr."""

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

    if memory and not SANITIZED:
        options["preexec_fn"] = limit
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    command = [PROGRAM, *map(str, arguments)]
    result = subprocess.run(command, capture_output=True, timeout=120, check=False, cwd=ROOT, **options)
    result.out, result.err = result.stdout.decode(), result.stderr.decode()
    return result


def expect_bad_input(result, *words):
    """Status 2, nothing on stdout, one line on stderr that holds the words."""
    assert (result.returncode, result.out) == (BAD_INPUT, ""), result.err
    lines = result.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("tritonrl: "), result.err
    for word in words:
        assert word in lines[0], result.err


def expect_rejected(result, rule):
    assert result.returncode == REJECTED, result.err
    assert f"[{rule}]" in result.out, result.out
    assert result.err == ""


def verdict_of(*arguments, **options):
    result = run("check", "--jsonl", *arguments, **options)
    assert result.returncode in (DONE, REJECTED), result.err
    assert result.out.count("\n") == 1
    return json.loads(result.out)


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


# Judging


def test_accepts_an_honest_file():
    result = run("check", HONEST)
    assert (result.returncode, result.err) == (DONE, "")
    assert result.out == f"{HONEST}: accepted by the static layers\n"


def test_shows_the_line_and_a_caret_under_each_finding():
    result = run("check", ROOT / "tests/cases/cheating/work_torch_matmul_module_alias.py")
    assert result.returncode == REJECTED
    lines = result.out.splitlines()
    assert re.fullmatch(r".*\.py:\d+:\d+: reject: .* \[[a-z-]+\]", lines[0])
    line, column = map(int, re.search(r":(\d+):(\d+): ", lines[0]).groups())
    source = (ROOT / "tests/cases/cheating/work_torch_matmul_module_alias.py").read_text().splitlines()[line - 1]
    assert lines[1] == f" {line} | {source}"
    assert re.fullmatch(r" +\| +\^~*", lines[2])
    margin = len(f" {line} | ")
    assert lines[2].index("^") == margin + column - 1
    assert lines[-1].endswith("rejected: " + re.search(r"\[(.*)\]", lines[0])[1])


def test_puts_the_caret_under_the_finding_after_wide_characters_and_tabs(tmp_path):
    source = "import torch\nif True:\n\tx = 'é→'; exec('1')\n"
    result = run("check", "--entry", "none", write(tmp_path / "a.py", source + HONEST.read_text()))
    lines = result.out.splitlines()
    at = next(i for i, line in enumerate(lines) if "[dynamic-code]" in line)
    assert lines[at].split(":")[1:3] == ["3", "12"]
    shown, mark = lines[at + 1].split(" | ", 1)[1], lines[at + 2].split(" | ", 1)[1]
    assert shown.index("exec") == mark.index("^")
    assert mark.startswith("\t")


def test_shows_the_finding_of_a_very_long_line(tmp_path):
    source = "x = '" + "a" * 5000 + "'; exec('1'); y = '" + "b" * 5000 + "'\n" + HONEST.read_text()
    result = run("check", write(tmp_path / "a.py", source))
    assert result.returncode == REJECTED
    assert "exec('1')" in result.out
    assert max(map(len, result.out.splitlines())) < 500


def test_shows_control_characters_harmlessly(tmp_path):
    source = "x = '\x1b[31mred\x1b[0m\x07'; exec('\x1b]0;title\x07')\n" + HONEST.read_text()
    result = run("check", write(tmp_path / "a.py", source))
    assert "\x1b" not in result.out and "\x07" not in result.out


def test_counts_many_files():
    result = run("check", HONEST, CHEATING, HONEST)
    assert result.returncode == REJECTED
    assert result.out.splitlines()[-1] == "3 files, 1 rejected"
    assert run("check", HONEST, HONEST).returncode == DONE


def test_judges_hundreds_of_files_in_one_call():
    files = sorted((ROOT / "tests/cases/honest").glob("*.py")) * 3
    result = run("check", "--entry", "none", "--jsonl", *files)
    assert len(result.out.splitlines()) == len(files)
    assert [json.loads(line)["file"] for line in result.out.splitlines()] == list(map(str, files))


def test_reads_standard_input():
    assert run("check", "-", input=HONEST.read_bytes()).returncode == DONE
    expect_rejected(run("check", "-", input=b"def f(:\n"), "syntax-error")
    verdict = verdict_of("-", input=HONEST.read_bytes())
    assert verdict["accepted"] is True
    assert verdict["code_sha256"] == verdict_of(HONEST)["code_sha256"]


def test_reads_a_pipe(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cp", HONEST, pipe]) as writer:
        assert run("check", pipe).returncode == DONE
    assert writer.returncode == 0


def test_judges_responses(tmp_path):
    response = write(tmp_path / "r.md", "<think>plan</think>\n```python\n" + HONEST.read_text() + "```\n")
    assert run("check", "--response", response).returncode == DONE
    assert run("check", "--response", HONEST).returncode == REJECTED
    expect_rejected(run("check", "--response", write(tmp_path / "e.md", "")), "no-code")


def test_hashes_the_code_of_a_response(tmp_path):
    code = HONEST.read_text()
    response = write(tmp_path / "r.md", "<think>plan</think>\n```python\n" + code + "```\nDone.\n")
    assert verdict_of("--response", response)["code_sha256"] == verdict_of(HONEST)["code_sha256"]


def test_follows_another_entry():
    assert run("check", "--entry", "none", HONEST).returncode == DONE
    expect_rejected(run("check", "--entry", "Nothing", HONEST), "entry-missing")


def test_uses_a_task():
    matmul = ROOT / "tests/cases/honest/matmul_autotuned_grouped_order.py"
    assert run("check", "--task", TASKS / "matmul.py", matmul).returncode == DONE
    assert run("check", "--task", f"{TASKS}:matmul", "--policy", "core", matmul).returncode == DONE
    assert verdict_of("--task", TASKS / "matmul.py", matmul)["task"] == "matmul"


# The verdict


def test_writes_one_verdict_a_line():
    result = run("check", "--jsonl", HONEST, CHEATING)
    assert result.returncode == REJECTED
    verdicts = [json.loads(line) for line in result.out.splitlines()]
    assert [verdict["accepted"] for verdict in verdicts] == [True, False]
    assert result.err == ""


def test_verdict_has_the_fields_of_the_contract():
    for path in (HONEST, CHEATING):
        verdict = verdict_of("--task", TASKS / "vector_add.py", path)
        assert verdict["schema"] == 1
        assert verdict["task"] == "vector_add"
        assert re.fullmatch(r"[0-9a-f]{64}", verdict["code_sha256"])
        assert verdict["stage"] in ("syntax", "functionality")
        assert verdict["stage"] == verdict["layers"][-1]["name"]
        assert verdict["valid"] == verdict["accepted"]
        assert {verdict[later] for later in ("compiled", "correct", "general")} == {None}, "only later layers can say"
        assert re.fullmatch(r"\d+\.\d+\.\d+", verdict["provenance"]["tritonrl"])
        assert verdict["provenance"]["rules"] and verdict["provenance"]["policy"] == "strict"
        for layer in verdict["layers"]:
            assert set(layer) >= {"name", "passed", "seconds", "findings", "evidence"}
            assert layer["seconds"] >= 0
            for finding in layer["findings"]:
                assert set(finding) >= {"rule", "severity", "line", "column", "message"}
                assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", finding["rule"])
                assert finding["severity"] in ("reject", "suspect")
                assert finding["line"] >= 1 and finding["column"] >= 1 and finding["message"]


def digest_of_the_static_layers():
    """As cmake/digest_files.cmake computes it."""
    files = [path for module in ("pysource", "task", "analysis") for path in (ROOT / "src" / module).rglob("*") if path.is_file()]
    files.append(ROOT / "setup/source-packages.txt")
    lines = [f"{path.relative_to(ROOT)} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in files]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def test_verdict_names_the_code_that_made_it():
    assert verdict_of(HONEST)["provenance"]["rules"] == digest_of_the_static_layers()[:12]


def test_verdict_gives_the_reason():
    accepted, rejected = verdict_of(HONEST), verdict_of(CHEATING)
    assert (accepted["reason"], accepted["task"]) == (None, None)
    assert rejected["reason"] == "no-kernel"
    assert accepted["provenance"]["rules"] == rejected["provenance"]["rules"]


def test_verdict_repeats_but_for_the_time():
    def timeless(verdict):
        for layer in verdict["layers"]:
            del layer["seconds"]
        return verdict

    assert timeless(verdict_of(CHEATING)) == timeless(verdict_of(CHEATING))


def test_verdict_is_utf8_whatever_the_candidate_holds(tmp_path):
    for source in (b"\xff\xfe", b"x = '\xc3", "x = $ééééééééééééééé\n".encode(), "# \u2028\nx = (".encode(), b"\0"):
        verdict = verdict_of(write(tmp_path / "a.py", source))
        assert verdict["accepted"] is False
        assert "\ufffd" not in json.dumps(verdict["layers"], ensure_ascii=False), "a character was cut in two"


def test_verdict_survives_a_file_name_that_is_not_utf8(tmp_path):
    path = os.path.join(os.fsencode(tmp_path), b"caf\xe9.py")
    shutil.copy(HONEST, path)
    result = subprocess.run([PROGRAM, "check", "--jsonl", path], capture_output=True, check=False)
    assert result.returncode == DONE, result.stderr
    json.loads(result.stdout.decode())


# Bad input


def test_missing_file():
    expect_bad_input(run("check", "no/such/file.py"), "no/such/file.py", "no such file")


def test_empty_file(tmp_path):
    result = run("check", write(tmp_path / "empty.py", ""))
    assert result.returncode == REJECTED
    assert "[no-kernel]" in result.out


def test_path_under_a_file(tmp_path):
    expect_bad_input(run("check", write(tmp_path / "a.py", "x") / "b.py"), "a.py/b.py", "not a folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path):
    path = write(tmp_path / "a.py", "x = 1\n")
    path.chmod(0)
    expect_bad_input(run("check", path), "a.py", "permission")
    path.chmod(stat.S_IRUSR | stat.S_IWUSR)


def test_folder_where_a_file_was_expected(tmp_path):
    expect_bad_input(run("check", tmp_path), str(tmp_path), "is a folder")


def test_empty_file_name():
    assert run("check", "").returncode == BAD_INPUT


def test_file_name_that_is_too_long():
    assert run("check", "a" * 5000).returncode == BAD_INPUT


def test_link_to_itself(tmp_path):
    (tmp_path / "loop.py").symlink_to("loop.py")
    expect_bad_input(run("check", tmp_path / "loop.py"), "loop.py")


def test_binary_file(tmp_path):
    expect_rejected(run("check", write(tmp_path / "a.py", bytes(range(256)) * 100)), "not-utf8")
    expect_rejected(run("check", PROGRAM), "source-too-large" if os.path.getsize(PROGRAM) > 1 << 20 else "not-utf8")


def test_file_that_is_not_python(tmp_path):
    for text in ("int main() { return 0; }\n", "<html></html>\n", "#include <cuda.h>\n__global__ void f() {}\n", '{"a": [1, 2,}\n'):
        expect_rejected(run("check", write(tmp_path / "a.py", text)), "syntax-error")


def test_hundred_megabytes_in_bounded_memory(tmp_path):
    path = tmp_path / "large.py"
    with open(path, "wb") as file:
        file.truncate(100 << 20)
    expect_rejected(run("check", path, memory=GIB), "source-too-large")
    assert run("check", "--response", path, memory=GIB).returncode == REJECTED


def test_hundred_megabytes_of_text_in_bounded_memory(tmp_path):
    path = tmp_path / "large.md"
    line = "```python\nclass ModelNew: pass\n```\n" * 30_000
    with open(path, "w") as file:
        for _ in range(100):
            file.write(line)
    expect_rejected(run("check", path, memory=GIB), "source-too-large")
    result = run("check", "--response", path, memory=GIB)
    assert result.returncode in (REJECTED, BAD_INPUT), result.err


def test_endless_input_in_bounded_memory():
    with open("/dev/zero", "rb") as zero:
        expect_rejected(run("check", "-", stdin=zero, memory=GIB), "source-too-large")
    assert run("check", "/dev/zero", memory=GIB).returncode in (REJECTED, BAD_INPUT)


def nested(depth):
    return {
        "parentheses": "x = " + "(" * depth + "1" + ")" * depth,
        "brackets": "x = " + "[" * depth + "]" * depth,
        "braces": "x = " + "{1:" * depth + "1" + "}" * depth,
        "calls": "x = " + "f(" * depth + ")" * depth,
        "blocks": "".join(" " * i + "if x:\n" for i in range(min(depth, 1400))) + " " * min(depth, 1400) + "pass",
        "attributes": "x = y" + ".z" * depth,
        "subscripts": "x = y" + "[0]" * depth,
        "minus": "x = " + "- " * depth + "1",
        "not": "x = " + "not " * depth + "1",
        "plus": "x = 1" + " + 1" * depth,
        "lambdas": "x = " + "lambda: " * depth + "1",
        "conditions": "x = " + "1 if y else " * depth + "2",
        "strings": "x = " + "f'{" * depth + "1" + "}'" * depth,
        "unclosed": "x = " + "(" * depth,
    }


@pytest.mark.parametrize("shape", nested(1))
def test_deep_nesting_in_bounded_memory(tmp_path, shape):
    source = nested(10_000)[shape]
    result = run("check", write(tmp_path / "a.py", source + "\n"), memory=GIB)
    assert result.returncode == REJECTED, result.err
    assert re.search(r"\[(nesting-too-deep|syntax-error|source-too-large)\]", result.out), result.out[:500]
    assert re.fullmatch(r"(check .*\n)*", result.err)  # its progress, where a sanitizer makes it slow


def test_one_bad_file_among_good_ones():
    result = run("check", HONEST, "no/such/file.py", HONEST)
    assert result.returncode == BAD_INPUT
    assert "no/such/file.py" in result.err


# Bad tasks


def reference(body="return x"):
    return (
        "import torch\nN = 8\nclass Model(torch.nn.Module):\n    def forward(self, x):\n        " + body + "\n"
        "def get_inputs():\n    return [torch.rand(N)]\ndef get_init_inputs():\n    return []\n"
    )


def test_task_that_is_missing():
    expect_bad_input(run("check", "--task", "no/such/task.py", HONEST), "no/such/task.py")


def test_task_that_has_no_model(tmp_path):
    path = write(tmp_path / "t.py", "import torch\n")
    expect_bad_input(run("check", "--task", path, HONEST), "t.py", "Model", "get_inputs")


def test_task_that_is_a_candidate():
    expect_bad_input(run("check", "--task", HONEST, HONEST), "ModelNew", "candidate")


def test_task_with_a_syntax_error(tmp_path):
    path = write(tmp_path / "t.py", reference() + "def f(:\n")
    expect_bad_input(run("check", "--task", path, HONEST), "t.py:10")


def test_task_in_a_bad_row(tmp_path):
    good = json.dumps({"id": "a", "level": 1, "source": reference()})
    for row, word in (("{", ""), ('{"id": 3}', "id"), ('{"id": "b"}', "source"), ("[]", "object"), ('{"id": "b", "source": "x = 1", "lvel": 2}', "level")):
        path = write(tmp_path / "s.jsonl", good + "\n" + row + "\n")
        expect_bad_input(run("check", "--task", f"{path}#a", HONEST), "s.jsonl:2", word)


def test_task_that_a_suite_has_not(tmp_path):
    expect_bad_input(run("check", "--task", f"{TASKS}:sofmax", HONEST), "sofmax", "softmax")


def test_task_that_is_a_whole_suite():
    expect_bad_input(run("check", "--task", TASKS, HONEST), "holds", "one was expected")


def test_task_that_is_binary_or_large(tmp_path):
    expect_bad_input(run("check", "--task", write(tmp_path / "t.py", b"\xff\0"), HONEST), "t.py")
    large = tmp_path / "large.py"
    with open(large, "wb") as file:
        file.truncate(200 << 20)
    expect_bad_input(run("check", "--task", large, HONEST, memory=GIB), "large.py")


def test_core_policy_without_a_task():
    expect_bad_input(run("check", "--policy", "core", HONEST), "--policy core", "--task")


# Usage


def test_no_command():
    result = run()
    assert (result.returncode, result.out) == (BAD_INPUT, "")
    assert "--help" in result.err


@pytest.mark.parametrize("typed,meant", [("chek", "check"), ("task", "tasks"), ("docter", "doctor"), ("CHECK", "check")])
def test_mistyped_command_names_the_nearest(typed, meant):
    result = run(typed, HONEST)
    assert (result.returncode, result.out) == (BAD_INPUT, "")
    assert f"tritonrl {meant}" in result.err


def test_mistyped_subcommand_names_the_nearest():
    result = run("tasks", "lst", TASKS)
    assert (result.returncode, result.out) == (BAD_INPUT, "")
    assert "tasks ls" in result.err


@pytest.mark.parametrize(
    "arguments",
    [["check"], ["check", "--bogus", "x"], ["check", "--policy", "lenient", "x"], ["check", "x", "--entry"], ["tasks"], ["tasks", "ls"], ["doctor", "x"], ["--bogus"]],
)
def test_bad_usage(arguments):
    result = run(*arguments)
    assert (result.returncode, result.out) == (BAD_INPUT, "")
    assert result.err.startswith("tritonrl: ") and "--help" in result.err


@pytest.mark.parametrize("command", [[], ["check"], ["tasks"], ["tasks", "ls"], ["tasks", "show"], ["doctor"]])
def test_help_is_on_stdout(command):
    result = run(*command, "--help")
    assert (result.returncode, result.err) == (DONE, "")
    assert "Usage: tritonrl" in result.out


@pytest.mark.parametrize("command", [["check"], ["tasks"], ["tasks", "ls"], ["tasks", "show"], ["doctor"]])
def test_help_has_an_example_that_runs(command):
    example = re.search(r"^Example: tritonrl (.*)$", run(*command, "--help").out, re.MULTILINE)
    assert example, f"{command} has no example"
    assert example[1].split()[: len(command)] == command
    result = run(*example[1].split())
    assert result.returncode in (DONE, REJECTED), result.err
    assert result.out


def test_version():
    result = run("--version")
    assert (result.returncode, result.err) == (DONE, "")
    assert re.fullmatch(r"tritonrl \d+\.\d+\.\d+\n", result.out)


# What goes where


def test_a_full_or_closed_stdout_is_a_failure_of_the_machine():
    closed = subprocess.run(["sh", "-c", 'exec "$0" check "$1" >&-', PROGRAM, HONEST], capture_output=True, text=True, check=False)
    assert closed.returncode == HOST_FAILED
    assert "stdout" in closed.stderr
    if os.path.exists("/dev/full"):
        with open("/dev/full", "w") as full:
            result = subprocess.run([PROGRAM, "check", HONEST], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert result.returncode == HOST_FAILED
        assert "stdout" in result.stderr


def test_a_reader_that_leaves_ends_the_program_quietly():
    files = " ".join(map(str, sorted((ROOT / "tests/cases/cheating").glob("*.py")) * 3))
    result = subprocess.run(["bash", "-c", f'"$0" check {files} | head -1; echo "${{PIPESTATUS[0]}}"', PROGRAM], capture_output=True, text=True, check=False, timeout=120)
    first, status = result.stdout.splitlines()
    assert first
    assert int(status) in (REJECTED, HOST_FAILED, 141), "141: ended by the pipe's signal"
    assert "terminate" not in result.stderr and "Traceback" not in result.stderr


def test_a_closed_stdin_or_stderr_does_no_harm():
    for redirection in ("<&-", "2>&-", "<&- 2>&-"):
        result = subprocess.run(["sh", "-c", f'exec "$0" check "$1" {redirection}', PROGRAM, HONEST], stdout=subprocess.PIPE, text=True, check=False)
        assert result.returncode == DONE
        assert "accepted" in result.stdout


def test_no_colour_in_a_pipe():
    assert "\x1b" not in run("check", CHEATING).out
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, {"CLICOLOR_FORCE": "0"}):
        assert "\x1b" not in run("check", CHEATING, env={**os.environ, **variables}).out


def in_a_terminal(arguments, **variables):
    """What the program writes to a terminal."""
    main, other = pty.openpty()
    with subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=other, stderr=other, stdin=subprocess.DEVNULL, env={**os.environ, "TERM": "xterm", **variables}) as process:
        os.close(other)
        written = b""
        while True:
            try:
                piece = os.read(main, 65536)
            except OSError:
                break
            if not piece:
                break
            written += piece
    os.close(main)
    return process.returncode, written.decode()


def test_colour_in_a_terminal_unless_told_not_to():
    if "NO_COLOR" not in os.environ:
        status, text = in_a_terminal(["check", CHEATING])
        assert status == REJECTED and "\x1b[" in text
    status, text = in_a_terminal(["check", CHEATING], NO_COLOR="1")
    assert status == REJECTED and "\x1b[3" not in text and "\x1b[1" not in text


# Other commands


def test_doctor_says_a_line_each():
    result = run("doctor")
    assert result.returncode == DONE
    lines = result.out.splitlines()
    assert len(lines) >= 5
    for line in lines:
        assert re.match(r"(ok|missing) +\S+ +\S", line), line
    assert {"tritonrl", "python", "triton", "gpu"} <= {line.split()[1] for line in lines}


def test_doctor_works_without_a_path():
    result = subprocess.run([PROGRAM, "doctor"], capture_output=True, text=True, check=False, env={"PATH": "/nonexistent"}, cwd="/")
    assert result.returncode == DONE
    assert "missing" in result.stdout


def test_tasks_of_a_flat_folder():
    result = run("tasks", "ls", TASKS)
    assert (result.returncode, result.err) == (DONE, "")
    names = [line.split()[0] for line in result.out.splitlines()]
    assert names == sorted(path.stem for path in TASKS.glob("*.py"))
    rows = [json.loads(line) for line in run("tasks", "ls", "--json", TASKS).out.splitlines()]
    assert [row["id"] for row in rows] == names
    assert set(rows[0]) >= {"id", "level", "name"}


def test_tasks_of_levels(tmp_path):
    for name in ("level1/1_A.py", "level1/10_B.py", "level1/2_C_D.py", "level2/1_E.py"):
        write(tmp_path / name, reference())
    result = run("tasks", "ls", tmp_path)
    assert [line.split()[0] for line in result.out.splitlines()] == ["level1/1", "level1/2", "level1/10", "level2/1"]
    shown = run("tasks", "show", f"{tmp_path}:level1/2")
    assert shown.returncode == DONE
    assert "level1/2" in shown.out and "class Model" in shown.out and "N=8" in shown.out
    assert run("tasks", "show", tmp_path / "level2/1_E.py").returncode == DONE


def test_tasks_of_rows(tmp_path):
    rows = [{"id": "a", "level": 2, "source": reference(), "dims": {"N": 8}, "variants": [{"N": 33}]}, {"id": "b", "source": reference("return x + 1")}]
    path = write(tmp_path / "s.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert [line.split()[0] for line in run("tasks", "ls", path).out.splitlines()] == ["a", "b"]
    shown = run("tasks", "show", f"{path}#a")
    assert shown.returncode == DONE
    assert "N=8" in shown.out and "N=33" in shown.out
    row = json.loads(run("tasks", "show", "--json", f"{path}#a").out)
    assert row["dims"] == {"N": 8} and row["variants"] == [{"N": 33}] and row["source"] == reference()


def test_shown_task_names_its_operators():
    assert re.search(r"^operators +matmul$", run("tasks", "show", TASKS / "matmul.py").out, re.MULTILINE)
    assert "only moves data" in run("tasks", "show", TASKS / "transpose.py").out


def test_shown_row_can_be_loaded_again(tmp_path):
    row = run("tasks", "show", "--json", TASKS / "softmax.py").out
    path = write(tmp_path / "s.jsonl", row)
    assert run("tasks", "show", "--json", f"{path}#{json.loads(row)['id']}").out == row


@pytest.mark.parametrize(
    "content,words",
    [("", ["holds no tasks"]), ("{\n", [":1"]), ('{"id": "a"}\n', [":1", "source"]), ('{"id": "a", "source": "x"}\n' * 2, [":2", "taken"])],
)
def test_suite_of_bad_rows(tmp_path, content, words):
    expect_bad_input(run("tasks", "ls", write(tmp_path / "s.jsonl", content)), "s.jsonl", *words)


def test_suite_that_is_none(tmp_path):
    expect_bad_input(run("tasks", "ls", tmp_path), "holds no tasks")
    expect_bad_input(run("tasks", "ls", write(tmp_path / "a.txt", "x")), "not a suite")
    expect_bad_input(run("tasks", "ls", tmp_path / "none"), "no such suite")


def test_suite_of_large_rows_in_bounded_memory(tmp_path):
    path = tmp_path / "s.jsonl"
    with open(path, "wb") as file:
        file.write(b'{"id": "a", "source": "')
        file.truncate(200 << 20)
    expect_bad_input(run("tasks", "ls", path, memory=GIB), "s.jsonl")
