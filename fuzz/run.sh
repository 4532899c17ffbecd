#!/usr/bin/env bash
# Builds the fuzz targets and runs each for a bounded time, from the case files as seeds.
#   fuzz/run.sh [SECONDS_EACH] [JOBS]
# A crash ends the run; the input that caused it lies under build/fuzz/findings/.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-120}
jobs=${2:-$(nproc)}

cmake --preset fuzz
cmake --build --preset fuzz -j "$jobs"

seeds=build/fuzz/seeds
rm -rf "$seeds"
mkdir -p "$seeds/python" "$seeds/ttir" "$seeds/tokenizer" "$seeds/safetensors" build/fuzz/findings
find tests/cases -type f \( -name '*.py' -o -name '*.md' \) -exec cp --backup=numbered -t "$seeds/python" {} +
cp -t "$seeds/ttir" tests/ttir/data/*.ttir
cp -t "$seeds/tokenizer" tests/tokenizer/data/*.json
python3 -c 'import struct; h = b"{\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}"
open("'"$seeds"'/safetensors/one", "wb").write(struct.pack("<Q", len(h)) + h + bytes(8))'

for target in build/fuzz/bin/fuzz_*; do
  name=$(basename "$target")
  corpus=build/fuzz/corpus/$name
  log=build/fuzz/$name.log
  language=python
  [[ $name == fuzz_ttir ]] && language=ttir
  [[ $name == fuzz_tokenizer ]] && language=tokenizer
  [[ $name == fuzz_safetensors ]] && language=safetensors
  mkdir -p "$corpus"
  echo "== $name, $seconds seconds"
  if ! "$target" -max_total_time="$seconds" -max_len=16384 -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 -dict="fuzz/$language.dict" \
    -artifact_prefix="build/fuzz/findings/$name-" "$corpus" "$seeds/$language" >"$log" 2>&1; then
    tail -n 80 "$log"
    echo "$name found something: see $log" >&2
    exit 1
  fi
  tail -n 6 "$log"
done
