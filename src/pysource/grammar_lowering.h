#pragma once

#include <tree_sitter/api.h>

#include <variant>

#include "pysource/syntax_tree.h"
#include "pysource/tree_builder.h"

namespace tritonrl::pysource {

// tree-sitter's tree of a source without errors, as nodes of ours: the root, or what Python's own parser refuses.
// Where the grammar reads otherwise than Python, the tree is put right; where that cannot be done, it is an error.
std::variant<NodeId, SourceError> lower_grammar_tree(TreeBuilder& builder, TSNode root);

}  // namespace tritonrl::pysource
