#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "ttir/machine/lowering.h"

namespace tritonrl::ttir {

// What makes a lane undefined: bits of the bytes beside its lanes.
inline constexpr std::uint8_t kMaskedOff = 1;
inline constexpr std::uint8_t kDividedByZero = 2;

// Adds the steps that fill out.undefined, if it has one: a lane is undefined when that lane of an operand is.
// Operands are uniform or have as many lanes as `out`.
void lower_undefined(Lowering& lowering, const Binding& out, std::span<const Binding> operands);

// Reports the first lane that is undefined where `mask` (null: everywhere) is on.
void report_undefined(Machine& machine, const Step& step, const std::uint8_t* undefined, const std::uint8_t* mask,
                      std::size_t count, std::string_view used_as);

// Adds a step that reports undefined-lane for lanes of `value` that are undefined where `mask` (may be null) is on.
void lower_undefined_use(Lowering& lowering, const Binding& value, const Binding* mask, const char* used_as);

}  // namespace tritonrl::ttir
