"""The rollout engine beside HF `generate` on one GPU: Qwen3-8B shapes, random weights made on the device.

python bench/rollout/h200.py [BUILD_DIR]: needs engine_speed of a CUDA build, torch and transformers. Takes about three
minutes; prints one JSON object, then a table, then a step's kernels. MISSED marks a goal that was not reached.
"""

import gc
import json
import subprocess
import sys
import time
from pathlib import Path

import torch

from precision import distance
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from qwen3_8b import CONFIG, SHAPE, matmul_peak, seconds_of  # noqa: E402
from step_profile import print_step, read_step  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "cuda"
PROMPT, OUTPUT, HF_OUTPUT = 512, 512, 64
BATCHES = (1, 64, 256)
BANDWIDTH = 4.26e12  # bytes a second, a copy's reads and writes
KV_BYTES = 2 * 36 * 8 * 128 * 2  # of a token
LAYER_WEIGHTS = ((6144, 4096), (4096, 4096), (24576, 4096), (4096, 12288))
WEIGHT_BYTES = 2 * (36 * sum(n * k for n, k in LAYER_WEIGHTS) + 151936 * 4096)  # read in a step
MATMUL_FLOPS = 2 * 36 * sum(n * k for n, k in LAYER_WEIGHTS)  # of a prompt's token


def machine():
    peak = matmul_peak()
    source = torch.empty(1 << 30, device="cuda", dtype=torch.uint8)
    target = torch.empty_like(source)
    copied = 2 * source.numel() / seconds_of(lambda: target.copy_(source), 20)
    gemm_ms, by_library = {}, {"cublas": {}, "cublaslt": {}}
    for rows in BATCHES:
        # One layer after the other, so that no weight is in a cache.
        weights = [[torch.empty(n, k, device="cuda", dtype=torch.bfloat16).normal_(0, 0.02) for n, k in LAYER_WEIGHTS] for _ in range(4)]
        head = torch.empty(151936, 4096, device="cuda", dtype=torch.bfloat16).normal_(0, 0.02)
        inputs = {k: torch.randn(rows, k, device="cuda", dtype=torch.bfloat16) for k in (4096, 12288)}

        def layers():
            for layer in weights:
                for weight in layer:
                    torch.nn.functional.linear(inputs[weight.shape[1]], weight)

        def step_ms():
            return 1e3 * (9 * seconds_of(layers, 5) + seconds_of(lambda: torch.nn.functional.linear(inputs[4096], head), 5))

        gemm_ms[rows] = step_ms()
        chosen = torch.backends.cuda.preferred_blas_library()
        for library, times in by_library.items():
            torch.backends.cuda.preferred_blas_library(library)
            times[rows] = step_ms()
        torch.backends.cuda.preferred_blas_library(chosen)
        del weights, head
    return {"device": torch.cuda.get_device_name(), "matmul_flops": peak, "copy_bytes_per_second": copied,
            "gemm_ms": gemm_ms, "gemm_ms_by_library": by_library}  # fmt: skip


def engine():
    runs = [{"name": f"batch {b}", "batch": b, "prompt": PROMPT, "output": OUTPUT} for b in BATCHES]
    for b in BATCHES:  # in the middle of a response
        runs.append({"name": f"trace {b}", "batch": b, "prompt": PROMPT + OUTPUT // 2, "output": 64, "trace": str(BUILD / f"step-{b}.json")})
    runs.append({"name": "16 prompts alone", "batch": 16, "prompt": 4096, "output": 2})
    runs.append({"name": "one group of 16", "batch": 16, "group": 16, "prompt": 4096, "output": 2})
    plan = {"model": CONFIG, "device": "cuda", "dtype": "bf16", "runs": runs, "compare": 1024}
    file = BUILD / "bench-h200.json"
    file.write_text(json.dumps(plan))
    done = subprocess.run([BUILD / "bin" / "engine_speed", file], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"engine_speed failed:\n{done.stderr[-4000:]}")
    return json.loads(done.stdout)


def transformers_rates():
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = Qwen3ForCausalLM(Qwen3Config(**SHAPE, eos_token_id=None, pad_token_id=0)).eval()
    rates = {}
    for batch in BATCHES:
        ids = torch.randint(0, 151936, (batch, PROMPT), device="cuda")
        options = {"do_sample": True, "top_k": 0, "pad_token_id": 0, "use_cache": True, "attention_mask": torch.ones_like(ids)}
        with torch.inference_mode():
            seconds = {}
            for output in (2, HF_OUTPUT):
                torch.cuda.synchronize()
                start = time.perf_counter()
                model.generate(ids, max_new_tokens=output, min_new_tokens=output, **options)
                torch.cuda.synchronize()
                seconds[output] = time.perf_counter() - start
        rates[batch] = batch * (HF_OUTPUT - 2) / (seconds[HF_OUTPUT] - seconds[2])
    del model
    gc.collect()
    torch.cuda.empty_cache()
    return rates


def main():
    found = machine()
    gc.collect()
    torch.cuda.empty_cache()
    ours = engine()
    theirs = transformers_rates()
    runs = {run["name"]: run for run in ours["runs"]}
    rows = []
    context = PROMPT + OUTPUT / 2
    for batch in BATCHES:
        run = runs[f"batch {batch}"]
        kv_ms = 1e3 * batch * context * KV_BYTES / BANDWIDTH
        roofline_ms = 1e3 * WEIGHT_BYTES / BANDWIDTH + kv_ms
        sum_ms = found["gemm_ms"][batch] + kv_ms
        rows.append({
            "batch": batch, "tokens_per_second": run["decode_tokens_per_second"], "hf_tokens_per_second": theirs[batch],
            "times_hf": run["decode_tokens_per_second"] / theirs[batch], "step_ms": run["step_milliseconds"],
            "roofline_share": roofline_ms / run["step_milliseconds"], "gemm_and_kv_share": sum_ms / run["step_milliseconds"],
            "prefill_share": batch * PROMPT * MATMUL_FLOPS / run["prefill_seconds"] / found["matmul_flops"],
        })  # fmt: skip
    goals = [
        ("batch 1: 8 times HF", rows[0]["times_hf"], 8), ("batch 1: 75 % of the roofline", rows[0]["roofline_share"], 0.75),
        ("batch 64: 8 times HF", rows[1]["times_hf"], 8), ("batch 64: 75 % of the roofline", rows[1]["roofline_share"], 0.75),
        ("batch 256: 5 times HF", rows[2]["times_hf"], 5),
        ("batch 256: 80 % of GEMMs and KV", rows[2]["gemm_and_kv_share"], 0.80),
        ("prefill: 60 % of the matmul peak", rows[2]["prefill_share"], 0.60),
    ]  # fmt: skip
    alone, group = runs["16 prompts alone"], runs["one group of 16"]
    gap = distance(ours["texts"], "rollout", "training")
    del ours["texts"]
    print(json.dumps({"machine": found, "engine": ours, "hf": theirs, "rows": rows}))
    print(f"{found['device']}: matmul {found['matmul_flops'] / 1e12:.0f} TFLOP/s, copy {found['copy_bytes_per_second'] / 1e12:.2f} TB/s")
    for library, times in found["gemm_ms_by_library"].items():
        print(f"products of a step by {library}: " + ", ".join(f"{times[batch]:.2f} ms at batch {batch}" for batch in BATCHES))
    for row in rows:
        print(f"batch {row['batch']:3}: {row['tokens_per_second']:8.0f} tokens/s, HF {row['hf_tokens_per_second']:6.0f}, "
              f"step {row['step_ms']:6.2f} ms, roofline {row['roofline_share']:.0%}, GEMM+KV {row['gemm_and_kv_share']:.0%}, "
              f"prefill {row['prefill_share']:.0%} of the matmul peak")  # fmt: skip
    print(f"16 responses to a 4096-token prompt: {group['prompt_tokens_computed']} tokens computed, {group['prefill_seconds']:.3f} s; "
          f"16 prompts: {alone['prompt_tokens_computed']} tokens, {alone['prefill_seconds']:.3f} s")  # fmt: skip
    print(f"rollout against training, bf16: {gap}")
    goals.append(("log-probabilities within 0.01 on average", 0.01, gap.mean))
    for name, value, goal in goals:
        print(f"{'ok    ' if value >= goal else 'MISSED'} {name}: {value:.3g}" if "within" not in name else
              f"{'ok    ' if value >= goal else 'MISSED'} {name}: {goal:.3g}")  # fmt: skip
    for batch in BATCHES:
        print_step(f"batch {batch}", read_step(BUILD / f"step-{batch}.json"))


if __name__ == "__main__":
    main()
