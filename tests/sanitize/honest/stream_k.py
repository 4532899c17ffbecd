# The steps of all tiles are dealt out evenly; a tile cut in two is finished by its first owner, who waits for the rest.
import torch
import triton
import triton.language as tl


@triton.jit
def stream_k_kernel(a_ptr, b_ptr, c_ptr, part_ptr, ready_ptr, steps_each, k_steps, k_size, n_size, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    program = tl.program_id(0)
    step = program * steps_each
    end = step + steps_each
    blocks_n = n_size // N
    row = tl.arange(0, M)
    column = tl.arange(0, N)
    while step < end:
        tile = step // k_steps
        tile_start = tile * k_steps
        stop = tl.minimum(end, tile_start + k_steps)
        m = (tile // blocks_n) * M + row[:, None]
        n = (tile % blocks_n) * N + column[None, :]
        total = tl.zeros((M, N), tl.float32)
        for inner in range(step - tile_start, stop - tile_start):
            k = inner * K + tl.arange(0, K)
            total = tl.dot(tl.load(a_ptr + m * k_size + k[None, :]), tl.load(b_ptr + k[:, None] * n_size + n), total)
        part = part_ptr + program * M * N + row[:, None] * N + column[None, :]
        if step != tile_start:
            tl.store(part, total)
            tl.debug_barrier()
            tl.atomic_xchg(ready_ptr + program, 1, sem="release")
        else:
            other = program
            covered = stop
            while covered < tile_start + k_steps:
                other += 1
                while tl.atomic_add(ready_ptr + other, 0, sem="acquire") == 0:
                    pass
                tl.debug_barrier()
                total += tl.load(part_ptr + other * M * N + row[:, None] * N + column[None, :])
                covered += steps_each
            tl.store(c_ptr + m * n_size + n, total)
        step = stop


a = torch.randn(32, 96, device="cuda", dtype=torch.float16)
b = torch.randn(96, 48, device="cuda", dtype=torch.float16)
c = torch.empty(32, 48, device="cuda")
programs, k_steps = 4, 6
steps_each = 2 * 3 * k_steps // programs
part = torch.empty(programs, 16, 16, device="cuda")
ready = torch.zeros(programs, device="cuda", dtype=torch.int32)
stream_k_kernel[(programs,)](a, b, c, part, ready, steps_each, k_steps, 96, 48, M=16, N=16, K=16)
torch.testing.assert_close(c, a.float() @ b.float(), rtol=1e-3, atol=1e-3)
