#!/usr/bin/env python3
"""Full-parameter training beside HF with compiled layers on one GPU: Qwen3-8B shapes, random weights, bf16.

python bench/train/h200.py [BUILD_DIR]: needs train_speed of a CUDA build, torch and transformers. First both train the
same two layers on the same texts, HF in fp32, where no update is lost, and their losses are compared; then each takes
steps of 4,096-token texts alone on the device. Prints a table, the goals, and where our step's time goes. MISSED marks a goal that was not reached.
"""

import gc
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from qwen3_8b import CONFIG, SHAPE, matmul_peak  # noqa: E402
from step_profile import print_step, read_work, summed  # noqa: E402

BUILD = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "cuda"
LENGTH, TEXTS = 4096, 2  # HF's best batch
WARM_UP, STEPS = 2, 6
RATE = 1e-6
BETAS = (0.9, 0.95)
LOSS_APART = 0.01  # of losses of a few updates in bf16, relative


def texts(count, length, seed):
    draw = random.Random(seed)
    return [[draw.randrange(SHAPE["vocab_size"]) for _ in range(length)] for _ in range(count)]


def ours(name, **plan):
    file = BUILD / f"train-{name}.json"
    file.write_text(json.dumps({"device": "cuda", "dtype": "bf16", "lr": RATE, "stochastic_rounding": True, **plan}))
    done = subprocess.run([BUILD / "bin" / "train_speed", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return {"failed": done.stderr[-600:]}
    return json.loads(done.stdout)


def hf_model(layers, dtype):
    torch.set_default_dtype(dtype)
    names = {**SHAPE, "num_hidden_layers": layers, "eos_token_id": None, "pad_token_id": 0}
    with torch.device("cuda"):
        return Qwen3ForCausalLM(Qwen3Config(**names)).train()


def hf_steps(model, ids, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, betas=BETAS, weight_decay=0.0, fused=True)

    def step():
        loss = model(input_ids=ids, labels=ids, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return loss.item()

    losses = [step() for _ in range(WARM_UP)]
    torch.cuda.synchronize()
    start = time.perf_counter()
    losses += [step() for _ in range(steps)]
    torch.cuda.synchronize()
    return losses, (time.perf_counter() - start) / steps


def free():
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def compare_losses():
    """Losses of two layers, in both, over the same updates from the same weights in bf16."""
    drawn = texts(2, 512, 3)
    model = hf_model(2, torch.bfloat16)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        mine = ours("compare", model=folder, batches=[drawn], batch_tokens=1024, warm_up=WARM_UP, steps=3)
    theirs, _ = hf_steps(model.float(), torch.tensor(drawn, device="cuda"), 3)
    del model
    free()
    if "failed" in mine:
        sys.exit(f"train_speed failed: {mine['failed']}")
    apart = max(abs(a - b) / b for a, b in zip(mine["losses"], theirs))
    print(f"losses of two layers over {len(theirs)} updates: ours {mine['losses'][0]:.4f} to {mine['losses'][-1]:.4f}, "
          f"HF in fp32 {theirs[0]:.4f} to {theirs[-1]:.4f}; at most {apart:.2%} apart", flush=True)  # fmt: skip
    if apart > LOSS_APART:
        sys.exit("the losses differ: speeds are not compared")


def hf_rate():
    model = hf_model(SHAPE["num_hidden_layers"], torch.bfloat16)
    model.gradient_checkpointing_enable()
    for layer in model.model.layers:
        layer.forward = torch.compile(layer.forward)
    ids = torch.tensor(texts(TEXTS, LENGTH, 5), device="cuda")
    _, seconds = hf_steps(model, ids, STEPS)
    found = {"tokens_per_second": TEXTS * LENGTH / seconds, "memory_bytes": torch.cuda.max_memory_reserved()}
    del model
    free()
    return found


def main():
    peak = matmul_peak()
    compare_losses()
    print(f"{torch.cuda.get_device_name()}: matmul {peak / 1e12:.0f} TFLOP/s")
    done, flops = {}, 0  # flops: of a token, forward and backward

    def show(name, row):
        rate = row["tokens_per_second"]
        print(f"{name:46}: {rate:7.0f} tokens/s, {rate * flops / peak:.0%} of the matmul peak, {row['memory_bytes'] / 2**30:.0f} GiB", flush=True)

    for name, count, options in (
        ("2 texts, nothing recomputed", 2, {"half_state": True}),
        ("2 texts, 18 of 36 layers recomputed", 2, {"half_state": True, "recompute_layers": 18}),
        ("2 texts, all recomputed", 2, {"half_state": True, "recompute_layers": 36}),
        ("2 texts, 28 recomputed, fp32 state", 2, {"recompute_layers": 28}),
        ("4 texts, 28 recomputed", 4, {"half_state": True, "recompute_layers": 28}),
    ):
        trace = {"trace": str(BUILD / "train-step.json")} if not done else {}
        row = ours("speed", model=CONFIG, batches=[texts(count, LENGTH, 5)], batch_tokens=count * LENGTH, warm_up=WARM_UP, steps=STEPS, **options, **trace)
        if "failed" in row:
            print(f"{name:46}: {row['failed'].strip().splitlines()[-1][:160]}", flush=True)
            continue
        flops = row["flops"] / (count * LENGTH)
        done[name] = row
        show(name, row)
    if not done:
        sys.exit("nothing trained")
    theirs = hf_rate()
    show("HF, compiled layers, 2 texts, all recomputed", theirs)
    best = max(row["tokens_per_second"] for row in done.values())
    for goal, value, least in (
        ("1.0 times HF", best / theirs["tokens_per_second"], 1.0),
        ("1.15 times HF (aim)", best / theirs["tokens_per_second"], 1.15),
        ("65 % of the matmul peak (aim)", best * flops / peak, 0.65),
    ):
        print(f"{'ok    ' if value >= least else 'MISSED'} {goal}: {value:.3g}")
    trace = BUILD / "train-step.json"
    if trace.exists():
        print_step("a step of training", summed(read_work(trace)))


if __name__ == "__main__":
    main()
