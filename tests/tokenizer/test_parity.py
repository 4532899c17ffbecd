"""The same ids as HF's `tokenizers`, and files that it and `transformers` load."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

hf = pytest.importorskip("tokenizers", reason="the tokenizers package is not installed")

from corpus import MARKS, PROSE, texts  # noqa: E402
from qwen_file import added, byte_vocabulary, spelling, tokenizer_json, write  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRITONRL_PROGRAM", str(ROOT / "build/bin/tritonrl"))
SIZE = 5_000_000 if os.environ.get("SOAK") else 300_000

if not os.path.exists(PROGRAM):
    pytest.skip("the program is not built", allow_module_level=True)
if b"tokenizer encode" not in Path(PROGRAM).read_bytes():
    pytest.skip("the program has no tokenizer", allow_module_level=True)


def run(*arguments, **options):
    return subprocess.run([PROGRAM, "tokenizer", *map(str, arguments)], capture_output=True, timeout=600, **options)


def rows(command, tokenizer, values):
    """What the program prints for rows on its standard input."""
    lines = "".join(json.dumps(value) + "\n" for value in values)
    result = run(command, tokenizer, "--jsonl", input=lines.encode())
    assert result.returncode == 0, result.stderr.decode()
    return [json.loads(line) for line in result.stdout.decode().rstrip("\n").split("\n")]


def our_ids(tokenizer, samples):
    return [row["ids"] for row in rows("encode", tokenizer, [{"text": text} for text in samples])]


def expect_same(tokenizer, samples):
    """Ids of texts, and texts of ids, of which some are random."""
    theirs = hf.Tokenizer.from_file(str(tokenizer))
    expected = [encoding.ids for encoding in theirs.encode_batch(samples, add_special_tokens=False)]
    for text, ours, wanted in zip(samples, our_ids(tokenizer, samples), expected, strict=True):
        if ours != wanted:
            at = next((i for i, (a, b) in enumerate(zip(ours, wanted)) if a != b), min(len(ours), len(wanted)))
            pytest.fail(f"{text[:80]!r}: token {at}: {ours[at : at + 5]} where {wanted[at : at + 5]} was expected")
    rng = random.Random(1)
    chains = expected + [rng.choices(range(theirs.get_vocab_size()), k=50) for _ in range(200)]
    decoded = [row["text"] for row in rows("decode", tokenizer, chains)]
    assert decoded == theirs.decode_batch(chains, skip_special_tokens=False)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A tokenizer that the program learned from a part of the corpus."""
    folder = tmp_path_factory.mktemp("trained")
    (folder / "corpus.txt").write_text("\n".join(texts(400_000, seed=5)), encoding="utf-8", newline="")
    result = run("train", folder / "corpus.txt", "--size", 4096, "--out", folder)
    assert result.returncode == 0, result.stderr.decode()
    return folder


def test_same_ids_and_texts_on_the_corpus(trained):
    expect_same(trained / "tokenizer.json", texts(SIZE))


@pytest.mark.skipif(not os.environ.get("SOAK"), reason="SOAK=1 fetches Qwen's vocabulary and compares 5 MB")
def test_same_ids_and_texts_with_qwens_own_vocabulary():
    sys.path.insert(0, str(ROOT / "bench/tokenizer"))
    from qwen_vocabulary import qwen3_tokenizer

    expect_same(qwen3_tokenizer(), texts(SIZE))


def test_every_character_is_of_the_same_class_and_normal_form(trained):
    """Beside letters, numbers, spaces and marks, which its class and its combining class decide."""
    step = 1 if os.environ.get("SOAK") else 7
    characters = [chr(c) for c in range(1, 0x110000, step) if not 0xD800 <= c < 0xE000]
    samples = []
    for start in range(0, len(characters), 500):
        samples.append("".join(f"a{c}b {c}1{c} {c}!{c}e\u0323{c}\u0301" for c in characters[start : start + 500]))
    expect_same(trained / "tokenizer.json", samples)


def test_learns_what_their_trainer_learns(tmp_path):
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("\n".join(PROSE * 3) + (ROOT / "tests/build/test_bundle.py").read_text(), encoding="utf-8", newline="")
    assert run("train", corpus, "--size", 1000, "--min-count", 2, "--out", tmp_path).returncode == 0
    ours = json.loads((tmp_path / "tokenizer.json").read_text())
    theirs = hf.Tokenizer.from_str(json.dumps(tokenizer_json(byte_vocabulary(), [], [])))
    trainer = hf.trainers.BpeTrainer(
        vocab_size=995, min_frequency=2, initial_alphabet=hf.pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    theirs.train_from_iterator([corpus.read_text(encoding="utf-8")], trainer)
    model = json.loads(theirs.to_str())["model"]
    assert ours["model"]["merges"] == model["merges"]
    assert ours["model"]["vocab"] == model["vocab"]


def test_added_tokens_with_every_flag(tmp_path):
    contents = ["<a>", "<a>b", "a>b<c", "<|im_start|>", "e\u0301", "é日", "word", "日本", "<n>"]
    rng = random.Random(2)
    pieces = [*contents, " ", "  ", "\u00a0", "\n", "x", "words", "_", "é", "e", "\u0301", "b", "<", "1", "\u0323", "²", "ↀ", "\u200d"]
    samples = ["".join(rng.choices(pieces, k=rng.randrange(1, 12))) for _ in range(1500)]
    for trial in range(6):
        flags = ("single_word", "lstrip", "rstrip", "normalized", "special")
        tokens = [added(256 + i, c, **{f: rng.random() < 0.4 for f in flags}) for i, c in enumerate(contents)]
        file = tmp_path / f"{trial}.json"
        write(file, tokenizer_json(byte_vocabulary(), [], tokens))
        expect_same(file, samples)


def test_a_token_after_one_that_took_its_first_space(tmp_path):
    tokens = [added(256, "<r>", rstrip=True), added(257, " y")]
    write(tmp_path / "t.json", tokenizer_json(byte_vocabulary(), [], tokens))
    expect_same(tmp_path / "t.json", ["<r> yz", "<r>  yz", "<r> y y"])


def test_merges_as_texts_and_as_pairs(tmp_path):
    vocabulary = {**byte_vocabulary(), "ab": 256, "abc": 257, spelling("日".encode()[:2]): 258}
    pairs = [["a", "b"], ["ab", "c"], [spelling(b"\xe6"), spelling(b"\x97")]]
    for name, merges in (("pairs", pairs), ("texts", ["#version: 0.2", *map(" ".join, pairs)])):
        write(tmp_path / f"{name}.json", tokenizer_json(vocabulary, merges, []))
        expect_same(tmp_path / f"{name}.json", ["abcab 日 cab", MARKS])


def test_other_patterns_go_through_the_regular_expression(tmp_path):
    pattern = r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
    vocabulary = {**byte_vocabulary(), "12": 256, "123": 257}
    write(tmp_path / "t.json", tokenizer_json(vocabulary, [["1", "2"], ["12", "3"]], [], pattern))
    result = run("encode", tmp_path / "t.json", "--text", "1")
    if b"without PCRE2" in result.stderr:
        pytest.skip("built without PCRE2")
    expect_same(tmp_path / "t.json", [*PROSE, MARKS, "12345 1234\n\n /x//\n  \u180e \u3000"])


CHATS = [
    [{"role": "user", "content": "Write a kernel."}],
    [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi\n"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "<think>\np\n\n</think>\n\nb"}, {"role": "user", "content": "c"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "\n\nb</think>c</think>\n\nd"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b", "reasoning_content": "\nr\n"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "\nb", "reasoning_content": ""}, {"role": "assistant", "content": "<think><think>x</think>y"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "tool", "content": "1"}, {"role": "tool", "content": "2"}, {"role": "assistant", "content": "<think>t</think>z"}, {"role": "assistant", "content": "last"}],
    [{"role": "user", "content": "a"}, {"role": "assistant", "content": "<think>t</think>z"}, {"role": "user", "content": "<tool_response>x</tool_response>"}, {"role": "system", "content": "s"}],
    [{"role": "assistant", "content": "<think>t</think>z"}],
]  # fmt: skip


@pytest.mark.parametrize("thinking", [True, False])
def test_chats_as_transformers_renders_them(trained, tmp_path, thinking):
    transformers = pytest.importorskip("transformers", reason="the transformers package is not installed")
    theirs = transformers.AutoTokenizer.from_pretrained(trained)
    for i, chat in enumerate(CHATS):
        file = tmp_path / f"{i}.json"
        file.write_text(json.dumps(chat))
        result = run("encode", trained, "--chat", file, *([] if thinking else ["--no-thinking"]))
        assert result.returncode == 0, result.stderr.decode()
        text = theirs.apply_chat_template(chat, tokenize=False, add_generation_prompt=True, enable_thinking=thinking)
        assert json.loads(result.stdout) == theirs.encode(text, add_special_tokens=False), text


def test_transformers_loads_what_was_trained(trained):
    transformers = pytest.importorskip("transformers", reason="the transformers package is not installed")
    theirs = transformers.AutoTokenizer.from_pretrained(trained)
    samples = [*PROSE, MARKS, "def f(x):\n    return x\n"]
    assert our_ids(trained, samples) == [theirs.encode(text, add_special_tokens=False) for text in samples]
    assert len(theirs) == 4096
    assert theirs.eos_token == "<|im_end|>" and theirs.pad_token == "<|endoftext|>"


def test_bad_files_end_with_status_2_and_their_place(tmp_path):
    good = json.dumps(tokenizer_json(byte_vocabulary(), [], []))
    for name, text, words in (
        ("truncated", good[:500], ["not JSON"]),
        ("wordpiece", good.replace('"BPE"', '"WordPiece"'), ["'WordPiece', not BPE"]),
        ("merge", good.replace('"merges": []', '"merges": ["a xy"]'), ["'xy', which is no token"]),
    ):
        (tmp_path / name).write_text(text)
        result = run("encode", tmp_path / name, "--text", "x")
        assert result.returncode == 2 and result.stdout == b""
        lines = result.stderr.decode().splitlines()
        assert len(lines) == 1 and lines[0].startswith(f"tritonrl: {tmp_path / name}:1:"), lines
        assert all(word in lines[0] for word in words), lines


def test_bad_texts_and_ids_end_with_status_2(trained, tmp_path):
    (tmp_path / "text").write_bytes(b"ab\n\xff")
    for arguments, given, words in (
        (("encode", trained, tmp_path / "text"), b"", b"text:2:1: not UTF-8"),
        (("encode", trained, "--jsonl"), b'{"text": "\\ud800"}\n', b":1:"),
        (("encode", trained, "--jsonl"), b'{"words": "a"}\n', b"text"),
        (("decode", trained), b"[1, -2]\n", b"'-2' is no token id"),
        (("decode", trained), b'{"ids": 3}\n', b"expected an array"),
        (("encode", tmp_path / "none"), b"", b"none"),
        (("train", tmp_path / "text", "--out", tmp_path / "out"), b"", b"text:2:1: not UTF-8"),
        (("train", tmp_path / "text", "--size", "100", "--out", tmp_path / "out"), b"", b"100 tokens cannot be learned"),
    ):
        result = run(*arguments, input=given)
        assert result.returncode == 2 and result.stdout == b"", (arguments, result)
        assert words in result.stderr and result.stderr.count(b"\n") == 1, result.stderr
