"""300 of Triton's own language tests on the executor. Skipped, with a line that says so, where they are not on the machine."""

import checkout
import language
import pytest


def test_a_sample_of_tritons_own_language_tests_passes():
    if checkout.triton_checkout() is None:
        pytest.skip(checkout.how_to_get_it())
    words, good = language.judge_sample(language.run_sample())
    print(words)
    assert good, words
