"""What inputs drawn by us keep of a task's own."""

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness.distributions import DISTRIBUTIONS, Draw, redrawn  # noqa: E402
from tritonrl_harness.promises import promises  # noqa: E402


def drawer(make):
    """Draws that follow from a seed of their own."""
    generator = torch.Generator().manual_seed(3)
    return lambda: make(lambda *shape: torch.rand(*shape, generator=generator))


def redrawn_as(make, name):
    draw_again = drawer(make)
    inputs = draw_again()
    return redrawn(inputs, name, Draw(5), promises(inputs, draw_again))


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_triangle_of_zeros_stays_one(name):
    a, b = redrawn_as(lambda rand: [torch.triu(rand(40, 40)), rand(40, 40)], name)
    assert torch.equal(a, a.triu())
    assert not torch.equal(b, b.triu())


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_a_symmetric_matrix_stays_one(name):
    (a,) = redrawn_as(lambda rand: [(lambda x: x + x.mT)(rand(3, 20, 20))], name)
    assert torch.equal(a, a.mT)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_what_is_one_of_two_values_stays_so(name):
    labels, scores = redrawn_as(lambda rand: [(rand(8, 30) > 0.5).float() * 2 - 1, rand(8, 30)], name)
    assert set(labels.unique().tolist()) == {-1.0, 1.0}
    assert len(scores.unique()) > 2 or name == "clustered"


@pytest.mark.parametrize(
    "make",
    [
        lambda rand: [torch.relu(rand(40, 40) - 0.5)],  # zeros come anywhere
        lambda rand: [torch.ones(16, 16)],
        lambda rand: [torch.zeros(16, 16)],
        lambda rand: [rand(2)],
    ],
)
def test_what_two_draws_do_not_have_in_common_is_no_promise(make):
    (x,) = redrawn_as(make, "normal")
    assert len(x.unique()) == x.numel()


def test_a_poke_keeps_promises():
    draw_again = drawer(lambda rand: [torch.triu(rand(9, 9)), (lambda x: x + x.mT)(rand(9, 9)), rand(9, 9).round()])
    inputs = draw_again()
    for seed in range(50):
        draw = Draw(seed)
        for x, promise in zip(inputs, promises(inputs, draw_again)):
            place = promise.free_place(x, draw)
            before = x.clone()
            promise.write(x, place, promise.other(x[place].item(), -1.0 - seed))
            assert not torch.equal(x, before)
    triangular, symmetric, bits = inputs
    assert torch.equal(triangular, triangular.triu())
    assert torch.equal(symmetric, symmetric.mT)
    assert set(bits.unique().tolist()) == {0.0, 1.0}
