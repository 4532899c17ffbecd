"""Triton on the claimed device: arguments reach the executor as Triton's own launcher would pass them."""

import pytest

torch = pytest.importorskip("torch")
triton = pytest.importorskip("triton")

import tritonrl_harness
from tritonrl_harness.arguments import element_span

import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@pytest.fixture(scope="module", autouse=True)
def device():
    return tritonrl_harness.install()


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < n
    tl.store(out_ptr + at, tl.load(x_ptr + at, mask) + tl.load(y_ptr + at, mask), mask)


def add(x, y):
    out = torch.empty_like(x)
    add_kernel[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
    return out


def test_a_kernel_runs():
    x, y = torch.randn(1000, device="cuda"), torch.randn(1000, device="cuda")
    before = len(tritonrl_harness.findings())
    torch.testing.assert_close(add(x, y), x + y, rtol=0, atol=0)
    assert tritonrl_harness.findings()[before:] == []


def test_launching_on_cpu_tensors_raises():
    x = torch.randn(8)
    with pytest.raises(ValueError, match=r"cannot be accessed from Triton \(cpu tensor\?\)"):
        add_kernel[(1,)](x, x, x, 8, BLOCK=8)


def test_pinned_memory_can_be_reached():
    x = torch.ones(8).pin_memory()
    out = torch.empty(8, device="cuda")
    add_kernel[(1,)](x, x, out, 8, BLOCK=8)
    assert out.tolist() == [2] * 8


def test_a_cuda_tensors_backward_launches_kernels():
    class Add(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            return add(x, y)

        @staticmethod
        def backward(ctx, grad):
            grad = grad.contiguous()  # of a sum it has stride 0
            return add(grad, torch.zeros_like(grad)), grad

    x = torch.randn(64, device="cuda", requires_grad=True)
    Add.apply(x, x).sum().backward()
    assert x.grad.tolist() == [2] * 64


@triton.jit
def scale_kernel(pair, factors, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(pair[0] + at, at < n) * factors[0] + tl.load(pair[1] + at, at < n) * factors[1]
    tl.store(out_ptr + at, x, at < n)


def test_tuples():
    x, y, out = torch.ones(8, device="cuda"), torch.ones(8, device="cuda"), torch.empty(8, device="cuda")
    scale_kernel[(1,)]((x, y), (2.5, 1), out, 8, BLOCK=8)
    assert out.tolist() == [3.5] * 8


@triton.jit
def values_kernel(out_ptr, i, big, u, flag, f, nothing, one):
    tl.store(out_ptr + 0, i.to(tl.float64))
    tl.store(out_ptr + 1, big.to(tl.float64))
    tl.store(out_ptr + 2, u.to(tl.float64))
    tl.store(out_ptr + 3, flag.to(tl.float64))
    tl.store(out_ptr + 4, f.to(tl.float64))
    tl.store(out_ptr + 5, one)
    if nothing is None:
        tl.store(out_ptr + 6, 7.0)


def test_scalars_of_every_kind():
    out = torch.zeros(7, dtype=torch.float64, device="cuda")
    values_kernel[(1,)](out, -5, -(2**40), 2**63 + 2048, True, 0.5, None, 1)
    assert out.tolist() == [-5, -(2**40), 2**63 + 2048, 1, 0.5, 1, 7]


@triton.jit
def descriptor_kernel(source, target, M: tl.constexpr, N: tl.constexpr):
    target.store([0, 0], source.load([0, 4]) + 1)


def test_host_descriptors():
    x, out = torch.randn(8, 16, device="cuda"), torch.zeros(8, 16, device="cuda")
    source, target = (TensorDescriptor.from_tensor(t, [8, 16]) for t in (x, out))
    descriptor_kernel[(1,)](source, target, 8, 16)
    expected = torch.cat([x[:, 4:] + 1, torch.ones(8, 4, device="cuda")], 1)
    torch.testing.assert_close(out, expected, rtol=0, atol=0)


@triton.jit
def device_descriptor_kernel(x_ptr, out_ptr, M: tl.constexpr, N: tl.constexpr):
    source = tl.make_tensor_descriptor(x_ptr, [M, N], [N, 1], [M, N])
    target = tl.make_tensor_descriptor(out_ptr, [M, N], [N, 1], [M, N])
    target.store([0, 0], source.load([0, 0]) * 2)


def test_device_descriptors_need_an_allocator():
    from triton.runtime import _allocation

    x, out = torch.randn(8, 16, device="cuda"), torch.zeros(8, 16, device="cuda")
    with pytest.raises(RuntimeError, match="no allocator was set"):
        device_descriptor_kernel[(1,)](x, out, 8, 16)
    asked = []

    def allocate(size, alignment, stream):
        asked.append((size, alignment))
        return torch.empty(size, dtype=torch.int8, device="cuda")

    triton.set_allocator(allocate)
    try:
        device_descriptor_kernel[(2,)](x, out, 8, 16)
    finally:
        triton.set_allocator(_allocation._NULL_ALLOCATOR)
    assert asked == [(512, 128)]
    torch.testing.assert_close(out, x * 2, rtol=0, atol=0)


def test_pointers_of_other_kinds():
    x, out = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")

    class Box:
        dtype = torch.float32

        def __init__(self, tensor):
            self.tensor = tensor

        def data_ptr(self):
            return self.tensor.data_ptr()

    add_kernel[(1,)](Box(x), triton.reinterpret(x, tl.float32), out, 8, BLOCK=8)
    assert out.tolist() == [2] * 8
    with pytest.raises(ValueError, match="cannot be accessed from Triton"):
        add_kernel[(1,)](Box(torch.ones(8)), x, out, 8, BLOCK=8)


def test_grids():
    x, out = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")
    add_kernel[(0,)](x, x, out, 8, BLOCK=8)
    assert out.tolist() == [0] * 8
    add_kernel[lambda meta: (8 // meta["BLOCK"], 1, 1)](x, x, out, 8, BLOCK=4)
    assert out.tolist() == [2] * 8
    with pytest.raises(RuntimeError, match=r"Triton Error \[CUDA\]: invalid argument"):
        add_kernel[(1, 65536)](x, x, out, 8, BLOCK=8)


def test_launch_hooks():
    from triton import knobs

    seen = []
    enter = lambda metadata: seen.append(("enter", metadata.get()["name"]))
    leave = lambda metadata: seen.append(("exit", metadata.get()["name"]))
    knobs.runtime.launch_enter_hook.add(enter)
    knobs.runtime.launch_exit_hook.add(leave)
    try:
        add(torch.ones(8, device="cuda"), torch.ones(8, device="cuda"))
    finally:
        knobs.runtime.launch_enter_hook.remove(enter)
        knobs.runtime.launch_exit_hook.remove(leave)
    assert seen == [("enter", "add_kernel"), ("exit", "add_kernel")]


def test_autotuning_picks_the_same_every_time(device):
    chosen = set()
    for _ in range(2):

        @triton.autotune([triton.Config({"BLOCK": block}) for block in (16, 1024, 64)], key=["n"])
        @triton.heuristics({"EVEN": lambda arguments: arguments["n"] % arguments["BLOCK"] == 0})
        @triton.jit
        def tuned(x_ptr, out_ptr, n, EVEN: tl.constexpr, BLOCK: tl.constexpr):
            at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
            if EVEN:
                tl.store(out_ptr + at, tl.load(x_ptr + at) * 2)
            else:
                tl.store(out_ptr + at, tl.load(x_ptr + at, at < n) * 2, at < n)

        x, out = torch.randn(1000, device="cuda"), torch.zeros(1000, device="cuda")
        tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](x, out, 1000)
        torch.testing.assert_close(out, x * 2, rtol=0, atol=0)
        chosen.add(tuned.best_config.kwargs["BLOCK"])
    assert len(chosen) == 1


def test_benchmarks_and_events_tell_modelled_time():
    x = torch.randn(1000, device="cuda")
    once = triton.testing.do_bench(lambda: add(x, x))
    assert once > 0 and once == pytest.approx(triton.testing.do_bench(lambda: add(x, x)), rel=1e-6)
    assert triton.testing.do_bench(lambda: add(x, x), quantiles=[0.5, 0.2]) == pytest.approx([once] * 2, rel=1e-6)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    add(x, x)
    end.record()
    assert begin.elapsed_time(end) == pytest.approx(once, rel=1e-6)


@triton.jit
def sum_kernel(x_ptr, out_ptr, BLOCK: tl.constexpr):
    tl.store(out_ptr, tl.sum(tl.load(x_ptr + tl.arange(0, BLOCK)), 0))


def test_warmup_gives_evidence_of_the_cubin():
    x, out = torch.ones(1024, device="cuda"), torch.zeros(1, device="cuda")
    kernel = sum_kernel.warmup(x, out, BLOCK=1024, grid=(1,))
    kernel._init_handles()
    assert kernel.n_regs > 0 and kernel.n_spills == 0 and kernel.metadata.shared > 0
    assert "tt.func" in kernel.asm["ttir"] and ".visible .entry" in kernel.asm["ptx"]
    sum_kernel[(1,)](x, out, BLOCK=1024)
    assert out.item() == 1024


def test_later_stages_are_compiled_when_they_are_asked_for():
    x, out = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")
    kernel = add_kernel[(1,)](x, x, out, 8, BLOCK=2)
    stages = set(kernel.asm)
    assert "ttir" in stages and "ptx" not in stages
    assert ".visible .entry" in kernel.asm["ptx"] and "ttg.num-warps" in kernel.asm["ttgir"]
    with pytest.raises(KeyError):
        kernel.asm["hsaco"]


def test_a_compiled_kernel_is_launched_directly():
    x, out = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")
    kernel = add_kernel.warmup(x, x, out, 8, BLOCK=8, grid=(1,))
    kernel[(1, 1, 1)](x, x, out, 8, 8)
    assert out.tolist() == [2] * 8


def test_a_kernels_defect_is_a_finding_with_its_lines():
    x, out = torch.ones(8, device="cuda"), torch.zeros(8, device="cuda")
    before = len(tritonrl_harness.findings())
    add_kernel[(1,)](x, x, out, 16, BLOCK=16)  # n is wrong
    found = tritonrl_harness.findings()[before:]
    assert {f["rule"] for f in found} == {"out-of-bounds"}
    assert all(f["kernel"] == "add_kernel" and f["file"] == __file__ for f in found)
    assert found[0]["launched_at"]["function"] == "test_a_kernels_defect_is_a_finding_with_its_lines"


def test_half_an_output_is_found_when_it_is_read():
    x, out = torch.ones(16, device="cuda"), torch.empty(16, device="cuda")
    add_kernel[(1,)](x, x, out, 8, BLOCK=8)
    before = len(tritonrl_harness.findings())
    out[:8].cpu()
    assert tritonrl_harness.findings()[before:] == []
    torch.equal(out, x)
    found = tritonrl_harness.findings()[before:]
    assert [f["rule"] for f in found] == ["unwritten-output"] and "byte 32 of the tensor's 64" in found[0]["message"]


def test_gluon_is_refused():
    gluon = pytest.importorskip("triton.experimental.gluon")

    @gluon.jit
    def nothing(x_ptr):
        pass

    with pytest.raises(tritonrl_harness.UnsupportedKernel, match="Gluon"):
        nothing[(1,)](torch.ones(1, device="cuda"))


@pytest.mark.parametrize(
    ("view", "span"),
    [
        (lambda x: x, 480),
        (lambda x: x[2:4, 3:5], (1 * 20 + 2) * 4),
        (lambda x: x.t(), 480),
        (lambda x: x[:, ::2], (5 * 20 + 19) * 4),
        (lambda x: x[0:0], 0),
        (lambda x: x.sum(), 4),
        (lambda x: x[0, 0].expand(5), 4),
    ],
)
def test_the_span_of_a_tensors_elements(view, span):
    assert element_span(view(torch.zeros(6, 20))) == span
