#pragma once

#include <string>
#include <string_view>

namespace tritonrl::analysis {

// Dotted paths of what other modules define, such as torch.nn.functional.relu.

std::string_view last_part(std::string_view path);
// Is it the module, or something in it?
bool is_below(std::string_view path, std::string_view module);

// A class of torch.nn, wherever it is imported from; and its path as people know it, torch.nn.Linear.
bool is_module_class(std::string_view path);
std::string module_class_path(std::string_view path);

}  // namespace tritonrl::analysis
