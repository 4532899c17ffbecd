"""The rollout engine beside HF `generate` on two CPU cores: Qwen3 models of 10M and 1M parameters, batch 32.

Both run in turn, ROUNDS times, and medians are compared; tokens per second of CPU time, which others on the machine change
little, stand beside. Greedy continuations are compared first. Where two part, the logits of both tokens are computed again in fp64: a gap below
1e-5 is a tie that fp32 may break either way; anything else is MISSED. Needs transformers in the Python that runs it;
TRITONRL_BUILD names the build.
"""

import copy
import json
import os
import statistics
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
            "num_attention_heads": 6, "num_key_value_heads": 3, "head_dim": 64},
    "1M": {"vocab_size": 1024, "hidden_size": 128, "intermediate_size": 384, "num_hidden_layers": 4,
           "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 32},
}  # fmt: skip
PROMPT, OUTPUT = 64, 250
TIE = 1e-5
ROUNDS = 3


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
    # Without a mask of its own, generate hides tokens of the prompt that happen to be the padding's.
    mask = {"attention_mask": torch.ones_like(ids)}
    options = {"do_sample": sample, "max_new_tokens": outputs, "min_new_tokens": outputs, "use_cache": True, "pad_token_id": 0, **mask}
    with torch.inference_mode():
        model.generate(ids, **{**options, "max_new_tokens": 4, "min_new_tokens": 4})
        start, cpu_start = time.perf_counter(), time.process_time()
        made = model.generate(ids, **options)
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - cpu_start
    tokens = len(prompts) * outputs
    return made[:, ids.shape[1] :].tolist(), {"wall": tokens / seconds, "cpu": tokens / cpu_seconds}


def partings(model, prompts, ours, theirs):
    """Of each continuation that is not the same: at which token they part, and the gap between both tokens' logits."""
    import torch

    found = []
    exact = copy.deepcopy(model).double()
    for prompt, mine, other in zip(prompts, ours, theirs, strict=True):
        if mine == other:
            continue
        at = next(i for i, (a, b) in enumerate(zip(mine, other, strict=True)) if a != b)
        with torch.inference_mode():
            logits = exact(torch.tensor([prompt + mine[:at]])).logits[0, -1]
        found.append((at, (logits[mine[at]] - logits[other[at]]).abs().item()))
    return found


def main():
    import torch

    torch.set_num_threads(THREADS)
    WORK.mkdir(parents=True, exist_ok=True)
    missed = False
    load = os.getloadavg()[0]
    for name, shape in SHAPES.items():
        model = make_model(name, shape)
        generator = torch.Generator().manual_seed(1)
        prompts = torch.randint(0, shape["vocab_size"], (BATCH, PROMPT), generator=generator).tolist()
        parameters = sum(p.numel() for p in model.parameters())
        ours, theirs = [], {"greedy": [], "sampled": []}
        for _ in range(ROUNDS):
            ours.append(run_engine(name, prompts, OUTPUT))
            for kind, runs in theirs.items():
                runs.append(run_transformers(model, prompts, OUTPUT, sample=kind == "sampled"))
        parted = partings(model, prompts, ours[0]["greedy"]["ids"], theirs["greedy"][0][0])
        print(f"{name}: {parameters / 1e6:.1f}M parameters, batch {BATCH}, prompt {PROMPT}, output {OUTPUT}, {THREADS} threads")
        print(f"  greedy continuations that are identical: {BATCH - len(parted)} of {BATCH}")
        for at, gap in parted:
            print(f"  one parts at token {at}, where two logits are {gap:.1e} apart" + ("" if gap < TIE else ": MISSED"))
            missed |= gap >= TIE
        for kind, runs in theirs.items():
            mine = {"wall": [one[kind]["tokens_per_second"] for one in ours],
                    "cpu": [one[kind]["tokens_per_cpu_second"] for one in ours]}  # fmt: skip
            other = {clock: [rates[clock] for _, rates in runs] for clock in mine}
            ratio = {clock: statistics.median(mine[clock]) / statistics.median(other[clock]) for clock in mine}
            print(f"  {kind:8} ours {min(mine['wall']):.0f} to {max(mine['wall']):.0f} tokens/s, transformers "
                  f"{min(other['wall']):.0f} to {max(other['wall']):.0f}: {ratio['wall']:.1f} times; of CPU time {ratio['cpu']:.1f} times")  # fmt: skip
            if name == "10M" and ratio["wall"] < 4:
                missed = True
                print("  MISSED: 4 times")
    print(f"load of the machine before and after: {load:.1f}, {os.getloadavg()[0]:.1f}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
