"""A model of a few thousand parameters that writes two tasks' kernels, right or wrong by chance: enough for reinforcement
learning on real verdicts to have something to learn, in seconds. And a third's, which the executor cannot run."""

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

TASK = """import torch

N = 96

class Model(torch.nn.Module):
    def forward(self, x):
        return {reference}

def get_inputs():
    return [torch.randn(N)]

def get_init_inputs():
    return []
"""

RESPONSE = """<think>{plan}</think>
```python
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(y + i, {value}, mask=i < n)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), {block}),)](x, y, x.numel(), BLOCK={block})
        return y
```"""

# Reference, right value, wrong value.
TASKS = {
    "doubled": ("x * 2 + 1", "v * 2 + 1", "v * 2 - 1"),
    "clipped": ("torch.relu(x)", "tl.maximum(v, 0.0)", "tl.minimum(v, 0.0)"),
}
ASM = """tl.inline_asm_elementwise("neg.f32 $0, $1;", "=f,f", [v], tl.float32, True, 1)"""
BEYOND = {"beyond": ("-x", ASM, ASM)}


class Program:
    """The program of this build, on one thread, with a secret and a cache of its own, unless `changes` name others."""

    def __init__(self, path, state, **changes):
        self.path = str(path)
        self.state = state
        places = {"TRITONRL_SECRET": str(state / "secret"), "XDG_CACHE_HOME": str(state)}
        self.environment = {**os.environ, **places, "OMP_NUM_THREADS": "1", **changes}

    def run(self, *arguments, **options):
        command = [self.path, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=self.environment, cwd=ROOT, **options)

    def start(self, *arguments, **options):
        command = [self.path, *map(str, arguments)]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, **options}
        return subprocess.Popen(command, env=self.environment, cwd=ROOT, **streams)

    def must(self, *arguments):
        done = self.run(*arguments)
        assert done.returncode == 0, done.stderr
        return done


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def write_config(path, sections):
    lines = []
    for section, fields in sections.items():
        lines += [f"[{section}]", *(f"{name} = {json.dumps(value)}" for name, value in fields.items())]
    path.write_text("\n".join(lines) + "\n")
    return path


def make_workshop(program, folder):
    """tasks.jsonl, beyond.jsonl, and sft/last: a model that knows a right and a wrong kernel for each."""
    for file, tasks in (("tasks.jsonl", TASKS), ("beyond.jsonl", BEYOND), ("all.jsonl", {**TASKS, **BEYOND})):
        rows = [
            {"id": name, "level": 1, "source": TASK.format(reference=reference), "origin": "test", "dims": {"N": 96}, "variants": [{"N": 33}]}
            for name, (reference, _, _) in tasks.items()
        ]
        write_rows(folder / file, rows)
    samples = []
    for name, (_, right, wrong) in {**TASKS, **BEYOND}.items():
        for plan, block, value in (("small blocks", 32, right), ("one block", 128, right), ("one block", 128, wrong)):
            samples.append({"task": name, "response": RESPONSE.format(plan=plan, value=value, block=block)})
    write_rows(folder / "samples.jsonl", samples)
    tokenizer, model = folder / "tokenizer", folder / "model"
    program.must("tokenizer", "train", folder / "samples.jsonl", "--field", "response", "--size", "480", "--out", tokenizer)
    program.must("model", "init", model, "--tokenizer", tokenizer, "--hidden", "48", "--layers", "2", "--head-dim", "16", "--seed", "1")
    config = {
        "run": {"folder": str(folder / "sft"), "device": "cpu", "threads": 1, "save_every": 1000},
        "sft": {
            "model": str(model), "data": str(folder / "samples.jsonl"), "tasks": str(folder / "all.jsonl"),
            "prompt": "bare", "epochs": 120, "batch": 6,
        },
        "optimizer": {"lr": 1e-2},
    }  # fmt: skip
    program.must("sft", write_config(folder / "sft.toml", config))
    return folder


def rl_config(workshop, run, **overrides):
    """A configuration file for `tritonrl rl`, in sections; `rl__steps=3` changes a field."""
    sections = {
        "run": {"folder": str(run), "device": "cpu", "threads": 1, "save_every": 2, "seed": 7},
        "rl": {
            "model": str(workshop / "sft/last"), "tasks": str(workshop / "tasks.jsonl"), "prompt": "bare", "steps": 8,
            "prompts": 2, "group": 4, "level_mix": [1], "max_tokens": 256, "verify_device": "cpu",
        },
        "optimizer": {"lr": 2e-4, "warmup": 0.0},
    }  # fmt: skip
    for key, value in overrides.items():
        section, name = key.split("__")
        sections[section][name] = value
    return write_config(Path(str(run) + ".toml"), sections)


def metrics(run):
    return [json.loads(line) for line in (Path(run) / "metrics.jsonl").read_text().splitlines()]
