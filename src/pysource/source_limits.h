#pragma once

#include <optional>
#include <string_view>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// What can be refused before a parser sees the text: size, encoding, and nesting past CPython's own limits.
std::optional<SourceError> find_limit_violation(std::string_view source);

}  // namespace tritonrl::pysource
