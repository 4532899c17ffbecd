#pragma once

#include <cstddef>

#include "ttir/memory/memory_view.h"

namespace tritonrl::ttir {

// One lane of a read-modify-write: *memory becomes *memory `operation` *operand. All as they lie in memory.
using RmwFunction = void (*)(std::byte* memory, const std::byte* operand);

// nullptr: there is no such atomic. Bit operations, sums and extrema of integers of 1 to 8 bytes; kFAdd, kMax and kMin
// of f16, bf16, f32 and f64, rounded to nearest even; kExchange of everything.
RmwFunction rmw_function(RmwOperation operation, Element element);

}  // namespace tritonrl::ttir
