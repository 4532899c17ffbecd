"""Texts that tokenizers get wrong: Python, prose in ten scripts, emoji, runs of spaces, random bytes and characters.

The same seed gives the same texts."""

import random
import unicodedata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROSE = [
    "The quick brown fox isn't quick; we've seen it, they'll say, and I'd AGREE: DON'T, it'ſ 1,234.5 km/h!",
    "Съешь же ещё этих мягких французских булок, да выпей чаю — 25 раз. Ёлка, й и й.",
    "Ξεσκεπάζω τὴν ψυχοφθόρα βδελυγμία· ὁ Ὀδυσσεὺς ἦν πολύτροπος, 2024.",
    "השועל החום המהיר קופץ מעל הכלב העצלן. שָׁלוֹם עֲלֵיכֶם!",
    "نص حكيم له سر قاطع وذو شأن عظيم مكتوب على ثوب أخضر ومغلف بجلد أزرق. ١٢٣٤ مُحَمَّد",
    "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा रावण का सर्वनाश करने वाले। १२३ क़ ड़",
    "เป็นมนุษย์สุดประเสริฐเลิศคุณค่า กว่าบรรดาฝูงสัตว์เดรัจฉาน ๑๒๓",
    "天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。𠀋𪛖 〇一二三 ",
    "いろはにほへと ちりぬるを。ガギグゲゴ ﾊﾝｶｸ が ぱ",
    "키스의 고유조건은 입술끼리 만나야 하고 특별한 기술은 필요치 않다. 한글 각",
    "ჩქარა ყავისფერი მელა გადახტა. Հայոց լեզու։ አማርኛ ፊደል። ᏣᎳᎩ",
    "Tiếng Việt: Đường đi khó, không khó vì ngăn sông cách núi — Tiếng Việt",
]
EMOJI = "😀👨‍👩‍👧‍👦🏳️‍🌈👍🏽🇩🇪🇯🇵❤️‍🔥☃️✨🧑🏿‍💻1️⃣#️⃣©®™"
SPACES = [" ", "  ", "\t", "\n", "\r\n", "\r", "\u00a0", "\u3000", "\u2028", "\v", "\f", "\u0085", "\u180e", "\u200b", "\ufeff"]
MARKS = "<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n<think>\nplan</think>\n<|endoftext|> <|im_st art|> <think></think >"


def python_files(limit: int) -> str:
    """Up to `limit` characters of this repository's Python."""
    text = ""
    for folder in ("harness", "tests", "bench"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text += path.read_text(encoding="utf-8", errors="replace")
            if len(text) > limit:
                return text[:limit]
    return text


def any_character(rng: random.Random) -> str:
    while True:
        c = chr(rng.choice((rng.randrange(0x80), rng.randrange(0x3000), rng.randrange(0x20000), rng.randrange(0x110000))))
        if unicodedata.category(c) != "Cs":
            return c


def mixture(rng: random.Random, pieces: int) -> str:
    """Words, spaces, emoji and marks, one after the other."""
    words = " ".join(PROSE).split() + ["'s", "'RE", "'ll", "''", "_x1", "x²", "½", "α1", "e\u0301", "\u0301", "a\u0323\u0301"]
    out = []
    for _ in range(pieces):
        kind = rng.randrange(8)
        if kind < 3:
            out.append(rng.choice(words))
        elif kind < 5:
            out.append("".join(rng.choice(SPACES) for _ in range(rng.randrange(1, 5))))
        elif kind == 5:
            out.append(rng.choice(EMOJI) * rng.randrange(1, 3))
        elif kind == 6:
            out.append(any_character(rng))
        else:
            out.append(rng.choice("!?.,;:()[]{}<>|=+-*/'\"`~@#$%^&\\") * rng.randrange(1, 6))
    return "".join(out)


def texts(size: int, seed: int = 0) -> list[str]:
    """Texts of about `size` characters together, each kind with a like share."""
    rng = random.Random(seed)
    share = size // 6
    found = ["", MARKS, EMOJI, *PROSE]
    code = python_files(share)
    found += [code[i : i + 20000] for i in range(0, len(code), 20000)]
    lines = PROSE * (share // sum(map(len, PROSE)) + 1)
    rng.shuffle(lines)
    found += ["\n".join(lines[i : i + 20]) for i in range(0, len(lines), 20)]

    def fill(make):
        done = 0
        while done < share:
            found.append(make())
            done += len(found[-1])

    fill(lambda: mixture(rng, 400))
    fill(lambda: "".join(rng.choice(SPACES) for _ in range(rng.randrange(1, 400))) + rng.choice("ax1!é日"))
    fill(lambda: rng.randbytes(2000).decode("utf-8", errors="replace") + rng.randbytes(2000).decode("latin-1"))
    fill(lambda: "".join(any_character(rng) for _ in range(1000)))
    return found
