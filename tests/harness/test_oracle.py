"""What a reference's process tells: of its seeds, and of references that heed nothing."""

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness import oracle  # noqa: E402


def test_the_seed_that_a_candidate_sees_is_no_neighbour_of_its_inputs():
    seen = [oracle._told(seed) for seed in range(1000)]
    assert len(set(seen)) == 1000
    assert all(abs(later - earlier) > 1000 for earlier, later in zip(seen, seen[1:]))
    assert all(abs(told - seed) > 1000 for seed, told in enumerate(seen))
    assert all(0 <= told < 2**63 for told in seen)  # what torch.manual_seed takes
