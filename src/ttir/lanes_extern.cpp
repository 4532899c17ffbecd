#include "ttir/lanes.h"

namespace tritonrl::ttir::lanes {

Unary extern_unary(std::string_view, Element, Element) { return nullptr; }
Binary extern_binary(std::string_view, Element) { return nullptr; }
Ternary extern_ternary(std::string_view, Element) { return nullptr; }

}  // namespace tritonrl::ttir::lanes
