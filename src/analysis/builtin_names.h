#pragma once

#include <string_view>

namespace tritonrl::analysis {

// Is this a name that every Python module has without importing it?
bool is_builtin_name(std::string_view name);

}  // namespace tritonrl::analysis
