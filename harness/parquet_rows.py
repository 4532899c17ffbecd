"""python parquet_rows.py FILE.parquet OUT.jsonl: rows as JSON, one a line; columns that no importer reads stay behind.

Exit status 2, and one sentence on stderr, for a file that cannot be read whole.
"""

import json
import sys

COLUMNS = ("uuid", "entry_point", "module_name", "python_code", "repo_name", "licenses", "id", "source", "level", "origin", "dims",
           "variants", "precision", "tolerance", "code", "name", "problem_id")  # fmt: skip


def main(source, target):
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        return "reading Parquet needs pyarrow, which this Python lacks: `make setup` installs it"
    try:
        file = parquet.ParquetFile(source)
        columns = [name for name in COLUMNS if name in file.schema_arrow.names]
        with open(target, "w", encoding="utf-8") as out:
            for batch in file.iter_batches(batch_size=256, columns=columns):
                for row in batch.to_pylist():
                    given = {name: value for name, value in row.items() if value is not None}
                    out.write(json.dumps(given, default=str) + "\n")
    except Exception as error:  # pyarrow raises many kinds for damaged files
        return f"not a whole Parquet file: {str(error).splitlines()[0] if str(error) else type(error).__name__}"
    return None


if __name__ == "__main__":
    problem = main(*sys.argv[1:3])
    if problem:
        print(problem, file=sys.stderr)
        sys.exit(2)
