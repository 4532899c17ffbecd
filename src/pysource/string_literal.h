#pragma once

#include <string>
#include <string_view>

namespace tritonrl::pysource {

struct StringPrefix {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  std::size_t length = 0;  // letters before the quote
};

StringPrefix read_string_prefix(std::string_view literal);

// What stands between the quotes of a complete literal.
std::string_view string_body(std::string_view literal, const StringPrefix& prefix);

// {{ and }} of a formatted string as the single braces they stand for.
std::string unescape_braces(std::string_view body);

// Python's escapes resolved; \N{...} and malformed escapes stay as they are written.
std::string decode_escapes(std::string_view body, bool bytes);

}  // namespace tritonrl::pysource
