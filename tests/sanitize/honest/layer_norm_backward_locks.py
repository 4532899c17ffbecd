# Gradients of weight and bias are added up in groups of rows; a spin lock guards each group's buffer.
import torch
import triton
import triton.language as tl


@triton.jit
def backward_kernel(dx_ptr, dy_ptr, dw_ptr, db_ptr, x_ptr, w_ptr, mean_ptr, rstd_ptr, lock_ptr, columns, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < columns
    group = row % GROUPS
    count_ptr = lock_ptr + GROUPS + group
    x = tl.load(x_ptr + row * columns + at, mask=inside, other=0)
    dy = tl.load(dy_ptr + row * columns + at, mask=inside, other=0)
    w = tl.load(w_ptr + at, mask=inside)
    mean = tl.load(mean_ptr + row)
    rstd = tl.load(rstd_ptr + row)
    normal = tl.where(inside, (x - mean) * rstd, 0.0)
    wdy = tl.where(inside, w * dy, 0.0)
    c1 = tl.sum(normal * wdy, 0) / columns
    c2 = tl.sum(wdy, 0) / columns
    tl.store(dx_ptr + row * columns + at, (wdy - (normal * c1 + c2)) * rstd, mask=inside)
    partial_dw = dy * normal
    partial_db = dy
    dw_ptr += group * columns + at
    db_ptr += group * columns + at
    while tl.atomic_cas(lock_ptr + group, 0, 1) == 1:
        pass
    count = tl.load(count_ptr)
    if count == 0:
        tl.atomic_xchg(count_ptr, 1)
    else:
        partial_dw += tl.load(dw_ptr, mask=inside)
        partial_db += tl.load(db_ptr, mask=inside)
    tl.store(dw_ptr, partial_dw, mask=inside)
    tl.store(db_ptr, partial_db, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock_ptr + group, 0)


@triton.jit
def sum_groups_kernel(dw_ptr, db_ptr, final_dw_ptr, final_db_ptr, columns, GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    at = tl.arange(0, GROUPS)[:, None] * columns + column[None, :]
    inside = column[None, :] < columns
    dw = tl.sum(tl.load(dw_ptr + at, mask=inside, other=0.0), 0)
    db = tl.sum(tl.load(db_ptr + at, mask=inside, other=0.0), 0)
    tl.store(final_dw_ptr + column, dw, mask=column < columns)
    tl.store(final_db_ptr + column, db, mask=column < columns)


rows, columns, groups = 14, 50, 4
x = torch.randn(rows, columns, device="cuda", requires_grad=True)
w = torch.rand(columns, device="cuda", requires_grad=True)
b = torch.rand(columns, device="cuda", requires_grad=True)
dy = torch.randn(rows, columns, device="cuda")
torch.nn.functional.layer_norm(x, (columns,), w, b, 1e-5).backward(dy)
mean = x.detach().mean(1)
rstd = 1 / torch.sqrt(x.detach().var(1, unbiased=False) + 1e-5)
lock = torch.zeros(2 * groups, device="cuda", dtype=torch.int32)
dx = torch.empty(rows, columns, device="cuda")
dw_part = torch.zeros(groups, columns, device="cuda")
db_part = torch.zeros(groups, columns, device="cuda")
backward_kernel[(rows,)](dx, dy, dw_part, db_part, x.detach(), w.detach(), mean, rstd, lock, columns, GROUPS=groups, BLOCK=64)
dw = torch.empty(columns, device="cuda")
db = torch.empty(columns, device="cuda")
sum_groups_kernel[(2,)](dw_part, db_part, dw, db, columns, GROUPS=groups, BLOCK=32)
torch.testing.assert_close(dx, x.grad, rtol=1e-3, atol=1e-4)
torch.testing.assert_close(dw, w.grad, rtol=1e-3, atol=1e-4)
torch.testing.assert_close(db, b.grad, rtol=1e-3, atol=1e-4)
