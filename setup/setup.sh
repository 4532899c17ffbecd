#!/usr/bin/env bash
# Installs what is missing, and nothing else. Running it again takes a second.
#
#   setup/setup.sh build    Debian packages and source packages: what `make build` needs
#   setup/setup.sh test     and .venv with torch, Triton and pytest (the default)
#   setup/setup.sh tools    and the clang tools of `make soak` and `make lint`
#
# Variables:
#   PYTHON          the Python that makes .venv, 3.10 or later (default python3)
#   TORCH_BUILD     cpu or cuda (default: cuda where nvidia-smi works, else cpu)
#   TORCH_PIP_ARGS  more arguments for pip, such as an index that holds CPU builds of torch
#
# Where a bundle is unpacked (.deps/bundle.txt, see setup/bundle.sh) nothing is installed: everything is there.
# Exit status: 0 all there; 2 something is missing that only you can provide, and the one command that does it.
set -euo pipefail
cd "$(dirname "$0")/.."

level=${1:-test}
python=${PYTHON:-python3}
venv=.venv
deps=.deps

say() { echo "setup: $*" >&2; }
fail() { say "$*"; exit 2; }

# Names in the sections of debian-packages.txt up to and including $level.
wanted_packages() {
  awk -v last="[$level]" '/^\[/ { if (seen) exit; seen = ($0 == last); next } /^[a-z]/ { print $1 }' \
    setup/debian-packages.txt
}

missing_packages() {
  local installed
  # dpkg-query exits 1 when it does not know a package: that is an answer, not a failure.
  installed=$(dpkg-query -W -f='${Package} ${db:Status-Status}\n' $(wanted_packages) 2>/dev/null || true)
  wanted_packages | while read -r package; do
    grep -qx "$package installed" <<<"$installed" || echo "$package"
  done
}

install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    say "this is not Debian: no packages were installed; setup/debian-packages.txt lists what the build looks for"
    return
  fi
  local missing as_root=()
  missing=$(missing_packages | xargs)
  [[ -n $missing ]] || return 0
  if [[ $(id -u) != 0 ]]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      fail "these Debian packages are missing; run this, then try again:
  sudo apt-get update && sudo apt-get install -y --no-install-recommends $missing"
    fi
  fi
  say "installing Debian packages: $missing"
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o Acquire::Retries=3)
  "${apt[@]}" update >/dev/null || say "apt-get update failed; trying with the package lists that are here"
  # shellcheck disable=SC2086  # a list of names
  "${apt[@]}" install -y --no-install-recommends $missing >/dev/null ||
    fail "apt-get could not install: $missing
  On a machine without package registries, unpack a bundle (\`make bundle\` elsewhere) in the repository root."
}

pip() { "$venv/bin/python" -m pip --disable-pip-version-check --no-input "$@" >&2; }

make_venv() {
  "$venv/bin/python" -c 'import pip' 2>/dev/null && return
  command -v "$python" >/dev/null || fail "there is no $python; set PYTHON to a Python 3.10 or later"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' ||
    fail "$("$python" --version) is too old; set PYTHON to a Python 3.10 or later"
  say "making $venv with $("$python" --version)"
  rm -rf "$venv"
  "$python" -m venv "$venv" >&2 || fail "$python cannot make a virtual environment (Debian: python3-venv)"
}

# A source package is there when its stamp holds the pinned line and its licence, unpacked last, exists.
unpack_sources() {
  local line name folder archive
  while read -r line; do
    [[ -n $line && $line != \#* ]] || continue
    name=${line%%==*}
    folder=$deps/$name
    [[ -f $folder/PKG-INFO && $(cat "$folder/.pin" 2>/dev/null) == "$line" ]] && continue
    make_venv
    say "fetching the source package ${line%% *}"
    rm -rf "$deps/.download" "$folder"
    mkdir -p "$deps/.download" "$folder"
    echo "$line" >"$deps/.download/pin.txt"
    pip -q download --no-deps --no-binary "$name" --require-hashes -r "$deps/.download/pin.txt" -d "$deps/.download" ||
      fail "pip could not fetch ${line%% *}. On a machine without package registries, unpack a bundle
  (\`make bundle\` elsewhere) in the repository root."
    archive=$(ls "$deps"/.download/*.tar.gz)
    tar -xzf "$archive" --strip-components=1 --no-same-owner -C "$folder"
    cp "$deps/.download/pin.txt" "$folder/.pin"
    rm -rf "$deps/.download"
  done <setup/source-packages.txt
}

torch_build() {
  case ${TORCH_BUILD:-} in
    cpu | cuda) echo "$TORCH_BUILD" ;;
    "") if nvidia-smi >/dev/null 2>&1; then echo cuda; else echo cpu; fi ;;
    *) fail "TORCH_BUILD is '$TORCH_BUILD'; it must be cpu or cuda" ;;
  esac
}

# Whether every pinned version is really in .venv, whatever a stamp says.
requirements_are_there() {
  "$venv/bin/python" - setup/requirements.txt <<'CHECK' 2>/dev/null
import importlib.metadata, sys
for line in open(sys.argv[1]):
    name, equals, version = line.split("#")[0].strip().partition("==")
    if equals and importlib.metadata.version(name).split("+")[0] != version:
        sys.exit(1)
CHECK
}

install_cpu_build() {
  sed 's/^torch==.*/&+cpu/' setup/requirements.txt >"$venv/requirements-cpu.txt"
  pip -q install "$@" -r "$venv/requirements-cpu.txt" 2>/dev/null && return
  say "pip finds no CPU build of torch: taking the default one, which is larger" \
    "(TORCH_PIP_ARGS can name an index that holds CPU builds)"
  return 1
}

install_requirements() {
  local build stamp
  build=$(torch_build)
  stamp="$build $(sha256sum <setup/requirements.txt)"
  [[ $(cat "$venv/.requirements" 2>/dev/null) == "$stamp" ]] && requirements_are_there && return
  say "installing Python packages (torch build: $build)"
  # pip takes a +cpu build for the same version: it has to go before the other one can come.
  [[ $(cut -d' ' -f1 "$venv/.requirements" 2>/dev/null) == "$build" ]] || pip -q uninstall -y torch 2>/dev/null || true
  # shellcheck disable=SC2206  # several arguments in one variable
  local more=(${TORCH_PIP_ARGS:-})
  if [[ $build != cpu ]] || ! install_cpu_build "${more[@]}"; then
    pip -q install "${more[@]}" -r setup/requirements.txt ||
      fail "pip could not install setup/requirements.txt (see above)"
  fi
  echo "$stamp" >"$venv/.requirements"
}

check_bundle() {
  say "using the bundle in $deps; nothing is installed"
  (cd "$deps" && sha256sum --quiet --strict -c bundle.txt >&2) ||
    fail "the bundle in $deps is damaged: unpack it again"
}

case $level in
  build | test | tools) ;;
  *) fail "unknown level '$level'; use build, test or tools" ;;
esac
if [[ -f $deps/bundle.txt ]]; then
  check_bundle
  exit 0
fi
install_packages
unpack_sources
if [[ $level != build ]]; then
  make_venv
  install_requirements
fi
