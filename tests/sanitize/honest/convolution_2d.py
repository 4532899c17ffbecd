# A direct convolution with padding that is masked.
import torch
import triton
import triton.language as tl


@triton.jit
def convolve_kernel(x_ptr, weight_ptr, out_ptr, height, width, TAPS: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    y = tl.program_id(0) * M + tl.arange(0, M)[:, None]
    x = tl.program_id(1) * N + tl.arange(0, N)[None, :]
    total = tl.zeros((M, N), tl.float32)
    for dy in tl.static_range(TAPS):
        for dx in tl.static_range(TAPS):
            row, column = y + dy - TAPS // 2, x + dx - TAPS // 2
            inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
            pixel = tl.load(x_ptr + row * width + column, mask=inside, other=0.0)
            total += pixel * tl.load(weight_ptr + dy * TAPS + dx)
    tl.store(out_ptr + y * width + x, total, mask=(y < height) & (x < width))


image = torch.randn(20, 37, device="cuda")
weight = torch.randn(3, 3, device="cuda")
out = torch.empty_like(image)
convolve_kernel[(3, 3)](image, weight, out, 20, 37, TAPS=3, M=8, N=16)
expected = torch.nn.functional.conv2d(image[None, None], weight[None, None], padding=1)[0, 0]
torch.testing.assert_close(out, expected, rtol=1e-4, atol=1e-4)
