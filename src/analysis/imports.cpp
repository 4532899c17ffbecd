#include "analysis/imports.h"

#include <unordered_set>

namespace tritonrl::analysis {

bool is_allowed_import(std::string_view module) {
  static const std::unordered_set<std::string_view> allowed = {
      "torch",     "triton",     "math",        "cmath",       "numpy",  "typing", "typing_extensions", "functools",
      "itertools", "operator",   "collections", "dataclasses", "enum",   "abc",    "__future__",        "contextlib",
      "warnings",  "logging",    "copy",        "numbers",     "string", "re",     "textwrap",          "fractions",
      "decimal",   "statistics", "heapq",       "bisect",      "random",
  };
  return allowed.contains(module.substr(0, module.find('.')));
}

bool is_reference_name(std::string_view name) {
  return name == "Model" || name == "get_inputs" || name == "get_init_inputs";
}

bool is_tensor_class(std::string_view path) {
  return path == "torch.Tensor" || path == "torch.nn.Parameter" || path == "torch.nn.parameter.Parameter" ||
         path == "torch._C.TensorBase" || path == "torch._C._TensorBase" || path == "torch.FloatTensor" ||
         path == "torch.nn.Buffer";
}

}  // namespace tritonrl::analysis
