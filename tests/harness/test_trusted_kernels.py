"""The kernels that the trusted side runs on a GPU, on the executor: each against the same in torch."""

import pytest
import torch

from tritonrl_harness import trusted_kernels
from tritonrl_harness.install import install

NOWHERE = 1 << 62
INFINITY, NAN = float("inf"), float("nan")
COUNT, BLOCK = 3000, 1024
BLOCKS = -(-COUNT // BLOCK)
# (place, what was found, what should have been): one of the two is not finite, and should be as the other is.
STRANGE = [None, (8, NAN, 1.0), (9, 1.0, INFINITY), (2047, INFINITY, -INFINITY), (2999, 0.0, NAN)]


@pytest.fixture(scope="module", autouse=True)
def device():
    install()


def compare(found, values, spread):
    dtypes = (torch.float64, torch.int64, torch.float64, torch.int64, torch.int64)
    figures = [torch.zeros(BLOCKS, dtype=dtype, device="cuda") for dtype in dtypes]
    limits = torch.finfo(found.dtype)
    slack = 0.0 if found.dtype == torch.float64 else 2.0**-12
    arguments = (found.cuda(), values.cuda(), spread.cuda(), *figures, COUNT, limits.tiny, limits.max, slack, BLOCK)
    trusted_kernels.compare_floats[(BLOCKS,)](*arguments)
    return [figure.cpu() for figure in figures]


@pytest.mark.parametrize("strange", STRANGE, ids=str)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16, torch.float64], ids=str)
def test_errors_are_those_of_torch(dtype, strange):
    torch.manual_seed(0)
    values = torch.randn(COUNT, dtype=torch.float64)
    spread = values.abs() * 1e-3 + 1e-9
    found = (values * (1 + 1e-3 * torch.randn(COUNT, dtype=torch.float64))).to(dtype)
    for place, same in ((5, INFINITY), (6, NAN), (7, -INFINITY)):
        values[place] = found[place] = same
    if strange:
        place, found[place], values[place] = strange[0], strange[1], strange[2]
    worst, worst_at, squares, counted, strange_at = compare(found, values, spread)
    finite = torch.isfinite(values) & torch.isfinite(found.double())
    errors = torch.where(finite, (found.double() - values).abs() / spread.clamp_min(torch.finfo(dtype).tiny), 0.0)
    assert int(counted.sum()) == int(finite.sum())
    assert float(worst.max()) == pytest.approx(float(errors.max()))
    assert float(squares.sum()) == pytest.approx(float((errors**2).sum()))
    assert int(worst_at[worst.argmax()]) == int(errors.argmax())
    assert int(strange_at.min()) == (strange[0] if strange else NOWHERE)


def test_results_at_the_edge_of_the_range_may_fall_on_either_side():
    limits = torch.finfo(torch.float16)
    values, spread = torch.zeros(COUNT, dtype=torch.float64), torch.ones(COUNT, dtype=torch.float64)
    found = torch.zeros(COUNT, dtype=torch.float16)
    values[0], found[0] = limits.max * 1.005, INFINITY
    values[1], found[1] = limits.max * 0.995, INFINITY
    assert int(compare(found, values, spread)[4].min()) == NOWHERE
    values[2], found[2] = limits.max * 0.5, INFINITY
    assert int(compare(found, values, spread)[4].min()) == 2


def test_the_first_difference_of_each_block_is_found():
    left = torch.arange(5000, dtype=torch.int32)
    right = left.clone()
    right[4321] = 7
    found = torch.zeros(5, dtype=torch.int64, device="cuda")
    trusted_kernels.first_difference[(5,)](left.cuda(), right.cuda(), found, 5000, BLOCK)
    assert found.tolist() == [NOWHERE] * 4 + [4321]


def test_a_pattern_is_found_and_its_loss_too():
    pattern = 0x7FE07FD1
    memory = torch.zeros(2000, dtype=torch.int32)
    memory[1500] = pattern
    found = torch.zeros(2, dtype=torch.int64, device="cuda")
    trusted_kernels.first_pattern[(2,)](memory.cuda(), found, pattern, 2000, BLOCK)
    assert found.tolist() == [NOWHERE, 1500]

    memory = torch.full((2000,), pattern, dtype=torch.int32).cuda()
    memory.view(torch.uint8)[777] = 0
    begins = torch.tensor([memory.data_ptr() + 1, memory.data_ptr() + 4 * 500 + 3]).cuda()
    lengths = torch.tensor([1000, 1000]).cuda()
    trusted_kernels.check_pattern[(2,)](begins, lengths, found, pattern, 1024)
    assert found.tolist() == [776, NOWHERE]
