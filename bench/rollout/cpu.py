"""The rollout engine beside HF `generate` on two CPU cores: a 10M-parameter and a 1M-parameter Qwen3, batch 32.

Greedy continuations are compared first. Needs transformers in the Python that runs it; TRITONRL_BUILD names the build.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TRITONRL_BUILD", ROOT / "build"))
WORK = BUILD / "bench" / "rollout"
THREADS = 2
BATCH = 32
SHAPES = {
    "10M": {"vocab_size": 4096, "hidden_size": 320, "intermediate_size": 960, "num_hidden_layers": 6,
            "num_attention_heads": 5, "num_key_value_heads": 5, "head_dim": 64},
    "1M": {"vocab_size": 1024, "hidden_size": 128, "intermediate_size": 384, "num_hidden_layers": 4,
           "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32},
}  # fmt: skip
PROMPT, OUTPUT = 64, 250


def make_model(name, shape):
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    config = Qwen3Config(**shape, max_position_embeddings=1024, tie_word_embeddings=True, initializer_range=0.1,
                         eos_token_id=None, pad_token_id=0, bos_token_id=None)  # fmt: skip
    model = Qwen3ForCausalLM(config).eval()
    model.save_pretrained(WORK / name)
    return model


def run_engine(name, prompts, outputs):
    plan = {"model": str(WORK / name), "device": "cpu", "threads": THREADS, "memory_bytes": 1 << 30, "runs": [
        {"name": "greedy", "batch": BATCH, "prompt": PROMPT, "output": outputs, "temperature": 0, "ids": True, "prompts": prompts},
        {"name": "sampled", "batch": BATCH, "prompt": PROMPT, "output": outputs, "prompts": prompts},
    ]}  # fmt: skip
    file = WORK / f"{name}.json"
    file.write_text(json.dumps(plan))
    done = subprocess.run([BUILD / "bin" / "engine_speed", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"engine_speed: {done.stderr}")
    return {run["name"]: run for run in json.loads(done.stdout)["runs"]}


def run_transformers(model, prompts, outputs, sample):
    import torch

    ids = torch.tensor(prompts)
    options = {"do_sample": sample, "max_new_tokens": outputs, "min_new_tokens": outputs, "use_cache": True, "pad_token_id": 0}
    with torch.inference_mode():
        model.generate(ids, **{**options, "max_new_tokens": 4, "min_new_tokens": 4})
        start = time.perf_counter()
        made = model.generate(ids, **options)
        seconds = time.perf_counter() - start
    return made[:, ids.shape[1] :].tolist(), len(prompts) * outputs / seconds


def same_share(left, right):
    """How many continuations agree, and at which token the others part."""
    parted = [next(i for i, (a, b) in enumerate(zip(x, y)) if a != b) for x, y in zip(left, right) if x != y]
    return len(left) - len(parted), parted


def main():
    import torch

    torch.set_num_threads(THREADS)
    WORK.mkdir(parents=True, exist_ok=True)
    missed = False
    for name, shape in SHAPES.items():
        model = make_model(name, shape)
        generator = torch.Generator().manual_seed(1)
        prompts = torch.randint(0, shape["vocab_size"], (BATCH, PROMPT), generator=generator).tolist()
        parameters = sum(p.numel() for p in model.parameters())
        ours = run_engine(name, prompts, OUTPUT)
        theirs, rate = run_transformers(model, prompts, OUTPUT, sample=False)
        again = run_engine(name, prompts, OUTPUT)
        _, sampled_rate = run_transformers(model, prompts, OUTPUT, sample=True)
        same, parted = same_share(ours["greedy"]["ids"], theirs)
        print(f"{name}: {parameters / 1e6:.1f}M parameters, batch {BATCH}, prompt {PROMPT}, output {OUTPUT}, {THREADS} threads")
        print(f"  greedy continuations that are identical: {same} of {BATCH}" + (f"; others part at {parted}" if parted else ""))
        for kind, their_rate in (("greedy", rate), ("sampled", sampled_rate)):
            rates = sorted(run[kind]["tokens_per_second"] for run in (ours, again))
            ratio = rates[0] / their_rate
            print(f"  {kind:8} ours {rates[0]:8.0f} to {rates[1]:.0f} tokens/s, transformers {their_rate:8.0f}: {ratio:.1f} times")
            if name == "10M" and ratio < 4:
                missed = True
                print("  MISSED: 4 times")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
