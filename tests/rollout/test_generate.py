"""tritonrl model generate: streamed text, seeds, stop texts, chats, and what it refuses."""

import json
import re

import pytest


def answers(program, *arguments):
    return [json.loads(line) for line in program.check("model", "generate", *arguments, "--json").splitlines()]


def test_the_same_seed_gives_the_same_text_streamed_or_not(program, model):
    options = (model, "--prompt", "def softmax(", "--max-tokens", 40, "--seed", 5)
    (answer,) = answers(program, *options)
    assert program.check("model", "generate", *options) == answer["text"] + "\n"
    assert len(answer["token_ids"]) == len(answer["log_probs"]) == len(answer["raw_log_probs"])
    assert answer["finish"] in ("stop", "length")
    (other,) = answers(program, *options[:-1], 6)
    assert other["token_ids"] != answer["token_ids"]


def test_several_answers_hold_the_first_one(program, model):
    options = (model, "--prompt", "import triton", "--max-tokens", 12, "--seed", 2)
    (alone,) = answers(program, *options)
    group = sorted(answers(program, *options, "-n", 4), key=lambda one: one["index"])
    assert [one["index"] for one in group] == [0, 1, 2, 3]
    assert group[0]["token_ids"] == alone["token_ids"]
    assert group[0]["raw_log_probs"] == alone["raw_log_probs"]
    assert len({tuple(one["token_ids"]) for one in group}) == 4


def test_stop_texts_end_an_answer(program, model):
    options = (model, "--prompt", "kernel", "--max-tokens", 60, "--seed", 4, "--ignore-end")
    (whole,) = answers(program, *options)
    stop = re.findall("[ -~]{2}", whole["text"])[3]
    (cut,) = answers(program, *options, "--stop", stop)
    assert cut["finish"] == "stop"
    assert cut["text"] == whole["text"][: whole["text"].index(stop)]


def test_a_chat_goes_through_the_template(program, model):
    (plain,) = answers(program, model, "--prompt", "Hello", "--max-tokens", 1)
    (chat,) = answers(program, model, "--prompt", "Hello", "--chat", "--max-tokens", 1)
    text = program.run("tokenizer", "decode", model, stdin=json.dumps(chat["prompt_ids"])).stdout
    assert text == "<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
    assert len(chat["prompt_ids"]) > len(plain["prompt_ids"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--prompt", "x", "--top-p", "0"), "top_p"),
        (("--prompt", "x", "--temperature", "-1"), "temperature"),
        (("--prompt", "x " * 9000), "the context ends at 8192"),
        (("--prompt", ""), "--prompt"),
        (("--prompt", "x", "--memory-fraction", "1e-12"), "memory_fraction"),
    ],
)
def test_bad_requests_are_refused(program, model, arguments, says):
    result = program.run("model", "generate", model, *arguments)
    assert result.returncode == 2, result.stderr
    assert says in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_missing_model_is_named(program, tmp_path):
    result = program.run("model", "generate", tmp_path / "nowhere", "--prompt", "x")
    assert result.returncode == 2
    assert str(tmp_path / "nowhere") in result.stderr
