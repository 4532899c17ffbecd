#pragma once

#include <string>
#include <string_view>

#include "pysource/syntax_tree.h"

namespace tritonrl::pysource {

const char* kind_name(Kind kind);
const char* op_name(Op op);

// A tree as one line of text: (Call print (List (Binary + x 1))). Names and numbers stand for themselves, strings are
// quoted, an absent slot is -, an operator follows the kind, a node's text follows that in quotes.
std::string tree_text(const SyntaxTree& tree, NodeId node);

// The tree of a source that must parse: its only statement, or the Module if it has several. An error is "error: ...".
std::string tree_text(std::string_view source);

// The error of a source that must not parse, as "kind@offset: message"; "parsed" if it does.
std::string error_text(std::string_view source);

}  // namespace tritonrl::pysource
