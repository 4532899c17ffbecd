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
export TSAN_OPTIONS=halt_on_error=1:${TSAN_OPTIONS:-}
# GCC 12's ThreadSanitizer cannot map its shadow where the kernel randomises addresses widely.
run=()
if [[ $preset == tsan ]] && setarch -R true 2>/dev/null; then run=(setarch -R); fi
# The tests of the build itself learn nothing from a sanitizer, and a plain Python cannot load a library that was built
# with one.
"${run[@]}" ctest --preset "$preset" -j "$jobs" --no-label-summary -LE "^build$" -E "^(harness|sanitize|conformance)\\.|sanitize"
