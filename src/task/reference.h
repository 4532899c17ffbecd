#pragma once

#include <string_view>

#include "base/error.h"
#include "pysource/syntax_tree.h"

namespace tritonrl::task {

// The place of byte `offset` of a source that is the file `where`, or a JSONL row's "source" when `where` has a line.
// In a row, `text_before` says so: "line 3 of its source: ".
struct SourcePlace {
  base::Place where;
  std::string text_before;
};
SourcePlace place_in_source(std::string_view source, std::size_t offset, const base::Place& where);

// Parses a reference and makes sure that it defines class Model with forward, get_inputs and get_init_inputs.
// InputError otherwise: the position of a syntax error, or all that is missing at once.
pysource::SyntaxTree parse_reference(std::string_view source, const base::Place& where);

// The definition of module-level function `name`, the last when there are several; kAbsentNode when there is none.
pysource::NodeId find_function(const pysource::SyntaxTree& tree, std::string_view name);

}  // namespace tritonrl::task
