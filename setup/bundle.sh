#!/usr/bin/env bash
# Makes one archive with what a machine without package registries may lack: sources, headers, static libraries.
# Unpacked in the repository root there it gives .deps/, from which `make build` and `make test` work offline
# with cmake, ninja or make, and a C++20 compiler.
#
#   setup/bundle.sh [ARCHIVE]    default build/tritonrl-bundle.tar.gz
set -euo pipefail
cd "$(dirname "$0")/.."

archive=${1:-build/tritonrl-bundle.tar.gz}
include=${BUNDLE_INCLUDE_DIR:-/usr/include}
googletest=${BUNDLE_GOOGLETEST_DIR:-/usr/src/googletest}
licences=/usr/share/doc

fail() { echo "bundle: $*" >&2; exit 2; }

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
deps=$stage/.deps

# headers NAME FOLDER PACKAGE: copies one library's headers, with its licence.
headers() {
  [[ -d $include/$2 ]] || fail "there is no $include/$2; run \`make setup\` first"
  mkdir -p "$deps/$1/include"
  cp -rL "$include/$2" "$deps/$1/include/"
  licence "$1" "$3"
}

licence() {
  if [[ -f $licences/$2/copyright ]]; then cp -L "$licences/$2/copyright" "$deps/$1/LICENSE"; fi
}

sources() {
  [[ -d .deps/$1 ]] || fail "there is no .deps/$1; run \`make setup\` first"
  local path
  for path in "${@:2}"; do
    mkdir -p "$deps/$1/$(dirname "$path")"
    cp -rL ".deps/$1/$path" "$deps/$1/$path"
  done
}

headers cli11 CLI libcli11-dev
headers tomlplusplus toml++ libtomlplusplus-dev
headers nlohmann-json nlohmann nlohmann-json3-dev
headers fmt fmt libfmt-dev
headers spdlog spdlog libspdlog-dev
sources tree-sitter LICENSE tree_sitter/core/lib
sources tree-sitter-python LICENSE src

# library NAME ARCHIVE HEADER...: a static library and not its sources, which want tools of their own to build. Only the
# program itself links it.
library() {
  local archive header
  archive=$(cc -print-file-name="$2")
  [[ -f $archive ]] || fail "there is no $2; run \`make setup\` first"
  mkdir -p "$deps/$1/include" "$deps/$1/lib"
  for header in "${@:3}"; do
    [[ -f $include/$header ]] || fail "there is no $include/$header; run \`make setup\` first"
    cp -L "$include/$header" "$deps/$1/include/"
  done
  cp -L "$archive" "$deps/$1/lib/"
  licence "$1" "$1-dev"
}
library libseccomp libseccomp.a seccomp.h seccomp-syscalls.h
library libutf8proc libutf8proc.a utf8proc.h
library libpcre2 libpcre2-8.a pcre2.h

for part in googletest googlemock; do
  [[ -d $googletest/$part/src ]] || fail "there is no $googletest/$part/src; run \`make setup\` first"
  mkdir -p "$deps/googletest/$part"
  cp -rL "$googletest/$part/include" "$googletest/$part/src" "$deps/googletest/$part/"
done
licence googletest googletest

(cd "$deps" && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum >"$stage/bundle.txt")
mv "$stage/bundle.txt" "$deps/bundle.txt"

mkdir -p "$(dirname "$archive")"
tar -C "$stage" --sort=name --owner=0 --group=0 --numeric-owner --mtime='@0' -cf - .deps | gzip -9n >"$archive.part"
mv "$archive.part" "$archive"
echo "$archive ($(du -h "$archive" | cut -f1)): unpack it in the repository root of the other machine, then \`make build\`"
