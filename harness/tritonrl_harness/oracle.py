"""The process of one task's reference: makes inputs, and says what is right and how far off an honest result may be."""

import copy
import functools
import gc
import hashlib
import math

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._pytree import tree_leaves, tree_map

from . import patched_init, trivial, whole_numbers
from .distributions import AS_GIVEN, OF_FEW_VALUES, Draw, NotApplicable, randomise_state, redrawn
from .narrowing import Narrowing
from .operator_graph import Recorder
from .promises import NO_PROMISE, promises
from .rounding import UNIT, Roundings, Ties
from .serving import out_of_memory, serve
from .values import Unspeakable, describe, floats_of, memory_of, pack, with_layout_of
from .weighing import weigh

_SAMPLES = 3
_SAMPLES_OF_CUTS = 4  # two of either way to cut operands
_CUT_AS_THEY_ARE = (0, 2)
_SAMPLES_OF_FEW_VALUES = 10  # of thousands of rows some would come out right in all three
_WEIGHT_OF_OTHERS = 8  # elements
# Where two scores of an attention nearly tie, one honest kernel in many weighs the other key. Larger errors find such places, and an
# element may be off by twice what they make of it.
_SAMPLES_OF_TURNS = 16
_WIDENED = 4
_SPREADS_OF_A_TURN = 3


def main(descriptors):
    serve(descriptors, Oracle)


class Oracle:
    def __init__(self, state):
        self._device = "cuda" if state.gpu else "cpu"
        self._begin, self._end = state.executor.begin_call, state.executor.end_call
        self._settings, self._names = _settings(), _names()
        self._begin_anew()

    def _begin_anew(self):
        self._modules = {}
        self._promises = {}  # by module
        self._held = {}
        self._case = self._made = self._copies = None
        self._previous = None
        self._alive = []

    def do_begin(self):
        return {}

    def do_forget(self):
        """Another task is next. `clean`: it finds torch's settings and functions as this one did."""
        self._begin_anew()
        gc.collect()
        patched = any(vars(owner).get(name) is not value for owner, name, value in self._names)
        return {"clean": not patched and _settings() == self._settings}

    def do_load(self, source, number):
        """A reference, or one of its variants, under a number."""
        self._modules[number] = _module(source)
        return {}

    def do_weigh(self, source):
        return weigh(_module(source))

    def do_make(self, number, seed, distribution):
        """Inputs, arguments of the constructor and state, all on the device's memory for the other side to copy."""
        module = self._modules[number]
        self._alive = []
        self._seed(seed)
        init = module["get_init_inputs"]()
        inputs = self._inputs(module, seed, distribution)
        construct_seed = _told(seed)
        self._seed(construct_seed)
        with patched_init.random_constants():
            model = module["Model"](*init).to(self._device)
        _require_known_types([tensor for _, tensor in _state(model)], "holds")
        initial = {name: tensor.detach().clone() for name, tensor in _state(model)}
        if distribution == "around-one" and not self._vanishes(model, self._given(module, seed + 1)):
            raise NotApplicable("no large part of the task's own results is zero")
        inputs = self._defined(model, inputs, Draw(seed + 4, self._device), distribution)
        if distribution == "other-integers":
            inputs = self._with_other_integers(model, module, inputs, seed)
        self._case = (model, inputs, initial)
        self._made = (module, init, seed)
        self._distribution = distribution
        answer = {"inputs": self._hand_over(inputs), "init": self._hand_over(list(init)), "construct_seed": construct_seed}
        answer["state"] = self._state_now()
        return answer

    def _seed(self, seed):
        """As torch.manual_seed() does, which takes long: for each kind of device that is not there it writes down the stack."""
        torch.default_generator.manual_seed(seed)
        if self._device == "cuda":
            torch.cuda.manual_seed_all(seed)

    def _state_now(self):
        model, _, initial = self._case
        return [
            {
                "name": name,
                "kind": "parameter" if isinstance(tensor, torch.nn.Parameter) else "buffer",
                "randomised": not torch.equal(tensor, initial[name]),
                **self._place(tensor),
            }
            for name, tensor in _state(model)
        ]

    def _defined(self, model, inputs, draw, distribution):
        """Draws the model's state; inputs, or their magnitudes: not every function takes numbers of either sign."""
        drawn = distribution not in AS_GIVEN
        scales = randomise_state(model, draw)
        if not (scales or drawn) or self._takes(model, inputs):
            return inputs
        with torch.no_grad():
            for scale in scales:
                scale.abs_()
        if not drawn or scales and self._takes(model, inputs):
            return inputs
        given = inputs
        for make in _DEFINED:
            inputs = _map(lambda x, make=make: with_layout_of(x, make(x)) if x.is_floating_point() and x.numel() else x, given)
            if self._takes(model, inputs):
                break
        return inputs

    def _takes(self, model, inputs):
        """Whether the reference answers, and with finite numbers."""
        answer = self._answer(model, inputs)
        return answer is not None and _all_finite(answer)

    def _answer(self, model, inputs):
        """Nothing where the reference refuses these inputs."""
        try:
            return _flat(self._run(model, inputs)).tensors
        except Exception as error:
            if out_of_memory(error):
                raise
            return None

    def _with_other_integers(self, model, module, inputs, seed):
        for other in whole_numbers.others(inputs, self._given(module, seed + 6), Draw(seed + 2, self._device)):
            if self._takes(model, other):
                return other
        raise NotApplicable("the reference takes no other whole numbers")

    def _vanishes(self, model, inputs):
        """Whether much of the result is zero, as long products are: what they depend on does not show."""
        results = [x for x in _flat(self._run(model, inputs)).tensors if x.is_floating_point() and x.numel()]
        return any(float((x.abs() < 1e-30).double().mean()) > 0.25 for x in results)

    def _inputs(self, module, seed, distribution):
        inputs = self._given(module, seed + 1)
        if id(module) not in self._promises:
            self._promises[id(module)] = promises(inputs, lambda: self._given(module, seed + 6))
        return redrawn(inputs, distribution, Draw(seed + 2, self._device), self._promises[id(module)])

    def _given(self, module, seed):
        self._seed(seed)
        try:
            with torch.device(self._device):  # a GPU draws large ones a hundred times faster
                inputs = list(module["get_inputs"]())
        except RuntimeError:
            if self._device == "cpu":
                raise
            inputs = list(module["get_inputs"]())
        return _map(lambda x: x.to(self._device), inputs)

    def do_redraw(self, seed):
        """Other inputs of the task's own kind for the same module."""
        model, _, initial = self._case
        module, _, _ = self._made
        self._alive = []
        self._case = (model, self._inputs(module, seed, "as-given"), initial)
        return {"inputs": self._hand_over(self._case[1])}

    def do_hold(self, slot):
        """The case, and all that was handed over of it, stays as it is under this number."""
        model, inputs, _ = self._case
        self._held[slot] = (model, inputs, self._alive)
        return {}

    def do_let_go(self):
        self._held.clear()
        return {}

    def do_run(self, slot, tf32):
        """One call of the reference, for the other side's clock."""
        model, inputs, _ = self._held[slot]
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = tf32
        copies, model = _map(torch.Tensor.clone, inputs), copy.deepcopy(model)  # each call in memory of its own
        with torch.no_grad():
            self._begin()
            result = model(*copies)
            self._end()
        del result
        return {}

    def do_poke(self, seed):
        """One element of one input changes: what depends on it has to follow."""
        _, inputs, _ = self._case
        draw = Draw(seed, self._device)
        module, _, _ = self._made
        promised = list(zip(floats_of(inputs), self._promises[id(module)]))
        if promised:
            self._poke_each([promised[int(draw.below(len(promised), (1,)))]], draw)
        return {"inputs": self._hand_over(inputs)}

    def do_poke_state(self, seed, unbound):
        """One element of each parameter does, but for those that the candidate has no place for."""
        model, _, _ = self._case
        changing = floats_of([x for name, x in model.named_parameters() if name not in unbound])
        self._poke_each([(x, NO_PROMISE) for x in changing], Draw(seed, self._device))
        return {"state": self._state_now()}

    @torch.no_grad()
    def _poke_each(self, promised, draw):
        model, inputs, _ = self._case
        places = [promise.free_place(x, draw) for x, promise in promised]
        values = [x[place].item() for (x, _), place in zip(promised, places)]

        def write(changed):
            for (x, promise), place, value in zip(promised, places, values):
                promise.write(x, place, changed(promise, value))

        for changed in (lambda value: -value or 1.0, lambda value: 1.5 * value or 0.5, lambda value: 0.5 * value):
            write(lambda promise, value, changed=changed: promise.other(value, changed(value)))
            if self._takes(model, inputs):
                return
        write(lambda _, value: value)

    def do_keep_initial(self, names):
        """Parameters that the candidate has no counterpart for stay as both constructors drew them. Those that are the same
        whatever the seed were not drawn: nothing tells whether the candidate heeds them."""
        model, _, initial = self._case
        module, init, seed = self._made
        self._seed(seed + 5)
        with patched_init.random_constants():
            other = dict(_state(module["Model"](*init).to(self._device)))
        with torch.no_grad():
            for name, tensor in _state(model):
                if name in names:
                    tensor.copy_(initial[name])
        return {"constant": [name for name in names if torch.equal(other[name], initial[name])]}

    def do_expect(self, tf32, seed):
        """The reference's results in fp64, and the spread that honest roundings give each element."""
        model, inputs, _ = self._case
        with Narrowing() as narrowing:
            native = _flat(self._run(model, inputs))
        self._aliases = self._shares_memory(native.tensors)
        return {**self._expected(native, tf32, seed), "narrow": narrowing.found}

    def _expected(self, native, tf32, seed):
        model, inputs, _ = self._case
        exact_in = [_as_double(model), _map(lambda x: x.double() if x.is_floating_point() else x, inputs)]
        try:
            exact = _flat(self._run(*exact_in))
            if [tuple(t.shape) for t in exact.tensors] == [tuple(t.shape) for t in native.tensors]:
                return self._with_spread(native, exact, exact_in, tf32, seed)
        except NotApplicable:
            raise
        except Exception as error:  # a reference that cannot be run in fp64
            if out_of_memory(error):
                raise
        return self._with_spread(native, native, [], tf32, seed)

    def _with_spread(self, native, exact, exact_in, tf32, seed):
        """`exact_in`, the module and its inputs in fp64 if there are, is used up."""
        spreads = [_Spread(right) for right in exact.tensors]
        fp64 = bool(exact_in)
        alike = self._distribution in OF_FEW_VALUES
        drawn, wanted = 0, _SAMPLES if fp64 else 0
        work = _working_dtype([t.dtype for t in native.tensors if t.is_floating_point()])
        tf32 = tf32 and work == torch.float32
        cuts = False
        drawn_anew = self._distribution != "as-given"
        while drawn < wanted:
            scaled = cuts and drawn not in _CUT_AS_THEY_ARE
            with Roundings(work, tf32, seed + drawn, alike, scaled, flush=drawn_anew) as roundings:
                sample = _flat(self._run(*exact_in))
            cuts = tf32 and roundings.products
            drawn += 1
            wanted = _SAMPLES_OF_FEW_VALUES if alike else _SAMPLES_OF_CUTS if cuts else _SAMPLES
            if roundings.decide_exponentials and drawn_anew:
                raise NotApplicable("roundings alone would decide exponentials of numbers this large")
            for spread, found in zip(spreads, sample.tensors):
                spread.add(found, scaled)
        for turn in range(_SAMPLES_OF_TURNS if wanted and roundings.may_turn else 0):
            with Roundings(work, tf32, seed + wanted + turn, alike, cuts, _WIDENED):
                sample = _flat(self._run(*exact_in))
            for spread, found in zip(spreads, sample.tensors):
                spread.add_widened(found)
        if drawn_anew and any(spread.decides() for spread in spreads):
            raise NotApplicable("roundings alone would decide the result, or a large part of it")
        if drawn_anew and wanted and roundings.orders and not all(spread.right.is_floating_point() for spread in spreads):
            with Ties(work) as ties:
                self._run(*exact_in)
            if ties.found:
                raise NotApplicable("equal numbers are put in order, and no order of their indices is promised")
        finite = _all_finite(native.tensors)
        exact_in.clear()  # of a large task memory is short
        return {
            "structure": native.structure,
            "results": [self._result(ours, spread) for ours, spread in zip(native.tensors, spreads)],
            "finite": finite,
            "fp64": fp64,
            "aliases_input": self._aliases,
        }

    def _result(self, ours, spread):
        answer = {"dtype": str(ours.dtype).removeprefix("torch."), "shape": list(ours.shape)}
        if not spread.right.is_floating_point():
            answer["values"] = self._place(spread.right.contiguous())
            answer["alternatives"] = [self._place(found.contiguous()) for found in spread.alternatives]
            return answer
        answer["values"] = (self._place if self._aliases else self._keep)(spread.right.double())
        answer["spread"] = self._keep(spread.of_dtype(ours.dtype))
        return answer

    def do_trace(self):
        """One call on the claimed device: the other side sees its operators."""
        model, inputs, _ = self._case
        model = model.cuda()
        on_device = _map(torch.Tensor.cuda, inputs)
        with torch.no_grad():
            model(*on_device)
        return {}

    def do_graph(self):
        """What one call computes, operator by operator."""
        model, inputs, _ = self._case
        copies = _map(torch.Tensor.clone, inputs)
        with torch.no_grad(), Recorder(copies) as recorder:
            model(*copies)
        return {"operators": recorder.operators}

    def do_trivial(self, name):
        """What a candidate that does no work would return for this case; nothing where that makes no sense."""
        model, inputs, _ = self._case
        native = _flat(self._run(model, inputs))
        found = trivial.result(name, native.tensors, tree_leaves(inputs), self._previous, lambda: self._narrowed(native))
        if found is None:
            return {"results": []}
        return {"results": [self._place(t.contiguous()) for t in found]}

    def do_remember(self):
        """This case's results are what a later one may find lying about."""
        model, inputs, _ = self._case
        self._previous = _flat(self._run(model, inputs)).tensors
        return {}

    def do_traits(self):
        """Whether the reference draws numbers, keeps state, writes its inputs, or heeds none of them."""
        model, inputs, _ = self._case
        model = copy.deepcopy(model)
        torch.manual_seed(1)
        before = {name: tensor.clone() for name, tensor in _state(model)}
        first = _flat(self._run(model, inputs)).tensors
        writes = not _same(tree_leaves(self._copies), tree_leaves(inputs))
        keeps = not _same(before.values(), [tensor for _, tensor in _state(model)])
        torch.manual_seed(1)
        second = _flat(self._run(model, inputs)).tensors
        torch.manual_seed(2)
        third = _flat(self._run(model, inputs)).tensors
        repeats = _same(first, second)
        random = repeats and not _same(second, third)
        return {
            "stateful": keeps or not repeats,
            "repeats": repeats,
            "random": random,
            "writes_input": writes,
            "constant": repeats and not random and self._heeds_nothing(model, inputs, third),
        }

    def _heeds_nothing(self, model, inputs, result):
        """Whether other floating-point numbers in all inputs give the same result, large ones too: what is clamped may come to lie
        at one end for all that get_inputs() draws."""
        if not floats_of(inputs):
            return False
        draw = Draw(1, self._device)
        scaled = _map(lambda x: x * (0.5 + draw.uniform(x.shape[-1:])).to(x.dtype) if x.is_floating_point() else x, inputs)
        negative = _map(lambda x: -x if x.is_floating_point() else x, inputs)
        others = (scaled, negative, redrawn(inputs, "large", draw))
        answers = (self._answer(model, other) for other in others)
        return all(answer is not None and _same(result, answer) for answer in answers)

    def _narrowed(self, native):
        """The reference in a narrower dtype than the task's."""
        wide = any(t.dtype in (torch.float32, torch.float64) for t in native.tensors)
        dtype = torch.bfloat16 if wide else torch.float8_e5m2
        if not any(t.is_floating_point() for t in native.tensors):
            return None
        model, inputs, _ = self._case
        narrow = lambda x: x.to(dtype).to(x.dtype) if x.is_floating_point() else x
        rounded = copy.deepcopy(model)
        with torch.no_grad():
            for _, tensor in _state(rounded):
                tensor.copy_(narrow(tensor))
        results = _flat(self._run(rounded, _map(narrow, inputs))).tensors
        return [narrow(t) for t in results]

    def _run(self, model, inputs):
        self._copies = copies = _map(torch.Tensor.clone, inputs)
        with torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
            return model(*copies)

    def _shares_memory(self, results):
        taken = {x.untyped_storage().data_ptr() for x in tree_leaves(self._copies) if isinstance(x, torch.Tensor)}
        return any(result.untyped_storage().data_ptr() in taken for result in results)

    def _place(self, tensor):
        return self._keep(tensor.detach().clone() if tensor.is_cuda else tensor)

    def _keep(self, tensor):
        """What nobody writes any more, for the other side to look at."""
        on_device = tensor.detach().cuda().contiguous()
        self._alive.append(on_device)
        return describe(on_device)

    def _hand_over(self, value):
        tensors = []
        structure = pack(value, tensors)
        _require_known_types(tensors, "is given")
        return {"structure": structure, "tensors": [self._place_as_it_lies(t) for t in tensors]}

    def _place_as_it_lies(self, tensor):
        """With the gaps and overlaps that the task's own has: a kernel may not take it for dense."""
        if tensor.is_contiguous():
            return self._place(tensor)
        held = memory_of(tensor.detach()).clone().cuda().as_strided(tensor.shape, tensor.stride())
        self._alive.append(held)
        return describe(held)


# What inputs are made where the reference does not take numbers of either sign: magnitudes, none of them zero, probabilities.
_DEFINED = (
    torch.abs,
    lambda x: x.abs().masked_fill(x == 0, 1.0),
    lambda x: x.abs() / x.abs().amax().clamp_min(1e-30),
)


def _module(source):
    module = {"__name__": "reference"}
    exec(compile(source, "reference.py", "exec"), module)
    for name in ("Model", "get_inputs", "get_init_inputs"):
        if not callable(module.get(name)):
            raise LookupError(f"the reference defines no {name}")
    return module


def rehearse():
    """What this module and torch load on first use is loaded before the first fork."""
    model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.LayerNorm(4), torch.nn.Softmax(-1))
    randomise_state(model, Draw(0))
    inputs = redrawn([torch.randn(2, 4)], "heavy-tailed", Draw(1))
    with torch.no_grad(), sdpa_kernel(SDPBackend.MATH), Roundings(torch.float32, True, 0):
        _as_double(model)(*_map(torch.Tensor.double, inputs))
    weigh({"Model": lambda: torch.nn.LayerNorm(4), "get_init_inputs": list, "get_inputs": lambda: [torch.randn(2, 4)]})


class _Spread:
    """What samples of one result are off by; of an integer result, what else it may be. Samples of two ways to compute it are
    kept apart: a kernel that goes one way may be off as that one is."""

    def __init__(self, right):
        self.right = right
        self.alternatives = []
        self._squares = {}  # by way: their sum, and of how many
        self._samples = {}
        self._widest = None  # of samples whose errors were widened

    def add(self, found, way):
        if not self.right.is_floating_point():
            self._add_alternatives(found.to(self.right.dtype))
            return
        square = (found.double() - self.right.double()).square_()
        self._squares[way] = self._squares[way].add_(square) if way in self._squares else square
        self._samples[way] = self._samples.get(way, 0) + 1

    def add_widened(self, found):
        if not self.right.is_floating_point():
            self._add_alternatives(found.to(self.right.dtype))
            return
        error = (found.double() - self.right.double()).abs_()
        self._widest = error if self._widest is None else torch.maximum(self._widest, error, out=self._widest)

    def _add_alternatives(self, found):
        """In as few tensors as there are other values of an element."""
        for held in self.alternatives:
            torch.where(held == self.right, found, held, out=held)
            found = torch.where(found == held, self.right, found)
        if not torch.equal(found, self.right):
            self.alternatives.append(found)

    def decides(self):
        """Whether roundings take an element far through all that there are: a clamp of sums that are large and cancel. Or out of them:
        the logarithm of a probability that a GPU takes for zero."""
        if not self._squares or self.right.numel() == 0:
            return False
        extent = float(self.right.double().amax() - self.right.double().amin())
        worst = [math.sqrt(float(squares.amax()) / self._samples[way]) for way, squares in self._squares.items()]
        if not all(map(math.isfinite, worst)):
            return math.isfinite(extent)
        return self.right.numel() >= 32 and any(error > 0.1 * extent for error in worst)

    def of_dtype(self, dtype):
        """Once: what was drawn is used up."""
        size = self.right.double().abs()
        if not self._squares:  # no fp64 to compare with
            return _with_its_row(size.square_()).sqrt_().mul_(2.0**-8)
        # Few samples say little about one element. The result itself is rounded, whatever came before.
        ways = [_with_its_row(squares.div_(self._samples[way])) for way, squares in self._squares.items()]
        self._squares = {}  # of a large result memory is short
        drawn = functools.reduce(lambda a, b: torch.maximum(a, b, out=a), ways).sqrt_()
        drawn = torch.maximum(drawn, size.mul_(UNIT.get(dtype, 0.0) / math.sqrt(3.0)), out=drawn)
        return drawn if self._widest is None else torch.maximum(drawn, self._widest.div_(_SPREADS_OF_A_TURN), out=drawn)


def _with_its_row(squares):
    """Its own, or its row's where that is more: few samples may all come out right by chance. In place."""
    return torch.maximum(squares, _of_rows(squares), out=squares) if squares.dim() and squares.numel() else squares


def _of_rows(squares):
    """The mean of each row, over what roundings move: a clamp leaves most elements where they are, and the others no less
    uncertain. A row that it leaves alone altogether is taken for one of the others."""
    moved = squares >= squares.amax(-1, keepdim=True) / 64
    count = moved.sum(-1, keepdim=True)
    rows = (squares * moved).sum(-1, keepdim=True) / count
    still = rows * 2.0**20 < rows.max()
    overall = rows[~still].mean()
    # Where few move, the other rows have a say too.
    joined = (rows * count + torch.minimum(overall, 16 * rows) * _WEIGHT_OF_OTHERS) / (count + _WEIGHT_OF_OTHERS)
    return torch.where(still, overall, torch.maximum(rows, joined))


class _flat:
    """A result as its tensors, and how they are nested."""

    def __init__(self, value):
        self.tensors = []
        self.structure = pack(value, self.tensors, sort_keys=True)
        if not any(tensor.numel() for tensor in self.tensors):
            raise Unspeakable(f"the reference returns a {type(value).__name__} without a number in a tensor")
        if any(isinstance(leaf, float) for leaf in tree_leaves(value)):
            raise Unspeakable("the reference returns a Python float, which has no dtype to be judged by: return a tensor")
        _require_known_types(self.tensors, "returns")


def _require_known_types(tensors, verb):
    """Types that the other side can read. Sparse and quantised tensors have more than one memory."""
    for tensor in tensors:
        kind = str(tensor.dtype).removeprefix("torch.")
        if tensor.layout != torch.strided:
            raise Unspeakable(f"the reference {verb} a tensor of layout {tensor.layout}: dense ones can be judged")
        if tensor.is_complex() or tensor.is_quantized or kind.startswith(("float8", "float4")):
            raise Unspeakable(f"the reference {verb} {kind}, which cannot be judged: use real floats of 16 bits and more, integers, or bool")


def _told(seed):
    """The constructors' seed, which a candidate sees: that of its inputs does not follow from it."""
    return int.from_bytes(hashlib.sha256(f"constructor {seed}".encode()).digest()[:7], "little")


def _all_finite(tensors):
    return all(bool(torch.isfinite(t).all()) for t in tensors if t.is_floating_point())


def _same(ours, theirs):
    pairs = zip(ours, theirs)
    return all(torch.equal(a, b) or bool(((a == b) | (a.isnan() & b.isnan())).all()) for a, b in pairs if isinstance(a, torch.Tensor))


def _settings():
    """What tasks set for the whole process and what then changes what calls take. do_run() sets products itself."""
    cuda, cudnn = torch.backends.cuda, torch.backends.cudnn
    return [
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.is_grad_enabled(),
        torch.are_deterministic_algorithms_enabled(),
        (cudnn.enabled, cudnn.benchmark, cudnn.deterministic),
        (cuda.matmul.allow_fp16_reduced_precision_reduction, cuda.matmul.allow_bf16_reduced_precision_reduction),
        (cuda.flash_sdp_enabled(), cuda.mem_efficient_sdp_enabled(), cuda.math_sdp_enabled(), cuda.cudnn_sdp_enabled()),
        (cuda.preferred_linalg_library(), cuda.preferred_blas_library()),
    ]


def _names():
    """What tasks could put something else in the place of: (owner, name, value) of torch's modules and classes."""
    modules = (torch, torch.nn, torch.nn.functional, torch.nn.init)
    classes = (torch.Tensor, *(value for value in vars(torch.nn).values() if isinstance(value, type)))
    return [(owner, name, value) for owner in (*modules, *classes) for name, value in vars(owner).items()]


def _state(model):
    yield from model.named_parameters()
    yield from model.named_buffers()


def _map(function, inputs):
    """`inputs` with the function applied to every tensor, however deep."""
    return tree_map(lambda x: function(x) if isinstance(x, torch.Tensor) else x, inputs)


def _as_double(model):
    return copy.deepcopy(model).double()


def _working_dtype(dtypes):
    """The narrowest floating type among results: what the reference rounds to on its way."""
    order = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
    known = [d for d in dtypes if d in order]
    return min(known, key=order.index) if known else torch.float32
