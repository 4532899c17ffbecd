"""Data files of patterns with reasons: `PATTERN | REASON` a line, # for comments; * and ? in a pattern stand for anything."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path


class Rest:
    def __init__(self, path: Path):
        self.entries: list[tuple[re.Pattern[str], str]] = []
        for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            line = line.split("#")[0].strip() if line.lstrip().startswith("#") else line.strip()
            if not line:
                continue
            pattern, bar, reason = (part.strip() for part in line.partition(" | "))
            if not bar or not reason:
                raise ValueError(f"{path.name}:{number}: a reason is missing")
            # Brackets are part of test names, not classes of characters.
            self.entries.append((re.compile(fnmatch.translate(pattern.replace("[", "[[]"))), reason))

    def reason(self, name: str) -> str | None:
        return next((reason for pattern, reason in self.entries if pattern.match(name)), None)
