"""Inputs drawn by us: what each distribution is sure to hold."""

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness.distributions import Draw, redrawn  # noqa: E402


def test_a_row_of_zeros_is_among_constant_ones():
    for seed in range(200):
        (x,) = redrawn([torch.rand(5, 3)], "constant-rows", Draw(seed))
        assert bool((x == 0).all(1).any()) and not bool((x == 0).all())


def test_products_of_thousands_around_one_neither_vanish_nor_overflow():
    (x,) = redrawn([torch.rand(16, 8192)], "around-one", Draw(0))
    products = x.cumprod(1).abs()
    assert 1e-6 < float(products.min()) and float(products.max()) < 1e6
    assert bool((x < 0).any()) and bool((x > 0).any())
