#pragma once

#include <string_view>
#include <variant>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// Expressions nest without brackets too (a.b.c..., - - - x); every recursion over a tree relies on these bounds.
inline constexpr int kMaxDepth = 400;
inline constexpr std::size_t kMaxElifs = kMaxDepth / 2;

// tree-sitter's Python, lowered to a SyntaxTree: the parser that decides what is Python and says what is wrong with
// what is not. The source has passed find_limit_violation.
std::variant<SyntaxTree, SourceError> grammar_parse(std::string_view source);

}  // namespace tritonrl::pysource
