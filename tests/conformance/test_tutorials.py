"""Triton's quick tutorials on the executor. Skipped, with a line that says so, where they are not on the machine."""

import checkout
import pytest
import tutorials


@pytest.mark.parametrize("name", tutorials.QUICK)
def test_a_tutorial_gives_right_results_and_no_finding(name):
    found = checkout.triton_checkout()
    if found is None:
        pytest.skip(checkout.how_to_get_it())
    result = tutorials.run_script(found / "python/tutorials" / name)
    assert result.good, str(result)
