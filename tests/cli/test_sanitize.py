"""tritonrl sanitize as people and scripts call it: what it finds, what it prints where, and its exit status."""

import functools
import json
import os
import re
import subprocess
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("triton")

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl"))
LIBRARIES = Path(os.environ.get("TRITONRL_BUILD_DIR", Path(PROGRAM).resolve().parents[1])) / "lib"
CASES = ROOT / "tests/sanitize/defective"
HONEST = ROOT / "tests/sanitize/honest/vector_add.py"
DONE, FOUND, BAD_INPUT, HOST_FAILED = 0, 1, 2, 3

if not os.path.exists(PROGRAM):
    pytest.skip("the program is not built", allow_module_level=True)
needs_device = pytest.mark.skipif(
    not all((LIBRARIES / name).exists() for name in ("libtritonrl_ttir.so", "libtritonrl_torch.so")),
    reason="this build has no device for scripts",
)


def run(*arguments, **environment):
    command = [PROGRAM, "sanitize", *map(str, arguments)]
    # Triton's cache gives a kernel that is the same in two files the places of the first one.
    with tempfile.TemporaryDirectory() as cache:
        variables = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "TRITON_CACHE_DIR": cache, **environment}
        result = subprocess.run(
            command, cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600, check=False
        )
    result.out, result.err = result.stdout, result.stderr
    return result


def document_of(*arguments, **environment):
    result = run("--json", *arguments, **environment)
    assert result.out.count("\n") == 1, result.out + result.err
    return json.loads(result.out), result


@functools.cache
def case(name, *options):
    """A defective script's document; each is run once."""
    return document_of(*options, CASES / f"{name}.py")


def write(path, code):
    path.write_text(textwrap.dedent(code))
    return path


COPY = """
import os
import sys

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.load(x_ptr + at), mask=at < n)


def copy(n):
    x = torch.ones(n, device="cuda")
    copy_kernel[(triton.cdiv(n, 64),)](x, torch.empty_like(x), n, BLOCK=64)


"""
HEALTHY = COPY + "copy(128)\n"
DEFECTIVE = COPY + "copy(100)\n"


# Findings


@needs_device
def test_shows_place_line_caret_program_and_launch(tmp_path):
    script = write(tmp_path / "copy.py", DEFECTIVE)
    result = run(script)
    assert result.returncode == FOUND, result.err
    lines = result.out.splitlines()
    row = next(n for n, line in enumerate(DEFECTIVE.splitlines(), 1) if "tl.load" in line)
    head = re.fullmatch(rf"{re.escape(str(script))}:{row}:(\d+): error: load of 4 bytes, .*`x_ptr`.* \[out-of-bounds\]", lines[0])
    assert head, lines[0]
    source = DEFECTIVE.splitlines()[row - 1]
    assert lines[1] == f" {row} | {source}"
    margin = len(f" {row} | ")
    assert lines[2].index("^") == margin + int(head[1]) - 1
    marked = source[lines[2].index("~") - margin : lines[2].rindex("~") - margin + 1]
    assert marked == "tl.load(x_ptr + at)"
    assert lines[3] == "  kernel copy_kernel, program (1, 0, 0), lane 36; 28 times"
    launch = next(n for n, line in enumerate(DEFECTIVE.splitlines(), 1) if "copy_kernel[" in line)
    assert lines[4].startswith(f"  launched at {script}:{launch}: copy_kernel[")
    assert lines[5] == f"  called from {script}:{len(DEFECTIVE.splitlines())}: copy(100)"
    assert lines[-1] == f"{script}: 1 error in 1 launch of 1 kernel"


@needs_device
def test_shows_the_chain_of_a_helper_function():
    document, _ = case("oob_helper_function")
    finding = document["findings"][0]
    assert finding["callers"] and finding["callers"][0]["line"] > finding["line"]
    result = run(CASES / "oob_helper_function.py")
    place = f"tests/sanitize/defective/oob_helper_function.py:{finding['callers'][0]['line']}:"
    assert f"  called from {place}" in result.out
    lines = result.out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"  called from {place}"))
    assert lines[at + 1][lines[at + 2].index("~") : lines[at + 2].rindex("~") + 1] == "load_row(x_ptr, row, columns, at)"


@needs_device
def test_adds_up_the_same_finding_over_launches(tmp_path):
    document, _ = document_of(write(tmp_path / "copy.py", COPY + "for _ in range(3):\n    copy(100)\n"))
    assert [f["rule"] for f in document["findings"]] == ["out-of-bounds"]
    assert (document["findings"][0]["occurrences"], document["findings"][0]["launches"]) == (3 * 28, 3)
    assert (document["launches"], document["kernels"]) == (3, 1)


@needs_device
def test_finding_of_a_torch_operator_has_the_scripts_line():
    document, result = case("unwritten_tail")
    finding = document["findings"][0]
    assert result.returncode == FOUND and finding["rule"] == "unwritten-output"
    assert (finding["kernel"], finding["program"], finding["lane"], finding["column"]) == (None, None, None, None)
    assert finding["line"] > 0 and finding["file"].endswith("unwritten_tail.py")


@needs_device
def test_warnings_do_not_fail():
    document, result = case("same_value_flag")
    assert result.returncode == DONE, result.err
    assert (document["errors"], document["warnings"], document["exit"]) == (0, 1, 0)
    assert document["findings"][0]["severity"] == "warning"


@needs_device
def test_shows_no_more_findings_than_asked_for():
    result = run("--max-findings", 1, "examples/sanitize/three_bugs.py")
    assert len(re.findall(r"^\S+: error: ", result.out, re.MULTILINE)) == 1
    assert "2 more not shown (--max-findings 1)" in result.out and "3 errors in" in result.out


@needs_device
@pytest.mark.parametrize(
    "options", [("--order", "reversed"), ("--order", "shuffled", "--seed", "7"), ("--threads", "3")], ids=" ".join
)
def test_findings_do_not_depend_on_order_or_threads(options):
    keys = ("rule", "line", "column", "occurrences")
    for name in ("oob_helper_function", "undefined_sum"):
        expected, found = case(name)[0]["findings"], case(name, *options)[0]["findings"]
        assert [[f[key] for key in keys] for f in found] == [[f[key] for key in keys] for f in expected]


# Streams


@needs_device
def test_json_leaves_stdout_to_the_document(tmp_path):
    document, result = document_of(write(tmp_path / "copy.py", DEFECTIVE + "print('from the script')\n"))
    assert result.err.count("from the script") == 1
    keys = {"rule", "severity", "file", "line", "column", "program", "lane", "message", "kernel", "launched_at", "callers"}
    assert keys | {"occurrences", "launches"} <= set(document["findings"][0])
    assert document["findings"][0]["program"] == [1, 0, 0] and document["findings"][0]["lane"] == 36
    assert document["exit"] == result.returncode == FOUND and document["script_exit"] == 0


@needs_device
def test_scripts_streams_pass_through(tmp_path):
    result = run(write(tmp_path / "a.py", "import sys\nprint('out')\nprint('err', file=sys.stderr)\n"))
    assert result.out.startswith("out\n") and result.err == "err\n"
    assert result.out.endswith("no defect found; no Triton kernel was launched\n")
    assert result.returncode == DONE


ARGUMENTS = "import sys\nprint(sys.argv[1:])\n"


@needs_device
@pytest.mark.parametrize(
    ("before", "after", "seen"),
    [
        ([], ["a", "--lr", "0.1", "-x"], ["a", "--lr", "0.1", "-x"]),
        (["--threads", "2"], ["a", "--order=reversed", "b"], ["a", "b"]),
        ([], ["check", "--seed", "4", "--", "--seed", "5", "--", "--help"], ["check", "--seed", "5", "--", "--help"]),
    ],
)
def test_script_gets_its_arguments(tmp_path, before, after, seen):
    result = run(*before, write(tmp_path / "a.py", ARGUMENTS), *after)
    assert result.out.splitlines()[0] == str(seen), result.err


# Exit status


@needs_device
def test_a_script_without_defects_is_done():
    result = run(HONEST)
    assert result.returncode == DONE, result.out + result.err
    assert re.search(r": no defect found in \d+ launch(es)? of 1 kernel\n$", result.out)


def test_a_missing_script_is_bad_input(tmp_path):
    result = run(tmp_path / "absent.py")
    assert (result.returncode, result.out) == (BAD_INPUT, "") and "absent.py" in result.err


def test_a_folder_is_bad_input(tmp_path):
    result = run(tmp_path)
    assert (result.returncode, result.out) == (BAD_INPUT, "") and str(tmp_path) in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--profil", "a.py"),
        ("--order", "sideways", "a.py"),
        ("--threads", "0", "a.py"),
        ("--stage", "sass", "a.py"),
        ("--max-findings", "few", "a.py"),
    ],
    ids=" ".join,
)
def test_bad_usage_is_bad_input(arguments):
    result = run(*arguments)
    assert (result.returncode, result.out) == (BAD_INPUT, "") and result.err.startswith("tritonrl: ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--device-profile", "abacus"), "there is no device profile"),
        (("--device-profile", "absent.toml"), "absent.toml"),
        (("--python", "absent/python"), "absent/python"),
        (("--no-sanitize",), "--profile"),
    ],
)
def test_option_that_cannot_work_is_bad_input(options, words):
    result = run(*options, HONEST)
    assert (result.returncode, result.out) == (BAD_INPUT, "") and words in result.err


@needs_device
@pytest.mark.parametrize(("code", "words"), [("raise ValueError('broken')", "ValueError: broken"), ("sys.exit(7)", "")])
def test_a_failing_script_fails(tmp_path, code, words):
    document, result = document_of(write(tmp_path / "a.py", f"import sys\n{code}\n"))
    assert result.returncode == document["exit"] == FOUND and words in result.err
    assert document["findings"] == [] and document["error"] is None
    assert "tritonrl_harness" not in result.err


@needs_device
def test_a_killed_script_keeps_its_findings(tmp_path):
    code = DEFECTIVE + "os.kill(os.getpid(), 9)\n"
    document, result = document_of(write(tmp_path / "a.py", code))
    assert result.returncode == document["exit"] == HOST_FAILED
    assert [f["rule"] for f in document["findings"]] == ["out-of-bounds"]
    assert document["script_signal"] == 9 and "signal 9" in document["error"] and "signal 9" in result.err


@needs_device
def test_a_process_left_behind_does_not_hold_the_end(tmp_path):
    code = DEFECTIVE + "if os.fork() == 0:\n    import time\n    os.close(1), os.close(2)\n    time.sleep(100)\n    os._exit(0)\n"
    begin = time.monotonic()
    assert run(write(tmp_path / "a.py", code)).returncode == FOUND
    assert time.monotonic() - begin < 90


@needs_device
def test_a_kernel_that_the_executor_lacks_is_no_verdict(tmp_path):
    code = """
    import torch
    import triton
    import triton.language as tl


    @triton.jit
    def asm_kernel(x_ptr):
        at = tl.arange(0, 32)
        x = tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [tl.load(x_ptr + at)], tl.int32, True, 1)
        tl.store(x_ptr + at, x)


    asm_kernel[(1,)](torch.zeros(32, device="cuda", dtype=torch.int32))
    """
    document, result = document_of(write(tmp_path / "a.py", code))
    assert result.returncode == document["exit"] == HOST_FAILED
    assert "asm_kernel" in document["error"] and "tt.elementwise_inline_asm" in document["error"]


def test_a_python_without_torch_is_the_machines_failure(tmp_path):
    python = write(tmp_path / "python", '#!/bin/sh\nexec python3 -S -I "$@"\n')
    python.chmod(0o755)
    result = run("--python", python, HONEST)
    assert (result.returncode, result.out) == (HOST_FAILED, "")
    assert "tritonrl doctor" in result.err


def test_a_missing_harness_is_the_machines_failure(tmp_path):
    result = run(HONEST, TRITONRL_HARNESS=str(tmp_path))
    assert (result.returncode, result.out) == (HOST_FAILED, "") and "TRITONRL_HARNESS" in result.err


# pytest modules


@needs_device
def test_runs_pytest_modules(tmp_path):
    code = COPY + "def test_whole_blocks():\n    copy(128)\n\n\ndef test_part_of_a_block():\n    copy(100)\n"
    result = run(write(tmp_path / "test_copy.py", code), "-q", "-k", "whole")
    assert result.returncode == DONE and "1 passed, 1 deselected" in result.out, result.out + result.err
    result = run(write(tmp_path / "test_copy.py", code), "-q")
    assert result.returncode == FOUND and "2 passed" in result.out and "[out-of-bounds]" in result.out


# Profile


@needs_device
def test_profile_counts_what_a_kernel_does(tmp_path):
    script = write(tmp_path / "copy.py", HEALTHY)
    result = run(script, "--profile")
    assert result.returncode == DONE, result.err
    assert "profile (times are modelled on h200, not measured)" in result.out
    head, row = (re.split(r"\s{2,}", line) for line in result.out.splitlines() if line.startswith(("kernel ", "copy_kernel ")))
    cells = dict(zip(head, row))
    assert (cells["launches"], cells["programs"]) == ("1", "2")
    assert (cells["loaded"], cells["stored"], cells["sectors"], cells["waste"]) == ("512 B", "512 B", "32", "1.00")
    assert cells["masked off"] == "0.0 %" and float(cells["modelled us"]) > 0
    line = next(n for n, text in enumerate(HEALTHY.splitlines(), 1) if "tl.load" in text)
    assert re.search(rf"^  {line}\s+512 B\s+512 B\s.*tl\.store\(out_ptr", result.out, re.MULTILINE)


@needs_device
def test_profile_as_json(tmp_path):
    document, _ = document_of(write(tmp_path / "copy.py", HEALTHY), "--profile", "--no-sanitize", "--stage", "cubin")
    profile = document["profile"]
    assert (profile["device"], profile["time"]) == ("h200", "modelled") and profile["modelled_us"] > 0
    (kernel,) = profile["kernels"]
    assert kernel["loads"]["bytes"] == 512 and kernel["waste"] == 1.0 and kernel["masked_off_share"] == 0.0
    assert kernel["compiled"][0]["registers"] > 0 and "spills" in kernel["compiled"][0]
    assert sum(line["loads"]["bytes"] for line in kernel["lines"]) == 512
    assert kernel["operations"] and kernel["loop_trips"] == 0


@needs_device
def test_no_sanitize_reports_no_defects(tmp_path):
    result = run(write(tmp_path / "copy.py", HEALTHY), "--no-sanitize", "--profile")
    assert result.returncode == DONE and "defect" not in result.out and "copy_kernel" in result.out


# Help


def test_help_says_whose_arguments_are_whose():
    result = run("--help")
    assert result.returncode == DONE
    for word in ("SCRIPT", "'--'", "--profile", "--json", "Example: tritonrl sanitize ", "Exit status", "modelled"):
        assert word in result.out
