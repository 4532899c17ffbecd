"""What a reference's process tells: its seeds, and how far off an honest result may be where roundings turn one value into another."""

from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")

from tritonrl_harness import oracle  # noqa: E402
from tritonrl_harness.distributions import NotApplicable  # noqa: E402
from tritonrl_harness.rounding import truncated_to_tf32  # noqa: E402

MOST_SPREADS = 6  # comparison.h

ATTENTION = """
import torch
class Model(torch.nn.Module):
    def forward(self, q, k, v):
        return torch.nn.functional.scaled_dot_product_attention(q, k, v)
def get_inputs():
    return [torch.randn(2, 3, 50, 32) for _ in range(3)]
def get_init_inputs():
    return []
"""

QUANTISED = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.round(x / (x.abs().amax(-1, keepdim=True) / 127.0)).to(torch.int8)
def get_inputs():
    return [torch.randn(512, 512)]
def get_init_inputs():
    return []
"""

LINEAR = """
import torch
class Model(torch.nn.Linear):
    pass
def get_inputs():
    return [torch.randn(4, 8)]
def get_init_inputs():
    return [8, 3]
"""


CLAMPED = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.relu({result})
def get_inputs():
    return [torch.rand(4, 8)]
def get_init_inputs():
    return []
"""


class Oracle(oracle.Oracle):
    """Hands tensors over as they are."""

    def __init__(self, source):
        super().__init__(SimpleNamespace(gpu=False, executor=SimpleNamespace(begin_call=None, end_call=None)))
        self.do_load(source, 0)

    def _keep(self, tensor):
        return {"tensor": tensor.detach().contiguous()}

    def inputs(self):
        return self._case[1]


def attention_in_tf32(q, k, v, scale_first):
    """As flash attention computes it: one in many kernels scales the queries, the others the scores."""
    cut = lambda x: truncated_to_tf32(x).float()
    scale = q.shape[-1] ** -0.5 * 1.44269504
    scores = cut(q * scale) @ cut(k).mT if scale_first else cut(q) @ cut(k).mT * scale
    weights = torch.exp2(scores - scores.amax(-1, keepdim=True))
    return cut(weights) @ cut(v) / weights.sum(-1, keepdim=True)


# In these seeds the scores of two keys nearly tie, and the kernel weighs the other one than the reference does in fp64.
@pytest.mark.parametrize(
    ("distribution", "seed"),
    [*(("far-up", seed) for seed in (60, 128, 155, 178, 195)), *(("large", seed) for seed in (9, 50, 57, 113, 147))],
)
def test_an_attention_whose_scores_nearly_tie_is_within_roundings(distribution, seed):
    task = Oracle(ATTENTION)
    task.do_make(0, seed * 977 + 5, distribution)
    expected = task.do_expect(True, seed)["results"][0]
    right, spread = expected["values"]["tensor"], expected["spread"]["tensor"]
    for scale_first in (False, True):
        found = attention_in_tf32(*task.inputs(), scale_first).double()
        assert float(((found - right).abs() / spread).max()) < MOST_SPREADS
    swapped = right.flip(2)  # of other queries
    assert float((((swapped - right).abs() / spread) > MOST_SPREADS).double().mean()) > 0.9


@pytest.mark.parametrize(
    ("distribution", "seed"),
    [*(("as-given", seed) for seed in (9, 12, 18, 35)), *(("large", seed) for seed in (8, 12, 16, 30))],
)
def test_a_number_that_is_nearly_half_way_is_rounded_to_either_side(distribution, seed):
    task = Oracle(QUANTISED)
    task.do_make(0, seed * 31 + 1, distribution)
    expected = task.do_expect(True, seed)["results"][0]
    (x,) = task.inputs()
    scale = x.abs().amax(-1, keepdim=True) / 127.0
    found = torch.round(x * (1.0 / scale)).to(torch.int8)  # a product in place of the reference's quotient
    allowed = [expected["values"]["tensor"], *(other["tensor"] for other in expected["alternatives"])]
    assert all(other.shape == found.shape and other.dtype == torch.int8 for other in allowed)
    assert bool(torch.stack([found == values for values in allowed]).any(0).all())
    several = torch.stack([values != allowed[0] for values in allowed]).any(0)
    assert float(several.double().mean()) < 0.001, "all others have one value"


@pytest.mark.parametrize(("result", "constant"), [("x - 2.0", False), ("x - x", True), ("x.sum(1) * 0.0 + 3.0", True)])
def test_a_reference_heeds_its_inputs_if_large_ones_change_its_result(result, constant):
    task = Oracle(CLAMPED.format(result=result))
    task.do_make(0, 7, "as-given")
    assert task.do_traits()["constant"] == constant


def test_the_other_values_of_elements_share_a_tensor():
    spread = oracle._Spread(torch.tensor([1, 2, 3]))
    for found in ([1, 2, 3], [0, 2, 3], [1, 2, 4], [0, 2, 3], [7, 2, 4]):
        spread.add(torch.tensor(found), False)
    assert [other.tolist() for other in spread.alternatives] == [[0, 2, 4], [7, 2, 3]]


def test_the_seed_that_a_candidate_sees_is_no_neighbour_of_its_inputs():
    seen = [oracle._told(seed) for seed in range(1000)]
    assert len(set(seen)) == 1000
    assert all(abs(later - earlier) > 1000 for earlier, later in zip(seen, seen[1:]))
    assert all(abs(told - seed) > 1000 for seed, told in enumerate(seen))
    assert all(0 <= told < 2**63 for told in seen)  # what torch.manual_seed takes


def test_the_seed_that_a_candidate_sees_draws_the_references_parameters_and_no_input():
    task = Oracle(LINEAR)
    told = task.do_make(0, 1234, "as-given")["construct_seed"]
    assert told == oracle._told(1234)
    torch.manual_seed(told)
    drawn = torch.nn.Linear(8, 3)
    _, inputs, initial = task._case
    assert torch.equal(drawn.weight, initial["weight"])
    for neighbour in range(-8, 9):
        torch.manual_seed(told + neighbour)
        assert not torch.equal(torch.randn(4, 8), inputs[0])


ROUTER = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        weights, places = torch.topk(torch.softmax(x, -1), 2)
        return weights, places
def get_inputs():
    return [torch.randn(30, 8)]
def get_init_inputs():
    return []
"""


@pytest.mark.parametrize("distribution", ["large", "clustered"])
def test_indices_of_equal_numbers_are_not_judged(distribution):
    task = Oracle(ROUTER)
    task.do_make(0, 7, distribution)
    with pytest.raises(NotApplicable, match="no order of their indices is promised"):
        task.do_expect(True, 3)
    task.do_make(0, 7, "as-given")
    assert task.do_expect(True, 3)["fp64"]


ORDERED = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.sort(x, -1)
def get_inputs():
    return [torch.tensor([[1.0, 0.5, 1.0, 2.0]])]
def get_init_inputs():
    return []
"""


def test_two_equal_numbers_have_either_index():
    task = Oracle(ORDERED)
    task.do_make(0, 7, "as-given")
    _, places = task.do_expect(True, 3)["results"]
    allowed = [places["values"]["tensor"].tolist(), *(other["tensor"].tolist() for other in places["alternatives"])]
    assert sorted(allowed) == [[[1, 0, 2, 3]], [[1, 2, 0, 3]]]


VANISHING = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.log(torch.softmax(torch.stack([x, x - 95.0]), 0))
def get_inputs():
    return [torch.randn(4)]
def get_init_inputs():
    return []
"""


def test_what_is_finite_only_where_small_numbers_are_not_zero_is_judged_as_given_alone():
    task = Oracle(VANISHING)
    task.do_make(0, 7, "normal")
    with pytest.raises(NotApplicable):
        task.do_expect(True, 3)
    task.do_make(0, 7, "as-given")
    assert bool(torch.isfinite(task.do_expect(True, 3)["results"][0]["spread"]["tensor"]).all())


COMPARED = """
import torch
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.where(x == 3.0, 1.0, 0.0), torch.histc(x, 10, 0.0, 10.0)
def get_inputs():
    return [torch.randint(0, 10, (40, 50)).float()]
def get_init_inputs():
    return []
"""


def test_whole_numbers_among_inputs_are_what_they_are():
    task = Oracle(COMPARED)
    task.do_make(0, 7, "as-given")
    assert all(float(found["spread"]["tensor"].max()) < 1e-3 for found in task.do_expect(True, 3)["results"])
