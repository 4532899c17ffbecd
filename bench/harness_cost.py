"""What the claimed device costs: torch operators against plain CPU torch, and a Triton launch around the executor."""

import sys
import timeit
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "harness"))

import torch
import tritonrl_harness

import triton
import triton.language as tl


@triton.jit
def empty_kernel(x_ptr, y_ptr, out_ptr, n, scale, BLOCK: tl.constexpr):
    pass


def best(function, number, repeat=9):
    function()
    return min(timeit.repeat(function, number=number, repeat=repeat)) / number * 1e6


def operators(device):
    small, other, out = (torch.ones(16, device=device) for _ in range(3))
    large = torch.ones(1 << 20, device=device)
    return {
        "a + b, 16 elements": best(lambda: small + other, 3000),
        "a.add_(b), 16 elements": best(lambda: small.add_(other), 3000),
        "torch.add(a, b, out=c), 16 elements": best(lambda: torch.add(small, other, out=out), 3000),
        "a.view(4, 4)": best(lambda: small.view(4, 4), 3000),
        "torch.empty(16)": best(lambda: torch.empty(16, device=device), 3000),
        "a + b, 1M elements": best(lambda: large + large, 20),
    }


def main():
    torch.set_num_threads(1)
    plain = operators("cpu")
    state = tritonrl_harness.install()
    claimed = operators("cuda")
    print(f"{'operator':40} {'cpu us':>10} {'claimed us':>12}")
    for name, cost in plain.items():
        print(f"{name:40} {cost:10.2f} {claimed[name]:12.2f}")

    x = torch.ones(16, device="cuda")
    executor, inside = state.executor, [0.0, 0]
    launch = executor.launch

    def timed(*arguments):
        begin = timeit.default_timer()
        result = launch(*arguments)
        inside[0] += timeit.default_timer() - begin
        inside[1] += 1
        return result

    call = lambda: empty_kernel[(1,)](x, x, x, 16, 0.5, BLOCK=16)
    whole = best(call, 500)
    executor.launch = timed
    best(call, 500)
    print(f"\nlaunch of an empty kernel: {whole:.1f} us, of which the executor {inside[0] / inside[1] * 1e6:.1f} us")


if __name__ == "__main__":
    main()
