#pragma once

#include <span>
#include <string>

#include "ttir/ir/program.h"

namespace tritonrl::ttir {

bool is_terminator(Opcode opcode);
// tt.reduce, tt.scan and tt.map_elementwise.
bool is_combination(Opcode opcode);

// What is wrong with an operation by the rules that MLIR and Triton verify (kinds of elements, shapes, attributes, the
// arguments and results of a combination's region), or nothing. `types` are those of the function's values; results are
// not yet among them.
std::string broken_rule(const Operation& operation, std::span<const Type> types, std::span<const Type> results);

}  // namespace tritonrl::ttir
