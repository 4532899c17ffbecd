"""A tokenizer.json of Qwen3's size, made from the vocabulary that a pinned wheel carries."""

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tokenizer"))

import qwen_file  # noqa: E402

PINS = Path(__file__).resolve().parent / "wheels.txt"
FOLDER = ROOT / "build/bench/tokenizer"


def wheel(folder: Path = FOLDER) -> Path:
    """Downloads the wheel where it is not there yet; its hash is checked every time."""
    wanted = PINS.read_text().split("--hash=sha256:")[1].strip()
    for attempt in range(2):
        for path in folder.glob("dashscope-*.whl"):
            if hashlib.sha256(path.read_bytes()).hexdigest() == wanted:
                return path
        if attempt == 0:
            options = ["--no-deps", "--require-hashes", "--only-binary=:all:", "--quiet"]
            command = [sys.executable, "-m", "pip", "download", *options, "-r", str(PINS), "-d", str(folder)]
            subprocess.run(command, check=False, stdout=sys.stderr)
    raise FileNotFoundError(f"pip could not download what {PINS} pins")


def qwen3_tokenizer(folder: Path = FOLDER) -> Path:
    """The tokenizer.json, made once."""
    path = folder / "qwen3/tokenizer.json"
    if not path.exists():
        with zipfile.ZipFile(wheel(folder)) as archive:
            ranks = archive.read("dashscope/resources/qwen.tiktoken")
        part = path.with_suffix(".part")
        qwen_file.write(part, qwen_file.qwen3_json(ranks))
        part.rename(path)
    return path
