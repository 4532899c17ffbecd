"""Writes src/analysis/data/torch_ops.txt from the installed torch; --check compares instead.

Operator schemas decide most rows (a result that aliases its argument is a view, an operator
without tensors is free); CURATED and PYTHON below say the rest. What nothing claims is compute.
"""

from __future__ import annotations

import importlib
import inspect
import re
import types
from collections.abc import Iterable
from typing import Any, NamedTuple

import torch

import table_file

PATH = table_file.DATA / "torch_ops.txt"
HEADER = """
What torch's functions, methods, operators and modules do with tensor data.
Generated from torch {version} by tools/tables/make_torch_ops.py: change that, not this.

Row: class returns name [main]
  class    free     allocation, constants, views, metadata
           copy     moves or converts data, computes nothing
           compute  everything else; so is every name that is not listed
  returns  tensor   a tensor, or a sequence of tensors
           scalar   a Python number or truth value
           other    a shape, type, device, string, module, context manager...
           none
  main     a compute row that is more than pointwise (matmul, convolution, norm, reduction...)
  name     aten::X covers every overload of X (the heaviest decides) and torch.ops.aten.X;
           a torch.nn module class stands for calling an instance of it
"""


class Kind(NamedTuple):
    cls: str
    returns: str
    main: bool = False


WEIGHT = {"free": 0, "copy": 1, "compute": 2}

# By aten name without a trailing underscore: an in-place twin moves the same data.
CURATED = {
    "free": """
        empty empty_like empty_strided empty_permuted empty_quantized new_empty new_empty_strided
        _empty_affine_quantized _empty_per_channel_affine_quantized zeros zeros_like new_zeros _efficientzerotensor
        _new_zeros_with_same_feature_meta ones ones_like new_ones full full_like new_full zero fill _foreach_zero
        _no_grad_zero _no_grad_fill scalar_tensor arange range _dim_arange tensor as_tensor asarray from_numpy
        frombuffer _list_to_tensor _shape_as_tensor _make_dep_token lift
        resize resize_as resize_as_sparse _resize_output set set_data data requires_grad retain_grad record_stream
        _unsafe_view unsafe_split unsafe_split_with_sizes unsafe_chunk _reshape_from_tensor
        atleast_1d atleast_2d atleast_3d broadcast_tensors meshgrid unflatten_dense_tensors
        size stride dim numel len element_size storage_offset get_device output_nr retains_grad qscheme dense_dim
        sparse_dim result_type item Bool Int Float Complex IntImplicit FloatImplicit ComplexImplicit ScalarImplicit
        _local_scalar_dense _version _nnz _dimI _dimV _is_zerotensor _debug_has_internal_overlap
        _has_compatible_shallow_copy_type _has_same_storage_numel _nested_get_ragged_idx cudnn_is_acceptable
        _assert_async _assert_tensor_metadata
        __getitem__ _set_item values Delete clear count get items pop popitem remove setdefault update dict""",
    "copy": """
        clone _lazy_clone _foreach_clone copy _foreach_copy copy_sparse_to_sparse _copy_from _copy_from_and_resize
        contiguous to _to_copy _to_cpu cpu cuda type_as pin_memory _pin_memory chalf _cast_Byte _cast_Char _cast_Double
        _cast_Float _cast_Half _cast_Int _cast_Long _cast_Short _autocast_to_full_precision
        _autocast_to_reduced_precision resolve_conj resolve_neg _reshape_copy
        cat concat concatenate stack _stack hstack vstack dstack column_stack row_stack _chunk_cat block_diag
        flatten_dense_tensors repeat tile repeat_interleave flip fliplr flipud roll rot90 fft_fftshift fft_ifftshift
        pad constant_pad_nd _pad_circular _pad_enum pad_sequence reflection_pad1d reflection_pad2d reflection_pad3d
        replication_pad1d replication_pad2d replication_pad3d
        diag diagflat diag_embed select_scatter slice_scatter diagonal_scatter as_strided_scatter
        im2col pixel_shuffle pixel_unshuffle channel_shuffle native_channel_shuffle""",
    # Schemas that look like views or take no tensor, yet change, reduce or hand out data.
    "compute": """
        conj _conj _neg_view coalesce _grad_sum_to_size _tensor_to_list save""",
}
CURATED_CLASS = {name: cls for cls, names in CURATED.items() for name in names.split()}
METADATA_QUERY = re.compile(r"(is|sym|q|_use)_\w+")

# Python names that no aten operator settles, as shell-like patterns; the first match wins.
PYTHON = {
    "torch": """
        free    scalar get_device
        free    other  set_grad_enabled promote_types result_type
        free    tensor Tensor *Tensor from_dlpack
        compute other  to_dlpack
        compute tensor _from_blob
        compute none   save
        compute other  load compile vmap fork wait
        free    none   set_* use_* clear_* manual_seed init_num_threads _assert _check* newaxis
        free    scalar is_* are_* has_* initial_seed get_num_*threads seed sym_* e pi inf nan
        free    other  get_* typename thread_safe_generator autocast_*crement_nesting broadcast_shapes""",
    "torch.Tensor": """
        free    tensor [HT] m[HT] grad _grad _base new new_tensor as_subclass share_memory_ __getitem__ __iter__
                       __pos__
        free    none   retain_grad __setstate__ __delitem__
        free    scalar is_* ndim ndimension nelement nbytes itemsize requires_grad volatile data_ptr const_data_ptr
                       __len__ __hash__ _cdata __array_priority__ _is_view _use_count _has_symbolic_sizes_strides
                       __bool__ __nonzero__ __int__ __long__ __float__ __complex__ __index__
        free    other  size stride shape dtype device layout name grad_fn grad_dtype _grad_fn dim_order register_*
                       _*_hooks __dlpack_device__ __repr__ __str__ __format__
        copy    none   __setitem__
        copy    tensor bfloat16 bool byte cdouble cfloat char double float half int long short type ipu xpu mtia
                       __deepcopy__ __reversed__
        compute other  tolist numpy __array__ __dlpack__ __cuda_array_interface__ __reduce*__ _reduce_ex_internal
                       storage untyped_storage _typed_storage storage_type
        compute none   backward
        compute scalar __contains__""",
    "torch.nn": """
        free    tensor Parameter Buffer Uninitialized* Flatten Unflatten Identity
        free    other  Module Sequential ModuleList ModuleDict ParameterList ParameterDict Container *Options
                       factory_kwargs
        copy    tensor *Pad[123]d *Shuffle *Unshuffle Unfold""",
    "torch.nn.Module": """
        free    scalar training
        free    other  requires_grad_
        copy    other  to cuda cpu float half double bfloat16 type xpu ipu mtia load_state_dict
        compute tensor forward __call__
        compute other  compile apply
        free    none   register_buffer register_parameter register_module add_module zero_grad set_*
        free    tensor get_parameter get_buffer""",
    "torch.nn.functional": """
        free    none   assert_*
        free    scalar has_*
        copy    tensor unfold""",
    "torch.nn.init": """
        free    scalar calculate_gain
        free    tensor constant_ ones_ zeros_ constant""",
    "torch.nn.parameter": """
        free    tensor *""",
    "torch.nn.utils": """
        free    none   vector_to_parameters
        free    other  skip_init
        copy    other  convert_*
        copy    tensor parameters_to_vector""",
    "torch.nn.utils.rnn": """
        free    other  PackedSequence
        copy    tensor pad_sequence unpad_sequence""",
    "torch.autograd": """
        free    other  set_grad_enabled
        free    tensor Variable
        compute none   backward
        compute scalar gradcheck gradgradcheck
        compute tensor grad""",
    "torch.autograd.Function": """
        free    none   save_for_* mark_* set_*
        compute tensor apply forward backward [jv]*p
        free    tensor saved_*""",
    "torch.amp": """
        free    scalar is_*""",
    "torch.cuda": """
        free    tensor *Tensor
        compute other  make_graphed_callables
        free    none   set_* synchronize empty_cache manual_seed* seed* init reset_* ipc_collect
        free    scalar is_* current_device device_count *memory_allocated *memory_reserved *memory_cached has_*
                       initial_seed""",
    "torch.cuda.nvtx": """
        free    none   range_p* mark""",
    "torch.accelerator": """
        free    none   set_* synchronize empty_* reset_*
        free    scalar is_* *memory_allocated *memory_reserved current_device_i* device_count""",
    "torch.random": """
        free    scalar initial_seed seed
        free    none   manual_seed set_*""",
    "torch.utils.dlpack": """
        free    tensor from_dlpack
        compute other  to_dlpack""",
    "torch.testing": """
        compute none   assert_*""",
    "torch.utils.checkpoint": """
        compute other  *""",
    "torch.jit": """
        free    scalar is_*""",
    "torch.compiler": """
        free    scalar is_*""",
    "torch.functional": """
        free    other  broadcast_shapes""",
}


def python_rules() -> list[tuple[re.Pattern[str], Kind]]:
    rules: list[tuple[re.Pattern[str], Kind]] = []
    for prefix, lines in PYTHON.items():
        kind = Kind("compute", "tensor")
        words = iter(lines.split())
        for word in words:
            if word in WEIGHT:
                kind = Kind(word, next(words))
            else:
                rules.append((re.compile(f"{prefix}.{word}".replace(".", r"\.").replace("*", r"\w*")), kind))
    return rules


PYTHON_RULES = python_rules()

# `main`: a family token anywhere in the snake-case name, or one of these exact names.
MAIN_TOKEN = re.compile(
    r"""
    [a-z0-9]*mm | matmul | v?dot | vecdot | mv | addmv | addr | inner | outer | ger | kron | einsum | tensordot |
    (bi|tri)?linear | conv([123]d|olution)? | attention | transformer | lrn2d | (re)?norm([123]d)? | normalize |
    softmax(2d)? | softmin | logsumexp | (un)?pool([123]d)? | loss(2d)? | entropy | nll | (log)?cum[a-z]+ |
    m?sort | argsort | topk | kthvalue | searchsorted | bucketize | unique2? | gather | scatter | index | take | put |
    embedding | rnn | lstm | gru | upsample | upsampling | interpolate | grid | i?[hr]?fft[2n]? | i?stft |
    linalg | cholesky | qr | svd | lobpcg | lstsq | lowrank | orgqr | ormqr | geqrf | histogram | histogramdd |
    quantile | nanquantile | segment | trapezoid | c2[cr] | r2c
    """,
    re.VERBOSE,
)
MAIN_EXACT = frozenset(
    """
    sum nansum mean nanmean prod amax amin aminmax max min argmax argmin any all var std var_mean std_mean median
    nanmedian mode count_nonzero dist cdist pdist trace trapz histc bincount cosine_similarity pairwise_distance
    corrcoef cov allclose equal nonzero argwhere masked_select kl_div col2im logdet slogdet det inverse pinverse
    pinv triangular_solve matrix_exp matrix_power matrix_rank solve eig symeig sum_to_size hash_tensor foreach_max
    foreach_powsum is_all_true is_any_true cartesian_prod combinations nonzero_static nonzero_numpy lu lu_solve
    lu_unpack lu_with_info cross vander isin fold euclidean_dist cdist_forward pdist_forward sparse_sum
    sparse_csr_sum sparse_csr_prod
    """.split()
)


def snake_case(name: str) -> str:
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name)
    return name.lower().strip("_")


def is_main(name: str) -> bool:
    plain = snake_case(name).removesuffix("_backward").removeprefix("fft_")
    return plain in MAIN_EXACT or any(MAIN_TOKEN.fullmatch(token) for token in plain.split("_"))


def schema_returns(schemas: Iterable[Any]) -> str:
    """The richest result among the overloads."""
    types_ = [str(result.type) for schema in schemas for result in schema.returns]
    if any("Tensor" in t for t in types_):
        return "tensor"
    if not types_:
        return "none"
    return "scalar" if all(t in ("int", "float", "bool", "number", "complex", "SymInt") for t in types_) else "other"


def overload_class(schema: Any) -> str:
    tensors = [a for a in [*schema.arguments, *schema.returns] if "Tensor" in str(a.type)]
    views = [r for r in schema.returns if r.alias_info and not r.alias_info.is_write and "Tensor" in str(r.type)]
    return "free" if views or not tensors else "compute"


def aten_kinds() -> dict[str, Kind]:
    overloads: dict[str, list[Any]] = {}
    for schema in torch._C._jit_get_all_schemas():
        namespace, _, name = schema.name.partition("::")
        if namespace == "aten":
            overloads.setdefault(name, []).append(schema)
    for name in dir(torch.ops.aten):
        if isinstance(packet := getattr(torch.ops.aten, name), torch._ops.OpOverloadPacket):
            overloads.setdefault(name, [getattr(packet, o)._schema for o in packet.overloads()])

    def class_of(name: str) -> str:
        plain = name if name.endswith("__") else name.removesuffix("_")
        curated = CURATED_CLASS.get(name) or CURATED_CLASS.get(plain)
        if curated:
            return curated
        if METADATA_QUERY.fullmatch(name):
            return "free"
        if name.endswith("_copy") and class_of(name.removesuffix("_copy")) == "free":
            return "copy"
        if plain != name and plain in overloads:  # squeeze_ is to squeeze what relu_ is to relu
            return class_of(plain)
        return max((overload_class(s) for s in overloads.get(name, [])), key=WEIGHT.__getitem__, default="compute")

    return {n: Kind(c := class_of(n), schema_returns(s), c == "compute" and is_main(n)) for n, s in overloads.items()}


DUNDER_OPERATOR = re.compile(r"__[ir]?(\w+?)__")
OBJECT_OPERATIONS = """__eq__ __ne__ __lt__ __le__ __gt__ __ge__ __hash__ __repr__ __str__ __format__ __reduce__
    __reduce_ex__"""
NOT_OPERATIONS = {*dir(object)} - {*OBJECT_OPERATIONS.split()} | {
    *"""__annotations__ __dict__ __module__ __weakref__ __dlpack_c_exchange_api__ __torch_function__ __torch_dispatch__
    T_destination classproperty get_file_path compiled_with_cxx11_abi unify_type_list
    prepare_multiprocessing_environment""".split()
}
NOT_OPERATION_PREFIXES = ("import_ir_", "parse_", "merge_type_", "profiler_")

# Where an operator of the same name, behind this prefix, says what a function does.
OPERATOR_PREFIX = {
    "torch": "", "torch.Tensor": "", "torch.functional": "", "torch.nn.functional": "", "torch.nested": "",
    "torch.sparse": "", "torch.linalg": "linalg_", "torch.special": "special_", "torch.fft": "fft_",
}  # fmt: skip


def python_kind(prefix: str, name: str, member: object, aten: dict[str, Kind], otherwise: Kind) -> Kind:
    """How `prefix.name` behaves: by PYTHON, else as the operator of that name, else `otherwise`."""
    full, operator = f"{prefix}.{name}", OPERATOR_PREFIX.get(prefix, "") + name
    not_called = not callable(member) or (inspect.isclass(member) and prefix != "torch.nn")
    if ruled := next((kind for pattern, kind in PYTHON_RULES if pattern.fullmatch(full)), None):
        kind = ruled
    elif prefix != "torch.Tensor" and not_called:
        kind = Kind("free", "other")
    elif prefix in OPERATOR_PREFIX and operator in aten:
        kind = aten[operator]
    elif prefix in OPERATOR_PREFIX and operator in CURATED_CLASS:
        kind = Kind(CURATED_CLASS[operator], "tensor")
    else:
        kind = otherwise
    main = kind.main or is_main(operator) or is_main(DUNDER_OPERATOR.sub(r"\1", name))
    return kind._replace(main=kind.cls == "compute" and main)


def public(module: types.ModuleType) -> list[str]:
    """What a module offers: __all__ where it is declared, else the callables that are torch's own."""
    declared = getattr(module, "__all__", None)
    members = {n: getattr(module, n) for n in declared or dir(module) if hasattr(module, n) and not n.startswith("_")}
    imported = ("torch.overrides", "torch._jit_internal")
    return [
        name
        for name, member in members.items()
        if not isinstance(member, types.ModuleType)
        and (declared or (callable(member) and is_torchs(member) and member.__module__ not in imported))
    ]


def is_torchs(member: object) -> bool:
    return (getattr(member, "__module__", None) or "torch").startswith("torch")


def torch_names() -> list[str]:
    """Operators, dtypes and friends, constants, and the functions and classes of `torch` itself."""
    constants = (torch.dtype, torch.layout, torch.memory_format, torch.qscheme, float, bool, type(None))
    operators = {n for n in dir(torch._C._VariableFunctions) if not n.startswith("__") and hasattr(torch, n)}
    python = {
        name
        for name, member in vars(torch).items()
        if not name.startswith(("_", *NOT_OPERATION_PREFIXES))
        and type(member).__name__ != "pybind11_type"
        and (
            (isinstance(member, constants) and name.islower())
            or (callable(member) and (name in torch.__all__ or not inspect.isbuiltin(member)) and is_torchs(member))
        )
    }
    return sorted((operators | python | {"_assert", "_check", "__version__", "to_dlpack"}) - NOT_OPERATIONS)


COMPUTING_MODULES = """
    torch.functional torch.nn.functional torch.linalg torch.special torch.fft torch.sparse torch.nested
    torch.signal.windows torch.nn torch.nn.init torch.nn.utils torch.nn.utils.rnn torch.func
    torch.autograd.functional torch.testing""".split()
OTHER_MODULES = """
    torch.nn.attention torch.autograd torch.autograd.function torch.autograd.graph torch.autograd.profiler torch.amp
    torch.cuda torch.cuda.amp torch.cuda.nvtx torch.accelerator torch.random""".split()
# Modules of which only these names are of use here; other rules judge the rest.
PICKED = {
    "torch.compiler": "allow_in_graph disable is_compiling is_dynamo_compiling is_exporting",
    "torch.jit": "Final annotate export ignore is_scripting is_tracing unused",
    "torch.nn.parameter": "Buffer Parameter",
    "torch.profiler": "record_function",
    "torch.utils.checkpoint": "checkpoint checkpoint_sequential",
    "torch.utils.dlpack": "from_dlpack to_dlpack",
    "torch.version": "cuda git_version hip",
}


def sections() -> dict[str, list[tuple[str, ...]]]:
    aten = aten_kinds()
    compute, free = Kind("compute", "tensor"), Kind("free", "other")
    result = {"aten": [row(f"aten::{name}", kind) for name, kind in aten.items()]}

    def add(prefix: str, owner: object, names: Iterable[str], otherwise: Kind) -> None:
        kinds = {n: python_kind(prefix, n, getattr(owner, n, None), aten, otherwise) for n in names}
        result[prefix] = [row(f"{prefix}.{n}", kind) for n, kind in kinds.items()]

    add("torch", torch, torch_names(), compute)
    add("torch.Tensor", torch.Tensor, set(dir(torch.Tensor)) - NOT_OPERATIONS, compute)
    module_names = {n for n in dir(torch.nn.Module) if not n.startswith("_")} - NOT_OPERATIONS
    add("torch.nn.Module", torch.nn.Module, module_names | {"__call__", "training"}, free)
    function_names = (n for n in dir(torch.autograd.Function) if not n.startswith("_"))
    add("torch.autograd.Function", torch.autograd.Function, function_names, free)
    for modules, otherwise in ((COMPUTING_MODULES, compute), (OTHER_MODULES, free)):
        for prefix in modules:
            module = importlib.import_module(prefix)
            add(prefix, module, public(module), otherwise)
    for prefix, names in PICKED.items():
        add(prefix, importlib.import_module(prefix), names.split(), free)
    return result


def row(name: str, kind: Kind) -> tuple[str, ...]:
    return (kind.cls, kind.returns, name, "main") if kind.main else (kind.cls, kind.returns, name)


def version() -> str:
    return str(torch.__version__).partition("+")[0]


if __name__ == "__main__":
    raise SystemExit(table_file.main(PATH, HEADER, version(), sections, name_column=2))
