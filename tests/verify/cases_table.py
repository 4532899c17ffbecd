#!/usr/bin/env python3
"""Writes docs/cases.md: every case, and the verdicts that it must get. `--check` only compares."""

import argparse
import sys
from pathlib import Path

from test_cases import KINDS, ROOT, case_files, read_head

PAGE = ROOT / "docs/cases.md"
HEAD = """# Cases

Every file of `tests/cases`, and what must come out. `check` is the verdict of the static layers alone
([rules.md](rules.md)), `verify` that of the whole verifier on the CPU device ([verifier.md](verifier.md)); several rules: any
of them. *alone*: without the static layers, to show what the others find. *its sizes only*: right at the task's sizes, and
known to be wrong at others. Written by `tests/verify/cases_table.py`; a test keeps it in step.

"""
SAYS = {
    "honest": "Right kernels, in the styles that people and models write. Each must be accepted.",
    "wrong": "Kernels that do not compute what the task asks for.",
    "cheating": "Candidates that want the reward without the work.",
    "hostile": "Bombs, crashes and attacks on the machine or on the verdict.",
}


def cell(text):
    """Words that mean nothing to Markdown."""
    return text.replace("|", "or").replace("<", "&lt;").replace("*", r"\*").replace("](", "] (")


def verdict(text):
    kind, _, rules = text.partition(" ")
    return kind if not rules else f"{kind} " + " or ".join(f"`{rule.strip()}`" for rule in rules.split("|"))


def verify_cell(head):
    if "verify" not in head:
        return ""
    notes = [note for key, note in (("static", "alone"), ("general", "its sizes only")) if key in head]
    return verdict(head["verify"]) + "".join(f", *{note}*" for note in notes)


def row(path, head):
    task = Path(head["task"]).stem if "task" in head else ""
    cells = [f"`{path.stem}`", cell(head["case"]), task, verdict(head["expect"]), verify_cell(head)]
    return f"| {' | '.join(cells)} |"


def page():
    heads = {kind: {path: read_head(path) for path in case_files(kind)} for kind in KINDS}
    text = HEAD + "| kind | cases | with a verdict of the whole verifier |\n|---|---|---|\n"
    for kind, found in heads.items():
        text += f"| [{kind}](#{kind}) | {len(found)} | {sum('verify' in head for head in found.values())} |\n"
    for kind, found in heads.items():
        text += f"\n## {kind}\n\n{SAYS[kind]}\n\n| case | shows | task | check | verify |\n|---|---|---|---|---|\n"
        text += "".join(row(path, head) + "\n" for path, head in found.items())
    return text


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--check", action="store_true", help="write nothing; status 1 when the page is out of step")
    if options.parse_args().check:
        return 0 if PAGE.exists() and PAGE.read_text() == page() else 1
    PAGE.write_text(page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
