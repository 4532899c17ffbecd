"""Training tokens a second of `tritonrl sft` beside Hugging Face's Trainer: the same model, data, batch and optimizer.

    .venv/bin/pip install accelerate==1.15.0
    .venv/bin/python bench/train/against_hf.py --threads 2

Data, model and batch are those of recipes/demo.toml. Each side runs in a process of its own, in turn, ROUNDS
times; the figures are of whole steps after the first few. Both must reach the same loss, or no speed is reported.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WARMUP = 3
FAMILIES = ("elementwise", "row_reduction", "softmax", "norm", "scan")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build/bin/tritonrl"))
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--vocab", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", help="where to work; default a temporary folder")
    parser.add_argument("--hf", metavar="FOLDER", help=argparse.SUPPRESS)
    return parser.parse_args()


def call(options, *command, **more):
    environment = {**os.environ, "OMP_NUM_THREADS": str(options.threads)}
    return subprocess.run(list(map(str, command)), check=True, env=environment, capture_output=True, text=True, **more).stdout


def prepare(options, folder):
    """Tokenizer, model and rows of prompt and response."""
    program = options.program
    texts = options.steps * options.batch
    call(options, program, "data", "make", "--compact", "--families", *FAMILIES, "--tasks", texts, "--samples", 1, "--out", folder / "teacher")
    tasks = {row["id"]: row["source"] for row in map(json.loads, (folder / "teacher/tasks.jsonl").open())}
    rows = []
    for sample in map(json.loads, (folder / "teacher/samples.jsonl").open()):
        rows.append({"prompt": tasks[sample["task"]], "response": sample["response"]})
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[:texts]))
    (folder / "corpus.txt").write_text("\n".join(row["prompt"] + "\n" + row["response"] for row in rows))
    call(options, program, "tokenizer", "train", folder / "corpus.txt", "--size", options.vocab, "--out", folder / "tokenizer")
    shape = ("--hidden", options.hidden, "--layers", options.layers, "--head-dim", 32, "--seed", 1)
    call(options, program, "model", "init", folder / "model", "--tokenizer", folder / "tokenizer", *shape)


def ours(options, folder, number):
    run = folder / f"ours-{number}"
    config = f"""
[run]
folder = "{run}"
device = "cpu"
threads = {options.threads}
save_every = 1000000
[sft]
model = "{folder / 'model'}"
data = "{folder / 'rows.jsonl'}"
batch = {options.batch}
epochs = 1
max_tokens = 4096
[optimizer]
lr = 1e-3
warmup = 0
decay = "constant"
"""
    (folder / "ours.toml").write_text(config)
    call(options, options.program, "sft", folder / "ours.toml")
    rows = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()][WARMUP:]
    seconds = sum(row["time/step"] for row in rows)
    tokens = sum(row["perf/tokens_per_s"] * row["time/step"] for row in rows)
    return {"tokens_per_s": tokens / seconds, "loss": statistics.mean(row["loss/train"] for row in rows[-20:])}


def theirs(options, folder):
    return json.loads(call(options, sys.executable, __file__, "--hf", folder, "--threads", options.threads, "--batch", options.batch))


def run_hf_trainer(options):
    """In a process of its own: prints one JSON line."""
    import torch
    import transformers

    torch.set_num_threads(options.threads)
    folder = Path(options.hf)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder / "model")
    model = transformers.AutoModelForCausalLM.from_pretrained(folder / "model", dtype=torch.float32)
    end = tokenizer.convert_tokens_to_ids("<|im_end|>")
    texts = []
    for row in map(json.loads, (folder / "rows.jsonl").open()):
        prompt = tokenizer.encode(f"<|im_start|>user\n{row['prompt']}<|im_end|>\n<|im_start|>assistant\n")
        response = tokenizer.encode(row["response"]) + [end]
        texts.append({"input_ids": prompt + response, "labels": [-100] * len(prompt) + response})
    counts, marks, losses = [], [], []

    def collate(batch):
        longest = max(len(text["input_ids"]) for text in batch)
        counts.append(sum(len(text["input_ids"]) for text in batch))
        padded = {"input_ids": [], "labels": [], "attention_mask": []}
        for text in batch:
            gap = longest - len(text["input_ids"])
            padded["input_ids"].append(text["input_ids"] + [0] * gap)
            padded["labels"].append(text["labels"] + [-100] * gap)
            padded["attention_mask"].append([1] * len(text["input_ids"]) + [0] * gap)
        return {name: torch.tensor(values) for name, values in padded.items()}

    class Clock(transformers.TrainerCallback):
        def on_step_end(self, *_args, **_kwargs):
            marks.append(time.perf_counter())

        def on_log(self, _args, _state, _control, logs=None, **_kwargs):
            if logs and "loss" in logs:
                losses.append(float(logs["loss"]))

    settings = transformers.TrainingArguments(
        output_dir=str(folder / "hf"), per_device_train_batch_size=options.batch, num_train_epochs=1, learning_rate=1e-3,
        lr_scheduler_type="constant", adam_beta2=0.95, max_grad_norm=1.0, logging_steps=1, save_strategy="no", report_to=[],
        use_cpu=True, disable_tqdm=True, dataloader_num_workers=0, remove_unused_columns=False, seed=1,
    )
    stdout, sys.stdout = sys.stdout, sys.stderr
    transformers.Trainer(model=model, args=settings, train_dataset=texts, data_collator=collate, callbacks=[Clock()]).train()
    sys.stdout = stdout
    steps = len(marks)
    tokens = sum(counts[WARMUP:steps])
    print(json.dumps({"tokens_per_s": tokens / (marks[-1] - marks[WARMUP - 1]), "loss": statistics.mean(losses[-20:])}))


def main():
    options = arguments()
    if options.hf:
        run_hf_trainer(options)
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        prepare(options, folder)
        results = {"tritonrl": [], "hf": []}
        for number in range(options.rounds):
            results["tritonrl"].append(ours(options, folder, number))
            results["hf"].append(theirs(options, folder))
    losses = {name: statistics.mean(result["loss"] for result in found) for name, found in results.items()}
    if abs(losses["tritonrl"] - losses["hf"]) > 0.15 * losses["hf"]:
        sys.exit(f"the losses differ, so speeds say nothing: {losses}")
    speeds = {name: statistics.median(result["tokens_per_s"] for result in found) for name, found in results.items()}
    print(json.dumps({"threads": options.threads, "rounds": results, "loss": losses, "tokens_per_s": speeds,
                      "ratio": speeds["tritonrl"] / speeds["hf"]}, indent=2))


if __name__ == "__main__":
    main()
