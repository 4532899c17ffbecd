"""What roundings drawn at random do to a reference: the sums inside an operator count, and equal numbers are rounded alike."""

import pytest

torch = pytest.importorskip("torch")
F = torch.nn.functional

from tritonrl_harness.rounding import UNIT, Roundings, Ties  # noqa: E402

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


def in_roundings(found, run, samples=8, **options):
    """How far off a result is at worst, in what samples are off by on average."""
    exact = run().double()
    results, _ = rounded(run, seeds=samples, **options)
    spread = torch.stack([result - exact for result in results]).square().mean().sqrt()
    return float((found.double() - exact).abs().max() / spread)


@pytest.mark.parametrize("mode", ["bilinear", "bicubic"])
@pytest.mark.parametrize("corners", [False, True])
def test_interpolation_is_off_by_the_roundings_of_its_coordinates(mode, corners):
    x = numbers(1, 2, 100, 90)
    resized = lambda x, corners: F.interpolate(x, size=(37, 141), mode=mode, align_corners=corners)
    run = lambda: resized(x, corners)
    assert in_roundings(resized(x.float(), corners), run) < 8
    assert in_roundings(resized(x, not corners), run) > 1000


def test_whole_numbers_are_resized_as_they_are():
    image = torch.arange(60, dtype=torch.uint8).view(1, 1, 6, 10)
    for mode in ("nearest", "bilinear"):
        resized = lambda mode=mode: F.interpolate(image, size=(9, 9), mode=mode)
        assert all(torch.equal(found, resized()) for found in rounded(resized)[0])


def test_the_nearest_element_is_another_only_where_fp32_finds_another():
    resized = lambda x, size: F.interpolate(x, size=size, mode="nearest")
    x = torch.arange(260, dtype=torch.float64).view(1, 1, -1)
    assert not rounded(lambda: resized(x, 520))[1].may_turn
    assert not rounded(lambda: resized(x, 780))[1].may_turn
    results, roundings = rounded(lambda: resized(x, 481))
    assert roundings.may_turn
    assert all(torch.equal(found.round(), resized(x, 481)) for found in results)
    with Roundings(torch.float32, False, 0, widened=4):
        found = resized(x, 481)
    assert torch.equal(found.round(), resized(x.float(), 481).double())
    assert not torch.equal(found.round(), resized(x, 481)), "two differ in fp32"


def test_samples_of_a_grid_are_off_by_the_roundings_of_their_coordinates():
    x, grid = numbers(1, 2, 64, 64), 1e-6 * numbers(1, 32, 32, 2).float().double()
    sampled = lambda x, grid, mode="bilinear": F.grid_sample(x, grid, mode, align_corners=False)
    assert in_roundings(sampled(x, grid.float().add(1.0).sub(1.0).double()), lambda: sampled(x, grid)) < 8
    assert rounded(lambda: sampled(x, grid, "nearest"))[1].may_turn
    assert not rounded(lambda: sampled(x, grid))[1].may_turn


def test_numbers_next_to_the_edge_of_a_bin_are_counted_on_either_side():
    x = (1e-6 * numbers(3000)).float().double()
    counted = lambda x: torch.histc(x, 20, -3.0, 3.0)
    shifted = counted(x.float().add(3.0).double() - 3.0)
    assert not torch.equal(shifted, counted(x))
    assert in_roundings(shifted, lambda: counted(x)) < 6 * 20**0.5, "all bins have the spread of those two in the verifier"
    counted = lambda: torch.histc(x.sign(), 6, -3.0, 3.0)
    assert all(torch.equal(found.round(), counted()) for found in rounded(counted)[0]), "whole numbers are what they are"


def test_powers_are_off_by_their_logarithms_and_squares_are_not():
    x = (300 * numbers(20, 400)).float().abs() + 0.1
    wide = x.double()
    as_kernel = torch.exp(2.5 * torch.log(x)).double() / wide**2.5 - 1
    drawn = torch.stack(rounded(lambda: wide**2.5)[0]) / wide**2.5 - 1
    assert float(as_kernel.abs().max()) < 6 * float(drawn.square().mean().sqrt())
    assert all(float((found / wide**2 - 1).abs().max()) < 1.1 * UNIT32 for found in rounded(lambda: wide**2)[0])


def test_variances_are_off_by_the_roundings_of_mean_squares():
    same = numbers(20, 1).float().expand(20, 400).contiguous()
    wide = same.double()
    as_kernel = (same.square().mean(1) - same.mean(1).square()).clamp_min(0).sqrt()
    for root in (torch.std, lambda x, dim: torch.std_mean(x, dim)[0]):
        assert 0 < in_roundings(as_kernel, lambda root=root: root(wide, 1), alike=True) < 6
    for keepdim in (False, True):
        for found, exact in zip(rounded(lambda: torch.var_mean(wide, keepdim=keepdim))[0][0], torch.var_mean(wide, keepdim=keepdim)):
            assert found.shape == exact.shape and abs(float(found / exact) - 1) < 1e-3


def test_angles_are_rounded():
    x = 1000 * numbers(500)
    for wave in (torch.sin, torch.cos):
        assert in_roundings(wave(x * (1 + UNIT32)), lambda wave=wave: wave(x)) < 6
    signal = numbers(6, 64)
    results, _ = rounded(lambda: torch.fft.fft(signal).real)
    assert all(float((found - torch.fft.fft(signal).real).abs().max()) > 2 * UNIT32 for found in results)


# In fp32 such a result is off by 2^-24 and more.
@pytest.mark.parametrize("run", [torch.sum, torch.mean, torch.erf, lambda x: x.softmax(-1), lambda x: x.cumsum(-1), lambda x: x.var(-1)])
def test_results_in_fp64_are_not_off_by_the_roundings_of_fp32(run):
    x = numbers(8, 300).abs()
    for found in rounded(lambda: run(x), dtype=torch.float64)[0]:
        assert float((found / run(x) - 1).abs().max()) < 1e-12


@pytest.mark.parametrize("order", [lambda x: x.sort(descending=True), torch.sort, lambda x: x.topk(2), lambda x: x.topk(2, -1, False)])
def test_two_equal_numbers_are_put_in_either_order(order):
    x = torch.tensor([[1.0, 2.0, 2.0, 1.0]], dtype=torch.float64)
    results, _ = rounded(lambda: order(x), seeds=2)
    assert all(torch.equal(found.values.round(), order(x).values) for found in results)
    assert all(torch.equal(x.gather(-1, found.indices), order(x).values) for found in results)
    assert bool((results[0].indices != results[1].indices).all())


def test_a_stable_order_is_kept():
    x = torch.tensor([1.0, 2.0, 2.0, 1.0], dtype=torch.float64)
    assert all(found.indices.tolist() == [0, 3, 1, 2] for found in rounded(lambda: torch.sort(x, stable=True))[0])
    assert not ties(lambda: torch.sort(torch.zeros(9, dtype=torch.float64), stable=True))


def ties(run, dtype=torch.float32):
    with Ties(dtype) as found:
        run()
    return found.found


def test_ties_are_three_equal_numbers_whose_order_shows():
    x = numbers(1, 8)
    three = torch.tensor([5.0, 4.0, 1.0, 1.0, 1.0], dtype=torch.float64)
    assert not ties(lambda: x.sort())
    assert ties(lambda: three.sort())
    assert ties(lambda: three.topk(3)) and not ties(lambda: three.topk(2))
    assert ties(lambda: three.topk(1, largest=False))
    assert not ties(lambda: three[:4].sort()), "two are put in either order"
    assert ties(lambda: three[:4].median(-1)), "but by sort() and topk() alone"
    assert ties(lambda: (1 + 1e-9 * x).sort()) and not ties(lambda: (1 + 1e-9 * x).sort(), torch.float64)
    vanished = torch.tensor([1.0, 1e-39, 1e-40, 1e-41], dtype=torch.float64)
    assert ties(lambda: vanished.topk(2)) and not ties(lambda: vanished.topk(2), torch.float64)
    assert not ties(lambda: torch.zeros(5, dtype=torch.float64).max(-1)), "of the largest the first is taken"


def test_exponentials_too_small_for_a_gpu_are_zero():
    x = torch.tensor([[0.0, -86.0, -95.0]], dtype=torch.float64)
    for run in (torch.exp, lambda x: x.softmax(-1), torch.sigmoid):
        for dtype, flush, zero in ((torch.float32, True, True), (torch.float32, False, False), (torch.float64, True, False)):
            with Roundings(dtype, False, 0, flush=flush):
                found = run(x)
            assert (found == 0).tolist() == [[False, False, zero]]


def test_what_a_reference_computes_in_a_narrower_type_is_rounded_to_it():
    x, y = numbers(32, 64), numbers(64, 16)
    exact = x.bfloat16() @ y.bfloat16()
    for found in rounded(lambda: x.bfloat16() @ y.bfloat16())[0]:
        assert found.dtype == torch.bfloat16
        off = (found.double() / exact.double() - 1).abs()
        assert 0 < float(off.max()) < 2.0**-6


def test_probabilities_stay_probabilities():
    p, target = numbers(100).sigmoid(), (numbers(100) > 0).double()
    p[:50] = target[:50]
    exact = F.binary_cross_entropy(p, target)
    results, _ = rounded(lambda: F.binary_cross_entropy(p, target))
    assert all(abs(float(found / exact) - 1) < 1e-4 for found in results)
