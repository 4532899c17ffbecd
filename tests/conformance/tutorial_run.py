"""python tutorial_run.py RESULT.json TUTORIAL.py: one of Triton's tutorials, its text as it is, on the claimed device.

Benchmark sweeps are capped from outside: of each benchmark the smallest size is run once for each line, and one of
tutorial 08 is left out. What pandas, matplotlib and tabulate would draw is left out too. The result says whether the
tutorial's own checks held.
"""

import contextlib
import io
import json
import os
import runpy
import sys
import traceback
import types

import launcher

# Sizes that a tutorial gives apart from its x axis, where even the smallest takes minutes on a CPU.
_CAPS = {
    "06-fused-attention.py": {"BATCH": 1, "H": 1, "N_CTX": 256},
    "05-layer-norm.py": {"M": 256},
    "02-fused-softmax.py": {"M": 512},
}

# Benchmarks whose sizes stand in their own code: 4 products of 128 x 8192 x 8192 for each of ten configurations.
_LEFT_OUT = {"group-gemm-performance-m-8192-k-8192"}


def _cap_sweeps(caps):
    import triton.testing

    def run(mark, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        benchmarks = mark.benchmarks if isinstance(mark.benchmarks, list) else [mark.benchmarks]
        for bench in benchmarks:
            if bench.plot_name in _LEFT_OUT:
                print(f"{bench.plot_name}: left out")
                continue
            x = min(bench.x_vals)
            sizes = dict(zip(bench.x_names, x if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)))
            arguments = {**sizes, **bench.args}
            arguments.update((name, value) for name, value in caps.items() if name in arguments)
            for line in bench.line_vals:
                figure = mark.fn(**arguments, **{bench.line_arg: line}, **kwargs)
                print(f"{bench.plot_name} {arguments} {line}: {figure}")

    triton.testing.Mark.run = run


def _stub(name, **attributes):
    module = types.ModuleType(name)
    module.__dict__.update(attributes)
    sys.modules.setdefault(name, module)


def _maximum_difference_is_zero(space, output):
    return space["output_torch"].equal(space["output_triton"])


def _both_matmuls_match(space, output):
    return output.count("✅") == 2 and "❌" not in output


def _dropout_is_right(space, output):
    torch, x, p, keep = space["torch"], space["x"], 0.5, space["x_keep"]
    # `x` was drawn again for the seeded half: the first half is checked on what the tutorial's own functions return.
    masked = space["dropout"](x, x_keep=keep, p=p)
    seeded, again, other = (space[name] for name in ("output", "output2", "output3"))
    kept = seeded != 0
    return (
        torch.allclose(masked, torch.where(keep.bool(), x / (1 - p), 0.0))
        and torch.equal(seeded, again)
        and not torch.equal(seeded, other)
        and torch.allclose(seeded[kept], x[kept] / (1 - p))
    )


# Beside what a tutorial asserts itself.
_CHECKS = {
    "01-vector-add.py": _maximum_difference_is_zero,
    "03-matrix-multiplication.py": _both_matmuls_match,
    "04-low-memory-dropout.py": _dropout_is_right,
}


def main(result, path):
    name = os.path.basename(path)
    launcher.install("executor")
    _cap_sweeps(_CAPS.get(name, {}))
    _stub("tabulate", tabulate=lambda rows, *_, **__: "\n".join(map(str, rows)))
    output, error = io.StringIO(), ""
    try:
        with contextlib.redirect_stdout(output):
            space = runpy.run_path(path, run_name="__main__")
        check = _CHECKS.get(name)
        if check and not check(space, output.getvalue()):
            error = f"{check.__name__.strip('_')} does not hold"
    except Exception:
        error = traceback.format_exc(limit=-4)
    print(output.getvalue())
    with open(result, "w", encoding="utf-8") as file:
        json.dump({"error": error, "findings": launcher.findings()}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
