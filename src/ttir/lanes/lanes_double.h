#pragma once

#include "ttir/lanes/lanes.h"

// Operations that are not worth vectorising, through the C library: those of f64, and the rare ones of f32.
namespace tritonrl::ttir::lanes {

Unary slow_unary(Opcode opcode, Element element);
Binary slow_binary(Opcode opcode, Element element, Uniform uniform);

}  // namespace tritonrl::ttir::lanes
