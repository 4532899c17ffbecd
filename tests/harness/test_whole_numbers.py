"""Other whole numbers in place of those that a task draws."""

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness.distributions import Draw  # noqa: E402
from tritonrl_harness.whole_numbers import others  # noqa: E402


def likeliest(inputs, again=None, seed=0):
    return next(others(inputs, inputs if again is None else again, Draw(seed)))


def test_without_whole_numbers_there_are_no_others():
    assert not list(others([torch.rand(3), 0.5, None, "mean"], [torch.rand(3), 0.5, None, "mean"], Draw(0)))


def test_counts_and_flags_are_others_and_all_else_stays():
    x = torch.rand(3)
    found = likeliest([x, 5, 1, True, -1, 0.25, "mean", None])
    assert found[0] is x
    assert found[1:] == [4, 2, False, -1, 0.25, "mean", None]


def test_indices_stay_among_those_that_the_task_has():
    first, second = torch.tensor([-100, 3, 7, 3]), torch.tensor([4, -100, 7, 9])
    seen = {value for seed in range(50) for value in likeliest([first], [second], seed)[0].tolist()}
    assert seen == {-100, 3, 4, 7, 9}


def test_positions_come_in_another_order_and_offsets_go_on_ascending():
    positions, offsets = torch.arange(64), torch.arange(0, 64, 4)
    found = likeliest([positions, offsets])
    assert not torch.equal(found[0], positions) and torch.equal(found[0].sort().values, positions)
    assert bool((found[1].diff() >= 0).all()) and not torch.equal(found[1], offsets)
    assert (int(found[1][0]), int(found[1][-1])) == (0, 60)


def test_numbers_of_segments_stay_sorted():
    segments = torch.tensor([0, 0, 1, 1, 1, 2, 2, 2, 2, 3])
    for seed in range(20):
        (found,) = likeliest([segments], None, seed)
        assert bool((found.diff() >= 0).all()) and set(found.tolist()) <= {0, 1, 2, 3}


def test_lengths_that_are_all_the_same_become_shorter_ones():
    (found,) = likeliest([torch.full((50,), 40)])
    assert 20 <= int(found.min()) < int(found.max()) <= 40


def test_masks_become_others_fuller_ones_and_emptier_ones():
    mask = torch.ones(16, 16, dtype=torch.bool).tril()
    inputs = [mask, torch.arange(4)]
    drawn, fuller, emptier = (found[0] for found in others(inputs, inputs, Draw(0)))
    assert not torch.equal(drawn, mask)
    assert bool((fuller >= mask).all()) and not torch.equal(fuller, mask)
    assert bool((emptier <= mask).all()) and not torch.equal(emptier, mask)


def test_a_mask_that_is_expanded_stays_so():
    mask = (torch.rand(1, 16) > 0.5).expand(8, 16)
    for found in others([mask], [mask], Draw(0)):
        assert found[0].stride() == mask.stride()
