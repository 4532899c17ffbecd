#!/usr/bin/env bash
# Builds a sanitizer preset and runs every test in it.
#   tests/sanitizers.sh debug|tsan [JOBS]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=$1
jobs=${2:-$(nproc)}

cmake --preset "$preset"
cmake --build --preset "$preset" -j "$jobs"

export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1:${ASAN_OPTIONS:-}
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
export TSAN_OPTIONS=halt_on_error=1:suppressions=$PWD/tests/tsan.suppressions:${TSAN_OPTIONS:-}
# GCC 12's ThreadSanitizer cannot map its shadow where the kernel randomises addresses widely.
run=()
if [[ $preset == tsan ]] && setarch -R true 2>/dev/null; then run=(setarch -R); fi
# The tests of the build itself learn nothing from a sanitizer, and a plain Python cannot load a library that was built
# with one.
left_out='^(harness|sanitize|conformance)\.|sanitize'
soak=${SOAK:-0}
# One thread has no races.
if [[ $preset == tsan ]]; then
  left_out+='|^(analysis|pysource|task|tables|docs)\.'
  unset SOAK
fi
"${run[@]}" ctest --preset "$preset" -j "$jobs" --no-label-summary -LE "^build$" -E "$left_out"

# The program under the sanitizer against every case, with the release build's libraries for the Python it starts.
if [[ $soak == 1 && -e build/lib/libtritonrl_torch.so ]]; then
  beside=build/$preset/beside-release
  mkdir -p "$beside/bin"
  ln -sfn "$PWD/build/lib" "$beside/lib"
  cp "build/$preset/bin/tritonrl" "$beside/bin/"
  TRITONRL_HARNESS=$PWD/harness TRITONRL_PROGRAM=$PWD/$beside/bin/tritonrl \
    "${run[@]}" .venv/bin/python -m pytest -q -p no:cacheprovider tests/verify
fi
