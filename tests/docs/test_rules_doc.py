"""docs/rules.md has a section for every rule of the catalogue, and its examples get the verdicts it promises."""

import json
import re
import subprocess

import pytest
from pages import ROOT, fences, sections

PAGE = (ROOT / "docs/rules.md").read_text()
SECTIONS = sections(PAGE)
CATALOGUE = {
    name: {"layer": layer.lower(), "needs_entry": needs_entry == "true", "sentence": sentence}
    for name, layer, needs_entry, sentence in re.findall(
        r'Rule\{"([a-z0-9-]+)", k(\w+), (true|false), "([^"]*)"\}', (ROOT / "src/analysis/rule.cpp").read_text()
    )
}

# Rules that are shown in words because no short example exists; here they are made.
MADE = {
    "not-utf8": lambda frame: frame.encode() + b"# \x00\n",
    "source-too-large": lambda frame: frame.encode() + b"# padding\n" * (1 << 17),
    "nesting-too-deep": lambda frame: f"{frame}\nx = {'(' * 300}0{')' * 300}\n".encode(),
}


def section_of_frame() -> str:
    return fences(SECTIONS["How to read the examples"])[0].text


class Frame:
    """What stands around an example."""

    def __init__(self, text: str):
        self.text = text
        self.imports, *pieces = text.strip().split("\n\n\n")
        self.pieces = {re.search(r"^(?:def|class) (\w+)", piece, re.MULTILINE)[1]: piece for piece in pieces}

    def around(self, example: str) -> str:
        if re.match(r"def \w+\(self", example):
            body = "".join(f"    {line}" if line.strip() else line for line in example.splitlines(keepends=True))
            example = f"class ModelNew(nn.Module):\n{body}"
        defined = set(re.findall(r"^(?:def|class) (\w+)", example, re.MULTILINE))
        if re.search(r"^class \w+\((nn\.Module|Model)\)", example, re.MULTILINE):
            defined.add("ModelNew")
        kept = [name for name in self.pieces if name not in defined]
        if "@triton.jit" in example:
            # From the last piece to the first: a piece may only serve a later one.
            needed = example
            for name in reversed(kept):
                if name != "ModelNew" and not re.search(rf"\b{name}\b", needed):
                    kept.remove(name)
                else:
                    needed += self.pieces[name]
        parts = [self.imports, *(self.pieces[name] for name in kept if name != "ModelNew"), example.strip()]
        if "ModelNew" in kept:
            parts.append(self.pieces["ModelNew"])
        return "\n\n\n".join(parts) + "\n"


FRAME = Frame(section_of_frame())


def options_of(example: str) -> tuple[dict[str, str], str]:
    """The comments at the top that set options, and what follows them."""
    options = {}
    while match := re.match(r"# (task|policy|entry|format): (\S+)\n+|# (whole file)\n+", example):
        options[match[1] or match[3]] = match[2] or ""
        example = example[match.end() :]
    return options, example


def check(program: str, folder, source: bytes, options: dict[str, str]) -> dict:
    file = folder / "candidate"
    file.write_bytes(source)
    command = [program, "check", "--jsonl", str(file)]
    for name in ("task", "policy", "entry"):
        if name in options:
            command += [f"--{name}", options[name]]
    if "format" in options:
        command.append("--response")
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert result.returncode in (0, 1), result.stderr
    return json.loads(result.stdout)


def judge(program: str, folder, example: str) -> dict:
    options, rest = options_of(example)
    if options.get("format") == "response":
        source = rest.replace("# the frame\n", FRAME.text)
    else:
        source = rest if "whole file" in options else FRAME.around(rest)
    return check(program, folder, source.encode(), options)


def findings(verdict: dict) -> list[dict]:
    return [finding for layer in verdict["layers"] for finding in layer["findings"]]


def told(verdict: dict) -> str:
    lines = [f"{each['line']}: {each['severity']} {each['rule']}: {each['message']}" for each in findings(verdict)]
    return "\n".join(lines) or "nothing was found"


def severities(rule: str) -> list[str]:
    """What the line under the heading says: reject, suspect, or both."""
    return re.match(r"\s*\*\w+; ([a-z ]+?)(?:;.*)?\*\n", SECTIONS[rule])[1].split(" or ")


def example(rule: str, kind: str) -> str:
    found = [fence.text for fence in fences(SECTIONS[rule]) if fence.above.endswith(f"{kind}:")]
    assert len(found) == 1, f"{rule} has {len(found)} examples under '{kind}:'"
    return found[0]


def test_sections_are_the_catalogue():
    assert CATALOGUE, "the catalogue is not written as this test reads it"
    assert list(SECTIONS)[-len(CATALOGUE) :] == list(CATALOGUE)


def test_index_is_the_catalogue():
    row = r"^\| \[`(\S+)`\]\(#(\S+)\) \| (\w+) \| ([a-z ]+) \| (yes|) ?\| (.+) \|$"
    rows = re.findall(row, SECTIONS["Index"], re.MULTILINE)
    for (name, rule), row in zip(CATALOGUE.items(), rows, strict=True):
        entry = "yes" if rule["needs_entry"] else ""
        assert row == (name, name, rule["layer"], " or ".join(severities(name)), entry, rule["sentence"])


@pytest.mark.parametrize("rule", CATALOGUE)
def test_section_says_layer_severity_and_entry(rule):
    summary = re.match(r"\s*\*(\w+); ([a-z ]+?)(; needs an entry.*)?\*\n", SECTIONS[rule])
    assert summary, "the first line is `*layer; severity; needs an entry*`"
    assert summary[1] == CATALOGUE[rule]["layer"]
    assert summary[2] in ("reject", "suspect", "reject or suspect")
    assert bool(summary[3]) == CATALOGUE[rule]["needs_entry"]


def test_frame_is_accepted_without_a_finding(program, tmp_path):
    verdict = check(program, tmp_path, FRAME.text.encode(), {})
    assert findings(verdict) == [], told(verdict)


@pytest.mark.parametrize("rule", [rule for rule in CATALOGUE if rule not in MADE])
def test_bad_example_is_found(program, tmp_path, rule):
    verdict = judge(program, tmp_path, example(rule, "Bad"))
    severity = severities(rule)[0]
    assert any(each["rule"] == rule and each["severity"] == severity for each in findings(verdict)), told(verdict)
    assert severity == "suspect" or not verdict["accepted"]


@pytest.mark.parametrize("rule", [rule for rule in CATALOGUE if rule not in MADE])
def test_good_example_is_accepted(program, tmp_path, rule):
    verdict = judge(program, tmp_path, example(rule, "Good"))
    assert verdict["accepted"], told(verdict)
    assert not any(each["rule"] == rule for each in findings(verdict)), told(verdict)


@pytest.mark.parametrize("rule", MADE)
def test_rule_shown_in_words_is_found(program, tmp_path, rule):
    assert not fences(SECTIONS[rule]), "this rule has examples now: take it out of MADE"
    verdict = check(program, tmp_path, MADE[rule](FRAME.text), {})
    assert verdict["reason"] == rule, told(verdict)
