#!/usr/bin/env bash
# A small model learns to write Triton kernels, from a teacher and then from verified rewards. Run again, it goes on where it was.
#   apps/demo.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/bin/tritonrl}

"$program" train recipes/demo.toml
echo
echo "What it learned: runs/demo/report.html. How to read it: docs/training.md."
