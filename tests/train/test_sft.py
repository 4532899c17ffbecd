"""`tritonrl sft` against transformers and torch on the same data, its folders, and its end in every manner."""

import json
import math
import re
import resource
import signal
import subprocess
import time

import pytest
from conftest import metrics, sft_config

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")


def texts_of(folder, data):
    """Token ids and how many belong to the prompt, by HF's tokenizer and the chat template."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    texts = []
    for line in data.read_text().splitlines():
        row = json.loads(line)
        prompt = f"<|im_start|>user\n{row['prompt']}<|im_end|>\n<|im_start|>assistant\n"
        ids = tokenizer.encode(prompt)
        texts.append((ids + tokenizer.encode(row["response"]) + tokenizer.encode("<|im_end|>"), len(ids)))
    return texts


def mean_loss(model, texts):
    total, count = 0.0, 0
    for ids, prompt in texts:
        logits = model(torch.tensor([ids])).logits[0, prompt - 1 : -1]
        total = total + torch.nn.functional.cross_entropy(logits, torch.tensor(ids[prompt:]), reduction="sum")
        count += len(ids) - prompt
    return total / count


def schedule(step, steps, peak, warmup):
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))))


def optimizers(model, rule):
    """torch's own, with `lr` left to the caller. Its Muon orthogonalises in bf16."""
    inner = [p for name, p in model.named_parameters() if p.dim() >= 2 and "layers" in name and rule == "muon"]
    outer = [p for p in model.parameters() if p.dim() >= 2 and all(p is not other for other in inner)]
    norms = [p for p in model.parameters() if p.dim() < 2]
    decays = [{"params": outer, "weight_decay": 0.01}, {"params": norms, "weight_decay": 0.0}]
    made = [torch.optim.AdamW(decays, lr=1.0, betas=(0.9, 0.95), eps=1e-8)]
    if inner:
        made.append(torch.optim.Muon(inner, lr=1.0, weight_decay=0.01, adjust_lr_fn="match_rms_adamw"))
    return made


@pytest.mark.parametrize(("rule", "loss_off", "weight_off"), [("adamw", 2e-4, 2e-4), ("muon", 2e-3, 2e-3)])
def test_losses_are_those_of_transformers_and_torch(program, workplace, tmp_path, rule, loss_off, weight_off):
    """All texts in each step, so that no order matters."""
    run = tmp_path / "run"
    config = sft_config(
        workplace, run, sft__batch=48, sft__epochs=10, sft__dev=str(workplace / "dev.jsonl"), sft__dev_every=5, optimizer__rule=rule
    )
    done = program.run("sft", config)
    assert done.returncode == 0, done.stderr
    torch.set_num_threads(1)
    model = transformers.AutoModelForCausalLM.from_pretrained(workplace / "model", dtype=torch.float32)
    texts, dev = (texts_of(workplace / "model", workplace / name) for name in ("train.jsonl", "dev.jsonl"))
    steppers = optimizers(model, rule)
    rows = metrics(run)
    assert [row["step"] for row in rows] == list(range(1, 11))
    for step, row in enumerate(rows):
        loss = mean_loss(model, texts)
        assert row["loss/train"] == pytest.approx(loss.item(), rel=loss_off)
        model.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        assert row["optim/gradient_norm"] == pytest.approx(norm.item(), rel=10 * loss_off)
        lr = schedule(step, 10, 3e-3, 2)
        assert row["optim/lr"] == pytest.approx(lr, rel=1e-9)
        for stepper in steppers:
            for group in stepper.param_groups:
                group["lr"] = lr
            stepper.step()
    with torch.no_grad():
        assert rows[-1]["loss/dev"] == pytest.approx(mean_loss(model, dev).item(), rel=5 * loss_off)
    assert rows[-1]["loss/train"] < rows[0]["loss/train"] - 0.5

    trained = transformers.AutoModelForCausalLM.from_pretrained(run / "checkpoints/step-000010", dtype=torch.float32)
    for name, parameter in trained.named_parameters():
        torch.testing.assert_close(parameter, model.get_parameter(name), rtol=2e-2, atol=weight_off)
    assert transformers.AutoTokenizer.from_pretrained(run / "checkpoints/step-000010").encode("add") is not None


def weights(run, step):
    folder = run / f"checkpoints/step-{step:06}"
    return [(folder / name).read_bytes() for name in ("model.safetensors", "trainer/model.safetensors")]


@pytest.fixture(scope="module")
def undisturbed(program, workplace, tmp_path_factory):
    run = tmp_path_factory.mktemp("undisturbed") / "run"
    done = program.run("sft", sft_config(workplace, run))
    assert done.returncode == 0, done.stderr
    return run


def wait_for_step(run, step, process):
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if (run / "metrics.jsonl").exists() and len((run / "metrics.jsonl").read_bytes().splitlines()) >= step:
            return
        time.sleep(0.005)


@pytest.mark.parametrize("after", [1, 5, 9])
def test_a_killed_run_ends_with_the_same_weights_to_the_bit(program, workplace, undisturbed, tmp_path, after):
    run = tmp_path / "run"
    config = sft_config(workplace, run)
    process = program.start("sft", config)
    wait_for_step(run, after, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = program.run("sft", config)
    assert done.returncode == 0, done.stderr
    assert weights(run, 12) == weights(undisturbed, 12)
    losses, expected = ([(row["step"], row["loss/train"]) for row in metrics(r)] for r in (run, undisturbed))
    assert losses == expected


def test_memory_that_runs_out_in_a_step_costs_no_finished_one(program, workplace, tmp_path):
    """The process gets no more memory from its second step on; what is large is asked for anew in each."""
    config = {"run__save_every": 1000, "run__batch_tokens": 1 << 17, "sft__batch": 1600, "sft__epochs": 134}
    run, untouched = tmp_path / "run", tmp_path / "untouched"
    process = program.start("sft", sft_config(workplace, run, **config), stderr=subprocess.PIPE)
    wait_for_step(run, 2, process)
    resource.prlimit(process.pid, resource.RLIMIT_AS, (1 << 20, 1 << 20))
    said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 3, said
    last = said.splitlines()[-1]
    assert re.fullmatch(r"tritonrl: memory ran out during (scores|backward)(: \d+ bytes were asked for)?; `--plan` .*", last), said
    done = len(metrics(run))
    assert [path.name for path in (run / "checkpoints").iterdir()] == [f"step-{done:06}"]
    for folder in (run, untouched):
        again = program.run("sft", sft_config(workplace, folder, **config))
        assert again.returncode == 0, again.stderr
    steps = len(metrics(untouched))
    assert len(metrics(run)) == steps
    assert weights(run, steps) == weights(untouched, steps)


def test_ctrl_c_finishes_the_step_and_saves(program, workplace, undisturbed, tmp_path):
    run = tmp_path / "run"
    config = sft_config(workplace, run, run__save_every=1000)
    process = program.start("sft", config)
    wait_for_step(run, 2, process)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=60) == 0
    steps = sorted(path.name for path in (run / "checkpoints").iterdir())
    assert len(steps) == 1 and steps[0] == f"step-{len(metrics(run)):06}"
    assert program.run("sft", config).returncode == 0
    assert weights(run, 12) == weights(undisturbed, 12)


def test_a_disk_that_is_full_at_a_checkpoint_leaves_the_old_one(program, workplace, undisturbed, tmp_path):
    """No file may grow beyond 32 KiB: the weights do not fit, metrics and log do."""
    run = tmp_path / "run"
    config = sft_config(workplace, run)
    process = program.start("sft", config)
    wait_for_step(run, 5, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = sorted(path.name for path in (run / "checkpoints").iterdir() if path.suffix != ".unfinished")

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (32768, 32768))

    done = program.run("sft", config, preexec_fn=limit)
    assert done.returncode == 3, done.stderr
    assert "File too large" in done.stderr
    assert sorted(path.name for path in (run / "checkpoints").iterdir()) == before
    assert program.run("sft", config).returncode == 0
    assert weights(run, 12) == weights(undisturbed, 12)


def test_only_the_last_checkpoints_are_kept(undisturbed):
    assert sorted(path.name for path in (undisturbed / "checkpoints").iterdir()) == ["step-000008", "step-000012"]


def test_the_resolved_configuration_stands_in_the_run(program, workplace, undisturbed, tmp_path):
    text = (undisturbed / "config.toml").read_text()
    assert "lr = 0.003" in text and "clip_norm = 1" in text
    other = sft_config(workplace, undisturbed, optimizer__lr=1e-3)
    done = program.run("sft", other)
    assert done.returncode == 2
    assert "another configuration" in done.stderr


def test_a_terminal_gets_one_screen_and_the_run_its_log(program, workplace, tmp_path):
    run = tmp_path / "run"
    status, shown = program.run_at_a_terminal("sft", sft_config(workplace, run, sft__dev=str(workplace / "dev.jsonl"), sft__dev_every=5))
    assert status == 0
    screens = re.split("\x1b\\[[0-9]+A\r\x1b\\[J", shown.replace("\r\n", "\n"))
    assert len(screens) >= 12, "drawn again for each step"
    last = screens[-1].splitlines()
    assert re.match(r"sft  step 12/12  \[#{24}\]  0s left  /", last[0])
    assert any(re.match(r"loss +loss [0-9.]+  dev [0-9.]+", line) for line in last)
    assert any(re.match(r"course +[▁▂▃▄▅▆▇█]{12}  [0-9.]+ to [0-9.]+", line) for line in last)
    log = (run / "log.txt").read_text()
    assert "\x1b" not in log
    assert re.search(r"^[-0-9]+ [0-9:]+ info step 12/12  loss [0-9.]+", log, re.MULTILINE)


def test_lines_elsewhere_are_plain(program, workplace, tmp_path):
    run = tmp_path / "run"
    done = program.run("sft", sft_config(workplace, run))
    assert "\x1b" not in done.stderr
    assert re.search(r"info step 12/12  loss [0-9.]+ .* tokens/s .* left", done.stderr)
    assert "step 12/12" in (run / "log.txt").read_text()


@pytest.mark.parametrize(
    ("override", "problem"),
    [
        ("optimizer.lrr=1", "did you mean 'optimizer.lr'"),
        ("sft.epochs=0", "must be more than 0"),
        ("sft.model=/nowhere", "/nowhere"),
        ("sft.data=/nowhere.jsonl", "/nowhere.jsonl"),
        ("sft.max_tokens=3", "raise sft.max_tokens"),
        ("run.device=tpu", "none of auto, cpu, cuda"),
        ("run.dtype=bfloat16", "needs a GPU"),
        ("optimizer.stochastic_rounding=true", "the weights are float32"),
        ("optimizer.half_state=true", "needs stochastic_rounding = true"),
        ("run.recompute_layers=true", "recompute_layers"),
        ("optimizer.beta2=1.0", "less than 1"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused(program, workplace, tmp_path, override, problem):
    done = program.run("sft", sft_config(workplace, tmp_path / "run"), override)
    assert done.returncode == 2, done.stderr
    assert problem in done.stderr
    assert done.stderr.count("\n") <= 2


def test_steps_without_a_finite_gradient_are_skipped_and_end_the_run(program, workplace, tmp_path):
    run = tmp_path / "run"
    config = sft_config(workplace, run, optimizer__lr=1e30, optimizer__clip_norm=0, run__most_skipped=3, sft__epochs=20)
    done = program.run("sft", config)
    assert done.returncode == 3
    assert "not finite in 3 steps in a row" in done.stderr
    assert metrics(run)[-1]["optim/skipped"] == 3
