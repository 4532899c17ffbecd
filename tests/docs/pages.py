"""As much of Markdown as the project's own pages use."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Fence:
    """A fenced code block, with the paragraph right above it."""

    language: str
    text: str
    above: str


def fences(page: str) -> list[Fence]:
    found = []
    for match in re.finditer(r"^(`{3,})(\w*)\n(.*?)^\1$", page, re.MULTILINE | re.DOTALL):
        paragraphs = page[: match.start()].strip().split("\n\n")
        found.append(Fence(match[2], match[3], paragraphs[-1].strip()))
    return found


def without_fences(page: str) -> str:
    return re.sub(r"^(`{3,})\w*\n.*?^\1$", "", page, flags=re.MULTILINE | re.DOTALL)


def sections(page: str) -> dict[str, str]:
    """Second-level headings and what stands under each, in order."""
    hidden = re.sub(r"^(`{3,})\w*\n.*?^\1$", lambda m: "\0" * len(m[0]), page, flags=re.MULTILINE | re.DOTALL)
    heads = list(re.finditer(r"^## (.+)$", hidden, re.MULTILINE))
    ends = [head.start() for head in heads[1:]] + [len(page)]
    return {head[1]: page[head.end() : end] for head, end in zip(heads, ends)}


def links(page: str) -> list[str]:
    """Targets of links and pictures, outside code."""
    text = re.sub(r"`[^`\n]+`", "code", without_fences(page))
    inline = re.findall(r"\]\(([^)\s]+)\)", text)
    return inline + re.findall(r"(?:src|href)=\"([^\"]+)\"", text)


def anchors(page: str) -> set[str]:
    """The anchors that GitHub gives a page's headings."""
    heads = re.findall(r"^#+ (.+)$", without_fences(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}
