# Writes OUTPUT, a header that holds the digest of FILES as NAMESPACE::VARIABLE; run with cmake -P.
# It is the SHA-256 of one line a file, "NAME DIGEST", names relative to ROOT and in order.
cmake_minimum_required(VERSION 3.25)

set(lines "")
foreach(file IN LISTS FILES)
  file(SHA256 "${file}" digest)
  file(RELATIVE_PATH name "${ROOT}" "${file}")
  list(APPEND lines "${name} ${digest}\n")
endforeach()
list(SORT lines)
string(JOIN "" text ${lines})
string(SHA256 digest "${text}")

file(
  WRITE "${OUTPUT}"
  "#pragma once

#include <string_view>

namespace ${NAMESPACE} {

inline constexpr std::string_view ${VARIABLE} = \"${digest}\";

}  // namespace ${NAMESPACE}
")
