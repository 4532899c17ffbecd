"""The same logits, gradients and continuations as transformers' Qwen3, and directories that it loads."""

import json
import os
import subprocess
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="the transformers package is not installed")
from safetensors.torch import load_file  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("TRITONRL_BUILD_DIR", ROOT / "build"))
PROBE = BUILD / "bin/model_probe"
PROGRAM = Path(os.environ.get("TRITONRL_PROGRAM", BUILD / "bin/tritonrl"))
GREEDY_TOKENS = 200

if not PROBE.exists():
    pytest.skip("model_probe is not built", allow_module_level=True)

BASE = {
    "vocab_size": 211,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "max_position_embeddings": 512,
    "initializer_range": 0.15,
    "tie_word_embeddings": False,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
}
LLAMA3 = {
    "rope_type": "llama3",
    "rope_theta": 1e4,
    "factor": 4.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 64,
}
YARN = {"rope_type": "yarn", "rope_theta": 1e4, "factor": 4.0, "original_max_position_embeddings": 64}
SHAPES = {
    "plain": {},
    "tied": {"tie_word_embeddings": True},
    "one-kv-head": {"num_attention_heads": 6, "num_key_value_heads": 1, "head_dim": 32},
    "no-groups": {"num_attention_heads": 3, "num_key_value_heads": 3, "head_dim": 24},
    "wide-heads": {"hidden_size": 48, "num_attention_heads": 4, "num_key_value_heads": 4, "head_dim": 64},
    "odd-sizes": {"vocab_size": 101, "hidden_size": 52, "intermediate_size": 75, "head_dim": 10},
    "linear-rope": {"rope_parameters": {"rope_type": "linear", "rope_theta": 1e4, "factor": 3.0}},
    "yarn": {"rope_parameters": YARN},
    "yarn-factors": {"rope_parameters": YARN | {"attention_factor": 1.3, "beta_fast": 20.0, "beta_slow": 2.0}},
    "yarn-mscale": {"rope_parameters": YARN | {"mscale": 0.7, "mscale_all_dim": 0.4, "truncate": False}},
    "llama3": {"rope_parameters": LLAMA3},
}


def texts_of(config, count=4, longest=90):
    generator = torch.Generator().manual_seed(5)
    lengths = [1 + int(torch.randint(longest, (1,), generator=generator)) for _ in range(count - 1)] + [longest]
    return [torch.randint(config.vocab_size, (length,), generator=generator).tolist() for length in lengths]


def reference(model, texts):
    """Logits of each text alone, and the loss of all with its gradients."""
    logits = [model(torch.tensor([text])).logits[0] for text in texts]
    pairs = [(rows[:-1], torch.tensor(text[1:])) for rows, text in zip(logits, texts)]
    loss = torch.nn.functional.cross_entropy(torch.cat([a for a, _ in pairs]), torch.cat([b for _, b in pairs]))
    loss.backward()
    return torch.cat(logits).detach(), loss.item()


def probe(model_dir, request, out):
    out.mkdir(parents=True)
    (out / "request.json").write_text(json.dumps(request))
    command = [PROBE, model_dir, out / "request.json", out]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr
    logits = load_file(out / "logits/model.safetensors")["logits"]
    return logits, load_file(out / "gradients/model.safetensors"), json.loads((out / "result.json").read_text())


def make_model(folder, changes, **save_options):
    torch.manual_seed(3)
    torch.set_num_threads(1)
    config = transformers.Qwen3Config(**(BASE | changes))
    model = transformers.Qwen3ForCausalLM(config).float().eval()
    with torch.no_grad():  # norms that are not one, or their gradients would tell nothing
        for name, parameter in model.named_parameters():
            if parameter.dim() == 1:
                parameter.uniform_(0.5, 1.5)
    model.save_pretrained(folder, **save_options)
    return model


@pytest.mark.parametrize("shape", SHAPES)
def test_logits_gradients_and_greedy_continuations(shape, tmp_path):
    model = make_model(tmp_path / "model", SHAPES[shape])
    texts = texts_of(model.config)
    expected, loss = reference(model, texts)
    prompt = texts[0][:20]
    request = {"texts": texts, "greedy": {"prompt": prompt, "tokens": GREEDY_TOKENS}}
    logits, gradients, result = probe(tmp_path / "model", request, tmp_path / "out")

    assert (logits - expected).abs().max() < 1e-4
    assert result["loss"] == pytest.approx(loss, rel=1e-5)
    wanted = {name: parameter.grad for name, parameter in model.named_parameters()}
    assert set(gradients) == set(wanted)
    for name, gradient in gradients.items():
        assert (gradient - wanted[name]).norm() <= 1e-4 * wanted[name].norm(), name

    with torch.no_grad():
        theirs = model.generate(
            torch.tensor([prompt]), do_sample=False, max_new_tokens=GREEDY_TOKENS, min_new_tokens=GREEDY_TOKENS,
            eos_token_id=None, pad_token_id=0,
        )[0, len(prompt):].tolist()  # fmt: skip
    assert result["greedy"] == theirs


def test_recomputed_layers_have_the_gradients_of_transformers(tmp_path):
    model = make_model(tmp_path / "model", {})
    texts = texts_of(model.config)
    reference(model, texts)
    _, gradients, _ = probe(tmp_path / "model", {"texts": texts, "recompute": 99}, tmp_path / "out")
    for name, parameter in model.named_parameters():
        assert (gradients[name] - parameter.grad).norm() <= 1e-4 * parameter.grad.norm(), name


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("tied", [False, True])
def test_directories_go_both_ways_in_shards_and_types(dtype, tied, tmp_path):
    changes = {"tie_word_embeddings": tied, "rope_parameters": YARN}
    make_model(tmp_path / "model", changes).to(getattr(torch, dtype)).save_pretrained(
        tmp_path / "model", max_shard_size="60KB"
    )
    (tmp_path / "model/model.safetensors").unlink(missing_ok=True)
    model = transformers.Qwen3ForCausalLM.from_pretrained(tmp_path / "model", dtype=torch.float32).eval()
    assert len(list((tmp_path / "model").glob("*.safetensors"))) > 2
    texts = texts_of(model.config)
    request = {"texts": texts, "save": dtype, "shard_bytes": 50_000}
    logits, _, _ = probe(tmp_path / "model", request, tmp_path / "out")
    expected, _ = reference(model, texts)
    assert (logits - expected).abs().max() < 1e-4

    again, info = transformers.Qwen3ForCausalLM.from_pretrained(
        tmp_path / "out/saved", dtype=torch.float32, output_loading_info=True
    )
    assert not any(info.values()), info
    assert len(list((tmp_path / "out/saved").glob("*.safetensors"))) > 2
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name
    assert again.config.rope_parameters == model.config.rope_parameters | again.config.rope_parameters
    assert again.config.dtype in (torch.float32, getattr(torch, dtype))


def test_what_the_program_makes_loads_in_transformers(tmp_path):
    if not PROGRAM.exists() or b"libtritonrl_training.so" not in PROGRAM.read_bytes():
        pytest.skip("the program has no training half")
    command = [PROGRAM, "model", "init", tmp_path / "made", "--vocab", "300", "--hidden", "96", "--layers", "2"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    model, info = transformers.Qwen3ForCausalLM.from_pretrained(tmp_path / "made", output_loading_info=True)
    assert not any(info.values()), info
    weights = dict(model.named_parameters())
    assert weights["model.layers.1.mlp.up_proj.weight"].std().item() == pytest.approx(0.02, rel=0.05)
    assert torch.all(weights["model.norm.weight"] == 1)

    described = subprocess.run([PROGRAM, "model", "info", tmp_path / "made", "--json"], capture_output=True, text=True)
    assert described.returncode == 0, described.stderr
    info = json.loads(described.stdout)
    assert info["parameters"] == sum(parameter.numel() for parameter in model.parameters())
    assert info["bytes"] == 4 * info["parameters"]
