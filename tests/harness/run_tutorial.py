"""python run_tutorial.py [--points N] FILE.py: a Triton tutorial on the claimed device, unchanged, with its benchmark
sweeps cut to their first N points (default 1). Needs neither matplotlib nor pandas. Prints the findings, exits with 1 if
there are any."""

import argparse
import runpy
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "harness"))

import tritonrl_harness


def first_points(points):
    """triton.testing.Mark.run without its plots."""

    def run(mark, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        benchmarks = mark.benchmarks if isinstance(mark.benchmarks, list) else [mark.benchmarks]
        for bench in benchmarks:
            for x in bench.x_vals[:points]:
                values = x if isinstance(x, (list, tuple)) else [x] * len(bench.x_names)
                for line in bench.line_vals:
                    arguments = {**dict(zip(bench.x_names, values)), bench.line_arg: line, **bench.args, **kwargs}
                    print(bench.plot_name, arguments, mark.fn(**arguments))

    return run


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--points", type=int, default=1)
    parser.add_argument("file")
    options = parser.parse_args()
    tritonrl_harness.install()
    import triton.testing

    triton.testing.Mark.run = first_points(options.points)
    for name in ("matplotlib", "matplotlib.pyplot", "pandas"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.argv = [options.file]
    runpy.run_path(options.file, run_name="__main__")
    for finding in tritonrl_harness.findings():
        print(f"{finding['file']}:{finding['line']}: {finding['rule']}: {finding['message']}")
    return 1 if tritonrl_harness.findings() else 0


if __name__ == "__main__":
    sys.exit(main())
