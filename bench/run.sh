#!/usr/bin/env bash
# Runs the benchmarks named (default: all). BENCH_SAVE=1 also keeps each output in bench/results/.
set -uo pipefail
cd "$(dirname "$0")/.."

python=${PYTHON:-$([[ -x .venv/bin/python ]] && echo .venv/bin/python || command -v python3)}
names=("$@")
[[ ${#names[@]} -gt 0 ]] || names=(static_real_code inject static_speed executor/speed device_match/compare verify/throughput verify/repeat verify/honest_roundings tokenizer/speed)

header() {
  echo "command: bench/run.sh $1"
  echo "machine: $(nproc) cores, $(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo | head -n 1)"
  echo "date:    $(date -u +%Y-%m-%dT%H:%MZ)"
  echo "program: $("${TRITONRL:-build/bin/tritonrl}" --version 2>/dev/null | head -n 1)"
  echo "commit:  $(git rev-parse --short HEAD 2>/dev/null)$(git diff --quiet HEAD 2>/dev/null || echo ', with changes')"
  echo
}

status=0
for name in "${names[@]}"; do
  if [[ ! -f bench/$name.py ]]; then
    echo "run.sh: no benchmark named $name" >&2
    exit 2
  fi
  echo "== $name"
  if [[ ${BENCH_SAVE:-0} == 1 ]]; then
    result=bench/results/${name//\//-}-$(date -u +%Y-%m-%d).txt
    mkdir -p bench/results
    { header "$name" && "$python" "bench/$name.py"; } | tee "$result"
  else
    { header "$name" && "$python" "bench/$name.py"; }
  fi
  code=$?
  ((code > status)) && status=$code
  echo
done
exit "$status"
