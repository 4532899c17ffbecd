"""torch on the claimed device: it says cuda, computes as the CPU does, and refuses what a GPU refuses."""

import copy
import io
import pickle
import threading

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("triton")

import tritonrl_harness
from tritonrl_harness.errors import HarnessError


@pytest.fixture(scope="module", autouse=True)
def device():
    return tritonrl_harness.install()


def cuda(*values):
    return torch.tensor(values, device="cuda", dtype=torch.float32)


def test_tensors_claim_the_device():
    x = torch.zeros(4, device="cuda")
    assert x.is_cuda and x.device == torch.device("cuda", 0) and x.get_device() == 0
    assert x.type() == "torch.cuda.FloatTensor"
    assert torch.ones(2).cuda().is_cuda and torch.ones(2).to("cuda:0").is_cuda
    assert not x.cpu().is_cuda
    assert "device='cuda:0'" in repr(x)


def test_torch_says_that_the_device_is_there():
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1 and torch.cuda.current_device() == 0
    assert torch.cuda.get_device_capability() == (9, 0)
    assert torch.cuda.get_device_properties(0).multi_processor_count == 132
    assert "H200" in torch.cuda.get_device_name()
    assert torch.cuda.is_bf16_supported()
    assert torch.accelerator.current_accelerator().type == "cuda"


def test_installing_twice_does_nothing(device):
    assert tritonrl_harness.install() is device


def test_memory_is_aligned_and_guarded():
    tensors = [torch.empty(n, dtype=torch.uint8, device="cuda") for n in (1, 511, 512, 513, 4096)]
    results = [torch.ones(n, device="cuda") + 1 for n in (3, 1000)]
    ranges = sorted((t.data_ptr(), t.data_ptr() + t.untyped_storage().nbytes()) for t in tensors + results)
    assert all(begin % 512 == 0 for begin, _ in ranges)
    assert all(after - end >= 512 for (_, end), (after, _) in zip(ranges, ranges[1:]))


def test_freed_memory_is_not_reused_at_once():
    addresses = set()
    for _ in range(20):
        address = torch.empty(4096, device="cuda").data_ptr()
        assert address not in addresses
        addresses.add(address)


def test_memory_is_counted():
    before = torch.cuda.memory_allocated()
    torch.cuda.reset_peak_memory_stats()
    x = torch.empty(1 << 20, dtype=torch.uint8, device="cuda")
    assert torch.cuda.memory_allocated() - before == 1 << 20
    y = x + 1
    del x, y
    assert torch.cuda.memory_allocated() == before
    assert torch.cuda.max_memory_allocated() - before == 2 << 20
    free, total = torch.cuda.mem_get_info()
    assert free == total - before


def test_more_memory_than_the_device_has():
    with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
        torch.empty(1 << 40, dtype=torch.uint8, device="cuda")


def test_views_share_memory():
    x = torch.arange(12.0, device="cuda").view(3, 4)
    for view in (x.t(), x[1:], x.unfold(0, 2, 1), x.expand(2, 3, 4), x.reshape(4, 3), x.as_strided((2,), (1,)), x.detach()):
        assert view.is_cuda and view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    x.t()[1].add_(100)
    assert x[0].tolist() == [0, 101, 2, 3]
    assert x.unbind()[1].data_ptr() == x.data_ptr() + 16


def test_in_place_returns_the_same_tensor():
    x = cuda(1, 2, 3)
    address = x.data_ptr()
    assert x.add_(1) is x and x.mul_(x) is x and x.data_ptr() == address
    assert x.tolist() == [4, 9, 16]
    x.unsqueeze_(0).t_()
    assert x.shape == (3, 1) and x.data_ptr() == address


def test_out_is_resized_and_returned():
    out = torch.empty(0, device="cuda")
    assert torch.add(cuda(1, 2), cuda(3, 4), out=out) is out and out.tolist() == [4, 6]
    values, indices = torch.empty(3, device="cuda"), torch.empty(3, dtype=torch.long, device="cuda")
    torch.sort(cuda(3, 1, 2), out=(values, indices))
    assert values.tolist() == [1, 2, 3] and indices.tolist() == [1, 2, 0]


@pytest.mark.parametrize(
    "mix",
    [
        lambda: torch.ones(2, device="cuda") + torch.ones(2),
        lambda: torch.ones(2) + torch.ones(2, device="cuda"),
        lambda: torch.ones(2, 2, device="cuda") @ torch.ones(2, 2),
        lambda: torch.cat([torch.ones(2, device="cuda"), torch.ones(2)]),
        lambda: torch.ones(2).add_(torch.ones(2, device="cuda")),
        lambda: torch.ones(()).add_(torch.ones((), device="cuda")),
        lambda: torch.add(cuda(1), 1, out=torch.ones(1)),
        lambda: torch.nn.functional.linear(torch.ones(1, 2, device="cuda"), torch.ones(3, 2)),
    ],
)
def test_mixing_devices_raises(mix):
    with pytest.raises(RuntimeError, match="Expected all tensors to be on the same device.*cuda:0 and cpu!"):
        mix()


def test_mixing_that_a_gpu_allows():
    x = torch.arange(5.0, device="cuda")
    assert (x + torch.tensor(2.0)).is_cuda
    assert torch.where(x > 2, x, torch.tensor(0.0)).tolist() == [0, 0, 0, 3, 4]
    assert x[torch.tensor([0, 2])].tolist() == [0, 2]
    x[torch.tensor([0])] = 9
    host = torch.empty(5)
    assert host.copy_(x) is host and host.tolist() == [9, 1, 2, 3, 4]
    with pytest.raises(RuntimeError, match="indices should be either on cpu"):
        torch.ones(3)[torch.tensor([0], device="cuda")]


def test_numpy_of_a_cuda_tensor_raises():
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy"):
        torch.ones(2, device="cuda").numpy()


def test_another_device_is_not_there():
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.zeros(2, device="cuda:1")
    with pytest.raises(RuntimeError, match="invalid device ordinal"):
        torch.cuda.set_device(1)


def test_autograd_runs_on_its_own_thread():
    threads = []

    class Double(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            threads.append(threading.current_thread())
            return grad * 2

    x = torch.ones(3, device="cuda", requires_grad=True)
    Double.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2, 2] and x.grad.is_cuda
    assert threads and threads[0] is not threading.main_thread()


def test_many_threads_at_once():
    failures = []

    def work():
        try:
            for _ in range(100):
                a = torch.randn(8, 8, device="cuda", requires_grad=True)
                (a @ a).sum().backward()
                assert a.grad.is_cuda
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


MODULES = {
    "linear": (lambda: torch.nn.Linear(8, 4), (3, 8)),
    "conv1d": (lambda: torch.nn.Conv1d(8, 4, 3), (2, 8, 9)),
    "depthwise": (lambda: torch.nn.Conv2d(8, 8, 3, groups=8), (2, 8, 9, 9)),
    "conv3d": (lambda: torch.nn.Conv3d(4, 4, 3), (2, 4, 6, 6, 6)),
    "transposed": (lambda: torch.nn.ConvTranspose2d(8, 4, 3, stride=2), (2, 8, 5, 5)),
    "batchnorm": (lambda: torch.nn.BatchNorm2d(8), (4, 8, 3, 3)),
    "layernorm": (lambda: torch.nn.LayerNorm(8), (3, 8)),
    "lstm": (lambda: torch.nn.LSTM(8, 6, 2), (5, 3, 8)),
    "gru": (lambda: torch.nn.GRU(8, 6, bidirectional=True), (5, 3, 8)),
    "attention": (lambda: torch.nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), (5, 3, 8)),
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_agree_with_the_cpu(name):
    make, shape = MODULES[name]
    torch.manual_seed(0)
    host = make()
    device = copy.deepcopy(host).to("cuda")
    x = torch.randn(shape)
    results = []
    for module, data in ((host, x), (device, x.cuda())):
        result = module(data)
        result = result[0] if isinstance(result, tuple) else result
        result.square().sum().backward()
        results.append([result, *[p.grad for p in module.parameters()]])
    for expected, found in zip(*results):
        assert found.is_cuda
        torch.testing.assert_close(found.cpu(), expected, rtol=1e-4, atol=1e-4)


def test_training_step_with_autocast_and_optimizer():
    model = torch.nn.Linear(8, 8).cuda()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cuda", init_scale=128.0)
    before = model.weight.detach().clone()
    with torch.autocast("cuda", dtype=torch.float16):
        out = model(torch.randn(2, 8, device="cuda"))
        assert out.dtype == torch.float16
    scaler.scale(out.float().sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    assert not torch.equal(before, model.weight)


def test_random_numbers_come_from_the_devices_generator():
    for seed in (torch.manual_seed, torch.cuda.manual_seed, torch.cuda.manual_seed_all):
        seed(5)
        first = torch.randn(4, device="cuda")
        torch.randn(4)  # the CPU's generator is another one
        seed(5)
        torch.testing.assert_close(torch.randn(4, device="cuda"), first, rtol=0, atol=0)
    x = torch.ones(100, device="cuda")
    torch.cuda.manual_seed(1)
    dropped = torch.nn.functional.dropout(x)
    torch.cuda.manual_seed(1)
    assert torch.equal(dropped, torch.nn.functional.dropout(x))
    state = torch.cuda.get_rng_state()
    first = torch.rand(3, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(first, torch.rand(3, device="cuda"))


def test_generators():
    generator = torch.Generator("cuda").manual_seed(3)
    assert generator.device.type == "cuda"
    first = torch.randn(3, device="cuda", generator=generator)
    assert torch.equal(first, torch.randn(3, device="cuda", generator=generator.manual_seed(3)))
    torch.randperm(4, device="cuda", generator=generator)
    with pytest.raises(RuntimeError, match="Expected a 'cuda' device type for generator"):
        torch.randn(3, device="cuda", generator=torch.Generator())
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator"):
        torch.randn(3, generator=generator)


def test_default_device():
    with torch.device("cuda"):
        assert torch.zeros(2).is_cuda and torch.nn.Linear(2, 2).weight.is_cuda
    torch.set_default_device("cuda")
    try:
        assert torch.arange(3).is_cuda and torch.tensor([1]).is_cuda and torch.randperm(3).is_cuda
    finally:
        torch.set_default_device("cpu")


def test_copies_and_pickles():
    x = cuda(1, 2, 3)
    for other in (copy.deepcopy(x), pickle.loads(pickle.dumps(x)), x.clone()):
        assert other.is_cuda and torch.equal(other, x) and other.data_ptr() != x.data_ptr()
    file = io.BytesIO()
    torch.save({"x": x}, file)
    file.seek(0)
    assert torch.load(file)["x"].is_cuda
    file.seek(0)
    assert not torch.load(file, map_location="cpu")["x"].is_cuda


def test_pinned_memory():
    x = torch.ones(4).pin_memory()
    assert x.is_pinned() and not torch.ones(4).is_pinned()
    assert x.to("cuda", non_blocking=True).is_cuda


def test_streams_and_events():
    stream, other = torch.cuda.Stream(), torch.cuda.Stream(priority=-1)
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    assert stream != other and torch.cuda.current_stream() == torch.cuda.default_stream()
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() == stream
        begin.record()
        torch.ones(1 << 20, device="cuda").add_(1)
        end.record()
    other.wait_stream(stream)
    torch.cuda.synchronize()
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    assert end.query() and begin.elapsed_time(end) > 0
    with pytest.raises(ValueError, match="enable_timing"):
        begin.elapsed_time(stream.record_event())


def test_graphs_are_refused():
    with pytest.raises(NotImplementedError, match="CUDA graphs are not supported"):
        torch.cuda.CUDAGraph()


def test_sparse_results_are_refused():
    with pytest.raises(NotImplementedError, match="strided tensors only"):
        torch.eye(3, device="cuda").to_sparse()


def test_custom_operators_for_cuda():
    @torch.library.custom_op("harness_test::double", mutates_args=(), device_types="cuda")
    def double(x: torch.Tensor) -> torch.Tensor:
        return x * 2

    assert double(cuda(2)).tolist() == [4]


def test_operators_are_counted(device):
    before = device.plugin.op_count()
    x = torch.ones(4, device="cuda")
    between = device.plugin.op_count()
    x.view(2, 2)
    assert between > before and device.plugin.op_count() == between


def findings_of(work):
    before = len(tritonrl_harness.findings())
    work()
    return tritonrl_harness.findings()[before:]


def test_reading_what_nothing_has_written_is_found():
    def work():
        x = torch.empty(8, device="cuda")
        x[:4] = 1
        x + 1
        x.cpu()

    found = findings_of(work)
    assert [f["rule"] for f in found] == ["unwritten-output"]
    assert found[0]["file"] == __file__ and "byte 16 of the tensor's 32" in found[0]["message"]


@pytest.mark.parametrize(
    "work",
    [
        lambda: torch.empty(8, device="cuda").fill_(1).cpu(),
        lambda: torch.empty_like(torch.empty(8, device="cuda")).shape,
        lambda: torch.zeros(8, device="cuda").resize_(4).cpu(),
        lambda: torch.empty(8, device="cuda").copy_(torch.ones(8)).sum().item(),
        lambda: torch.empty(4, 4, device="cuda").t().normal_().sum().item(),
        lambda: torch.empty(4, 4, device="cuda")[:, 1].fill_(2).sum().item(),
        lambda: torch.mv(torch.ones(4, 4, device="cuda"), torch.ones(4, device="cuda")).cpu(),
        lambda: torch.add(cuda(1, 2), 1, out=torch.empty(2, device="cuda")).cpu(),
        lambda: torch.empty(5, device="cuda").index_fill_(0, torch.arange(5, device="cuda"), 1).cpu(),
        lambda: torch.cummax(cuda(1, 3, 2), 0)[0].cpu(),
        lambda: torch.nn.functional.pad(cuda(1, 2), (1, 1)).cpu(),
    ],
)
def test_written_memory_is_not_reported(work):
    assert findings_of(work) == []


def test_options_are_checked():
    from tritonrl_harness.options import from_environment

    assert from_environment({}).stage == "ttir"
    assert from_environment({"TRITONRL_DEVICE_OPTIONS": '{"harness": {"raise_asserts": true}}'}).raise_asserts
    for text, words in (
        ("nonsense", "is not JSON"),
        ("[]", "must be a JSON object"),
        ('{"harness": {"speed": 1}}', "no option 'speed'"),
        ('{"harness": {"raise_asserts": 1}}', "must be a bool"),
    ):
        with pytest.raises(HarnessError, match=words):
            from_environment({"TRITONRL_DEVICE_OPTIONS": text})
    with pytest.raises(HarnessError, match="must be one of"):
        from_environment({"TRITONRL_STAGE": "sass"})


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_sums_of_16_bit_gradients_are_as_good_as_a_gpus(dtype):
    def gradients(x, weight, grad):
        x, weight = x.detach().requires_grad_(), weight.detach().requires_grad_()
        torch.nn.functional.layer_norm(x, weight.shape, weight).backward(grad)
        return x.grad, weight.grad

    torch.manual_seed(0)
    data = [torch.randn(shape).to(dtype) for shape in ((1500, 64), (64,), (1500, 64))]
    exact = gradients(*[tensor.double() for tensor in data])
    for found, expected in zip(gradients(*[tensor.cuda() for tensor in data]), exact):
        assert found.is_cuda and found.dtype == dtype
        error = (found.cpu().double() - expected).abs().max() / expected.abs().max()
        assert error < 2 * torch.finfo(dtype).eps
