#!/usr/bin/env bash
# The best journey that there is so far: judge the example kernels without running them, and run some without a GPU.
#   apps/demo.sh PROGRAM
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-build/bin/tritonrl}

# Shows a command as one would type it, then runs it. Status 1 (something was rejected) is an answer.
show() {
  echo
  echo "\$ $*"
  local status=0
  "$@" || status=$?
  if ((status > 1)); then exit "$status"; fi
}

echo "Training does not exist yet, so this is not the demo that it will become (teacher data, SFT, RL, evaluation)."
echo "What there is: the static layers, which judge a Triton kernel without running it, and the sanitizer, which runs it"
echo "without a GPU."
show "$program" doctor
for example in examples/*.py; do
  show "$program" check "$example"
done
for response in examples/*.md; do
  show "$program" check --response "$response"
done
if [[ -e $(dirname "$program")/../lib/libtritonrl_torch.so ]]; then
  show "$program" sanitize examples/sanitize/three_bugs.py
  show "$program" sanitize --profile examples/sanitize/softmax.py
fi
