#include "analysis/paths.h"

namespace tritonrl::analysis {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

bool is_below(std::string_view path, std::string_view module) {
  return path == module || (path.starts_with(module) && path[module.size()] == '.');
}

bool is_module_class(std::string_view path) {
  return path.starts_with("torch.nn.") && !path.starts_with("torch.nn.functional.") &&
         !path.starts_with("torch.nn.init.") && !last_part(path).empty() && last_part(path)[0] >= 'A' &&
         last_part(path)[0] <= 'Z';
}

std::string module_class_path(std::string_view path) { return "torch.nn." + std::string(last_part(path)); }

}  // namespace tritonrl::analysis
