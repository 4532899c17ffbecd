#pragma once

#include <string>
#include <string_view>

namespace tritonrl::task {

// The same for references that differ in names, sizes, constants, comments, annotations, how they import, the order of
// their definitions, and how they make inputs; in hexadecimal. Sources that do not parse, or lack class Model, have the
// digest of their bytes.
std::string tree_fingerprint(std::string_view source);

// The same for candidates that differ in names, comments, annotations and layout; numbers count.
std::string code_fingerprint(std::string_view source, std::string_view entry);

}  // namespace tritonrl::task
