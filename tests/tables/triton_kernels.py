"""Run by test_triton_language.py under Triton's interpreter: prints, as JSON, what each copying name did to 1..16."""

import json

import torch
import triton
import triton.language as tl


@triton.jit
def rearrange(x_ptr, out_ptr, WHICH: tl.constexpr, OUT: tl.constexpr):
    x = tl.load(x_ptr + tl.arange(0, 16))
    square = tl.reshape(x, (4, 4))
    if WHICH == "reshape":
        y = square
    elif WHICH == "view":
        y = tl.view(x, (2, 8))
    elif WHICH == "trans":
        y = tl.trans(square)
    elif WHICH == "T":
        y = square.T
    elif WHICH == "permute":
        y = tl.permute(square, (1, 0))
    elif WHICH == "ravel":
        y = tl.ravel(square)
    elif WHICH == "expand_dims":
        y = tl.expand_dims(x, 0)
    elif WHICH == "__getitem__":
        y = x[:, None]
    elif WHICH == "broadcast_to":
        y = tl.broadcast_to(x[None, :], (2, 16))
    elif WHICH == "flip":
        y = tl.flip(x, 0)
    elif WHICH == "cast":
        y = tl.cast(x, tl.int32)
    elif WHICH == "to":
        y = x.to(tl.float16)
    elif WHICH == "cat":
        y = tl.cat(x, x, can_reorder=True)
    elif WHICH == "join":
        y = tl.join(x, x)
    elif WHICH == "interleave":
        y = tl.interleave(x, x)
    elif WHICH == "split":
        first, second = tl.split(tl.reshape(x, (8, 2)))
        y = tl.join(first, second)
    elif WHICH == "full":
        y = tl.full((16,), tl.load(x_ptr), tl.float32)
    elif WHICH == "zeros_like":
        y = tl.zeros_like(x)
    tl.store(out_ptr + tl.arange(0, OUT), tl.reshape(y, (OUT,)))


def run(which: str) -> list[float]:
    size = 32 if which in ("broadcast_to", "cat", "join", "interleave") else 16
    out = torch.full((size,), -1.0)
    rearrange[(1,)](torch.arange(1.0, 17.0), out, which, size)
    return out.tolist()


if __name__ == "__main__":
    names = """reshape view trans T permute ravel expand_dims __getitem__ broadcast_to flip cast to cat join interleave split
        full zeros_like"""
    print(json.dumps({name: run(name) for name in names.split()}))
