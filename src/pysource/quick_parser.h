#pragma once

#include <optional>
#include <string_view>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// The fast path of SyntaxTree::parse: a hand-written parser of the Python that people write, read as CPython reads it.
// Whatever is wrong or merely unusual is nothing, and grammar_parse decides.
// The source has passed find_limit_violation and holds no lone carriage return.
std::optional<SyntaxTree> quick_parse(std::string_view source);

}  // namespace tritonrl::pysource
