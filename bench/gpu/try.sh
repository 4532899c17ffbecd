#!/usr/bin/env bash
# Everything that needs a GPU, one step after the other; each says whether it passed, and a failure what it said.
#
#   bench/gpu/try.sh [STEP...]      default: all
#
# Needs a bundle unpacked (CONTRIBUTING.md) and a Python with a CUDA build of torch as python3 or $PYTHON. $OUT, where
# set, gets the full logs.
set -uo pipefail
cd "$(dirname "$0")/../.."

python=$(command -v "${PYTHON:-python3}")
logs=${OUT:-build/gpu-logs}
mkdir -p "$logs"
export TRITONRL_PYTHON=$python TRITONRL_SECRET=$logs/secret PYTHONDONTWRITEBYTECODE=1
program=build/bin/tritonrl
steps=("$@")
passed=0 failed=()

# step NAME SECONDS LINES COMMAND...: the last LINES of its output are shown; all of it when it fails, up to 80.
step() {
  local name=$1 seconds=$2 lines=$3 began=$SECONDS
  shift 3
  if ((${#steps[@]})) && [[ " ${steps[*]} " != *" $name "* ]]; then return; fi
  timeout -k 5 "$seconds" "$@" >"$logs/$name.log" 2>&1
  local status=$?
  if ((status == 0)); then
    echo "== PASS $name ($((SECONDS - began)) s)"
    passed=$((passed + 1))
    tail -n "$lines" "$logs/$name.log" | cut -c1-1500
  else
    echo "== FAIL $name: exit status $status ($((SECONDS - began)) s)"
    failed+=("$name")
    tail -n 80 "$logs/$name.log" | cut -c1-3000
  fi
}

machine() {
  nvidia-smi --query-gpu=name,driver_version,memory.total,memory.used --format=csv,noheader
  ls -la /dev/nvidia* /dev/nvidia-caps 2>&1 | head -20
  "$python" -c 'import sys, torch, triton; print(sys.version.split()[0], torch.__version__, triton.__version__, torch.__file__)'
  ls -la .deps | head -30
  uname -r; nproc; free -g | head -2
}

build() {
  local jobs; jobs=$(nproc)
  make build JOBS="$jobs" PYTHON="$python" CMAKE_ARGS="-DTRITONRL_TORCH_PYTHON=$python -DTRITONRL_WERROR=OFF" || return 1
  cmake --build --preset release -j "$jobs" --target gpu_tests verify_tests || echo "no C++ tests: is GoogleTest in the bundle?"
  grep -h "warning:" "$logs/build.log" | sort | uniq -c | head -20
  ls -la build/lib/*.so
}

unit_tests() {
  build/bin/gpu_tests && build/bin/verify_tests
}

# A kernel of the harness's own through the compiler's process, with this machine's Triton.
compiler() {
  PYTHONPATH=harness "$python" - <<'PY'
import json, socket, struct, subprocess, sys
ours, theirs = socket.socketpair()
server = subprocess.Popen([sys.executable, "-B", "-c", f"import os; os.dup2({theirs.fileno()}, 3); import sys; sys.argv = ['', '90', '232448', '/tmp/none']; import tritonrl_harness.compile_server as c; c.main()"], pass_fds=[theirs.fileno()])
theirs.close()
def receive():
    size = struct.unpack("<Q", ours.recv(8, socket.MSG_WAITALL))[0]
    head, _, body = ours.recv(size, socket.MSG_WAITALL).partition(b"\n")
    return json.loads(head), body
print(receive())
signature = {"left": "*i32", "right": "*i32", "differs_at": "*i64", "n": "i64", "BLOCK": "constexpr"}
data = json.dumps({"own": ["trusted_kernels", "first_difference", signature, {"BLOCK": 1024}]}).encode() + b"\n"
ours.sendall(struct.pack("<Q", len(data)) + data)
head, body = receive()
print(head, len(body))
assert "name" in head and len(body) > 1000
server.kill()
PY
}

one() {
  "$program" verify --task tests/cases/tasks/softmax.py --kernel tests/cases/honest/benchmark_under_main_guard.py --device cuda --jobs 1 \
    --cache none --jsonl "$@"
}

# The same candidate again and again: its verdict must not change, nor its speed by much.
repeat() {
  for _ in 1 2 3 4; do one | "$python" -c 'import json, sys; v = json.load(sys.stdin); print(v.get("accepted"), v.get("speedup"), v.get("error", ""))'; done
}

left_behind() {
  sleep 2
  nvidia-smi --query-compute-apps=pid,used_memory --format=csv,noheader
  pgrep -af 'tritonrl_harness' && return 1
  ls -d /tmp/tritonrl-compiler-* 2>/dev/null && return 1
  return 0
}

export -f machine build unit_tests compiler one repeat left_behind
export python program logs

step machine 60 30 bash -c machine
step build 420 12 bash -c build
step doctor 60 20 "$program" doctor
step compiler 120 3 bash -c compiler
step unit_tests 180 15 bash -c unit_tests
step one 120 2 bash -c one
if [[ " ${failed[*]-} " == *" one "* ]]; then
  step one_best 120 2 bash -c 'one --sandbox best'
else
  step repeat 120 4 bash -c repeat
  step honest 400 60 "$python" bench/gpu/cases.py --kinds honest --jobs 4 --keep "$logs/verdicts"
  step wrong 300 60 "$python" bench/gpu/cases.py --kinds wrong --jobs 4 --keep "$logs/verdicts"
  step cheating 400 60 "$python" bench/gpu/cases.py --kinds cheating --jobs 4 --keep "$logs/verdicts"
  step hostile 400 60 "$python" bench/gpu/cases.py --kinds hostile --jobs 4 --keep "$logs/verdicts"
fi
step left_behind 30 10 bash -c left_behind
echo "== $passed steps passed, ${#failed[@]} failed: ${failed[*]-}"
((${#failed[@]} == 0))
