"""What roundings drawn at random do to a reference: the sums inside an operator count, and equal numbers are rounded alike."""

import pytest

torch = pytest.importorskip("torch")
F = torch.nn.functional

from tritonrl_harness.rounding import UNIT, Roundings  # noqa: E402

UNIT32 = UNIT[torch.float32]


def rounded(run, alike=False, seeds=5, dtype=torch.float32):
    """Results with roundings of a type, of several seeds, and the last mode."""
    results = []
    for seed in range(seeds):
        with Roundings(dtype, False, seed, alike) as roundings:
            results.append(run())
    return results, roundings


def numbers(*shape):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


# One by one, ten thousand terms gather the roundings of a hundred.
@pytest.mark.parametrize("loss", [F.binary_cross_entropy_with_logits, F.soft_margin_loss, F.mse_loss])
def test_the_sum_inside_a_loss_counts(loss):
    x, target = numbers(10_000), numbers(10_000).sigmoid()
    exact = loss(x, target)
    results, _ = rounded(lambda: loss(x, target))
    assert max(float(abs(found / exact - 1)) for found in results) > 4 * UNIT32


def test_equal_numbers_are_rounded_alike_on_rows_of_one_value():
    x = numbers(64, 1).expand(64, 100).contiguous()
    for alike in (True, False):
        results, _ = rounded(lambda: x * 3.0, alike)
        for found in results:
            assert bool((found == found[:, :1]).all()) == alike
            assert float((found / (x * 3.0) - 1).abs().max()) <= UNIT32 * 1.01
            assert found[:, 0].div(x[:, 0] * 3.0).unique().numel() > 32, "rows have roundings of their own"


@pytest.mark.parametrize("alike", [False, True])
def test_small_halves_are_off_by_up_to_half_a_step_and_keep_their_sign(alike):
    x = torch.cat([1e-6 * numbers(4096), 1e-9 * numbers(4096), torch.zeros(8, dtype=torch.float64)])
    for found in rounded(lambda: x * 1.0, alike, dtype=torch.float16)[0]:
        off = (found - x).abs()
        assert 2.0**-26 < float(off[:4096].max()) < 2.0**-25 * 1.1
        assert bool((off[4096:] <= 0.51 * x[4096:].abs()).all())
        assert torch.equal(found.sign(), x.sign())


def test_one_rounding_may_turn_what_steep_weights_and_steps_give():
    q = numbers(8, 16)
    steep = 100 * q
    may_turn = lambda run: rounded(run)[1].may_turn
    assert may_turn(lambda: torch.softmax(steep @ q.T, -1) @ q)
    assert not may_turn(lambda: torch.softmax(0.01 * q @ q.T, -1) @ q)
    assert not may_turn(lambda: torch.softmax(steep @ q.T, -1))
    assert not may_turn(lambda: steep @ q.T)
    assert may_turn(lambda: torch.sigmoid(steep @ q.T))
    assert may_turn(lambda: torch.where(q @ q.T > 0, 1.0, -1.0))
    assert may_turn(lambda: (q / 3).to(torch.int32))
    assert not may_turn(lambda: torch.where(q > 0, 1.0, -1.0)), "a comparison of inputs is exact"


def test_whole_numbers_behind_a_step_stay_whole():
    q = 50 * numbers(64, 64)
    results, _ = rounded(lambda: torch.round(q / 1.7).clamp(-100, 100) + 3.0)
    for found in results:
        assert bool((found == found.round()).all())
    results, _ = rounded(lambda: q / 1.7 + 3.0)
    assert not any(bool((found == found.round()).all()) for found in results)
