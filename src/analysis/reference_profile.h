#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/interpreter.h"
#include "analysis/value.h"
#include "pysource/syntax_tree.h"
#include "task/task.h"

namespace tritonrl::analysis {

// What the static layers need to know of a task's reference, from the same analysis that candidates get.
struct ReferenceProfile {
  enum class ArgumentKind : std::uint8_t { kTensor, kOther };
  std::set<std::string, std::less<>> main_operators;  // families: "matmul", "softmax"...; all of them if none is main
  bool only_moves_data = false;
  std::vector<ArgumentKind> inputs;  // as get_inputs() gives them; empty if that cannot be worked out
  bool inputs_known = false;
  std::size_t init_arguments = 0;
  bool init_arguments_known = false;
  std::vector<std::string> operators;  // families of everything it computes, sorted
};

// The source must parse: tasks are checked when they are loaded.
ReferenceProfile profile_reference(std::string_view source);

// Operators that stand for each other: addmm, linear and @ are all "matmul".
std::string operator_family(std::string_view name);

// The families of what one call of an entry computes in torch, sorted: alike for renamed, reformatted and split copies.
std::vector<std::string> computed_operators(const Trace& trace, const Trace::Call& call);

}  // namespace tritonrl::analysis
