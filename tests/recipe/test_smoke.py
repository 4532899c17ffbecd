"""Every stage of a training, one after the other, by `tritonrl train`."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def smoke(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("triton")
    program = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl")).resolve()
    libraries = program.parents[1] / "lib"
    if not program.exists() or not all((libraries / f"libtritonrl_{name}.so").exists() for name in ("training", "torch")):
        pytest.skip("the training half or the device for scripts is not built")
    state = tmp_path_factory.mktemp("state")
    folder = state / "smoke"
    environment = {**os.environ, "TRITONRL_SECRET": str(state / "secret"), "XDG_CACHE_HOME": str(state), "OMP_NUM_THREADS": "1"}

    def command(*arguments):
        words = [program, *map(str, arguments)]
        return subprocess.run(words, capture_output=True, text=True, check=False, env=environment, cwd=ROOT)

    command.environment, command.program = environment, program

    def train():
        return command("train", ROOT / "recipes/smoke.toml", f"folder={folder}")

    done = train()
    assert done.returncode == 0, done.stderr
    return folder, train, command


def test_every_stage_leaves_what_it_is_for(smoke):
    folder, _, _ = smoke
    metrics = [json.loads(line) for line in (folder / "rl/metrics.jsonl").read_text().splitlines()]
    assert [row["step"] for row in metrics] == [1, 2]
    for name in ("reward/mean", "reward/correct", "reward/speedup", "perf/tokens_per_s", "perf/mfu", "completions/mean_length", "time/step"):
        assert name in metrics[0], name
    samples = [json.loads(line) for line in (folder / "rl/samples/step-000001.jsonl").read_text().splitlines()]
    assert len(samples) == 4
    for sample in samples:
        assert len(sample["classes"]) == len(sample["token_ids"]) == len(sample["advantages"])
        assert "accepted" in sample["verdict"]
    assert "<svg" in (folder / "report.html").read_text()
    assert ElementTree.parse(folder / "curves.svg").findall("{*}g[@class='panel']")


def test_a_second_run_has_nothing_to_do(smoke):
    folder, train, _ = smoke
    before = (folder / "rl/metrics.jsonl").read_bytes()
    done = train()
    assert done.returncode == 0
    assert done.stderr.count("done before") == 6
    assert (folder / "rl/metrics.jsonl").read_bytes() == before


@pytest.mark.parametrize("stage", ["sft", "rl"])
def test_checkpoints_say_the_same_in_transformers(smoke, stage):
    """Greedily, token by token: to a text, and as an answer to a task."""
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folder, _, command = smoke
    checkpoint = folder / stage / "last"
    model = transformers.AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
    task = json.loads((folder / "teacher/tasks.jsonl").read_text().splitlines()[0])["source"]
    for prompt, form in (("import triton", []), (task, ["--chat"])):
        done = command("model", "generate", checkpoint, "--prompt", prompt, *form, "--temperature", 0, "--max-tokens", 96, "--json")
        assert done.returncode == 0, done.stderr
        ours = json.loads(done.stdout)
        chat = [{"role": "user", "content": prompt}]
        ids = tokenizer.apply_chat_template(chat, add_generation_prompt=True)["input_ids"] if form else tokenizer.encode(prompt)
        assert ours["prompt_ids"] == ids
        theirs = model.generate(torch.tensor([ids]), max_new_tokens=96, do_sample=False)[0, len(ids) :]
        assert ours["token_ids"] == theirs.tolist()
        assert ours["text"] == tokenizer.decode(theirs, skip_special_tokens=True)


@pytest.mark.parametrize("whom", ["the program", "all of its processes"])
def test_a_slice_that_is_ended_finishes_its_step_and_the_next_goes_on(smoke, tmp_path, whom):
    """As `kill` and as `timeout` or a terminal send it."""
    folder, _, command = smoke
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(f'''folder = "{tmp_path / "runs"}"
[[stage]]
name = "sft"
run = ["sft", "{{config}}"]
[stage.config]
run = {{folder = "{{out}}", device = "cpu", threads = 1, save_every = 100000}}
sft = {{model = "{folder}/model", data = "{folder}/teacher/samples.jsonl", tasks = "{folder}/teacher/tasks.jsonl", prompt = "bare", epochs = 1, batch = 6, max_tokens = 2048}}
''')
    metrics = tmp_path / "runs/sft/metrics.jsonl"
    process = subprocess.Popen(
        [command.program, "train", recipe], env=command.environment, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while process.poll() is None and not (metrics.exists() and metrics.read_bytes().count(b"\n") >= 2):
        time.sleep(0.01)
    (os.kill if whom == "the program" else os.killpg)(process.pid, signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 0, said
    steps = metrics.read_bytes().count(b"\n")
    assert [path.name for path in (tmp_path / "runs/sft/checkpoints").iterdir()] == [f"step-{steps:06}"]
    done = command("train", recipe)
    assert done.returncode == 0, done.stderr
    assert f"goes on after step {steps}" in done.stderr
    all_steps = metrics.read_bytes().count(b"\n")
    assert steps < all_steps
    assert f"{all_steps} of {all_steps} steps" in done.stdout
