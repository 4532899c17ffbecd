# Writes OUTPUT.h and OUTPUT.cpp, which hold the bytes of INPUT as NAMESPACE::VARIABLE; run with cmake -P.
cmake_minimum_required(VERSION 3.25)

file(READ "${INPUT}" hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
# One character literal a byte: no quoting, no escapes that run on, no limit on a literal's length.
string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${hex}")
string(REGEX REPLACE "('....',)('....',)('....',)('....',)('....',)('....',)('....',)('....',)"
                     "\\1\\2\\3\\4\\5\\6\\7\\8\n" bytes "${bytes}")

file(
  WRITE "${OUTPUT}.h"
  "#pragma once

#include <string_view>

namespace ${NAMESPACE} {

extern const std::string_view ${VARIABLE};

}  // namespace ${NAMESPACE}
")

file(
  WRITE "${OUTPUT}.cpp"
  "#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {

constexpr char kBytes[] = {
${bytes}'\\0'};

}  // namespace

constinit const std::string_view ${VARIABLE}(kBytes, ${size});

}  // namespace ${NAMESPACE}
")
