"""`tritonrl sft`, `rl` and `train` with --plan: what a run would take, without running it."""

import json
import re

import pytest
from conftest import ROOT, sft_config

QWEN3_8B = {
    "architectures": ["Qwen3ForCausalLM"],
    "model_type": "qwen3",
    "hidden_size": 4096,
    "intermediate_size": 12288,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "vocab_size": 151936,
    "tie_word_embeddings": False,
    "max_position_embeddings": 40960,
    "rms_norm_eps": 1e-6,
    "rope_theta": 1000000,
    "torch_dtype": "bfloat16",
}


@pytest.fixture
def large(tmp_path):
    """A folder with the sizes of Qwen3-8B, and no weights."""

    def make(**changes):
        folder = tmp_path / "large"
        folder.mkdir(exist_ok=True)
        (folder / "config.json").write_text(json.dumps({**QWEN3_8B, **changes}))
        return folder

    return make


def peaks(text):
    return [float(peak) for peak in re.findall(r"^peak +([0-9.]+) GiB", text, re.MULTILINE)]


def test_the_paper_s_recipe_fits_120_gib_in_both_stages(program, large, tmp_path):
    runs = tmp_path / "runs"
    done = program.run("train", "recipes/qwen3-8b.toml", f"folder={runs}", "--plan", "--shapes", large(), "--price", 3)
    assert done.returncode == 0, done.stderr
    assert len(peaks(done.stdout)) == 2
    assert max(peaks(done.stdout)) <= 120
    assert "8.19 billion parameters in bfloat16" in done.stdout
    assert "report: report, not planned" in done.stdout
    assert "727 steps" in done.stdout
    assert done.stdout.count("modelled: ") == 2
    assert done.stdout.count("at 3 an hour") == 2
    assert not runs.exists()


def test_the_docs_show_the_table_as_it_is_printed(program, large, tmp_path):
    done = program.run("train", "recipes/qwen3-8b.toml", f"folder={tmp_path}/runs", "--plan", "--shapes", large(), "--price", 3.5)
    shown = done.stdout.split("rl: rl\n")[1].split("report: report")[0].strip()
    if "none is here" not in shown:
        pytest.skip("the docs show a machine without a GPU")
    assert f"```\n{shown}\n```" in (ROOT / "docs/training.md").read_text()


def test_a_plan_counts_the_data_s_tokens_and_writes_nothing(program, workplace, tmp_path):
    run = tmp_path / "run"
    config = sft_config(workplace, run)
    before = sorted(tmp_path.iterdir())
    done = program.run("sft", config, "--plan")
    assert done.returncode == 0, done.stderr
    tokens, in_all, steps = map(int, re.search(r"tokens +(\d+) a step, (\d+) in all (\d+) steps", done.stdout).groups())
    assert steps == 12  # 48 texts, 4 epochs, 16 a step
    assert in_all == tokens * steps
    assert 16 * 20 < tokens < 16 * 200
    assert "not modelled on the CPU" in done.stdout
    assert sorted(tmp_path.iterdir()) == before


def test_a_plan_needs_no_weights(program, large, workplace, tmp_path):
    config = sft_config(workplace, tmp_path / "run", run__device="cuda", run__recompute_layers=36, optimizer__stochastic_rounding=True)
    done = program.run("sft", config, "--plan", "--shapes", large())
    assert done.returncode == 0, done.stderr
    assert "at most 3200 a step" in done.stdout


def test_a_plan_that_does_not_fit_ends_with_status_2_and_what_would(program, large, workplace, tmp_path):
    config = sft_config(workplace, tmp_path / "run", run__device="cuda", run__recompute_layers=36)
    done = program.run("sft", config, "--plan", "--shapes", large(), "--device-memory", 140)
    assert done.returncode == 2
    assert "this would fit: optimizer.stochastic_rounding = true" in done.stderr
    assert "on a GPU with 140.00 GiB\n" in done.stdout


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"model_type": "llama", "architectures": ["LlamaForCausalLM"]}, "this program knows dense Qwen3"),
        ({"hidden_size": -1}, "hidden_size is -1"),
        ({"num_hidden_layers": 9999, "intermediate_size": 67108864, "hidden_size": 16777216}, "more than any machine computes"),
        ({"vocab_size": "many"}, "vocab_size"),
    ],
)
def test_a_model_that_is_none_is_one_error(program, large, workplace, tmp_path, changes, problem):
    config = sft_config(workplace, tmp_path / "run")
    done = program.run("sft", config, "--plan", "--shapes", large(**changes))
    assert done.returncode == 2
    assert problem in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_model_that_is_not_made_yet_is_one_error_with_a_way_out(program, tmp_path):
    done = program.run("train", "recipes/qwen3-8b.toml", f"folder={tmp_path}/runs", f"sft.sft.model={tmp_path}/none", "--plan")
    assert done.returncode == 2
    assert f"{tmp_path}/none: there is no model here" in done.stderr
    assert done.stderr.count("--shapes DIR") == done.stderr.count("\n") == 2  # one for each stage


def test_a_folder_without_a_config_is_one_error(program, workplace, tmp_path):
    (tmp_path / "empty").mkdir()
    done = program.run("sft", sft_config(workplace, tmp_path / "run"), "--plan", "--shapes", tmp_path / "empty")
    assert done.returncode == 2
    assert "empty/config.json: no such file" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", [("--device-memory", "nan"), ("--device-memory", "0"), ("--price", "-1"), ("--price", "inf")])
def test_options_that_are_no_numbers_are_refused(program, workplace, tmp_path, option):
    done = program.run("sft", sft_config(workplace, tmp_path / "run"), "--plan", *option)
    assert done.returncode == 2
    assert option[0] in done.stderr


def test_an_example_of_rl_is_planned(program, large):
    done = program.run("rl", ROOT / "examples/training/rl.toml", "run.device=cpu", "rl.verify_device=cpu", "--plan", "--shapes", large())
    assert done.returncode == 0, done.stderr
    assert "rollout cache" in done.stdout
    assert "reference model" in done.stdout
