#!/usr/bin/env bash
# Builds the program here for a machine with a GPU that has neither package registries nor time to build: against its version of
# torch, and with nothing of this system's but what every Linux has (glibc, libstdc++, libcrypto 3).
#
#   setup/package.sh TORCH_VERSION [TARGET...]     such as 2.11.0; default: tritonrl
#
# Needs nvcc, and `make setup`. The result is build/package/, with bin/ and lib/; on the other machine:
#
#   torch=$(python3 -c 'import os, torch; print(os.path.dirname(torch.__file__))')
#   python3 harness/cpu_torch.py build/package/cpu_torch
#   export LD_LIBRARY_PATH=$torch/lib:/usr/local/cuda/lib64 TRITONRL_PYTHON=$(command -v python3) TRITONRL_HARNESS=$PWD/harness
#   build/package/bin/tritonrl doctor
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "package: $*" >&2; exit 2; }
[[ $# -ge 1 ]] || fail "say which torch the other machine has: setup/package.sh 2.11.0"
torch=$1
shift
targets=("${@:-tritonrl}")
command -v nvcc >/dev/null || fail "there is no nvcc on this machine's PATH"

work=$PWD/build/package-of-torch-$torch
venv=$work/venv
if [[ ! -x $venv/bin/cmake ]]; then
  python3 -m venv "$venv"
  # CMake before 3.27 does not know what nvcc 13 calls C++20.
  "$venv/bin/pip" install -q --no-deps "torch==$torch" "cmake==4.4.4"
fi

archive=build/tritonrl-bundle.tar.gz
setup/bundle.sh "$archive"
tar -xzf "$archive" -C "$work"
deps=$work/.deps
options=()
for package in fmt spdlog tomlplusplus CURL GTest benchmark; do options+=("-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON"); done
for library in seccomp utf8proc pcre2; do
  static=("$deps/lib$library"/lib/*.a)
  options+=("-DTRITONRL_LIB${library^^}_INCLUDE=$deps/lib$library/include" "-DTRITONRL_LIB${library^^}_LIBRARY=${static[0]}")
done
"$venv/bin/cmake" --preset cuda -B "$work/build" -G Ninja "-DTRITONRL_DEPS=$deps" "-DTRITONRL_TORCH_PYTHON=$venv/bin/python" \
  -DTRITONRL_WERROR=OFF "${options[@]}"
"$venv/bin/cmake" --build "$work/build" --target "${targets[@]}"

rm -rf build/package
mkdir -p build/package/bin build/package/lib
cp "$work"/build/bin/* build/package/bin/
cp "$work"/build/lib/*.so build/package/lib/
strip build/package/bin/* build/package/lib/*.so
du -sh build/package
