"""Both data files parse, are sorted, and name nothing twice; the checker notices a stale table."""

from __future__ import annotations

from pathlib import Path

import pytest
import table_file

TORCH, TRITON = table_file.DATA / "torch_ops.txt", table_file.DATA / "triton_language.txt"
TRITON_CLASSES = {"load", "store", "atomic", "pointer", "index", "constant", "copy", "compute", "meta"}


@pytest.mark.parametrize(("path", "name_column"), [(TORCH, 2), (TRITON, 1)], ids=["torch", "triton"])
def test_names_are_sorted_in_their_section_and_listed_once(path: Path, name_column: int) -> None:
    names = {title: [row[name_column] for row in rows] for title, rows in table_file.read_sections(path).items()}
    assert all(section == sorted(section) for section in names.values())
    listed = [name for section in names.values() for name in section]
    assert len(listed) == len(set(listed)) == len(table_file.read_rows(path))
    for title, section in names.items():
        separator = "::" if title == "aten" else "."
        assert all(name.rpartition(separator)[0] == title for name in section)


@pytest.mark.parametrize(("path", "package"), [(TORCH, "torch"), (TRITON, "triton")], ids=["torch", "triton"])
def test_tables_record_the_pinned_releases(path: Path, package: str) -> None:
    pins = (Path(__file__).resolve().parents[2] / "setup" / "requirements.txt").read_text().split()
    assert f"{package}=={table_file.recorded_version(path)}" in pins


def test_torch_rows_hold_a_class_a_result_and_a_name() -> None:
    for row in table_file.read_rows(TORCH):
        assert row[0] in {"free", "copy", "compute"} and row[1] in {"tensor", "scalar", "other", "none"}, row
        assert len(row) == 3 or (row[3:] == ("main",) and row[0] == "compute"), row


def test_triton_rows_hold_a_class_and_a_path() -> None:
    rows = table_file.read_rows(TRITON)
    assert all(len(row) == 2 and row[0] in TRITON_CLASSES for row in rows)
    assert {row[0] for row in rows} == TRITON_CLASSES


@pytest.fixture
def small_table(tmp_path: Path) -> Path:
    path = tmp_path / "table.txt"
    path.write_text(table_file.render("Generated from it {version} by hand", "1.0", {"s": [("free", "s.a")]}, 1))
    return path


def test_a_table_of_the_recorded_release_must_be_exact(small_table: Path) -> None:
    fresh = {"s": [("free", "s.a"), ("copy", "s.b")]}
    text = table_file.render("Generated from it {version} by hand", "1.0", fresh, 1)
    assert table_file.problems(small_table, "1.0", fresh, text, 1) == (["+ copy s.b"], True)
    small_table.write_text(text)
    assert table_file.problems(small_table, "1.0", fresh, text, 1) == ([], False)


def test_another_release_only_reports_what_is_missing(small_table: Path) -> None:
    fresh = {"s": [("copy", "s.a"), ("copy", "s.b")]}
    assert table_file.problems(small_table, "2.0", fresh, "", 1) == (["not in the table: s.b"], False)
