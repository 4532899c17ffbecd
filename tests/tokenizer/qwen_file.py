"""Tokenizer files to compare with: small ones of every make, and Qwen3's own vocabulary where the wheel that has it is."""

import base64
import json

PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN3_ADDED = [
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|object_ref_start|>", "<|object_ref_end|>", "<|box_start|>",
    "<|box_end|>", "<|quad_start|>", "<|quad_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<|image_pad|>", "<|video_pad|>", "<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>",
    "<|fim_suffix|>", "<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>",
    "</think>",
]  # fmt: skip


def byte_characters() -> dict[int, str]:
    """The character that stands for each byte."""
    kept = [*range(ord("!"), ord("~") + 1), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    rest = [byte for byte in range(256) if byte not in kept]
    return {**{byte: chr(byte) for byte in kept}, **{byte: chr(0x100 + i) for i, byte in enumerate(rest)}}


CHARACTERS = byte_characters()


def spelling(data: bytes) -> str:
    return "".join(CHARACTERS[byte] for byte in data)


def added(number, content, **flags):
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {"id": number, "content": content, **plain, **flags}


def tokenizer_json(vocabulary, merges, added_tokens, pattern=PATTERN):
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False}
    split = {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": added_tokens,
        "normalizer": {"type": "NFC"},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [split, byte_level]},
        "post_processor": byte_level,
        "decoder": byte_level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": "",
            "end_of_word_suffix": "",
            "fuse_unk": False,
            "byte_fallback": False,
            "vocab": vocabulary,
            "merges": merges,
        },
    }


def byte_vocabulary():
    return {character: number for number, character in enumerate(sorted(CHARACTERS.values()))}


def qwen3_json(ranks_file: bytes) -> dict:
    """tokenizer.json from a .tiktoken file, whose lines are a token in base64 and its rank: each merge is found by merging a
    token's bytes with the ranks below its own."""
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, ranks_file.splitlines())}
    merges = []
    for token, rank in sorted(ranks.items(), key=lambda item: item[1]):
        if len(token) == 1:
            continue
        parts = [token[i : i + 1] for i in range(len(token))]
        while len(parts) > 2:
            known = [ranks.get(parts[i] + parts[i + 1], rank) for i in range(len(parts) - 1)]
            best = min(range(len(known)), key=known.__getitem__)
            if known[best] >= rank:
                break
            parts[best : best + 2] = [parts[best] + parts[best + 1]]
        if len(parts) == 2:
            merges.append([spelling(parts[0]), spelling(parts[1])])
    vocabulary = {spelling(token): rank for token, rank in ranks.items()}
    tokens = [
        added(len(ranks) + i, content, special=content.startswith("<|")) for i, content in enumerate(QWEN3_ADDED)
    ]
    return tokenizer_json(vocabulary, merges, tokens)


def write(path, definition) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(definition, ensure_ascii=False), encoding="utf-8")
