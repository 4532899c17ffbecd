"""Forward passes of liger-kernel's operators; the reference is the formula in torch, on the CPU in double precision."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import torch
import torch.nn.functional as F
from operator_case import TF32, TOLERANCE, Case, Random, to_reference

# In these float32 goes through tl.dot.
DOTS = ("fused_neighborhood_attention",)
FLOATS = (torch.float32, torch.float16, torch.bfloat16)
SHAPES = ((4, 64), (17, 129), (3, 5, 200))


def _rms_norm(x, w, eps=1e-6, offset=0.0):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps) * (w + offset)


def _rotate(x, cos, sin):
    left, right = x.chunk(2, -1)
    return x * cos + torch.cat((-right, left), -1) * sin


def _rope(q, k, cos, sin):
    return _rotate(q, cos.unsqueeze(1), sin.unsqueeze(1)), _rotate(k, cos.unsqueeze(1), sin.unsqueeze(1))


def _mrope(q, k, cos, sin, sections):
    pick = lambda t: torch.cat([part[n % 3] for n, part in enumerate(t.split(sections * 2, -1))], -1).unsqueeze(1)
    return _rotate(q, pick(cos), pick(sin)), _rotate(k, pick(cos), pick(sin))


def _llama4_rope(q, k, freqs):
    turn = lambda x: torch.view_as_real(
        torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2)) * freqs[None, :, None, :]
    ).flatten(3)
    return turn(q), turn(k)


def _jsd(x, y, beta=0.5):
    p, q = y.exp(), x.exp()
    m = (beta * p + (1 - beta) * q).log()
    return (beta * p * (y - m) + (1 - beta) * q * (x - m)).sum() / x.shape[0]


def _sparsemax(x):
    z = x.sort(-1, descending=True).values
    k = torch.arange(1, x.shape[-1] + 1, dtype=x.dtype)
    support = (1 + k * z > z.cumsum(-1)).sum(-1, keepdim=True)
    tau = (z.cumsum(-1).gather(-1, support - 1) - 1) / support
    return (x - tau).clamp(min=0)


def _poly_norm(x, w, b, eps=1e-6):
    norm = lambda u: u * torch.rsqrt(u.pow(2).mean(-1, keepdim=True) + eps)
    return w[0] * norm(x**3) + w[1] * norm(x**2) + w[2] * norm(x) + b


def _group_norm(x, w, b, channels, groups, eps):
    return F.group_norm(x, groups, w, b, eps)


def _neighbourhood(q, k, v, size):
    length = q.shape[2]
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    at = torch.arange(length)
    near = (at[:, None] - at[None, :]).abs() <= size // 2
    return scores.masked_fill(~near, float("-inf")).softmax(-1) @ v


def _multi_token(scores, weight, bias):
    length = scores.shape[-1]
    future = torch.ones(length, length, dtype=torch.bool).triu(1)
    p = scores.masked_fill(future, float("-inf")).softmax(-1)
    return F.conv2d(p, weight, bias, padding=1).masked_fill(future, 0.0)


def _attn_res(v, query, norm, eps=1e-6):
    scores = (_rms_norm(v, norm, eps) * query).sum(-1, keepdim=True)
    return (scores.softmax(0) * v).sum(0)


def _mhc_pre(x, h):
    return (x * h.unsqueeze(-1)).sum(1)


def _mhc_post_res(x, f, post, res):
    return torch.einsum("nij,njc->nic", res, x) + post.unsqueeze(-1) * f.unsqueeze(1)


def _fused_add(x, r, w, eps):
    return _rms_norm(x + r, w, eps), x + r


def _log_probabilities(r: Random, rows: int, columns: int):
    return torch.log_softmax(r.normal(rows, columns).float(), -1).to(r.dtype)


def _probabilities(r: Random, rows: int, columns: int):
    return torch.softmax(r.normal(rows, columns).float(), -1).to(r.dtype)


def _labels(r: Random, rows: int, classes: int):
    labels = r.integers(0, classes, rows, dtype=torch.int64)
    labels[::5] = -100
    return labels


def _angles(r: Random, *shape: int):
    return r.uniform(-1, 1, *shape)


Make = Callable[[Random, tuple[int, ...]], tuple[Any, ...]]


def _operators() -> Iterator[tuple[str, Callable, Callable, Make, tuple[tuple[int, ...], ...]]]:
    """Name, liger's function, the formula, arguments of both, shapes."""
    from liger_kernel.ops import LigerEmbeddingFunction
    from liger_kernel.transformers import functional as L
    from liger_kernel.transformers.llama4_rope import liger_llama4_text_rotary_pos_emb

    def rows(*more: int):
        return lambda r, s: (r.normal(*s), *(r.normal(s[-1]) for _ in more))

    table = ((8, 32), (17, 129), (5, 3001))
    yield "softmax", L.liger_softmax, lambda x: x.softmax(-1), rows(), SHAPES
    yield "sparsemax", L.liger_sparsemax, _sparsemax, rows(), SHAPES
    yield "relu_squared", L.liger_relu_squared, lambda x: x.relu() ** 2, rows(), SHAPES
    yield "swiglu", L.liger_swiglu, lambda a, b: F.silu(a) * b, lambda r, s: (r.normal(*s), r.normal(*s)), SHAPES
    yield "geglu", L.liger_geglu, lambda a, b: F.gelu(a, approximate="tanh") * b, lambda r, s: (
        r.normal(*s),
        r.normal(*s),
    ), SHAPES
    yield "rms_norm", lambda x, w: L.liger_rms_norm(x, w, 1e-6), _rms_norm, rows(1), SHAPES
    yield "rms_norm gemma", lambda x, w: L.liger_rms_norm(x, w, 1e-6, 1.0, "gemma"), lambda x, w: _rms_norm(
        x, w, 1e-6, 1.0
    ), rows(1), SHAPES
    yield "layer_norm", lambda x, w, b: L.liger_layer_norm(x, w, b, 1e-5), lambda x, w, b: F.layer_norm(
        x, x.shape[-1:], w, b, 1e-5
    ), rows(1, 2), SHAPES
    yield "poly_norm", lambda x, w, b: L.liger_poly_norm(x, w, b), _poly_norm, lambda r, s: (
        r.normal(*s),
        r.normal(3),
        r.normal(1),
    ), SHAPES
    yield "fused_add_rms_norm", lambda x, y, w: L.liger_fused_add_rms_norm(x, y, w, 1e-6), lambda x, y, w: _fused_add(
        x, y, w, 1e-6
    ), lambda r, s: (r.normal(*s), r.normal(*s), r.normal(s[-1])), SHAPES
    yield (
        "modulated_rms_norm",
        lambda x, w, scale, shift: L.liger_modulated_rms_norm(x, w, scale, shift),
        lambda x, w, scale, shift: _rms_norm(x, w) * (1 + scale) + shift,
        lambda r, s: (r.normal(*s), r.normal(s[-1]), r.normal(*s), r.normal(*s)),
        SHAPES,
    )
    yield "dyt", L.liger_dyt, lambda x, a, g, b: g * torch.tanh(a * x) + b, lambda r, s: (
        r.normal(*s),
        r.uniform(0.4, 0.6, 1),
        r.normal(s[-1]),
        r.normal(s[-1]),
    ), SHAPES
    yield (
        "group_norm",
        lambda x, w, b, c, g, e: L.liger_group_norm(x, w, b, c, g, e),
        _group_norm,
        lambda r, s: (r.normal(*s), r.normal(s[1]), r.normal(s[1]), s[1], 3, 1e-5),
        ((2, 6, 16), (3, 12, 35), (2, 6, 7, 9)),
    )
    yield "cross_entropy", L.liger_cross_entropy, F.cross_entropy, lambda r, s: (
        r.normal(*s),
        _labels(r, s[0], s[1]),
    ), table
    yield (
        "cross_entropy smoothed",
        lambda x, y: L.liger_cross_entropy(x, y, label_smoothing=0.1),
        lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1),
        lambda r, s: (r.normal(*s), _labels(r, s[0], s[1])),
        table,
    )
    yield (
        "fused_linear_cross_entropy",
        lambda x, w, y: L.liger_fused_linear_cross_entropy(x, w, y),
        lambda x, w, y: F.cross_entropy(x @ w.T, y),
        lambda r, s: (r.normal(s[0], 32), r.normal(s[1], 32) * 0.2, _labels(r, s[0], s[1])),
        table,
    )
    yield "jsd", lambda x, y: L.liger_jsd(x, y), _jsd, lambda r, s: (
        _log_probabilities(r, *s),
        _log_probabilities(r, *s),
    ), table
    yield (
        "fused_linear_jsd",
        lambda x, w, y, v: L.liger_fused_linear_jsd(x, w, y, v),
        lambda x, w, y, v: _jsd((x @ w.T).log_softmax(-1), (y @ v.T).log_softmax(-1)),
        lambda r, s: (r.normal(s[0], 32), r.normal(s[1], 32) * 0.2, r.normal(s[0], 32), r.normal(s[1], 32) * 0.2),
        table,
    )
    yield (
        "kl_div",
        lambda x, y: L.liger_kl_div(x, y, reduction="batchmean"),
        lambda x, y: F.kl_div(x, y, reduction="batchmean"),
        lambda r, s: (_log_probabilities(r, *s), _probabilities(r, *s)),
        table,
    )
    yield (
        "tvd",
        lambda p, q: L.liger_tvd(p, q, reduction="batchmean"),
        lambda p, q: 0.5 * (p - q).abs().sum() / p.shape[0],
        lambda r, s: (_probabilities(r, *s), _probabilities(r, *s)),
        table,
    )
    heads = ((2, 4, 2, 9, 32), (1, 8, 2, 17, 64))
    yield (
        "rope",
        lambda q, k, c, s: L.liger_rope(q.clone(), k.clone(), c, s),
        lambda q, k, c, s: _rope(
            q, k, torch.cat((c[..., : c.shape[-1] // 2],) * 2, -1), torch.cat((s[..., : s.shape[-1] // 2],) * 2, -1)
        ),
        lambda r, s: (
            r.normal(s[0], s[1], s[3], s[4]),
            r.normal(s[0], s[2], s[3], s[4]),
            _angles(r, s[0], s[3], s[4]),
            _angles(r, s[0], s[3], s[4]),
        ),
        heads,
    )
    yield (
        "qwen2vl_mrope",
        lambda q, k, c, s, n: L.liger_qwen2vl_mrope(
            q.clone(), k.clone(), torch.cat((c, c), -1), torch.cat((s, s), -1), n
        ),
        lambda q, k, c, s, n: _mrope(q, k, torch.cat((c, c), -1), torch.cat((s, s), -1), n),
        lambda r, s: (
            r.normal(s[0], s[1], s[3], s[4]),
            r.normal(s[0], s[2], s[3], s[4]),
            _angles(r, 3, s[0], s[3], s[4] // 2),
            _angles(r, 3, s[0], s[3], s[4] // 2),
            [s[4] // 8, s[4] // 8, s[4] // 4],
        ),
        heads,
    )
    yield (
        "llama4_rope",
        lambda q, k, f: liger_llama4_text_rotary_pos_emb(q.clone(), k.clone(), torch.view_as_complex(f.float())),
        lambda q, k, f: _llama4_rope(q, k, torch.view_as_complex(f)),
        lambda r, s: (
            r.normal(s[0], s[3], s[1], s[4]),
            r.normal(s[0], s[3], s[2], s[4]),
            _angles(r, s[3], s[4] // 2, 2),
        ),
        heads,
    )
    yield (
        "fused_neighborhood_attention",
        lambda q, k, v: L.liger_fused_neighborhood_attention(q, k, v, kernel_size=7),
        lambda q, k, v: _neighbourhood(q, k, v, 7),
        lambda r, s: tuple(r.normal(*s) for _ in range(3)),
        ((1, 2, 32, 16), (2, 2, 70, 32)),
    )
    yield (
        "multi_token_attention",
        lambda s, w, b: L.liger_multi_token_attention(s, w, b, padding=1),
        _multi_token,
        lambda r, s: (r.normal(*s), r.normal(s[1], s[1], 3, 3) * 0.3, r.normal(s[1])),
        ((2, 4, 16, 16), (1, 2, 33, 33)),
    )
    yield "attn_res", L.liger_attn_res, _attn_res, lambda r, s: (
        r.normal(*s),
        r.normal(s[-1]) * 0.1,
        r.normal(s[-1]),
    ), ((4, 2, 5, 64), (6, 1, 7, 100))
    streams = ((9, 4, 64), (33, 4, 200))
    yield "mhc_pre", L.liger_mhc_pre, _mhc_pre, lambda r, s: (r.normal(*s), r.normal(s[0], s[1]).float()), streams
    yield (
        "mhc_post_res",
        L.liger_mhc_post_res,
        _mhc_post_res,
        lambda r, s: (
            r.normal(*s),
            r.normal(s[0], s[2]),
            r.normal(s[0], s[1]).float(),
            r.normal(s[0], s[1], s[1]).float(),
        ),
        streams,
    )
    yield (
        "embedding",
        LigerEmbeddingFunction.apply,
        lambda w, i: F.embedding(i, w),
        lambda r, s: (r.normal(*s), r.integers(0, s[0], 4, 9, dtype=torch.int64)),
        ((50, 33), (100, 128)),
    )


def cases() -> Iterator[Case]:
    seed = 10_000
    for name, ours, formula, make, shapes in _operators():
        for dtype in FLOATS:
            for shape in shapes:
                seed += 1
                arguments = make(Random(seed, dtype), shape)
                kept = to_reference(arguments)
                yield Case(
                    operator=f"liger-kernel {name}",
                    label=f"{str(dtype).removeprefix('torch.')} {'x'.join(map(str, shape))}",
                    got=lambda ours=ours, arguments=arguments: ours(*arguments),
                    expected=lambda formula=formula, kept=kept: formula(*kept),
                    tolerance=max(TOLERANCE[dtype], TF32 if name in DOTS else 0.0),
                )
