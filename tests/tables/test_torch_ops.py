"""The classes of torch_ops.txt hold for what torch does, seen in storages, values and the dispatcher."""

from __future__ import annotations

import copy
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")

import make_torch_ops
import table_file
import torch.nn.functional as F
from torch.utils._python_dispatch import TorchDispatchMode

ROWS = {row[2]: row for row in table_file.read_rows(make_torch_ops.PATH)}
WEIGHT = {"free": 0, "copy": 1, "compute": 2}
Sample = Callable[[Any], Any]


def sample() -> Any:
    """Distinct small integers, none of them zero: every dtype holds them and a moved value is recognisable."""
    return torch.arange(1.0, 25.0).reshape(4, 6).clone()


def tensors(result: Any) -> list[Any]:
    return [result] if isinstance(result, torch.Tensor) else [t for t in result if isinstance(t, torch.Tensor)]


class OperatorTrace(TorchDispatchMode):
    """The aten operators that reach the dispatcher: what a run-time trace sees."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(func._schema.name)
        return func(*args, **(kwargs or {}))


def traced(call: Sample, argument: Any) -> tuple[Any, list[tuple[str, ...]]]:
    with OperatorTrace() as trace:
        result = call(argument)
    return result, [ROWS[name] for name in trace.names]


VIEWS: dict[str, Sample] = {
    "torch.Tensor.view": lambda x: x.view(24),
    "torch.Tensor.view_as": lambda x: x.view_as(torch.empty(6, 4)),
    "torch.Tensor.reshape": lambda x: x.reshape(2, 12),
    "torch.Tensor.reshape_as": lambda x: x.reshape_as(torch.empty(6, 4)),
    "torch.Tensor.flatten": lambda x: x.flatten(),
    "torch.Tensor.ravel": lambda x: x.ravel(),
    "torch.Tensor.unflatten": lambda x: x.unflatten(1, (2, 3)),
    "torch.Tensor.t": lambda x: x.t(),
    "torch.Tensor.T": lambda x: x.T,
    "torch.Tensor.mT": lambda x: x.mT,
    "torch.Tensor.H": lambda x: x.H,
    "torch.Tensor.mH": lambda x: x.mH,
    "torch.Tensor.adjoint": lambda x: x.adjoint(),
    "torch.Tensor.transpose": lambda x: x.transpose(0, 1),
    "torch.Tensor.swapaxes": lambda x: x.swapaxes(0, 1),
    "torch.Tensor.swapdims": lambda x: x.swapdims(0, 1),
    "torch.Tensor.permute": lambda x: x.permute(1, 0),
    "torch.Tensor.movedim": lambda x: x.movedim(0, 1),
    "torch.Tensor.moveaxis": lambda x: x.moveaxis(0, 1),
    "torch.Tensor.expand": lambda x: x.expand(3, 4, 6),
    "torch.Tensor.expand_as": lambda x: x.expand_as(torch.empty(3, 4, 6)),
    "torch.Tensor.broadcast_to": lambda x: x.broadcast_to(3, 4, 6),
    "torch.Tensor.narrow": lambda x: x.narrow(1, 2, 3),
    "torch.Tensor.select": lambda x: x.select(0, 1),
    "torch.Tensor.__getitem__": lambda x: x[1:3, ::2, None],
    "torch.Tensor.__iter__": lambda x: list(x),
    "torch.Tensor.__pos__": lambda x: +x,
    "torch.Tensor.squeeze": lambda x: x[None].squeeze(0),
    "torch.Tensor.unsqueeze": lambda x: x.unsqueeze(1),
    "torch.Tensor.split": lambda x: x.split(2),
    "torch.Tensor.split_with_sizes": lambda x: x.split_with_sizes([1, 3]),
    "torch.Tensor.tensor_split": lambda x: x.tensor_split(3),
    "torch.Tensor.unsafe_split": lambda x: x.unsafe_split(2),
    "torch.Tensor.unsafe_chunk": lambda x: x.unsafe_chunk(2),
    "torch.Tensor.hsplit": lambda x: x.hsplit(2),
    "torch.Tensor.vsplit": lambda x: x.vsplit(2),
    "torch.Tensor.chunk": lambda x: x.chunk(2, 1),
    "torch.Tensor.unbind": lambda x: x.unbind(1),
    "torch.Tensor.unfold": lambda x: x.unfold(1, 3, 1),
    "torch.Tensor.as_strided": lambda x: x.as_strided((3, 3), (6, 1)),
    "torch.Tensor.detach": lambda x: x.detach(),
    "torch.Tensor.data": lambda x: x.data,
    "torch.Tensor.real": lambda x: x.real,
    "torch.Tensor.diagonal": lambda x: x.diagonal(),
    "torch.Tensor.positive": lambda x: x.positive(),
    "torch.Tensor.requires_grad_": lambda x: x.requires_grad_(False),
    "torch.Tensor.as_subclass": lambda x: x.as_subclass(torch.Tensor),
    "torch.as_tensor": lambda x: torch.as_tensor(x),
    "torch.asarray": lambda x: torch.asarray(x),
    "torch.atleast_3d": lambda x: torch.atleast_3d(x),
    "torch.broadcast_tensors": lambda x: torch.broadcast_tensors(x, x[:1]),
    "torch.chunk": lambda x: torch.chunk(x, 3),
    "torch.dsplit": lambda x: torch.dsplit(x.view(2, 2, 6), 2),
    "torch.linalg.diagonal": lambda x: torch.linalg.diagonal(x),
    "torch.meshgrid": lambda x: torch.meshgrid(x[0], x[0], indexing="ij"),
    "torch.squeeze": lambda x: torch.squeeze(x),
    "torch.view_as_complex": lambda x: torch.view_as_complex(x.view(4, 3, 2)),
    "torch.view_as_real": lambda x: torch.view_as_real(torch.view_as_complex(x.view(4, 3, 2))),
    "torch.imag": lambda x: torch.imag(torch.view_as_complex(x.view(4, 3, 2))),
    "torch.from_dlpack": lambda x: torch.from_dlpack(x),
    "torch.nn.Parameter": lambda x: torch.nn.Parameter(x),
    "torch.nn.Identity": lambda x: torch.nn.Identity()(x),
    "torch.nn.Flatten": lambda x: torch.nn.Flatten()(x),
    "torch.nn.Unflatten": lambda x: torch.nn.Unflatten(1, (2, 3))(x),
    "torch.Tensor.squeeze_": lambda x: x.squeeze_(),
    "torch.Tensor.unsqueeze_": lambda x: x.unsqueeze_(0),
    "torch.Tensor.t_": lambda x: x.t_(),
    "torch.Tensor.transpose_": lambda x: x.transpose_(0, 1),
    "torch.Tensor.swapaxes_": lambda x: x.swapaxes_(0, 1),
    "torch.Tensor.as_strided_": lambda x: x.as_strided_((3, 3), (6, 1)),
    "torch.Tensor.detach_": lambda x: x.detach_(),
}


@pytest.mark.parametrize("name", VIEWS)
def test_view_shares_storage_and_leaves_the_values_alone(name: str) -> None:
    x, before = sample(), sample()
    result = VIEWS[name](x)
    address = x.untyped_storage().data_ptr()
    assert all(t.untyped_storage().data_ptr() == address for t in tensors(result))
    storage = torch.empty(0).set_(x.untyped_storage())
    assert torch.equal(storage, before.flatten())
    assert ROWS[name][:2] == ("free", "tensor")


@pytest.mark.parametrize("name", VIEWS.keys() - {"torch.from_dlpack"})
def test_view_dispatches_free_operators_only(name: str) -> None:
    assert {row[0] for row in traced(VIEWS[name], sample())[1]} <= {"free"}


CONSTANTS: dict[str, Sample] = {
    "torch.zeros_like": torch.zeros_like,
    "torch.ones_like": torch.ones_like,
    "torch.full_like": lambda x: torch.full_like(x, 3),
    "torch.Tensor.new_zeros": lambda x: x.new_zeros(3),
    "torch.Tensor.new_ones": lambda x: x.new_ones(3),
    "torch.Tensor.new_full": lambda x: x.new_full((3,), 2.0),
    "torch.Tensor.zero_": lambda x: x.zero_(),
    "torch.Tensor.fill_": lambda x: x.fill_(7),
    "torch.zeros": lambda x: torch.zeros(x.shape),
    "torch.ones": lambda x: torch.ones(x.shape),
    "torch.full": lambda x: torch.full(x.shape, 5),
    "torch.arange": lambda x: torch.arange(x.numel()),
    "torch.tensor": lambda x: torch.tensor([1, 2, 3]),
    "torch.scalar_tensor": lambda x: torch.scalar_tensor(4),
    "torch.nn.init.zeros_": torch.nn.init.zeros_,
    "torch.nn.init.ones_": torch.nn.init.ones_,
    "torch.nn.init.constant_": lambda x: torch.nn.init.constant_(x, 3),
}


@pytest.mark.parametrize("name", CONSTANTS)
def test_constant_does_not_depend_on_the_input(name: str) -> None:
    assert torch.equal(CONSTANTS[name](sample()), CONSTANTS[name](sample() * 2 + 1))
    assert ROWS[name][:2] == ("free", "tensor")


@pytest.mark.parametrize("name", CONSTANTS)
def test_constant_dispatches_no_compute(name: str) -> None:
    rows = traced(CONSTANTS[name], sample())[1]
    assert {row[0] for row in rows} <= {"free", "copy"}  # a tensor from a list is copied in


METADATA: dict[str, tuple[Sample, str]] = {
    "torch.Tensor.shape": (lambda x: x.shape, "other"),
    "torch.Tensor.size": (lambda x: x.size(), "other"),
    "torch.Tensor.stride": (lambda x: x.stride(), "other"),
    "torch.Tensor.dtype": (lambda x: x.dtype, "other"),
    "torch.Tensor.device": (lambda x: x.device, "other"),
    "torch.Tensor.dim": (lambda x: x.dim(), "scalar"),
    "torch.Tensor.ndim": (lambda x: x.ndim, "scalar"),
    "torch.Tensor.numel": (lambda x: x.numel(), "scalar"),
    "torch.Tensor.element_size": (lambda x: x.element_size(), "scalar"),
    "torch.Tensor.data_ptr": (lambda x: x.data_ptr(), "scalar"),
    "torch.Tensor.is_contiguous": (lambda x: x.is_contiguous(), "scalar"),
    "torch.Tensor.is_cuda": (lambda x: x.is_cuda, "scalar"),
    "torch.Tensor.get_device": (lambda x: x.get_device(), "scalar"),
    "torch.Tensor.requires_grad": (lambda x: x.requires_grad, "scalar"),
    "torch.Tensor.item": (lambda x: x[0, 0].item(), "scalar"),
    "torch.Tensor.__len__": (len, "scalar"),
    "torch.Tensor.__bool__": (lambda x: bool(x[0, 0]), "scalar"),
    "torch.Tensor.__float__": (lambda x: float(x[0, 0]), "scalar"),
    "torch.is_tensor": (torch.is_tensor, "scalar"),
    "torch.is_floating_point": (torch.is_floating_point, "scalar"),
    "torch.promote_types": (lambda x: torch.promote_types(x.dtype, torch.half), "other"),
    "torch.result_type": (lambda x: torch.result_type(x, 1), "other"),
    "torch.broadcast_shapes": (lambda x: torch.broadcast_shapes(x.shape, (1, 6)), "other"),
    "torch.finfo": (lambda x: torch.finfo(x.dtype), "other"),
}


@pytest.mark.parametrize("name", METADATA)
def test_metadata_is_free_and_says_what_it_returns(name: str) -> None:
    call, returns = METADATA[name]
    result, rows = traced(call, sample())
    assert not isinstance(result, torch.Tensor)
    assert isinstance(result, (bool, int, float)) == (returns == "scalar")
    assert {row[0] for row in rows} <= {"free"}
    assert ROWS[name][:2] == ("free", returns)


# Same values, each as often as before.
MOVES: dict[str, Sample] = {
    "torch.clone": torch.clone,
    "torch.Tensor.clone": lambda x: x.clone(),
    "torch.Tensor.contiguous": lambda x: x.t().contiguous(),
    "torch.Tensor.to": lambda x: x.to(torch.float64),
    "torch.Tensor.type": lambda x: x.type(torch.int32),
    "torch.Tensor.type_as": lambda x: x.type_as(torch.empty(1, dtype=torch.int8)),
    "torch.Tensor.float": lambda x: x.float(),
    "torch.Tensor.half": lambda x: x.half(),
    "torch.Tensor.bfloat16": lambda x: x.bfloat16(),
    "torch.Tensor.double": lambda x: x.double(),
    "torch.Tensor.int": lambda x: x.int(),
    "torch.Tensor.long": lambda x: x.long(),
    "torch.Tensor.short": lambda x: x.short(),
    "torch.Tensor.char": lambda x: x.char(),
    "torch.Tensor.byte": lambda x: x.byte(),
    "torch.Tensor.cpu": lambda x: x.cpu(),
    "torch.Tensor.copy_": lambda x: torch.empty(4, 6).copy_(x),
    "torch.Tensor.__deepcopy__": copy.deepcopy,
    "torch.Tensor.__reversed__": lambda x: reversed(x),
    "torch.cat": lambda x: torch.cat([x[:2], x[2:]]),
    "torch.concat": lambda x: torch.concat([x[:2], x[2:]], 1),
    "torch.stack": lambda x: torch.stack([x[:2], x[2:]]),
    "torch.hstack": lambda x: torch.hstack([x[:2], x[2:]]),
    "torch.vstack": lambda x: torch.vstack([x[:2], x[2:]]),
    "torch.dstack": lambda x: torch.dstack([x[:2], x[2:]]),
    "torch.column_stack": lambda x: torch.column_stack([x[:2], x[2:]]),
    "torch.flip": lambda x: x.flip(0, 1),
    "torch.fliplr": torch.fliplr,
    "torch.flipud": torch.flipud,
    "torch.roll": lambda x: x.roll((1, 2), (0, 1)),
    "torch.rot90": lambda x: x.rot90(),
    "torch.fft.fftshift": torch.fft.fftshift,
    "torch.pixel_shuffle": lambda x: torch.pixel_shuffle(x.view(1, 4, 2, 3), 2),
    "torch.pixel_unshuffle": lambda x: torch.pixel_unshuffle(x.view(1, 1, 4, 6), 2),
    "torch.channel_shuffle": lambda x: torch.channel_shuffle(x.view(1, 4, 2, 3), 2),
    "torch.Tensor.resolve_conj": lambda x: x.resolve_conj(),
    "torch.permute_copy": lambda x: torch.permute_copy(x, (1, 0)),
    "torch.view_copy": lambda x: torch.view_copy(x, (24,)),
    "torch.detach_copy": lambda x: torch.detach_copy(x),
    "torch.unbind_copy": lambda x: torch.unbind_copy(x),
    "torch.nn.PixelShuffle": lambda x: torch.nn.PixelShuffle(2)(x.view(1, 4, 2, 3)),
    "torch.nn.utils.parameters_to_vector": lambda x: torch.nn.utils.parameters_to_vector([x[:1], x[1:]]),
}

# Values of the input, and zeros.
SPREADS: dict[str, Sample] = {
    "torch.Tensor.repeat": lambda x: x.repeat(2, 2),
    "torch.tile": lambda x: torch.tile(x, (2,)),
    "torch.repeat_interleave": lambda x: x.repeat_interleave(3, 0),
    "torch.block_diag": lambda x: torch.block_diag(x, x),
    "torch.diag": lambda x: torch.diag(x[0]),
    "torch.diagflat": lambda x: torch.diagflat(x),
    "torch.diag_embed": torch.diag_embed,
    "torch.select_scatter": lambda x: torch.select_scatter(x, x[0], 0, 2),
    "torch.slice_scatter": lambda x: torch.slice_scatter(x, x[:2], 0, 2),
    "torch.Tensor.__setitem__": lambda x: x.__setitem__((slice(0, 2), 0), x[2:, 1]) or x,
    "torch.constant_pad_nd": lambda x: torch.constant_pad_nd(x, (1, 1)),
    "torch.nn.functional.pad": lambda x: F.pad(x, (1, 2, 3, 0)),
    "torch.nn.functional.unfold": lambda x: F.unfold(x.view(1, 1, 4, 6), 3, padding=1),
    "torch.nn.ReflectionPad1d": lambda x: torch.nn.ReflectionPad1d(2)(x),
    "torch.nn.ReplicationPad1d": lambda x: torch.nn.ReplicationPad1d(2)(x),
    "torch.nn.CircularPad1d": lambda x: torch.nn.CircularPad1d(2)(x),
    "torch.nn.ZeroPad2d": lambda x: torch.nn.ZeroPad2d(1)(x[None]),
    "torch.nn.Unfold": lambda x: torch.nn.Unfold(2)(x.view(1, 1, 4, 6)),
    "torch.nn.utils.rnn.pad_sequence": lambda x: torch.nn.utils.rnn.pad_sequence([x, x[:2]]),
}


def values(result: Any) -> list[float]:
    return [v for t in tensors(result) for v in t.double().flatten().tolist()]


@pytest.mark.parametrize("name", MOVES)
def test_copy_preserves_the_multiset_of_values(name: str) -> None:
    assert Counter(values(MOVES[name](sample()))) == Counter(values(sample()))
    assert ROWS[name][:2] == ("copy", "tensor")


@pytest.mark.parametrize("name", SPREADS)
def test_spreading_copy_invents_no_value(name: str) -> None:
    assert set(values(SPREADS[name](sample()))) <= {0.0, *values(sample())}
    assert ROWS[name][0] == "copy"


@pytest.mark.parametrize("name", MOVES.keys() | SPREADS.keys())
def test_copy_dispatches_no_compute(name: str) -> None:
    assert {row[0] for row in traced({**MOVES, **SPREADS}[name], sample())[1]} <= {"free", "copy"}


POINTWISE: dict[str, Sample] = {
    "torch.Tensor.__add__": lambda x: x + x,
    "torch.Tensor.__rsub__": lambda x: 100 - x,
    "torch.Tensor.__truediv__": lambda x: x / 7,
    "torch.Tensor.__neg__": lambda x: -x,
    "torch.Tensor.__lt__": lambda x: x < 5,
    "torch.Tensor.mul_": lambda x: x.mul_(1.5),
    "torch.exp": torch.exp,
    "torch.where": lambda x: torch.where(x > 3, x, -x),
    "torch.clamp": lambda x: x.clamp(2.5, 3.5),
    "torch.masked_fill": lambda x: x.masked_fill(x > 3, -1),
    "torch.nn.functional.gelu": F.gelu,
    "torch.nn.SiLU": lambda x: torch.nn.SiLU()(x),
    "torch.nn.Sigmoid": lambda x: torch.nn.Sigmoid()(x),
    "torch.tril": lambda x: x.tril(),
    "torch.rand_like": torch.rand_like,
    "torch.linspace": lambda x: torch.linspace(0.1, 0.9, 5),
    "torch.eye": lambda x: torch.eye(3),
    "torch.nn.functional.one_hot": lambda x: F.one_hot(x.long()),
    "torch.conj": lambda x: torch.view_as_real(torch.view_as_complex(x.view(4, 3, 2)).conj().resolve_conj()),
}

MAIN: dict[str, Sample] = {
    "torch.Tensor.__matmul__": lambda x: x @ x.t(),
    "torch.mm": lambda x: torch.mm(x, x.t()),
    "torch.einsum": lambda x: torch.einsum("ij,kj->ik", x, x),
    "torch.nn.functional.linear": lambda x: F.linear(x, x),
    "torch.nn.Linear": lambda x: torch.nn.Linear(6, 2)(x),
    "torch.nn.Conv1d": lambda x: torch.nn.Conv1d(4, 2, 3)(x[None]),
    "torch.nn.functional.conv2d": lambda x: F.conv2d(x.view(1, 1, 4, 6), x[None, None, :2, :2]),
    "torch.nn.functional.scaled_dot_product_attention": lambda x: F.scaled_dot_product_attention(
        x[None], x[None], x[None]
    ),
    "torch.nn.functional.layer_norm": lambda x: F.layer_norm(x, (6,)),
    "torch.nn.RMSNorm": lambda x: torch.nn.RMSNorm(6)(x),
    "torch.softmax": lambda x: x.softmax(-1),
    "torch.nn.LogSoftmax": lambda x: torch.nn.LogSoftmax(-1)(x),
    "torch.sum": lambda x: x.sum(1),
    "torch.Tensor.mean": lambda x: x.mean(),
    "torch.amax": lambda x: x.amax(1),
    "torch.var": lambda x: x.var(1),
    "torch.logsumexp": lambda x: x.logsumexp(1),
    "torch.nn.functional.max_pool1d": lambda x: F.max_pool1d(x, 2),
    "torch.nn.AvgPool2d": lambda x: torch.nn.AvgPool2d(2)(x[None]),
    "torch.nn.functional.mse_loss": lambda x: F.mse_loss(x, x.flip(0)),
    "torch.nn.CrossEntropyLoss": lambda x: torch.nn.CrossEntropyLoss()(x, x[:, 0].long() % 6),
    "torch.cumsum": lambda x: x.cumsum(1),
    "torch.sort": lambda x: x.sort(descending=True),
    "torch.topk": lambda x: x.topk(2),
    "torch.gather": lambda x: x.gather(1, x.long() % 6),
    "torch.index_select": lambda x: x.index_select(0, torch.tensor([1, 0])),
    "torch.Tensor.scatter_add": lambda x: x.scatter_add(0, x.long() % 4, x),
    "torch.nn.Embedding": lambda x: torch.nn.Embedding(25, 2)(x.long()),
    "torch.nn.GRU": lambda x: torch.nn.GRU(6, 3)(x)[0],
    "torch.nn.functional.interpolate": lambda x: F.interpolate(x[None], scale_factor=2),
    "torch.fft.rfft": lambda x: torch.fft.rfft(x),
    "torch.linalg.vector_norm": torch.linalg.vector_norm,
    "torch.unique": lambda x: torch.unique(x),
}


@pytest.mark.parametrize("name", POINTWISE)
def test_pointwise_compute_is_no_rearrangement(name: str) -> None:
    result, rows = traced(POINTWISE[name], sample())
    assert Counter(values(result)) != Counter(values(sample()))
    assert any(row[0] == "compute" for row in rows)
    assert ROWS[name][0] == "compute" and "main" not in ROWS[name]


@pytest.mark.parametrize("name", MAIN)
def test_main_operator_dispatches_a_main_operator(name: str) -> None:
    _, rows = traced(MAIN[name], sample())
    assert any("main" in row for row in rows)
    assert ROWS[name][0] == "compute" and "main" in ROWS[name]


@pytest.mark.parametrize("name", ["tolist", "numpy", "__array__", "__dlpack__", "untyped_storage"])
def test_exports_that_no_trace_can_follow_are_compute(name: str) -> None:
    result, rows = traced(lambda x: getattr(x, name)(), sample())
    assert not isinstance(result, torch.Tensor)
    assert not any(row[0] == "compute" for row in rows)  # the reason for the rule: the dispatcher sees nothing
    assert ROWS[f"torch.Tensor.{name}"][0] == "compute"


def test_methods_and_functions_of_one_operator_agree() -> None:
    for name, (cls, _, _, *_) in ROWS.items():
        prefix, _, leaf = name.rpartition(".")
        operator = ROWS.get(f"aten::{leaf}")
        if prefix in ("torch", "torch.Tensor") and operator and callable(getattr(torch.Tensor, leaf, None)):
            dtype_namesake = prefix == "torch" and isinstance(getattr(torch, leaf), torch.dtype)
            assert cls == operator[0] or dtype_namesake, (name, cls, operator)


def test_table_is_what_the_generator_writes() -> None:
    built = make_torch_ops.sections()
    text = table_file.render(make_torch_ops.HEADER, make_torch_ops.version(), built, 2)
    found, failed = table_file.problems(make_torch_ops.PATH, make_torch_ops.version(), built, text, 2)
    assert not failed, "\n".join(found)
    if found:
        warnings.warn(f"torch {make_torch_ops.version()} has names that the table lacks: {found}", stacklevel=1)


def test_every_operator_of_the_installed_torch_has_a_row() -> None:
    installed = {s.name for s in torch._C._jit_get_all_schemas() if s.name.startswith("aten::")}
    missing = installed - ROWS.keys()
    if make_torch_ops.version() == table_file.recorded_version(make_torch_ops.PATH):
        assert not missing
    elif missing:
        warnings.warn(f"operators without a row count as compute: {sorted(missing)}", stacklevel=1)
