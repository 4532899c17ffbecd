"""triton_language.txt lists what the installed Triton has, and its copies only move values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

triton = pytest.importorskip("triton")

import make_triton_language
import table_file

CLASSES = {path: cls for cls, path in table_file.read_rows(make_triton_language.PATH)}


def test_table_is_what_the_generator_writes() -> None:
    built = make_triton_language.sections()
    text = table_file.render(make_triton_language.HEADER, triton.__version__, built, 1)
    found, failed = table_file.problems(make_triton_language.PATH, triton.__version__, built, text, 1)
    if found and not failed and triton.__version__ not in make_triton_language.OLDER_RELEASES:
        warnings.warn(f"triton {triton.__version__} has names that the table lacks: {found}", stacklevel=1)
    else:
        assert not found, "\n".join(found)


def test_every_public_name_of_the_language_is_listed() -> None:
    assert all(f"triton.language.{name}" in CLASSES for name in triton.language.__all__)


@pytest.mark.parametrize(
    "name", ["relu", "tanh", "softplus", "matmul", "gelu", "mean", "tensor.mean", "math.tanh", "pow"]
)
def test_names_that_models_make_up_are_absent(name: str) -> None:
    assert f"triton.language.{name}" not in CLASSES


@pytest.mark.parametrize(
    ("path", "cls"),
    [
        ("load", "load"),
        ("tensor_descriptor.load", "load"),
        ("tensor_descriptor.gather", "load"),
        ("store", "store"),
        ("tensor_descriptor.scatter", "store"),
        ("atomic_add", "atomic"),
        ("tensor.atomic_cas", "atomic"),
        ("make_block_ptr", "pointer"),
        ("advance", "pointer"),
        ("make_tensor_descriptor", "pointer"),
        ("program_id", "index"),
        ("arange", "index"),
        ("zeros", "constant"),
        ("multiple_of", "meta"),
        ("float32", "meta"),
        ("static_range", "meta"),
        ("dtype.element_ty", "meta"),
        ("tensor.dtype", "meta"),
        ("dot", "compute"),
        ("sum", "compute"),
        ("where", "compute"),
        ("gather", "compute"),
        ("tensor.__add__", "compute"),
        ("extra.libdevice.tanh", "compute"),
        ("extra.cuda.libdevice.tanh", "compute"),
        ("math.rsqrt", "compute"),
    ],
)
def test_class_of_a_name(path: str, cls: str) -> None:
    assert CLASSES[f"triton.language.{path}"] == cls


def test_copies_move_values_and_constants_ignore_them() -> None:
    pytest.importorskip("torch")
    finished = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("triton_kernels.py"))],
        env={**os.environ, "TRITON_INTERPRET": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    results: dict[str, list[float]] = json.loads(finished.stdout)
    ones_to_sixteen = [float(i) for i in range(1, 17)]
    for name, values in results.items():
        member = f"triton.language.tensor.{name}"
        cls = CLASSES.get(f"triton.language.{name}") or CLASSES[member]
        if name == "zeros_like":
            assert (cls, set(values)) == ("constant", {0.0})
        elif name == "full":
            assert (cls, set(values)) == ("copy", {1.0})
        else:
            assert cls == "copy" and sorted(values) == sorted(ones_to_sixteen * (len(values) // 16)), name
        assert CLASSES.get(member, cls) == cls
