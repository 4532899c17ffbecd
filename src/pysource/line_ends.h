#pragma once

#include <tree_sitter/api.h>

#include <string_view>

namespace tritonrl::pysource {

// Whether a line of the source ends inside this simple statement, outside of brackets and strings. Where it can,
// tree-sitter's grammar takes a line end for a blank and reads two statements as one.
bool runs_over_line_end(TSNode statement, std::string_view source);

}  // namespace tritonrl::pysource
