"""How far log-probabilities in half precision are from each other and from an fp32 truth: the rollout engine, the
training forward pass, and transformers, on the same weights and texts.

python bench/rollout/precision.py [BUILD_DIR]: needs engine_speed of a CUDA build, torch and transformers, and 4 GB of
disk. Qwen3-1.7B shapes with random weights, in two ways:
- "drawn": as transformers draws them, all with a deviation of 0.02. What the first layer adds drowns the embeddings, so
  that its rounding is that of the whole model: no trained model is so sensitive.
- "scaled": embeddings of deviation 1, to which each of the sublayers adds 1/sqrt(their number), as in a trained model.
"""

import gc
import json
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHAPE = {
    "vocab_size": 151936, "hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28,
    "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "max_position_embeddings": 4096,
    "rope_theta": 1e6, "tie_word_embeddings": False, "eos_token_id": None, "pad_token_id": 0, "bos_token_id": None,
}  # fmt: skip
TOKENS = 1024


@dataclass
class Distance:
    mean: float
    p99: float
    largest: float
    tokens: int

    def __str__(self):
        return f"mean {self.mean:.5f}, p99 {self.p99:.4f}, largest {self.largest:.4f} over {self.tokens} tokens"


def distance(texts, one, other):
    gaps = sorted(abs(a - b) for text in texts for a, b in zip(text[one], text[other], strict=True))
    return Distance(sum(gaps) / len(gaps), gaps[int(0.99 * (len(gaps) - 1))], gaps[-1], len(gaps))


def make_checkpoint(kind, folder, device):
    import torch
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(0)
    with torch.device(device):
        model = Qwen3ForCausalLM(Qwen3Config(**SHAPE)).to(torch.bfloat16).eval()
    if kind == "scaled":
        with torch.no_grad():
            model.model.embed_tokens.weight.normal_()
            for layer in model.model.layers:
                for weight in (layer.self_attn.o_proj.weight, layer.mlp.down_proj.weight):
                    weight.mul_((2 * SHAPE["num_hidden_layers"]) ** -0.5)
    model.save_pretrained(folder)


def read_checkpoint(folder, device, dtype):
    """Read anew for each type: `model.to` would round the frequencies of rotary embeddings with the weights, for good."""
    from transformers import Qwen3ForCausalLM

    return Qwen3ForCausalLM.from_pretrained(folder, dtype=dtype).to(device).eval()


def run_ours(build, folder, device, dtype):
    run = {"name": "short", "batch": 4, "prompt": 64, "output": TOKENS // 4}
    plan = {"model": str(folder), "device": device, "dtype": dtype, "runs": [run], "compare": TOKENS, "memory_bytes": 4 << 30}
    file = folder.with_suffix(".json")
    file.write_text(json.dumps(plan))
    done = subprocess.run([build / "bin" / "engine_speed", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"engine_speed failed:\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)["texts"]


def log_probs(model, text):
    import torch

    ids = torch.tensor([text["prompt"] + text["drawn"]], device=model.device)
    with torch.inference_mode():
        logits = model(ids).logits[0, len(text["prompt"]) - 1 : -1].float()
    drawn = ids[0, len(text["prompt"]) :, None]
    return torch.log_softmax(logits, -1).gather(1, drawn)[:, 0].tolist()


def measure(build, kind, device, dtypes=("bf16", "fp16")):
    """Prints the distances of one kind of weights; returns those in bf16."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    folder = build / f"precision-{kind}"
    make_checkpoint(kind, folder, device)
    found = {}
    for dtype in dtypes:
        texts = run_ours(build, folder, device, dtype)
        half = {"bf16": torch.bfloat16, "fp16": torch.float16, "fp32": torch.float32}[dtype]
        for name, theirs in (("transformers", half), ("truth", torch.float32)):
            model = read_checkpoint(folder, device, theirs)
            for text in texts:
                text[name] = log_probs(model, text)
            del model
        pairs = [("rollout", "training"), ("rollout", "truth"), ("training", "truth"), ("transformers", "truth")]
        found[dtype] = {pair: distance(texts, *pair) for pair in pairs}
        for (one, other), gap in found[dtype].items():
            print(f"{kind}, {dtype}: {one:>12} against {other:8}: {gap}", flush=True)
    gc.collect()
    torch.cuda.empty_cache()
    shutil.rmtree(folder)
    return found


def main():
    build = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "cuda"
    goals = []
    for kind in ("drawn", "scaled"):
        found = measure(build, kind, "cuda")["bf16"]
        theirs = found["transformers", "truth"].mean
        goals += [
            (f"{kind}: rollout and training within 0.01", found["rollout", "training"].mean, 0.01),
            (f"{kind}: rollout no further from the truth than transformers", found["rollout", "truth"].mean, theirs),
            (f"{kind}: training no further from the truth than transformers", found["training", "truth"].mean, theirs),
        ]
    for name, value, most in goals:
        print(f"{'ok    ' if value <= most else 'MISSED'} {name}: {value:.4f} (at most {most:.4f})")


if __name__ == "__main__":
    main()
