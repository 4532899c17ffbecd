"""`tritonrl model`: what it makes and says, and one clear error for bad input."""

import json
import os
import struct
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("TRITONRL_PROGRAM", ROOT / "build/bin/tritonrl"))

if not PROGRAM.exists() or b"libtritonrl_training.so" not in PROGRAM.read_bytes():
    pytest.skip("the program has no training half", allow_module_level=True)

TINY = ["--vocab", "64", "--hidden", "32", "--layers", "2", "--head-dim", "8"]


def run(*arguments):
    return subprocess.run([PROGRAM, "model", *map(str, arguments)], capture_output=True, text=True, timeout=120)


def refused(*arguments):
    """The one line that a call fails with."""
    result = run(*arguments)
    assert result.returncode == 2, (result.returncode, result.stderr)
    assert result.stdout == ""
    assert result.stderr.startswith("tritonrl: ")
    return result.stderr


@pytest.fixture
def tiny(tmp_path):
    result = run("init", tmp_path / "tiny", *TINY)
    assert result.returncode == 0, result.stderr
    return tmp_path / "tiny"


def test_info_says_parameters_types_and_memory(tiny):
    result = run("info", tiny, "--context", "100", "--tensors")
    assert result.returncode == 0
    assert "2 layers, hidden 32" in result.stdout
    assert "model.layers.1.self_attn.k_norm.weight" in result.stdout
    info = json.loads(run("info", tiny, "--context", "100", "--json").stdout)
    # 2 (keys, values) x 2 layers x 2 heads x 8 x 4 bytes
    assert info["cache_bytes_per_token"] == 2 * 2 * 2 * 8 * 4
    assert info["memory"] == [{"context": 100, "cache_bytes": 25600, "with_weights_bytes": 25600 + info["bytes"]}]
    assert info["parameters"] == info["stored_elements"]


def test_the_same_seed_makes_the_same_file(tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert run("init", tmp_path / name, *TINY, "--seed", seed).returncode == 0
    a, b, c = ((tmp_path / name / "model.safetensors").read_bytes() for name in "abc")
    assert a == b
    assert a != c


def test_init_takes_the_sizes_of_a_config_and_options_change_them(tiny, tmp_path):
    assert run("init", tiny / "config.json", tmp_path / "other", "--layers", "3", "--dtype", "bf16").returncode == 0
    info = json.loads(run("info", tmp_path / "other", "--json").stdout)
    assert (info["layers"], info["hidden_size"], info["dtypes"]) == (3, 32, {"BF16": 35})


def test_init_takes_vocabulary_and_ends_from_a_tokenizer(tmp_path):
    trained = [PROGRAM, "tokenizer", "train", ROOT / "README.md", "--size", "300", "--out", tmp_path / "tokens"]
    assert subprocess.run(trained, capture_output=True).returncode == 0
    sizes = ["--hidden", "32", "--layers", "1", "--head-dim", "16"]
    assert run("init", tmp_path / "model", "--tokenizer", tmp_path / "tokens", *sizes).returncode == 0
    config = json.loads((tmp_path / "model/config.json").read_text())
    tokens = json.loads((tmp_path / "model/tokenizer.json").read_text())
    ids = {token["content"]: token["id"] for token in tokens["added_tokens"]}
    assert config["vocab_size"] == 1 + max([*tokens["model"]["vocab"].values(), *ids.values()])
    assert config["eos_token_id"] == [ids["<|im_end|>"], ids["<|endoftext|>"]]


def test_init_does_not_replace_a_model_unasked(tiny):
    assert "--force" in refused("init", tiny, *TINY)
    assert run("init", tiny, *TINY, "--force").returncode == 0


def test_bad_sizes_name_the_option(tmp_path):
    assert "--hidden" in refused("init", tmp_path / "x", "--vocab", "64", "--layers", "2")
    assert "num_key_value_heads" in refused("init", tmp_path / "x", *TINY, "--heads", "4", "--kv-heads", "3")
    assert "even" in refused("init", tmp_path / "x", *TINY[:-1], "7")
    assert "--dtype" in refused("init", tmp_path / "x", *TINY, "--dtype", "int8")
    assert not (tmp_path / "x").exists()


def test_bad_directories_name_the_file_and_the_tensor(tiny, tmp_path):
    weights = tiny / "model.safetensors"
    whole = weights.read_bytes()
    assert "config.json" in refused("info", tmp_path)
    weights.write_bytes(whole[: len(whole) // 2])
    assert "model.safetensors" in refused("info", tiny)
    length = struct.unpack("<Q", whole[:8])[0]
    header = whole[8 : 8 + length].replace(b'"dtype":"F32"', b'"dtype":"F99"', 1)
    weights.write_bytes(whole[:8] + header + whole[8 + length :])
    message = refused("info", tiny)
    assert "model.embed_tokens.weight" in message and "F99" in message
    weights.unlink()
    assert "neither model.safetensors nor" in refused("info", tiny)
    config = json.loads((tiny / "config.json").read_text())
    (tiny / "config.json").write_text(json.dumps(config | {"model_type": "llama"}))
    assert "llama" in refused("info", tiny)
    (tiny / "config.json").write_text("{")
    assert "config.json:1:" in refused("info", tiny)


def test_other_commands_do_not_load_the_library(tmp_path):
    """Loading libtorch takes half a second, and threads that a fork server must not meet."""
    trace = tmp_path / "libraries"
    result = subprocess.run(
        [PROGRAM, "tasks", "ls", ROOT / "examples"], capture_output=True, text=True, env=os.environ | {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(trace)}
    )  # fmt: skip
    assert result.returncode in (0, 2)
    loaded = "".join(file.read_text() for file in tmp_path.glob("libraries.*"))
    assert "libc.so" in loaded
    assert "torch" not in loaded
