#pragma once

#include <string_view>

namespace tritonrl::analysis {

// May a candidate import this module? Only what kernels and their launchers honestly need.
bool is_allowed_import(std::string_view module);

// Names that the reference defines and a candidate must not borrow.
bool is_reference_name(std::string_view name);

bool is_tensor_class(std::string_view path);

}  // namespace tritonrl::analysis
