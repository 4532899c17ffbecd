"""docs/cases.md lists every case with its verdicts."""

import cases_table
from test_cases import KINDS, case_files


def test_the_page_is_in_step():
    assert cases_table.PAGE.read_text() == cases_table.page(), "run tests/verify/cases_table.py"


def test_every_case_has_a_row():
    rows = [line for line in cases_table.page().splitlines() if line.startswith("| `")]
    assert len(rows) == sum(len(case_files(kind)) for kind in KINDS)
    assert all(row.count(" | ") == 4 for row in rows)
