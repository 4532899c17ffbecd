"""Files of JSON, one object a line."""

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def rows_of(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]
