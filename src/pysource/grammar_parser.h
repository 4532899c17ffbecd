#pragma once

#include <string_view>
#include <variant>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// Expressions nest without brackets too (a.b.c..., - - - x); every recursion over a tree relies on these bounds.
inline constexpr int kMaxDepth = 400;
inline constexpr std::size_t kMaxElifs = kMaxDepth / 2;

// tree-sitter's Python, lowered to a SyntaxTree: the parser of what quick_parse gives up on, and the one that says what
// is wrong with a source. The source has passed find_limit_violation.
std::variant<SyntaxTree, SourceError> grammar_parse(std::string_view source);

}  // namespace tritonrl::pysource
