"""What an honest computation in a dtype may be off by: the reference in fp64, with the roundings of that dtype drawn at random.

A number in fp16 carries a relative error of up to 2^-11 after every operator; the reference is run a few times with such errors put
in, and the spread of its results is what a candidate's may have. Nothing about the operators needs to be known, bar that
products in tf32 cut their operands to 10 bits, and that a sum of n terms gathers about sqrt(n) roundings; n, where the terms are alike.
"""

import functools
import math
import random

import torch
from torch.utils._python_dispatch import TorchDispatchMode

# Relative error of one operator. fp32: instructions such as ex2.approx and div.full are off by up to 2 units.
UNIT = {torch.float64: 2.0**-50, torch.float32: 2.0**-22, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
_FP32 = 2.0**-22
# Numbers of fp16 below 2^-14 are that far apart, whatever their size. Those of the other types are too small to matter.
_STEP_OF_SMALL_HALVES = 2.0**-24
# What GPUs may take for zero, in the types that reach as far down.
_SMALLEST = {torch.float32: 2.0**-126, torch.bfloat16: 2.0**-126}

_aten = torch.ops.aten
_PRODUCTS = {
    _aten.mm: (0, 1),
    _aten.bmm: (0, 1),
    _aten.addmm: (1, 2),
    _aten.baddbmm: (1, 2),
    _aten.addbmm: (1, 2),
    _aten.mv: (0, 1),
    _aten.addmv: (1, 2),
    _aten.dot: (0, 1),
    _aten.convolution: (0, 1),
    _aten._convolution: (0, 1),
}
_SUMS = {
    _aten.sum, _aten.mean, _aten.var, _aten.var_mean, _aten.std, _aten.std_mean, _aten.cumsum, _aten.logsumexp, _aten.norm,
    _aten.linalg_vector_norm, _aten._softmax, _aten._safe_softmax, _aten._log_softmax, _aten.native_layer_norm,
    _aten.native_group_norm,
    _aten.cudnn_batch_norm, _aten._batch_norm_no_update, _aten._batch_norm_with_update, _aten._fused_rms_norm,
    _aten.native_batch_norm, _aten._native_batch_norm_legit, _aten._native_batch_norm_legit_no_training, _aten.avg_pool2d,
    _aten.avg_pool3d, _aten._adaptive_avg_pool2d, _aten._adaptive_avg_pool3d, _aten.nll_loss_forward, _aten.mse_loss,
    _aten.smooth_l1_loss, _aten.huber_loss, _aten.binary_cross_entropy, _aten.binary_cross_entropy_with_logits,
    _aten.soft_margin_loss, _aten.multi_margin_loss, _aten.multilabel_margin_loss_forward, _aten.nll_loss2d_forward,
    _aten.cumprod, _aten.prod, _aten.nansum, _aten.logcumsumexp, _aten._logcumsumexp, _aten._cdist_forward, _aten._fft_r2c,
}  # fmt: skip

# Computed by way of terms as large as the argument: 1 + erf(x) of a gelu cancels where its result is small.
_CURVES = {
    _aten.gelu, _aten.silu, _aten.mish, _aten.elu, _aten.celu, _aten.softplus, _aten.log_sigmoid_forward, _aten.tanh,
    _aten.erf, _aten.erfc, _aten.expm1, _aten.log1p, _aten.sin, _aten.cos, _aten.tan,
}  # fmt: skip

# And by way of terms as large as one: exp(x) - 1 of an elu, 2 sigmoid(2x) - 1 of a tanh, log(1 + x).
_ABOUT_ONE = {
    _aten.elu, _aten.celu, _aten.tanh, _aten.erf, _aten.expm1, _aten.log1p, _aten.sinh, _aten.asinh, _aten.atanh,
}  # fmt: skip

# Of a large argument they are one end or the other, but where sums cancel.
_SATURATING = {_aten.tanh, _aten.sigmoid, _aten.hardtanh, _aten.hardsigmoid, _aten.erf, _aten.clamp, _aten.clamp_min, _aten.clamp_max}
_SATURATED = 16.0

# An argument that is off by a rounding may take them to another value altogether.
_STEPS = {
    _aten.round, _aten.floor, _aten.ceil, _aten.trunc, _aten.frac, _aten.sign, _aten.sgn, _aten.heaviside, _aten.fmod,
    _aten.remainder, _aten.floor_divide, _aten.hardshrink, _aten.threshold, _aten.bucketize, _aten.searchsorted, _aten.argmax,
    _aten.argmin, _aten.topk, _aten.sort, _aten.argsort, _aten.gt, _aten.ge, _aten.lt, _aten.le, _aten.eq, _aten.ne,
}  # fmt: skip

# Whole numbers come out of them as they are, in any dtype that holds them: what is cast to an integer behind them is no other one.
_EXACT_ON_INTEGERS = {
    _aten.round, _aten.floor, _aten.ceil, _aten.trunc, _aten.sign, _aten.sgn, _aten.heaviside, _aten.floor_divide,
    _aten.remainder, _aten.fmod, _aten.add, _aten.sub, _aten.rsub, _aten.mul, _aten.neg, _aten.abs, _aten.relu, _aten.clamp,
    _aten.clamp_min, _aten.clamp_max, _aten.minimum, _aten.maximum, _aten.where, _aten.masked_fill, _aten.clone, _aten._to_copy,
    _aten.cat, _aten.stack, _aten.index, _aten.index_select, _aten.gather, _aten.amax, _aten.amin, _aten.max, _aten.min, _aten.sort,
    _aten.topk,
}  # fmt: skip

# Equal numbers come in any order out of these, and with them their indices.
_ORDERS = {_aten.sort, _aten.topk, _aten.kthvalue, _aten.median, _aten.nanmedian, _aten.mode}

# Where they interpolate: in coordinates as large as the input, which are rounded.
_RESIZES = {
    _aten.upsample_linear1d, _aten.upsample_bilinear2d, _aten.upsample_bicubic2d, _aten.upsample_trilinear3d,
    _aten._upsample_bilinear2d_aa, _aten._upsample_bicubic2d_aa,
}  # fmt: skip
_NEAREST = {
    _aten.upsample_nearest1d, _aten.upsample_nearest2d, _aten.upsample_nearest3d,
    _aten._upsample_nearest_exact1d, _aten._upsample_nearest_exact2d, _aten._upsample_nearest_exact3d,
}  # fmt: skip
_GRID_SAMPLES = {_aten.grid_sampler_2d, _aten.grid_sampler_3d, _aten.cudnn_grid_sampler}
_NEAREST_OF_A_GRID = 1

# Computed as E[x^2] - E[x]^2, too.
_MOMENTS = {_aten.var, _aten.var_mean, _aten.std, _aten.std_mean}

# Powers that kernels multiply, or have instructions for; others are exponentials of a logarithm's multiple.
_PRODUCTS_AND_ROOTS = (-2, -1, -0.5, 0, 0.5, 1, 2, 3, 4)

# Their results may be too small for a GPU, and zero.
_VANISHING = {_aten._softmax, _aten._safe_softmax, _aten.exp, _aten.exp2, _aten.sigmoid, _aten.pow}

_EXPONENTIALS = {_aten._softmax, _aten._safe_softmax, _aten._log_softmax, _aten.logsumexp, _aten.exp}

_OF_CHANNELS = {
    _aten.native_batch_norm, _aten._native_batch_norm_legit, _aten._native_batch_norm_legit_no_training,
    _aten.cudnn_batch_norm, _aten._batch_norm_no_update, _aten._batch_norm_with_update,
}  # fmt: skip
_OVER_WINDOWS = {_aten.avg_pool2d: 2, _aten.avg_pool3d: 3}
# Where the dimensions that they run over stand among the arguments.
_OVER_DIMENSIONS = {
    _aten.sum: 1, _aten.mean: 1, _aten.var: 1, _aten.var_mean: 1, _aten.std: 1, _aten.std_mean: 1, _aten.logsumexp: 1,
    _aten.prod: 1, _aten.nansum: 1, _aten.logcumsumexp: 1, _aten._logcumsumexp: 1, _aten._softmax: 1,
    _aten._safe_softmax: 1, _aten._log_softmax: 1, _aten.cumsum: 1, _aten.cumprod: 1,
    _aten.norm: 2, _aten.linalg_vector_norm: 2, _aten._fft_r2c: 1,
}  # fmt: skip


def _inner(packet, second):
    """Terms of each sum in a product, from its second operand."""
    if packet in (_aten.convolution, _aten._convolution):
        return second.numel() // max(1, second.shape[0])
    return second.shape[-2] if second.dim() > 1 else second.numel()


def _terms(packet, args):
    """Terms that the longest sum in an operator has."""
    x = args[0]
    if packet in (_aten.native_layer_norm, _aten._fused_rms_norm):
        return math.prod(args[1])
    if packet is _aten.native_group_norm:
        return x.numel() // max(1, args[3] * args[6])
    if packet is _aten._cdist_forward:
        return x.shape[-1]
    if packet in _OF_CHANNELS:
        return x.numel() // max(1, x.shape[1])
    if packet in _OVER_WINDOWS:
        return math.prod(args[1]) if len(args[1]) > 1 else args[1][0] ** _OVER_WINDOWS[packet]
    place = _OVER_DIMENSIONS.get(packet, len(args))
    dimensions = args[place] if place < len(args) else None
    if isinstance(dimensions, int) and x.dim():
        return x.shape[dimensions]
    if isinstance(dimensions, (list, tuple)) and dimensions:
        return math.prod(x.shape[n] for n in dimensions)
    return x.numel()


_POOL = 1 << 20
_POOL_OF_EQUALS = 1 << 14  # stays in a core's cache while numbers look theirs up


@functools.cache
def _pool(device):
    """Numbers between -1 and 1 that roundings are taken from, from anywhere in it: drawing them costs more than all else."""
    return _noise(_POOL, 0, device)


def _noise(shape, seed, device):
    generator = torch.Generator(device).manual_seed(seed)
    return torch.rand(shape, generator=generator, dtype=torch.float64, device=device).mul_(2.0).sub_(1.0)


def truncated_to_tf32(x, widened=1):
    """The 10 bits of a fraction that tf32 keeps, cut off as Triton's dot does; fewer, for errors widened by a power of two."""
    return (x.float().view(torch.int32) & -8192 * widened).view(torch.float32).double()


def _named(func, args, kwargs):
    """The arguments of a call by name, and the defaults of those that it leaves out."""
    known = func._schema.arguments
    defaults = {argument.name: argument.default_value for argument in known if argument.has_default_value()}
    return defaults | dict(zip((argument.name for argument in known), args)) | kwargs


def _ordered(func, args, kwargs):
    """What a call puts in an order of its own where numbers are equal, and its arguments; none where it does not."""
    if func.overloadpacket not in _ORDERS:
        return None, {}
    given = _named(func, args, kwargs)
    x = given["self"]
    left_open = x.is_floating_point() and x.dim() and given.get("dim") is not None and not given.get("stable")
    return (x if left_open else None), given


def _first(x, given, more):
    """What a call puts first, with its indices, and so many more."""
    size = x.shape[given["dim"]]
    return x.topk(min(given.get("k", size) + more, size), given["dim"], given.get("largest", False))


def _is_product(exponent):
    return not isinstance(exponent, torch.Tensor) and exponent in _PRODUCTS_AND_ROOTS


def _has_equals(values, dim, apart, tolerance=0.0):
    """Whether of numbers in an order one is equal, within a relative tolerance, to the one so far behind it."""
    values = values.movedim(dim, -1)
    return bool(torch.isclose(values[..., apart:], values[..., :-apart], rtol=tolerance, atol=0.0).any())


class Ties(TorchDispatchMode):
    """Whether more numbers are equal in `dtype`, or one rounding apart, where torch promises no order of them, than Roundings find
    the orders of."""

    def __init__(self, dtype):
        super().__init__()
        self._dtype = dtype
        self.found = False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        x, given = _ordered(func, args, kwargs or {})
        if x is not None:
            apart = 2 if func.overloadpacket in (_aten.sort, _aten.topk) else 1
            x = torch.hardshrink(x.to(self._dtype).double(), _SMALLEST.get(self._dtype, 0.0))
            self.found |= _has_equals(_first(x, given, apart).values, given["dim"], apart, min(_FP32, UNIT[self._dtype]))
        return func(*args, **(kwargs or {}))


class Roundings(TorchDispatchMode):
    """Runs fp64 operators as if each had been rounded to `dtype`. `tf32`: products cut their operands. `alike`: rows are of one
    value or few, so that a product adds the same terms over and over, and every addition of a term is off to the same side; and
    equal numbers are rounded alike. `scaled`: operands are cut as if they had been scaled before, as some kernels do. `widened`: every
    error is so many times larger. `flush`: exponentials that a GPU may take for zero are. After a run, `may_turn`: one rounding may
    make another value altogether of an element, or of a row; `products`, `orders`: there were some.
    """

    def __init__(self, dtype, tf32, seed, alike=False, scaled=False, widened=1, flush=False):
        super().__init__()
        self._alike = alike
        self._scaled = scaled
        self._widened = widened
        self._step = _STEP_OF_SMALL_HALVES if dtype == torch.float16 else 0.0
        self._fine = min(_FP32, UNIT[dtype])  # sums and curves of halves are computed in fp32
        self._smallest = _SMALLEST.get(dtype, 0.0) if flush else 0.0
        self._backwards = seed % 2 == 1
        self._unit = UNIT[dtype]  # grows with the longest sum so far: a kernel may fold what follows into it
        self._tf32 = tf32
        self._random = random.Random(seed)
        # Past this the argument's rounding alone decides an exponential: a product that the compiler joins to the
        # subtraction of a maximum leaves more than one.
        self._steepest = 4 / UNIT[dtype]
        self.decide_exponentials = False
        self._weights = False
        self._computed = self._stepped = False
        self.products = self.orders = False
        self.may_turn = False

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        packet, kwargs = func.overloadpacket, kwargs or {}
        operands = _PRODUCTS.get(packet)
        if operands is not None:
            # Two scores of a softmax that nearly tie, far above the others, and the sum of values that they weigh.
            self.may_turn |= self._weights
            self.products = True
            args = self._operands(args, operands, _inner(packet, args[operands[1]]))
        elif packet in _SUMS and args and self._is_float(args[0]):
            # Statistics and factors too: kernels fold them into one another in ways of their own.
            unit = self._sum_of(_terms(packet, args))
            args = tuple(self._shaken(arg, unit) if self._is_float(arg) else arg for arg in args)
            if packet is _aten.binary_cross_entropy:  # it takes nothing but probabilities
                args = (*(arg.clamp(0.0, 1.0) for arg in args[:2]), *args[2:])
        elif packet in _SUMS and args and isinstance(args[0], torch.Tensor) and args[0].dtype in UNIT:
            self._sum_of(_terms(packet, args))
        if packet in _EXPONENTIALS and self._is_float(args[0]) and args[0].numel():
            largest = float(args[0].masked_fill(args[0].isinf(), 0.0).abs().max())  # masks are
            self.decide_exponentials |= largest > self._steepest
            self._weights |= largest > _SATURATED
        if packet in _SATURATING and self._is_float(args[0]) and args[0].numel():
            self.may_turn |= self.products and bool(args[0].abs().max() > _SATURATED)
        if packet in _GRID_SAMPLES:
            # A kernel adds one first, which rounds.
            self.may_turn |= args[2:3] == (_NEAREST_OF_A_GRID,)
            args = (args[0], args[1] + self._errors(args[1].abs() + 1.0, self._fine), *args[2:])
        elif packet is _aten.histc and self._is_float(args[0]):
            args = (self._binned(_named(func, args, kwargs)), *args[1:])
        result = self._called(func, args, kwargs)
        step = packet in _STEPS or packet is _aten._to_copy and not self._is_float(result)
        self.may_turn |= step and self._computed
        self._stepped |= step
        if packet in _CURVES | _ABOUT_ONE and self._is_float(result):
            result = result + self._errors(self._terms_of_curve(packet, args), self._fine)
        elif packet is _aten.pow and self._is_float(result) and not _is_product(args[1]):
            result = result + self._errors(torch.xlogy(result, result.abs()).nan_to_num_(0.0, 0.0, 0.0), self._fine)
        elif packet in _RESIZES and self._is_float(result):
            result = self._of_coordinates(func, args, kwargs, result)
        elif packet in _MOMENTS and self._is_float(args[0]):
            result = self._of_moments(packet, _named(func, args, kwargs), result)
        if func._schema.is_mutable or all(r.alias_info is not None for r in func._schema.returns):
            return result
        self._computed = True
        return torch.utils._pytree.tree_map(lambda out: self._of_result(packet, out), result)

    def _of_result(self, packet, out):
        if self._is_float(out):
            return self._of_operator(packet, out)
        # The reference itself went to another type: what it computes there is rounded to that.
        narrower = isinstance(out, torch.Tensor) and out.dtype in UNIT and packet not in (_aten._to_copy, _aten.clone)
        return self._shaken(out.double(), max(UNIT[out.dtype], self._unit)).to(out.dtype) if narrower else out

    def _called(self, func, args, kwargs):
        packet = func.overloadpacket
        if packet in _ORDERS:
            self.orders = True
            x, given = _ordered(func, args, kwargs)
            if x is not None and packet is _aten.sort:
                return self._sorted(x, given, given["descending"])
            if x is not None and packet is _aten.topk:
                found = _first(x, given, 1)
                equals = _has_equals(found.values, given["dim"], 1)
                found = self._sorted(x, given, given["largest"]) if equals else found
                return tuple(part.narrow(given["dim"], 0, given["k"]) for part in found)
        result = func(*args, **kwargs)
        if packet in _NEAREST and self._is_float(result) and self._fine == _FP32:
            # Coordinates that are nearly whole, in fp32, are another element's.
            other = func(args[0].float(), *args[1:], **kwargs)
            self.may_turn |= not torch.equal(other, result.float())
            return other.double() if self._widened > 1 else result
        return result

    def _sorted(self, x, given, descending):
        """Equal numbers in their order or in the opposite one: with two samples in a row, of two that are equal, all there are."""
        dim = given["dim"]
        x = x.flip(dim) if self._backwards else x
        values, places = x.sort(dim=dim, descending=descending, stable=True)
        return values, x.shape[dim] - 1 - places if self._backwards else places

    def _binned(self, given):
        """What histc takes: kernels subtract the lower end first, which rounds."""
        x, low, high = given["self"], given["min"], given["max"]
        low, high = (float(x.min()), float(x.max())) if low == high and x.numel() else (low, high)
        height = x - low
        held = lambda offset: offset.float().double() if self._fine == _FP32 else offset
        found = torch.where(held(height) == height, height, held(self._shaken(height, self._fine))) + low
        return torch.where((x > low) & (x < high), found.clamp(low, high), x)

    def _of_coordinates(self, func, args, kwargs, result):
        """A coordinate that is off moves what is interpolated there along the slope."""
        x = args[0]
        for dim in range(2, x.dim()):
            slope = torch.maximum((x - x.roll(1, dim)).abs_(), (x - x.roll(-1, dim)).abs_())
            result = result + self._errors(func(slope, *args[1:], **kwargs), x.shape[dim] * self._fine)
        return result

    def _of_moments(self, packet, given, result):
        """A variance that is off by the roundings of the squares' mean."""
        x, root = given["self"], packet in (_aten.std, _aten.std_mean)
        spread, *mean = [result] if isinstance(result, torch.Tensor) else result
        squares = x.square().mean(given.get("dim"), given.get("keepdim", False))
        variance = (spread.square() if root else spread) + self._errors(squares, self._unit)
        spread = variance.clamp_min_(0.0).sqrt_() if root else variance.clamp_min_(0.0)
        return (spread, *mean) if mean else spread

    def _of_operator(self, packet, result):
        rounded = self._rounded(result, self._unit, self._step)
        if self._smallest and packet in _VANISHING:
            rounded = torch.hardshrink(rounded, self._smallest)
        of_input = packet is _aten.clone and self._some_are_whole(result)  # the oracle's copy, which a step may follow
        if not of_input and not (self._stepped and packet in _EXACT_ON_INTEGERS):
            return rounded
        whole = (result == result.round()) & (result.abs() <= 1 / self._unit)
        return torch.where(whole, result, rounded)

    @staticmethod
    def _some_are_whole(x):
        """Of a thousand, since all take long."""
        some = x.reshape(-1)[:: x.numel() // 1024 | 1]
        return bool(((some == some.round()) & (some != 0)).any())

    @staticmethod
    def _terms_of_curve(packet, args):
        """How large the terms are that a curve may be computed from, by element."""
        x = args[0]
        if packet not in _ABOUT_ONE:
            return x.abs()
        if packet in (_aten.elu, _aten.celu):
            factors = [factor for factor in args[1:3] if isinstance(factor, (int, float))]
            return torch.where(x < 0, x.abs() + abs(math.prod(factors)), x.abs())
        return x.abs() + 1.0

    def _operands(self, args, positions, inner):
        args = list(args)
        for n in positions:
            if self._is_float(args[n]):
                scale = self._random.uniform(1.0, 2.0) if self._scaled else 1.0  # equal numbers are cut alike
                cut = truncated_to_tf32(args[n] * scale, self._widened) / scale if self._tf32 else args[n]
                args[n] = self._shaken(cut, self._sum_of(inner, self._alike))
        return args

    def _sum_of(self, terms, alike=False):
        """The relative error of a term of a sum, in fp32 or finer, so that the sum is off as if it had been added up one by one."""
        unit = self._fine * (1 + (terms / 6 if alike else math.sqrt(max(terms, 1)) / 4))
        self._unit = max(self._unit, unit)
        return unit

    @staticmethod
    def _is_float(value):
        return isinstance(value, torch.Tensor) and value.dtype == torch.float64

    def _errors(self, terms, unit):
        return self._rounded(terms, unit) - terms

    def _rounded(self, x, unit, step=0.0):
        if not self._alike:
            return self._shaken(x, unit, step)
        begin = self._random.randrange(_POOL - _POOL_OF_EQUALS)
        noise = _pool(x.device)[begin : begin + _POOL_OF_EQUALS]
        factors = noise.mul(unit * self._widened).add_(1.0)
        result = x.clone(memory_format=torch.contiguous_format)
        for piece in result.view(-1).split(_POOL):  # of a large result memory is short
            places = piece.view(torch.int64) * -0x61C8864680B583EB  # of the golden ratio: neighbours come to lie far apart
            places.bitwise_right_shift_(40).bitwise_and_(_POOL_OF_EQUALS - 1)
            errors = self._of_steps(piece, noise[places], step) if step else None
            piece.mul_(factors[places])
            if errors is not None:
                piece.add_(errors)
        return result

    def _shaken(self, x, unit, step=0.0):
        if x.numel() == 0:
            return x
        if x.numel() <= _POOL // 2:
            begin = self._random.randrange(_POOL - x.numel())
            noise = _pool(x.device)[begin : begin + x.numel()].view(x.shape)
        else:
            noise = _noise(x.shape, self._random.getrandbits(63), x.device)
        result = noise.mul(unit * self._widened).add_(1.0).mul_(x)
        return result.add_(self._of_steps(x, noise, step)) if step else result

    def _of_steps(self, x, noise, step):
        """Errors of up to half a step, which take no number past zero."""
        return x.abs().mul_(0.5).clamp_max_(step / 2 * self._widened).mul_(noise)
