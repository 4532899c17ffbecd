"""Tensors as they cross the socket."""

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness.values import with_layout_of  # noqa: E402


@pytest.mark.parametrize(
    "like",
    [
        torch.rand(6, 4).t(),
        torch.rand(4, 1).expand(4, 6),
        torch.rand(4, 12)[:, 3:9],
        torch.rand(2, 3, 2, 4).to(memory_format=torch.channels_last),
        torch.rand(()),
    ],
)
def test_numbers_lie_in_memory_as_the_tasks_own_do(like):
    values = torch.rand(like.shape)
    found = with_layout_of(like, values)
    assert found.stride() == like.stride()
    assert found.data_ptr() != values.data_ptr() or like.is_contiguous()
    stretched = 0 in like.stride()
    assert torch.equal(found, values[:, :1].expand(4, 6) if stretched else values)
