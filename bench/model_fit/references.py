"""torch operators at realistic sizes, for what a reference costs: {name: (inputs of a device, function)}."""

import torch
import torch.nn.functional as F

from operators.task import indices, normal


def _tensors(*shapes, dtype=torch.float32):
    return lambda device: tuple(normal(*shape, dtype=dtype, device=device, seed=7 + n) for n, shape in enumerate(shapes))


def _cases():
    half, brain, single = torch.float16, torch.bfloat16, torch.float32
    for n in (1 << 14, 1 << 20, 1 << 24, 1 << 26):
        yield f"add {n} fp32", _tensors((n,), (n,)), lambda x, y: x + y
    yield "relu 4096 x 4096 fp16", _tensors((4096, 4096), dtype=half), torch.relu
    yield "gelu 4096 x 4096 fp16", _tensors((4096, 4096), dtype=half), F.gelu
    yield "silu * gate 4096 x 4096 bf16", _tensors((4096, 4096), (4096, 4096), dtype=brain), lambda x, y: F.silu(x) * y
    yield "row bias 8192 x 2048 fp32", _tensors((8192, 2048), (2048,)), lambda x, b: x + b
    yield "mish 4096 x 4096 fp32", _tensors((4096, 4096)), lambda x: x * torch.tanh(F.softplus(x))
    yield "softmax 8192 x 2048 fp32", _tensors((8192, 2048)), lambda x: torch.softmax(x, -1)
    yield "softmax 256 x 1000 fp32", _tensors((256, 1000)), lambda x: torch.softmax(x, -1)
    yield "log softmax 4096 x 32000 fp16", _tensors((4096, 32000), dtype=half), lambda x: torch.log_softmax(x, -1)
    yield "layer norm 8192 x 4096 fp16", _tensors((8192, 4096), (4096,), (4096,), dtype=half), (
        lambda x, w, b: F.layer_norm(x, w.shape, w, b))
    yield "rms norm by hand 4096 x 4096 fp32", _tensors((4096, 4096), (4096,)), (
        lambda x, w: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * w)
    yield "batch norm 32 x 128 x 56 x 56 fp32", _tensors((32, 128, 56, 56), (128,), (128,)), (
        lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True))
    yield "group norm 16 x 128 x 64 x 64 fp32", _tensors((16, 128, 64, 64), (128,), (128,)), (
        lambda x, w, b: F.group_norm(x, 8, w, b))
    yield "sum of rows 4096 x 8192 fp32", _tensors((4096, 8192)), lambda x: x.sum(-1)
    yield "sum of columns 8192 x 4096 fp32", _tensors((8192, 4096)), lambda x: x.sum(0)
    yield "sum 2^26 fp32", _tensors((1 << 26,)), lambda x: x.sum()
    yield "mean, middle axis 64 x 1024 x 256 fp32", _tensors((64, 1024, 256)), lambda x: x.mean(1)
    yield "argmax 8192 x 4096 fp32", _tensors((8192, 4096)), lambda x: x.argmax(-1)
    yield "cumsum 4096 x 4096 fp32", _tensors((4096, 4096)), lambda x: torch.cumsum(x, -1)
    yield "sort 1024 x 4096 fp32", _tensors((1024, 4096)), lambda x: torch.sort(x, -1)[0]
    yield "transpose 4096 x 4096 fp32", _tensors((4096, 4096)), lambda x: x.t().contiguous()
    yield "concat 4096 x 2048 twice fp16", _tensors((4096, 2048), (4096, 2048), dtype=half), lambda x, y: torch.cat((x, y), 1)
    yield "cross entropy 4096 x 16000 fp32", (
        lambda device: (normal(4096, 16000, device=device), indices(16000, 4096, device=device))), F.cross_entropy
    yield "mean square error 2^24 fp32", _tensors((1 << 24,), (1 << 24,)), F.mse_loss
    yield "embedding 32768 x 1024 fp16", (
        lambda device: (indices(32000, 32768, device=device), normal(32000, 1024, dtype=half, device=device))), F.embedding
    yield "max pool 32 x 64 x 112 x 112 fp32", _tensors((32, 64, 112, 112)), lambda x: F.max_pool2d(x, 3, 2, 1)
    yield "average pool 32 x 64 x 112 x 112 fp32", _tensors((32, 64, 112, 112)), lambda x: F.avg_pool2d(x, 2)
    for dtype, name in ((half, "fp16"), (brain, "bf16"), (single, "tf32")):
        for m, n, k in ((256, 256, 256), (1024, 1024, 1024), (256, 1024, 4096), (2048, 2048, 2048), (4096, 4096, 4096), (16, 4096, 4096)):
            yield f"matmul {m} x {n} x {k} {name}", _tensors((m, k), (k, n), dtype=dtype), torch.matmul
    yield "matmul 8192 x 8192 x 4096 bf16", _tensors((8192, 4096), (4096, 8192), dtype=brain), torch.matmul
    yield "matrix by vector 8192 x 8192 fp32", _tensors((8192, 8192), (8192,)), torch.matmul
    yield "batched matmul 128 x 512 x 512 x 64 fp16", _tensors((128, 512, 64), (128, 64, 512), dtype=half), torch.bmm
    yield "linear 4096 x 1024 x 1024 bf16", _tensors((4096, 1024), (1024, 1024), (1024,), dtype=brain), F.linear
    yield "linear 512 x 4096 x 4096 tf32", _tensors((512, 4096), (4096, 4096), (4096,)), F.linear
    for heads, n in ((8, 512), (64, 1024), (32, 4096)):
        yield f"attention {heads} x {n} x 64 fp16", _tensors(*[(1, heads, n, 64)] * 3, dtype=half), F.scaled_dot_product_attention
    yield "attention 64 x 1024 x 64 fp32", _tensors(*[(1, 64, 1024, 64)] * 3), F.scaled_dot_product_attention
    yield "attention by hand 64 x 1024 x 64 fp16", _tensors(*[(64, 1024, 64)] * 3, dtype=half), (
        lambda q, k, v: torch.softmax(q @ k.transpose(1, 2) * 0.125, -1) @ v)
    for dtype, name in ((half, "fp16"), (single, "tf32")):
        yield f"conv2d 32 x 64 x 56 x 56, 128 of 3 x 3 {name}", _tensors((32, 64, 56, 56), (128, 64, 3, 3), dtype=dtype), (
            lambda x, w: F.conv2d(x, w, padding=1))
        yield f"conv2d 16 x 256 x 28 x 28, 256 of 1 x 1 {name}", _tensors((16, 256, 28, 28), (256, 256, 1, 1), dtype=dtype), F.conv2d
    yield "depthwise conv2d 32 x 128 x 56 x 56 fp32", _tensors((32, 128, 56, 56), (128, 1, 3, 3)), (
        lambda x, w: F.conv2d(x, w, padding=1, groups=128))
    yield "conv1d 32 x 128 x 4096, 128 of 5 fp32", _tensors((32, 128, 4096), (128, 128, 5)), lambda x, w: F.conv1d(x, w, padding=2)
    yield "transposed conv2d 16 x 128 x 32 x 32 fp32", _tensors((16, 128, 32, 32), (128, 64, 4, 4)), (
        lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1))
    yield "linear, gelu, linear 2048 x 1024 x 4096 fp16", _tensors((2048, 1024), (4096, 1024), (1024, 4096), dtype=half), (
        lambda x, w, u: F.linear(F.gelu(F.linear(x, w)), u))
    yield "linear, relu, residual, norm 1024 x 1024 tf32", _tensors((1024, 1024), (1024, 1024), (1024,), (1024,), (1024,)), (
        lambda x, w, b, g, h: F.layer_norm(torch.relu(F.linear(x, w, b)) + x, g.shape, g, h))


CASES = {name: (make, function) for name, make, function in _cases()}
