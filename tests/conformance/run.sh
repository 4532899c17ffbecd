#!/usr/bin/env bash
# Runs the campaigns named (default: all): language, tutorials, operators. BENCH_SAVE=1 keeps each result in bench/results/.
# Exit status: 1 when a goal is missed, 3 when a campaign could not run.
set -uo pipefail
cd "$(dirname "$0")/../.."

python=${PYTHON:-.venv/bin/python}
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=(language tutorials operators)
declare -A arguments=([language]="--all --jobs ${JOBS:-1}" [tutorials]="" [operators]="")

# Triton's repository is fetched where it is not there; without a network the campaigns say that it is missing.
"$python" tests/conformance/checkout.py >/dev/null || true

header() {
  echo "# Conformance: $1"
  echo
  echo "- command: \`tests/conformance/run.sh $1\`"
  echo "- machine: $(nproc) cores, $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)," \
    "$(nvidia-smi -L 2>/dev/null | head -n 1 | grep . || echo no GPU)"
  echo "- date: $(date -u +%Y-%m-%d)"
  echo "- commit: $(git rev-parse --short HEAD 2>/dev/null)$(git diff --quiet HEAD 2>/dev/null || echo ', with changes')"
  echo
}

status=0
for name in "${names[@]}"; do
  [[ -f tests/conformance/$name.py ]] || { echo "run.sh: no campaign named $name" >&2; exit 2; }
  result=/dev/null
  [[ ${BENCH_SAVE:-0} != 1 ]] || result=bench/results/conformance-$name-$(date -u +%Y-%m-%d).md
  # shellcheck disable=SC2086  # several arguments in one variable
  { header "$name" && "$python" "tests/conformance/$name.py" ${arguments[$name]}; } | tee "$result"
  code=${PIPESTATUS[0]}
  ((code > status)) && status=$code
done
exit "$status"
