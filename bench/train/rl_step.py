#!/usr/bin/env python3
"""Whole steps of reinforcement learning at Qwen3-8B's shapes on one GPU: 8 prompts, 8 responses each of 1,024 tokens, verdicts, update.

python bench/train/rl_step.py [BUILD_DIR] [--shape tiny --device cpu]: needs rl_step and tritonrl of a CUDA build, torch, transformers
and safetensors. Weights are random, and written to --work first. Each token ends its response with the same small chance, so that
responses have 1,024 tokens on average, and half of them an end: one without earns nothing. What is judged are responses of the embedded
teacher's to the same tasks (rl_step.cpp). Prints where each step's time goes, the most memory of the GPU that was taken, by all
processes, and how far log-probabilities of rollout and training are apart. MISSED marks a goal that was not reached.
"""

import argparse
import json
import math
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import torch
from safetensors.torch import save_file
from transformers import Qwen3ForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from qwen3_8b import CONFIG  # noqa: E402

TINY = {"vocab_size": 2000, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4,
        "num_key_value_heads": 2, "head_dim": 16}  # fmt: skip
SHARD_BYTES = 4 << 30
TOKENS_TO_END = 2000  # on average
MOST_GIB, MOST_OTHER, MOST_GAP = 120, 0.05, 0.01


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=Path, nargs="?", default=ROOT / "build/cuda")
    options.add_argument("--shape", default="8b", choices=("8b", "tiny"))
    options.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    options.add_argument("--verify-device", default="cpu", choices=("cuda", "cpu"))
    options.add_argument("--tokens", type=int, default=1408, help="of a response, at most")
    options.add_argument("--steps", type=int, default=3)
    options.add_argument("--work", type=Path, default=ROOT / "build/bench/rl_step")
    given = options.parse_args()
    shutil.rmtree(given.work, ignore_errors=True)
    given.work.mkdir(parents=True)
    make_data(given)
    seconds = make_model(given)
    print(f"model written in {seconds:.0f} s", flush=True)
    with TakenMemory(given.device == "cuda") as memory:
        done = subprocess.run([given.build / "bin/rl_step", write_config(given), given.work / "teacher/samples.jsonl", str(given.steps)],
                              capture_output=True, text=True, check=False)  # fmt: skip
    if done.returncode != 0:
        sys.exit(f"rl_step ended with {done.returncode}: {done.stderr[-1500:]}")
    return report(given, memory.most_gib)


def make_data(given):
    program = given.build / "bin/tritonrl"
    teacher, tokenizer = given.work / "teacher", given.work / "model"
    # Faults, so that groups have spread.
    made = ["data", "make", "--compact", "--tasks", "64", "--samples", "8", "--slips", "0.3", "--seed", "5", "--out", teacher]
    for arguments in (made, ["tokenizer", "train", teacher / "samples.jsonl", "--field", "response", "--size", "1000", "--out", tokenizer]):
        subprocess.run([program, *map(str, arguments)], check=True, capture_output=True)


def make_model(given):
    """Weights of trained proportions: products that keep the size of what they are given. All tokens have a direction in common, by
    which the end of a response is scored. How long it took."""
    began = time.monotonic()
    config = CONFIG if given.shape == "8b" else {**CONFIG, **TINY}
    folder = given.work / "model"
    (folder / "config.json").write_text(json.dumps(config))
    width, heads = config["hidden_size"], config["head_dim"]
    queries, keys = config["num_attention_heads"] * heads, config["num_key_value_heads"] * heads
    shapes = {"model.embed_tokens.weight": (config["vocab_size"], width), "model.norm.weight": (width,)}
    for n in range(config["num_hidden_layers"]):
        inside = {
            "self_attn.q_proj": (queries, width), "self_attn.k_proj": (keys, width), "self_attn.v_proj": (keys, width),
            "self_attn.o_proj": (width, queries), "mlp.gate_proj": (config["intermediate_size"], width),
            "mlp.up_proj": (config["intermediate_size"], width), "mlp.down_proj": (width, config["intermediate_size"]),
            "input_layernorm": (width,), "post_attention_layernorm": (width,), "self_attn.q_norm": (heads,), "self_attn.k_norm": (heads,),
        }  # fmt: skip
        shapes |= {f"model.layers.{n}.{name}.weight": shape for name, shape in inside.items()}
    shapes["lm_head.weight"] = (config["vocab_size"], width)  # last, and in a file of its own
    generator = torch.Generator(given.device).manual_seed(1)
    common = torch.randn(width, generator=generator, device=given.device)
    shard, size, files = {}, 0, {}

    def write():
        file = f"model-{len(set(files.values())) + 1:05}.safetensors"
        save_file(shard, folder / file, metadata={"format": "pt"})
        files.update(dict.fromkeys(shard, file))
        shard.clear()

    for name, shape in shapes.items():
        if size > SHARD_BYTES or name == "lm_head.weight":
            write()
            size = 0
        if len(shape) == 1:
            tensor = torch.ones(shape, dtype=torch.bfloat16)
        else:
            spread = 0.5 / shape[1] ** 0.5
            tensor = torch.randn(shape, generator=generator, device=given.device, dtype=torch.bfloat16) * spread
            if name == "model.embed_tokens.weight":
                tensor += common.bfloat16()
            tensor = tensor.cpu()
        shard[name] = tensor
        size += tensor.nbytes
    last = dict(shard)
    write()
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": files}))
    end = next(row["id"] for row in json.loads((folder / "tokenizer.json").read_text())["added_tokens"] if row["content"] == "<|im_end|>")
    last["lm_head.weight"][end] = (common.cpu() * end_scale(folder, given.device, common)).bfloat16()
    save_file(last, folder / files["lm_head.weight"], metadata={"format": "pt"})
    return time.monotonic() - began


@torch.no_grad()
def end_scale(folder, device, common):
    """What the common direction is multiplied by, for an end in one of TOKENS_TO_END tokens."""
    model = Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.bfloat16 if device == "cuda" else torch.float32).to(device)
    ids = torch.randint(0, 900, (1, 512), generator=torch.Generator().manual_seed(2)).to(device)
    hidden = model.model(input_ids=ids).last_hidden_state[0, 64:]
    wanted = torch.logsumexp(model.lm_head(hidden).float(), -1).mean().item() - math.log(TOKENS_TO_END)
    return wanted / (hidden.float() @ common).mean().item()


def write_config(given):
    large = given.shape == "8b"
    sections = {
        "run": {"folder": str(given.work / "run"), "device": given.device, "seed": 1, "save_every": 1000, "batch_tokens": 16384 if large else 4096,
                "recompute_layers": 24 if large else 0},
        "rollout": {"memory_fraction": 0.15},
        "rl": {"model": str(given.work / "model"), "tasks": str(given.work / "teacher/tasks.jsonl"), "prompt": "bare", "steps": 1000, "prompts": 8,
               "group": 8, "level_mix": [1], "max_tokens": given.tokens, "kl_every": 0, "verify_device": given.verify_device, "audit_share": 0.0,
               "verify_memory": 0.1},
        "optimizer": {"lr": 1e-6, **({"stochastic_rounding": True, "half_state": True} if large else {})},
    }  # fmt: skip
    lines = []
    for name, fields in sections.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(value)}" for key, value in fields.items())]
    file = given.work / "config.toml"
    file.write_text("\n".join(lines) + "\n")
    return file


class TakenMemory:
    """The most of the GPU's memory that was taken while it lived."""

    def __init__(self, gpu):
        self.most_gib = 0.0
        self._gpu = gpu
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def _watch(self):
        while self._gpu and not self._done.wait(0.05):
            free, whole = torch.cuda.mem_get_info()
            self.most_gib = max(self.most_gib, (whole - free) / 2**30)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._done.set()
        self._thread.join()


def report(given, most_gib):
    rows = [json.loads(line) for line in (given.work / "run/metrics.jsonl").read_text().splitlines()]
    print("| step | rollout s | verify s | update s | other s | other | tokens a response | without an end | groups without spread | log-prob gap | correct |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    others = []
    for before, row in zip(rows, rows[1:]):  # the first has no beginning
        wall = row["time"] - before["time"]
        known = row["time/rollout"] + row["time/verify"] + row["time/update"]
        others.append((wall - known) / wall)
        print(f"| {row['step']} | {row['time/rollout']:.2f} | {row['time/verify']:.2f} | {row['time/update']:.2f} | {wall - known:.2f} | "
              f"{others[-1]:.1%} | {row['completions/mean_length']:.0f} | {row['completions/clipped_ratio']:.2f} | {row['groups/without_spread']:.2f} | "
              f"{row.get('rollout/log_prob_gap', float('nan')):.5f} | {row['verify/correct']:.2f} |")  # fmt: skip
    gap = max(row.get("rollout/log_prob_gap", float("nan")) for row in rows)
    missed = 0
    for goal, found, met in (
        (f"inside {MOST_GIB} GiB", f"{most_gib:.1f} GiB", most_gib <= MOST_GIB),
        ("time not in rollout, verification or update under 5 % of a step", f"{max(others):.1%}", max(others) < MOST_OTHER),
        ("log-probabilities of rollout and training within 0.01", f"{gap:.5f}", gap < MOST_GAP),
    ):
        print(f"  goal: {goal}: {found}, {'met' if met else 'MISSED'}")
        missed += not met
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
