"""The text form both tables share: a comment header, then `# section` groups of sorted rows."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "src" / "analysis" / "data"

Row = tuple[str, ...]  # the columns as written; which of them is the name is up to the table
Sections = Mapping[str, Sequence[Row]]


def render(header: str, version: str, sections: Sections, name_column: int) -> str:
    lines = [f"# {line}".rstrip() for line in header.format(version=version).strip().splitlines()]
    for title, rows in sections.items():
        lines += ["", f"# section {title}"]
        width = [max(len(row[i]) for row in rows) for i in range(name_column)]
        for row in sorted(rows, key=lambda r: r[name_column]):
            padded = [row[i].ljust(width[i]) for i in range(name_column)]
            lines.append(" ".join([*padded, *row[name_column:]]).rstrip())
    return "\n".join(lines) + "\n"


def read_rows(path: Path) -> list[Row]:
    lines = (line.partition("#")[0].split() for line in path.read_text().splitlines())
    return [tuple(columns) for columns in lines if columns]


def read_sections(path: Path) -> dict[str, list[Row]]:
    sections: dict[str, list[Row]] = {}
    for line in path.read_text().splitlines():
        if line.startswith("# section "):
            rows = sections.setdefault(line.removeprefix("# section "), [])
        elif line and not line.startswith("#"):
            rows.append(tuple(line.split()))
    return sections


def recorded_version(path: Path) -> str:
    """The release that a table was generated from, as its header says."""
    found = re.search(r"^# Generated from \w+ (\S+) ", path.read_text(), re.MULTILINE)
    if not found:
        raise ValueError(f"{path}: the header names no version")
    return found.group(1)


def problems(path: Path, version: str, sections: Sections, text: str, name_column: int) -> tuple[list[str], bool]:
    """What is wrong with the committed table, and whether it counts as a failure.

    Under the release that the table records, it must be exactly what would be written. Another
    release may have names that the table lacks: they are only reported.
    """
    if version == recorded_version(path):
        if path.read_text() == text:
            return [], False
        ours, theirs = set(read_rows(path)), {tuple(r) for rows in sections.values() for r in rows}
        differing = [f"{'-' if r in ours else '+'} {' '.join(r)}" for r in sorted(ours ^ theirs)]
        return differing or ["same rows, different text"], True
    known = {row[name_column] for row in read_rows(path)}
    missing = sorted(row[name_column] for rows in sections.values() for row in rows if row[name_column] not in known)
    return [f"not in the table: {name}" for name in missing], False


def main(
    path: Path,
    header: str,
    version: str,
    build: Callable[[], Sections],
    name_column: int,
    must_cover: Sequence[str] = (),
) -> int:
    """Writes the table, or with --check compares it. `must_cover`: releases whose names may not be missing."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true", help=f"compare with {path.name} instead of writing it")
    arguments = parser.parse_args()
    sections = build()
    text = render(header, version, sections, name_column)
    if not arguments.check:
        path.write_text(text)
        return 0
    found, failed = problems(path, version, sections, text, name_column)
    failed = failed or (bool(found) and version in must_cover)
    for line in found:
        print(line, file=sys.stderr)
    if found:
        print(f"{path.name}: {len(found)} {'errors' if failed else 'warnings'} under {version}", file=sys.stderr)
    return 1 if failed else 0
