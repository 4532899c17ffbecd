#pragma once

#include <optional>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

// What the grammar lets through and CPython does not: keywords as names, Python 2 spellings, parameters and arguments
// out of order, stars that stand alone. One pass over the tree; the first violation in it.
std::optional<SourceError> find_rule_violation(const SyntaxTree& tree);

}  // namespace tritonrl::pysource
