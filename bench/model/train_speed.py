"""Training steps a second on this machine's CPU: ours against transformers' Trainer, same model, same sizes, fp32.

Needs the packages of .venv and accelerate. Prints a line a model; the Trainer and ours take turns.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
import transformers

ROOT = Path(__file__).resolve().parents[2]
SPEED = ROOT / "build/bin/model_speed"
PROGRAM = ROOT / "build/bin/tritonrl"
SIZES = {
    "1M": {"--vocab": 2048, "--hidden": 128, "--layers": 4, "--head-dim": 32},
    "10M": {"--vocab": 4096, "--hidden": 320, "--layers": 7, "--head-dim": 64, "--heads": 6, "--kv-heads": 3},
}
SEQUENCES, LENGTH = 8, 512
STEPS = int(os.environ.get("BENCH_STEPS", 8))
THREADS = int(os.environ.get("BENCH_THREADS", os.cpu_count()))


class Clock(transformers.TrainerCallback):
    """When each step ended."""

    def __init__(self):
        self.times = []

    def on_step_end(self, *args, **kwargs):
        self.times.append(time.perf_counter())


class Tokens(torch.utils.data.Dataset):
    def __init__(self, rows, length, vocab):
        self.ids = torch.randint(vocab, (rows, length), generator=torch.Generator().manual_seed(1))

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, row):
        return {"input_ids": self.ids[row], "labels": self.ids[row]}


def trainer_speed(folder, scratch):
    torch.set_num_threads(THREADS)
    model = transformers.Qwen3ForCausalLM.from_pretrained(folder, dtype=torch.float32)
    arguments = transformers.TrainingArguments(
        output_dir=scratch, per_device_train_batch_size=SEQUENCES, max_steps=STEPS + 2, use_cpu=True, report_to=[],
        save_strategy="no", logging_strategy="no", disable_tqdm=True, optim="adamw_torch_fused", lr_scheduler_type="constant",
    )  # fmt: skip
    clock = Clock()
    data = Tokens(SEQUENCES * (STEPS + 2), LENGTH, model.config.vocab_size)
    transformers.Trainer(model=model, args=arguments, train_dataset=data, callbacks=[clock]).train()
    return SEQUENCES * LENGTH * STEPS / (clock.times[-1] - clock.times[1])


def our_speed(folder):
    command = [SPEED, folder, SEQUENCES, LENGTH, STEPS, THREADS]
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def main():
    names = sys.argv[1:] or list(SIZES)
    print(f"{THREADS} threads, {SEQUENCES} texts of {LENGTH} tokens a step, forward + backward + AdamW, fp32")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) / "model"
            options = [str(word) for pair in SIZES[name].items() for word in pair]
            subprocess.run([PROGRAM, "model", "init", folder, *options], check=True, capture_output=True)
            rounds = [(trainer_speed(folder, scratch), our_speed(folder)) for _ in range(2)]
        theirs = max(round[0] for round in rounds)
        ours = max((round[1] for round in rounds), key=lambda run: run["tokens_per_s"])
        print(
            f"{name:>4}: ours {ours['tokens_per_s']:8.0f} tokens/s, Trainer {theirs:8.0f} tokens/s, "
            f"{ours['tokens_per_s'] / theirs:.2f} times; a step: forward {ours['forward_s'] * 1e3:.0f} ms, "
            f"backward {ours['backward_s'] * 1e3:.0f} ms, AdamW {ours['optimizer_s'] * 1e3:.0f} ms"
        )


main()
