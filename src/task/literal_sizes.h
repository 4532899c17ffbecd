#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "task/module_constants.h"
#include "task/task.h"

namespace tritonrl::task {

// A size that is only a literal: torch.rand([4, 8]) in get_inputs, or an item of what get_init_inputs returns.
struct LiteralSize {
  std::string
      name;  // after the parameter that it is for: "x_0" for the first axis of forward's x, "hidden" of __init__
  std::int64_t value = 0;
  Span literal;
};

// Those of a reference, in the order of the source. The source must parse.
std::vector<LiteralSize> find_literal_sizes(const Task& task);

// The task with these literals as module constants, and so with dimensions. Sizes that give the same name share one.
Task with_named_sizes(Task task, const std::vector<LiteralSize>& sizes);

}  // namespace tritonrl::task
