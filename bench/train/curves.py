#!/usr/bin/env python3
"""Loss curves of fine-tuning: 100 updates of a model in bf16 here, and of the same model in fp32 in HF, on the same texts.

python bench/train/curves.py [BUILD_DIR] [--device cpu]: needs train_speed of that build, torch and transformers. Texts are the
embedded teacher's, byte by byte. HF first trains the model from scratch on references; what is compared is how it then learns
responses. Once with stochastic rounding and moments in bf16, once with fp32 twins of the weights. On the CPU, where training is in
fp32, it is a rehearsal.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM

ROOT = Path(__file__).resolve().parents[2]
SHAPE = {
    "vocab_size": 256, "hidden_size": 512, "intermediate_size": 1536, "num_hidden_layers": 8, "num_attention_heads": 8,
    "num_key_value_heads": 4, "head_dim": 64, "max_position_embeddings": 1024, "tie_word_embeddings": True,
}  # fmt: skip
STEPS, BATCH, LENGTH = 100, 16, 512
FIRST_STEPS, FIRST_RATE = 200, 1e-3  # from scratch
RATE = 1e-4
GOAL = 0.01


def batches(folder, file, field, steps):
    rows = [json.loads(line)[field] for line in (folder / file).open()]
    texts = [list(row.encode()[:LENGTH]) for row in rows]
    whole = [text for text in texts if len(text) == LENGTH]  # one length: HF's mean over texts is then ours
    return [whole[n * BATCH : (n + 1) * BATCH] for n in range(min(steps, len(whole) // BATCH))]


def hf_losses(model, drawn, device, rate, warm_up=0):
    model = model.to(device).train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, betas=(0.9, 0.95), weight_decay=0.0)
    losses = []
    for n, batch in enumerate(drawn):
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1, (n + 1) / (warm_up + 1))
        ids = torch.tensor(batch, device=device)
        loss = model(input_ids=ids, labels=ids, use_cache=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def our_losses(build, folder, drawn, device, **options):
    plan = {"model": str(folder), "device": device, "dtype": "bf16" if device == "cuda" else "fp32", "lr": RATE, "batches": drawn,
            "batch_tokens": BATCH * LENGTH, "warm_up": 0, "steps": len(drawn), **options}  # fmt: skip
    file = folder / "plan.json"
    file.write_text(json.dumps(plan))
    done = subprocess.run([build / "bin" / "train_speed", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"train_speed failed: {done.stderr[-2000:]}")
    return json.loads(done.stdout)["losses"]


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("build", type=Path, nargs="?", default=ROOT / "build" / "cuda")
    options.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    options.add_argument("--steps", type=int, default=STEPS)
    options.add_argument("--first-steps", type=int, default=FIRST_STEPS)
    given = options.parse_args()
    torch.manual_seed(4)
    torch.backends.cuda.matmul.allow_tf32 = False
    missed = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tasks = str(2 * BATCH * max(given.steps, given.first_steps))  # half of the texts are long enough
        command = [given.build / "bin" / "tritonrl", "data", "make", "--tasks", tasks, "--samples", "1", "--seed", "8", "--out", folder / "texts"]
        subprocess.run(command, check=True, capture_output=True)
        model = Qwen3ForCausalLM(Qwen3Config(**SHAPE, eos_token_id=None, pad_token_id=0))
        first = hf_losses(model, batches(folder / "texts", "tasks.jsonl", "source", given.first_steps), given.device, FIRST_RATE, warm_up=20)
        print(f"from scratch, {len(first)} steps of HF's: {first[0]:.4f} to {first[-1]:.4f}", flush=True)
        model.save_pretrained(folder)
        drawn = batches(folder / "texts", "samples.jsonl", "response", given.steps)
        theirs = hf_losses(model, drawn, given.device, RATE)
        rounded = {"stochastic rounding, moments in bf16": {"stochastic_rounding": True, "half_state": True}}
        for way, chosen in {**(rounded if given.device == "cuda" else {}), "fp32 twins": {}}.items():
            ours = our_losses(given.build, folder, drawn, given.device, **chosen)
            apart = [abs(a - b) / b for a, b in zip(ours, theirs, strict=True)]
            missed += max(apart) > GOAL
            for n in (0, len(ours) // 4, len(ours) // 2, len(ours) - 1):
                print(f"  step {n + 1:3}: ours {ours[n]:.4f}, HF in fp32 {theirs[n]:.4f}")
            print(f"{'ok    ' if max(apart) <= GOAL else 'MISSED'} {way}: within 1 % over {len(ours)} steps: "
                  f"at most {max(apart):.2%} apart, {sum(apart) / len(apart):.2%} on average")  # fmt: skip
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
