#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ttir/ir/program.h"

namespace tritonrl::ttir {

// What is known of a value before anything runs.
struct ValueFacts {
  static constexpr std::int32_t kUnknownArgument = -1;
  static constexpr std::int32_t kNoArgument = -2;  // no pointer has reached it

  std::int32_t argument = kNoArgument;  // the kernel's parameter that every address in it is derived from
  bool may_be_undefined = false;        // some lane may come from a load that was masked off without `other`, or from
                                        // a division by zero
  bool is_never_zero = false;           // an integer constant
  bool is_multiple = false;             // integers, all multiples of 16
  bool is_split = false;                // a tensor divided by something else than that went into it: no compiler sees
                                        // which of its lanes are neighbours
  bool is_loaded = false;               // a load went into it

  friend bool operator==(const ValueFacts&, const ValueFacts&) = default;
};

// Whether the operation divides integers.
bool divides(Opcode opcode);

// By ValueId of `function`, whose parameters have the given facts.
std::vector<ValueFacts> value_facts(const Module& module, const Function& function,
                                    std::span<const ValueFacts> parameters);

// Whether some loop of `function` may wait for another program: it repeats until an atomic or volatile load says so.
bool may_wait(const Module& module, const Function& function);

}  // namespace tritonrl::ttir
